"""Cesari et al. (2001): their equation (24) is ours for three links, and three printed equations are not.

The printed (10), (14) and (31) are negative controls: as they stand they must miss by the known amounts.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sp

from borelli.planar import equations

# Inputs and outputs of the golden case "cesari_three_link".
M = (2.0, 1.5, 0.5)
L = (0.3, 0.25, 0.2)
D = (0.13, 0.11, 0.1)
INERTIA = (0.02, 0.015, 0.002)
ALPHA, ALPHAD, ALPHADD = (0.7, 0.8, -0.5), (1.5, -2.0, 2.5), (3.0, -4.0, 6.0)
G, SPRING_FORCE, SPRING_BEYOND_COM = 9.81, 20.0, 0.08
COM_ACCELERATION_Y = {2: 0.21829882535553935, 3: 0.10704605160183028}
M22 = 0.09333956404725932
TORQUE = (-3.8718683577280326, -7.138332877140674, -2.6887813021264004)
PRINTED = {"(10)": 0.27316104961876236, "(14)": -0.0736551557620238, "(31)": 0.08236978202362966}
# A handful of float64 operations on numbers of order one.
ROUND_OFF = 1e-13

l1, l2, l3 = sp.symbols("l_1:4")
d1, d2, d3 = sp.symbols("lC_1:4")
m1, m2, m3 = sp.symbols("m_1:4")
i1, i2, i3 = sp.symbols("I_1:4")
a1, a2, a3 = sp.symbols("alpha_1:4")
ad1, ad2, ad3 = sp.symbols("alphad_1:4")
add1, add2, add3 = sp.symbols("alphadd_1:4")
g, spring, beyond = sp.symbols("g F_S d_S")
s12, s123 = sp.sin(a1 + a2), sp.sin(a1 + a2 + a3)
c12, c123 = sp.cos(a1 + a2), sp.cos(a1 + a2 + a3)

# The spring pulls along -x: an absolute angle of pi, hence gR_3 = pi - theta_3.
SLENDER_WITH_SPRING = {
    **{sp.Symbol(f"eps_{i}"): 0 for i in (1, 2, 3)},
    **{sp.Symbol(f"R_{i}"): 0 for i in (1, 2)},
    sp.Symbol("R_3"): spring,
    sp.Symbol("eR_3"): 0,
    sp.Symbol("gR_3"): sp.pi - a1 - a2 - a3,
    sp.Symbol("lR_3"): d3 + beyond,
}


def numbers():
    values = {g: G, spring: SPRING_FORCE, beyond: SPRING_BEYOND_COM}
    given = {"m": M, "l": L, "lC": D, "I": INERTIA, "alpha": ALPHA, "alphad": ALPHAD, "alphadd": ALPHADD}
    for letter, triple in given.items():
        values |= {sp.Symbol(f"{letter}_{i}"): number for i, number in enumerate(triple, start=1)}
    return values


def number(expression):
    return float(expression.subs(numbers()))


def inertia_matrix(m22_factor=2):
    """Cesari's (27)-(35); (31) has the factor 1 in print where 2 is right."""
    c2, c3, c23 = sp.cos(a2), sp.cos(a3), sp.cos(a2 + a3)
    m11 = m1 * d1**2 + i1 + m2 * (l1**2 + d2**2 + 2 * l1 * d2 * c2) + i2
    m11 += m3 * (l1**2 + l2**2 + d3**2 + 2 * l1 * l2 * c2 + 2 * l1 * d3 * c23 + 2 * l2 * d3 * c3) + i3
    m12 = m2 * (d2**2 + l1 * d2 * c2) + i2 + i3
    m12 += m3 * (l2**2 + d3**2 + l1 * l2 * c2 + l1 * d3 * c23 + 2 * l2 * d3 * c3)
    m13 = m3 * (d3**2 + l1 * d3 * c23 + l2 * d3 * c3) + i3
    m22 = m2 * d2**2 + i2 + m3 * (l2**2 + d3**2 + m22_factor * l2 * d3 * c3) + i3
    m23 = m3 * (d3**2 + l2 * d3 * c3) + i3
    m33 = m3 * d3**2 + i3
    return sp.Matrix([[m11, m12, m13], [m12, m22, m23], [m13, m23, m33]])


def velocity_terms():
    """Cesari's (36)-(38)."""
    s2, s3, s23 = sp.sin(a2), sp.sin(a3), sp.sin(a2 + a3)
    elbow, wrist = 2 * ad1 * ad2 + ad2**2, 2 * ad1 * ad3 + 2 * ad2 * ad3 + ad3**2
    first = (m2 * l1 * d2 + m3 * l1 * l2) * s2 + m3 * l1 * d3 * s23
    second = m3 * l1 * d3 * s23 + m3 * l2 * d3 * s3
    third = m3 * d3 * l2 * s3
    return sp.Matrix(
        [-first * elbow - second * wrist, first * ad1**2 - third * wrist, second * ad1**2 + third * elbow]
    )


def gravity_terms():
    """Cesari's (39)-(41)."""
    hand = m3 * g * d3 * c123
    forearm = m2 * g * d2 * c12 + m3 * g * l2 * c12
    upper = m1 * g * d1 * sp.cos(a1) + (m2 + m3) * g * l1 * sp.cos(a1)
    return sp.Matrix([upper + forearm + hand, forearm + hand, hand])


def spring_terms(lever):
    """Cesari's (42)-(44) with the spring's distance from the wrist."""
    hand = -spring * lever * s123
    forearm = -spring * l2 * s12
    return sp.Matrix([-spring * l1 * sp.sin(a1) + forearm + hand, forearm + hand, hand])


