"""Closed-form equations from the kernels on symbols."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import borelli as bo
from borelli import planar
from borelli.model.body import Body
from borelli.model.functions.function import Linear
from borelli.model.joints.coordinate import Coordinate
from borelli.model.joints.custom_joint import AxisFunction, CustomJoint
from borelli.model.joints.joint import BallJoint, PinJoint, SliderJoint
from borelli.model.model import Model
from borelli.model.placement import Placement
from tests.random_trees import random_model, random_motion

sympy = pytest.importorskip("sympy")


def symbolic_chain(n):
    """A planar chain whose masses, lengths and inertias are the symbols of planar.equations."""
    own = planar.equations(n, space="joint").symbols
    bodies = [
        Body(f"b{i}", own[f"m_{i}"], (own[f"lC_{i}"], 0, 0), (0, 0, own[f"I_{i}"])) for i in range(1, n + 1)
    ]
    joints = [
        PinJoint(
            name=f"alpha_{i}",
            parent="ground" if i == 1 else f"b{i - 1}",
            child=f"b{i}",
            parent_placement=Placement() if i == 1 else Placement((own[f"l_{i - 1}"], 0, 0)),
        )
        for i in range(1, n + 1)
    ]
    return Model(bodies=bodies, joints=joints, gravity=(0, -own["g"], 0)), own


@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_planar_chain_has_the_closed_form_of_planar_equations(n):
    model, own = symbolic_chain(n)
    found = bo.equations_of_motion(model, simplify=n < 3).generalized_force
    closed = planar.equations(n, space="joint")
    # No contacts; mass centres on the links.
    zero = {own[f"{name}_{i}"]: 0 for name in ("R", "eps") for i in range(1, n + 1)}
    rng = np.random.default_rng(n)
    for _ in range(3):
        values = {symbol: sympy.Rational(int(rng.integers(1, 300)), 100) for symbol in own.values()}
        names = {symbol.name: value for symbol, value in values.items()}
        for i in range(1, n + 1):
            names[f"alpha_{i}_u"], names[f"alpha_{i}_udot"] = names[f"alphad_{i}"], names[f"alphadd_{i}"]
        for joint in range(1, n + 1):
            ours, theirs = found[joint - 1], closed.torque(joint).subs(zero)
            ours, theirs = (
                expression.subs({s: names[s.name] for s in expression.free_symbols}).evalf(40)
                for expression in (ours, theirs)
            )
            # Exact at rational points, evaluated to 40 digits: equal analytic functions.
            assert abs(ours - theirs) < 1e-30


def test_numbers_become_exact_fractions():
    body = Body("bob", 2.0, (0.3, 0, 0), (0.1, 0.1, 0.1))
    model = Model(
        bodies=(body,), joints=(PinJoint(name="q", parent="ground", child="bob"),), gravity=(0, -9.81, 0)
    )
    found = bo.equations_of_motion(model)
    assert found.mass_matrix[0, 0] == sympy.Rational(28, 100)
    assert found.gravity_force[0] == sympy.Rational("5.886") * sympy.cos(found.q[0])


def test_a_sliding_pendulum_has_its_textbook_equations():
    cart, bob, length, g = sympy.symbols("M m l g", positive=True)
    bodies = (Body("cart", cart), Body("bob", bob, (length, 0, 0)))
    joints = (
        SliderJoint(name="x", parent="ground", child="cart"),
        PinJoint(name="phi", parent="cart", child="bob"),
    )
    found = bo.equations_of_motion(Model(bodies=bodies, joints=joints, gravity=(0, -g, 0)))
    phi, rate = found.q[1], found.u[1]
    expected = sympy.Matrix(
        [[cart + bob, -bob * length * sympy.sin(phi)], [-bob * length * sympy.sin(phi), bob * length**2]]
    )
    assert sympy.simplify(found.mass_matrix - expected) == sympy.zeros(2)
    assert sympy.simplify(found.velocity_force[0] + bob * length * sympy.cos(phi) * rate**2) == 0
    assert sympy.simplify(found.gravity_force[1] - bob * g * length * sympy.cos(phi)) == 0


@pytest.mark.parametrize("kind", ["universal", "ball_angles"])
def test_the_function_of_the_equations_computes_what_inverse_dynamics_computes(kind):
    model = random_model(5, 1, (kind,))
    motion = random_motion(model, 5)
    function = bo.equations_of_motion(model, simplify=False).function()
    expected = bo.inverse_dynamics(model, motion)["generalized_force"].values
    for frame in range(motion.n_times):
        found = function(motion.q[frame], motion.u[frame], motion.udot[frame])
        # Constants were rounded to 14 digits on their way into fractions.
        np.testing.assert_allclose(found, expected[frame], rtol=1e-10, atol=1e-10)


def test_a_rolling_wheel_feels_both_its_inertias():
    """One coordinate that turns and, in proportion, moves: a custom joint with coupled axes."""
    mass, inertia, radius, g = sympy.symbols("m I r g", positive=True)
    joint = CustomJoint(
        name="wheel",
        parent="ground",
        child="disc",
        coordinates=(Coordinate("q"),),
        rotations=(
            AxisFunction((0, 0, 1), Linear((-1.0,)), ("q",)),
            AxisFunction((0, 1, 0)),
            AxisFunction((1, 0, 0)),
        ),
        translations=(
            AxisFunction((1, 0, 0), Linear((radius,)), ("q",)),
            AxisFunction((0, 1, 0)),
            AxisFunction((0, 0, 1)),
        ),
    )
    disc = Body("disc", mass, inertia=(0, 0, inertia))
    found = bo.equations_of_motion(Model(bodies=(disc,), joints=(joint,), gravity=(g, 0, 0)))
    assert sympy.simplify(found.mass_matrix[0] - inertia - mass * radius**2) == 0
    assert sympy.simplify(found.gravity_force[0] + mass * g * radius) == 0
    assert found.velocity_force[0] == 0


def test_latex_has_a_line_for_each_force():
    model, _ = symbolic_chain(2)
    text = bo.equations_of_motion(model).latex()
    assert text.count(r"\tau") == 2
    assert r"\tau_{\alpha_{1}}" in text


def test_a_large_model_is_refused():
    model = random_model(1, 3, ("free",))
    with pytest.raises(bo.BorelliError) as caught:
        bo.equations_of_motion(model)
    assert "18 freedoms" in str(caught.value)
    assert "at most 6" in str(caught.value)


def test_without_sympy_the_remedy_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sympy", None)
    with pytest.raises(bo.BorelliError, match="need SymPy") as caught:
        bo.equations_of_motion(random_model(1, 1, ("pin",)))
    assert "borelli[symbolic]" in str(caught.value)


def test_quaternion_joints_are_written_out_too():
    ball = BallJoint(name="ball", parent="ground", child="b")
    model = Model(bodies=(Body("b", 1.0, (0.1, 0, 0), (0.1, 0.1, 0.1)),), joints=(ball,))
    found = bo.equations_of_motion(model, simplify=False)
    assert len(found.q) == 4
    assert found.mass_matrix.shape == (3, 3)
