"""The symbolic equations: against Lagrange, against each other, against what the papers print."""

from __future__ import annotations

import random
import sys

import mpmath
import numpy as np
import pytest
import sympy as sp

from borelli.errors import InvalidValueError, MissingInputError, UnknownNameError
from borelli.planar import Equations, equations

from .lagrange import LagrangianChain

SPACES = ("segment", "joint")
# Evaluated with this many digits, an identity that fails by one term fails in the first few.
DIGITS = 40


def random_values(names, seed):
    """Exact decimal values for every symbol; lengths, masses and inertias positive."""
    draw = random.Random(seed)
    signed = ("theta", "alpha", "eps", "eR", "gR", "F")
    return {
        name: mpmath.mpf(draw.randint(-300 if name.startswith(signed) else 10, 300)) / 100
        for name in sorted(names)
    }


def value(expression, values):
    names = sorted(str(symbol) for symbol in expression.free_symbols)
    return sp.lambdify([sp.Symbol(name) for name in names], expression, "mpmath")(
        *(values[name] for name in names)
    )


def with_central_inertia(found: Equations, expression):
    return expression.xreplace(found.central_inertia)


def assert_equal(a, b, seed):
    names = {str(symbol) for symbol in a.free_symbols | b.free_symbols}
    with mpmath.workdps(DIGITS):
        values = random_values(names, seed)
        left, right = value(a, values), value(b, values)
        assert abs(left - right) <= mpmath.mpf(10) ** (5 - DIGITS) * (1 + abs(left))


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("n_links", [1, 2, 3])
def test_torques_are_those_of_lagrange(n_links, space):
    found = equations(n_links, space)
    for k, expected in enumerate(LagrangianChain(n_links, space).torques(), start=1):
        assert_equal(with_central_inertia(found, found.torque(k)), expected, seed=k)


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("n_links", [1, 2, 3])
def test_reactions_are_those_of_newton(n_links, space):
    found = equations(n_links, space)
    for k, expected in enumerate(LagrangianChain(n_links, space).reactions(), start=1):
        for ours, theirs in zip(found.reaction(k), expected, strict=True):
            assert_equal(ours, theirs, seed=k)


def in_joint_angles(n_links, expression):
    """Put theta = S alpha, and the same for the rates, into an expression."""
    sums = {
        sp.Symbol(f"theta{rate}_{i}"): sp.Add(*(sp.Symbol(f"alpha{rate}_{j}") for j in range(1, i + 1)))
        for rate in ("", "d", "dd")
        for i in range(1, n_links + 1)
    }
    return expression.xreplace(sums)


@pytest.mark.parametrize("n_links", [2, 3])
def test_segment_space_with_joint_angles_put_in_is_joint_space_symbolically(n_links):
    segment, joint = equations(n_links, "segment"), equations(n_links, "joint")
    for k in range(1, n_links + 1):
        there = in_joint_angles(n_links, with_central_inertia(segment, segment.torque(k)))
        assert sp.expand(there - joint.torque(k)) == 0
        for a, b in zip(segment.reaction(k), joint.reaction(k), strict=True):
            assert sp.expand(in_joint_angles(n_links, a) - b) == 0


@pytest.mark.parametrize("n_links", [4, 6])
def test_segment_space_with_joint_angles_put_in_is_joint_space_numerically(n_links):
    segment, joint = equations(n_links, "segment"), equations(n_links, "joint")
    for k in range(1, n_links + 1):
        there = in_joint_angles(n_links, with_central_inertia(segment, segment.torque(k)))
        assert_equal(there, joint.torque(k), seed=k)


def terms_of(expression):
    return set(sp.Add.make_args(sp.expand(expression)))