def cesari_torques(m22_factor=2, lever=d3 + beyond):
    accelerations = sp.Matrix([add1, add2, add3])
    inertial = inertia_matrix(m22_factor) * accelerations
    return inertial + velocity_terms() + gravity_terms() + spring_terms(lever)


@pytest.mark.parametrize("joint", [1, 2, 3])
def test_equation_24_is_ours_for_three_slender_links(joint):
    ours = equations(3, "joint").torque(joint).subs(SLENDER_WITH_SPRING)
    assert sp.expand(ours - cesari_torques()[joint - 1]) == 0


@pytest.mark.parametrize("joint", [1, 2, 3])
def test_torques_have_the_golden_values(joint):
    ours = equations(3, "joint").torque(joint).subs(SLENDER_WITH_SPRING)
    assert number(ours) == pytest.approx(TORQUE[joint - 1], rel=1e-12)


def our_vertical_acceleration(link):
    """Acceleration of a mass centre out of the reactions at its two joints (no muscles, no contacts)."""
    found = equations(3, "joint")
    unloaded = {sp.Symbol(f"{letter}_{i}"): 0 for letter in ("R", "Fx", "Fy", "eps") for i in (1, 2, 3)}
    proximal = found.reaction(link)[1]
    distal = found.reaction(link + 1)[1] if link < 3 else 0
    return number((distal - proximal).subs(unloaded) / sp.Symbol(f"m_{link}") - g)


def equation_10(sign_of_squared, sign_of_products):
    """Acceleration of the forearm, (10); both signs are +1 in print and -1 in truth."""
    products = 2 * ad1 * ad2 + ad2**2
    return (
        (l1 * sp.cos(a1) + d2 * c12) * add1
        + d2 * c12 * add2
        - (l1 * sp.sin(a1) - sign_of_squared * d2 * s12) * ad1**2
        + sign_of_products * d2 * s12 * products
    )


def equation_14(function):
    """Acceleration of the hand, (14); in print the function in the term 2 ad1 ad2 is the cosine."""
    return (
        (l1 * sp.cos(a1) + l2 * c12 + d3 * c123) * add1
        + (l2 * c12 + d3 * c123) * add2
        + d3 * c123 * add3
        - (l1 * sp.sin(a1) + l2 * s12 + d3 * s123) * ad1**2
        - (l2 * s12 + d3 * s123) * ad2**2
        - d3 * s123 * ad3**2
        - (l2 * s12 + d3 * function(a1 + a2 + a3)) * 2 * ad1 * ad2
        - d3 * s123 * (2 * ad1 * ad3 + 2 * ad2 * ad3)
    )


def test_equation_10_as_printed_misses_the_acceleration_of_the_forearm():
    ours = our_vertical_acceleration(2)
    assert ours == pytest.approx(COM_ACCELERATION_Y[2], abs=ROUND_OFF)
    assert number(equation_10(-1, -1)) == pytest.approx(ours, abs=ROUND_OFF)
    assert number(equation_10(+1, +1)) == pytest.approx(PRINTED["(10)"], abs=ROUND_OFF)
    assert abs(PRINTED["(10)"] - ours) > 0.05


@pytest.mark.parametrize("signs", [(-1, +1), (+1, -1)])
def test_equation_10_with_one_sign_mended_is_still_wrong(signs):
    assert abs(number(equation_10(*signs)) - COM_ACCELERATION_Y[2]) > 0.05


def test_equation_14_as_printed_misses_the_acceleration_of_the_hand():
    ours = our_vertical_acceleration(3)
    assert ours == pytest.approx(COM_ACCELERATION_Y[3], abs=ROUND_OFF)
    assert number(equation_14(sp.sin)) == pytest.approx(ours, abs=ROUND_OFF)
    assert number(equation_14(sp.cos)) == pytest.approx(PRINTED["(14)"], abs=ROUND_OFF)
    assert abs(PRINTED["(14)"] - ours) > 0.1


def test_equation_31_as_printed_misses_the_inertia_of_the_elbow():
    ours = number(equations(3, "joint").torque(2).subs(SLENDER_WITH_SPRING).expand().coeff(add2))
    assert ours == pytest.approx(M22, abs=ROUND_OFF)
    assert number(inertia_matrix(2)[1, 1]) == pytest.approx(ours, abs=ROUND_OFF)
    assert number(inertia_matrix(1)[1, 1]) == pytest.approx(PRINTED["(31)"], abs=ROUND_OFF)
    assert abs(PRINTED["(31)"] - ours) > 0.01


def test_equation_31_as_printed_can_make_the_inertia_matrix_indefinite():
    # All mass near the mass centres, forearm light, hand in line: kinetic energy must stay positive.
    extreme = {i1: 1e-4, i2: 1e-4, i3: 1e-4, m2: 0.01, a3: 0.0}
    right, printed = (
        np.array(inertia_matrix(factor).subs(extreme).subs(numbers()), dtype=float) for factor in (2, 1)
    )
    assert np.linalg.eigvalsh(right).min() > 0
    assert np.linalg.eigvalsh(printed).min() < 0


def test_spring_acts_at_its_distance_from_the_hands_mass_centre_and_not_from_the_wrist():
    ours = equations(3, "joint").torque(3).subs(SLENDER_WITH_SPRING)
    spring_part = number(ours - ours.subs(spring, 0))
    assert spring_part == pytest.approx(number(spring_terms(d3 + beyond)[2]), abs=ROUND_OFF)
    assert spring_part == pytest.approx(-3.0292955453084276, abs=ROUND_OFF)
    from_the_wrist = number(spring_terms(beyond)[2])
    assert from_the_wrist == pytest.approx(-20 * 0.08 * math.sin(1.0), abs=ROUND_OFF)
    assert abs(from_the_wrist - spring_part) > 1.6
