"""The Lagrangian form in formulas: Schaffner's own example, and other ways to the same equations."""

from __future__ import annotations

import sys
from functools import cache

import numpy as np
import pytest

import borelli as bo
from borelli.model import BallJoint, Body, Model, PinJoint, Placement, SliderJoint
from tests.random_trees import random_model, random_motion

sympy = pytest.importorskip("sympy")
m1, m2, l1, l2, lc1, lc2, I1, I2, g = sympy.symbols("m1 m2 l1 l2 lc1 lc2 I1 I2 g", positive=True)


def two_link_arm():
    return Model(
        name="arm",
        bodies=[Body("upper", m1, (lc1, 0, 0), (0, 0, I1)), Body("fore", m2, (lc2, 0, 0), (0, 0, I2))],
        joints=[
            PinJoint(name="theta1", parent="ground", child="upper"),
            PinJoint(name="theta2", parent="upper", child="fore", parent_placement=Placement((l1, 0, 0))),
        ],
        gravity=(0, -g, 0),
    )


@cache
def two_link_formulas():
    return bo.lagrangian(two_link_arm())


def same(found, printed):
    return sympy.simplify(found - printed) in (0, sympy.zeros(*getattr(found, "shape", (0, 0))))


def test_the_two_link_arm_has_the_printed_jacobians():
    found = two_link_formulas()
    t1, t2 = found.q
    s1, c1, s12, c12 = sympy.sin(t1), sympy.cos(t1), sympy.sin(t1 + t2), sympy.cos(t1 + t2)
    assert same(found.J_L["upper"][:2, :], sympy.Matrix([[-lc1 * s1, 0], [lc1 * c1, 0]]))
    printed = [[-l1 * s1 - lc2 * s12, -lc2 * s12], [l1 * c1 + lc2 * c12, lc2 * c12]]
    assert same(found.J_L["fore"][:2, :], sympy.Matrix(printed))
    assert found.J_A["upper"][2, :] == sympy.Matrix([[1, 0]])
    assert found.J_A["fore"][2, :] == sympy.Matrix([[1, 1]])


def test_the_two_link_arm_has_the_printed_inertia_and_velocity_coefficients():
    found = two_link_formulas()
    t2, n = found.q[1], range(2)
    coupled = m2 * l1 * lc2 * sympy.cos(t2) + m2 * lc2**2 + I2
    first = m1 * lc1**2 + I1 + m2 * (l1**2 + lc2**2 + 2 * l1 * lc2 * sympy.cos(t2)) + I2
    # Erratum S2: no qdot after the printed matrix.
    assert same(found.H, sympy.Matrix([[first, coupled], [coupled, m2 * lc2**2 + I2]]))
    product = m2 * l1 * lc2 * sympy.sin(t2)
    assert [found.h[i][i][i] for i in n] == [0, 0]
    assert same(found.h[0][1][1], -product)
    assert same(found.h[0][0][1] + found.h[0][1][0], -2 * product)
    assert same(found.h[1][0][0], product)
    assert same(found.h[1][0][1] + found.h[1][1][0], 0 * product)


def test_gravity_has_the_sign_of_the_corrected_equation():
    """Erratum S1: with g the acceleration that points down, G = -sum m g · J; the print has no minus."""
    found = two_link_formulas()
    t1, t2 = found.q
    upright = {t1: sympy.pi / 2, t2: 0}
    field = sympy.Matrix([0, -g, 0])
    printed = field.T * (m1 * found.J_L["upper"] + m2 * found.J_L["fore"])
    assert same(found.G.T, -printed)
    assert not same(found.G.T, printed)
    assert [sympy.simplify(found.potential.diff(q) - f) for q, f in zip(found.q, found.G, strict=True)] == [
        0,
        0,
    ]
    assert found.potential.subs(upright) == g * (m1 * lc1 + m2 * l1 + m2 * lc2)


def test_lagranges_equation_of_the_energies_gives_the_same_torques():
    """Independent: d/dt dT/dqd - dT/dq + dU/dq, by differentiation alone [Schaffner, (2-1)]."""
    found = two_link_formulas()
    t = sympy.Symbol("t")
    paths = [sympy.Function(f"f{i}")(t) for i in range(2)]
    moving = dict(zip(found.q, paths, strict=True)) | {
        rate: path.diff(t) for rate, path in zip(found.qd, paths, strict=True)
    }
    for i in range(2):
        momentum = found.kinetic.diff(found.qd[i]).subs(moving).diff(t)
        rest = (found.potential - found.kinetic).diff(found.q[i]).subs(moving)
        tau = (
            found.generalized_force[i]
            .subs({found.qdd[k]: paths[k].diff(t, 2) for k in range(2)})
            .subs(moving)
        )
        assert sympy.simplify(momentum + rest - tau) == 0