def biscarini_appendix_a():
    """Print of Biscarini (2021), Appendix A: the torques that came through intact."""
    g = sp.Symbol("g")
    m, length, lc, eps, ij, r, lr, er, gr, th, thd, thdd = (
        dict(zip((1, 2, 3), sp.symbols([f"{letter}_{i}" for i in (1, 2, 3)]), strict=True))
        for letter in ("m", "l", "lC", "eps", "IJ", "R", "lR", "eR", "gR", "theta", "thetad", "thetadd")
    )

    def load(k):
        return m[k] * g * lc[k] * sp.cos(th[k] + eps[k]) - r[k] * lr[k] * sp.sin(gr[k] - er[k])

    def carried(i, k):
        return m[i] * g * length[k] * sp.cos(th[k]) - r[i] * length[k] * sp.sin(gr[i] + th[i] - th[k])

    def from_proximal(k, i):
        angle = th[k] + eps[k] - th[i]
        return m[k] * lc[k] * length[i] * (thdd[i] * sp.cos(angle) + thd[i] ** 2 * sp.sin(angle))

    def from_distal(k, i):
        angle = th[i] + eps[i] - th[k]
        return length[k] * m[i] * lc[i] * (thdd[i] * sp.cos(angle) - thd[i] ** 2 * sp.sin(angle))

    two = {
        2: load(2) + from_proximal(2, 1) + ij[2] * thdd[2],
        1: load(1)
        + load(2)
        + carried(2, 1)
        + from_proximal(2, 1)
        + (ij[1] + m[2] * length[1] ** 2) * thdd[1]
        + ij[2] * thdd[2]
        + from_distal(1, 2),
    }
    between = thdd[1] * sp.cos(th[2] - th[1]) + thd[1] ** 2 * sp.sin(th[2] - th[1])
    three = {
        3: load(3) + from_proximal(3, 1) + from_proximal(3, 2) + ij[3] * thdd[3],
        2: load(2)
        + load(3)
        + carried(3, 2)
        + from_proximal(2, 1)
        + from_proximal(3, 1)
        + from_proximal(3, 2)
        + length[2] * m[3] * length[1] * between
        + (ij[2] + m[3] * length[2] ** 2) * thdd[2]
        + ij[3] * thdd[3]
        + from_distal(2, 3),
    }
    return {2: two, 3: three}


@pytest.mark.parametrize(("n_links", "joint"), [(2, 1), (2, 2), (3, 2), (3, 3)])
def test_appendix_a_of_biscarini_is_reproduced_term_by_term(n_links, joint):
    printed = biscarini_appendix_a()[n_links][joint]
    assert terms_of(equations(n_links).torque(joint)) == terms_of(printed)


@pytest.mark.parametrize("space", SPACES)
def test_shares_add_up_to_the_torque(space):
    found = equations(3, space)
    shares = found.torque_shares(2)
    assert sp.expand(sp.Add(*shares.values()) - found.torque(2)) == 0
    assert {"weight:2", "weight:3", "load:2", "acceleration:1", "velocity:1"} <= set(shares)
    assert "weight:1" not in shares


def test_segment_space_has_no_product_of_two_different_velocities():
    found = equations(4)
    for k in range(1, 5):
        for i in range(1, 5):
            for j in range(i + 1, 5):
                thd_i, thd_j = sp.symbols([f"thetad_{i}", f"thetad_{j}"])
                assert found.torque(k).diff(thd_i, thd_j) == 0


def test_symbols_are_found_by_name():
    symbols = equations(2).symbols
    assert symbols["lC_2"] == sp.Symbol("lC_2")
    assert {"theta_1", "thetadd_2", "IJ_1", "I_1", "gR_2", "g", "Fx_1"} <= set(symbols)
    assert "alpha_1" in equations(1, "joint").symbols


@pytest.mark.parametrize("bad", [0, -1, 2.5, "3", None, True])
def test_number_of_links_that_no_chain_has_is_refused(bad):
    with pytest.raises(InvalidValueError) as caught:
        equations(bad)
    assert f"A chain cannot have {bad!r} links." in str(caught.value)
    assert "whole number, 1 or more" in str(caught.value)


def test_numpy_integers_count_links():
    assert equations(np.int64(2)).n_links == 2


def test_unknown_space_names_the_nearest():
    with pytest.raises(UnknownNameError) as caught:
        equations(2, "segmnt")
    assert "'segmnt' is not a space." in str(caught.value)
    assert caught.value.closest == ("segment",)


@pytest.mark.parametrize("ask", ["torque", "torque_shares", "reaction", "term_count"])
@pytest.mark.parametrize("joint", [0, 3, 1.5])
def test_joint_that_the_chain_has_not_is_refused(ask, joint):
    with pytest.raises(InvalidValueError) as caught:
        getattr(equations(2), ask)(joint)
    assert f"A chain of 2 links has no joint {joint!r}." in str(caught.value)
    assert "numbered 1 (at the base) to 2" in str(caught.value)


def test_without_sympy_expressions_say_how_to_get_it_and_prints_still_work(monkeypatch):
    monkeypatch.setitem(sys.modules, "sympy", None)
    found = equations(2)
    with pytest.raises(MissingInputError) as caught:
        found.torque(1)
    assert "pip install borelli[symbolic]" in str(caught.value)
    assert "tau_2 =" in found.text()
    assert r"\tau_{2}" in found.latex()
    assert "def torques_and_reactions" in found.python()