def test_a_slider_on_a_turning_arm_has_its_coriolis_force():
    """Polar coordinates: radial m (rdd - r phid²), turning m (r² phidd + 2 r rd phid)."""
    m = sympy.Symbol("m", positive=True)
    model = Model(
        bodies=[Body("arm"), Body("bead", m)],
        joints=[
            PinJoint(name="phi", parent="ground", child="arm"),
            SliderJoint(name="r", parent="arm", child="bead"),
        ],
        gravity=(0, -g, 0),
    )
    found = bo.lagrangian(model)
    phi, r = found.q
    phid, rd = found.qd
    assert same(found.velocity_force, sympy.Matrix([2 * m * r * rd * phid, -m * r * phid**2]))
    assert same(found.G, sympy.Matrix([m * g * r * sympy.cos(phi), m * g * sympy.sin(phi)]))
    assert found.J_A["bead"][:, 1] == sympy.zeros(3, 1)


@pytest.mark.parametrize("seed", range(3))
def test_formulas_of_random_trees_compute_what_the_engine_computes(seed):
    model = random_model(seed, 2, ("pin", "slider", "planar"))
    motion = random_motion(model, seed)
    function = bo.lagrangian(model, simplify=False).function()
    expected = bo.inverse_dynamics(model, motion)["generalized_force"].values
    found = np.array([function(*row) for row in zip(motion.q, motion.u, motion.udot, strict=True)])
    # Constants are fractions of 14 digits.
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


def test_a_load_enters_by_the_transposed_jacobian_in_both_forms():
    hand = bo.SymbolicLoad("hand", "fore", (l2, 0, 0))
    ours, engine = bo.lagrangian(two_link_arm(), loads=[hand]), bo.equations_of_motion(two_link_arm(), [hand])
    fx, fy, mz = sympy.symbols("hand_Fx hand_Fy hand_Mz", real=True)
    t1, t2 = ours.q
    second = l2 * (fy * sympy.cos(t1 + t2) - fx * sympy.sin(t1 + t2)) + mz
    first = second + l1 * (fy * sympy.cos(t1) - fx * sympy.sin(t1))
    assert same(ours.load_force, sympy.Matrix([first, second]))
    assert same(engine.load_force, sympy.Matrix([first, second]))
    assert same(ours.generalized_force, engine.generalized_force)
    # Negative control: a load pushes; leaving its sign out is not the same.
    assert not same(ours.generalized_force, engine.generalized_force + 2 * engine.load_force)


def test_loads_on_ball_joints_are_those_of_the_jacobian():
    ball = BallJoint(name="ball", parent="ground", child="b")
    model = Model(bodies=(Body("b", 1.0, (0.1, 0, 0), (0.1, 0.2, 0.3)),), joints=(ball,))
    load = bo.SymbolicLoad("push", "b", (0.1, 0.2, -0.3), force=(1.0, -2.0, 3.0))
    found = bo.equations_of_motion(model, [load], simplify=False)
    quaternion = np.array([0.4, -0.5, 0.6, 0.3])
    quaternion /= np.linalg.norm(quaternion)
    jacobian = bo.jacobian(
        model, bo.Motion.at_rest(model.coordinate_names, [quaternion]), "b", (0.1, 0.2, -0.3)
    )
    expected = jacobian["linear"].values[0].T @ [1.0, -2.0, 3.0]
    values = dict(zip(found.q, quaternion, strict=True))
    np.testing.assert_allclose([float(f.subs(values)) for f in found.load_force], expected, atol=1e-12)


def test_letters_stand_for_the_numbers_of_a_model():
    model = random_model(2, 2, ("pin", "slider"))
    lettered, values = bo.with_symbols(model)
    plain, formulas = (bo.lagrangian(each, simplify=False) for each in (model, lettered))
    assert formulas.H.free_symbols - set(formulas.q) != set()
    at = {q: 0.3 * (k + 1) for k, q in enumerate(plain.q)}
    difference = (formulas.H.subs(values) - plain.H).subs(at)
    assert max(abs(float(entry)) for entry in difference) < 1e-12


def test_what_formulas_cannot_do_is_said(monkeypatch):
    with pytest.raises(bo.BorelliError, match="must be a SymbolicLoad, not Load"):
        bo.lagrangian(two_link_arm(), loads=[bo.Load("x", "fore", moment=(0, 0, 1))])
    with pytest.raises(bo.BorelliError, match="'for' is not a body") as caught:
        bo.lagrangian(two_link_arm(), loads=[bo.SymbolicLoad("x", "for")])
    assert "'fore'" in str(caught.value)
    with pytest.raises(bo.BorelliError, match="7 freedoms"):
        bo.lagrangian(random_model(1, 7, ("pin",)))
    with pytest.raises(bo.BorelliError, match="revolute and prismatic"):
        bo.lagrangian(random_model(1, 1, ("free",)))
    monkeypatch.setitem(sys.modules, "sympy", None)
    with pytest.raises(bo.BorelliError, match="need SymPy"):
        bo.lagrangian(two_link_arm())
