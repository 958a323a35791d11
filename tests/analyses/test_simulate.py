"""Simulated motions follow closed forms, keep their energy and give back their forces."""

from __future__ import annotations

import numpy as np
import pytest

from borelli import attitude
from borelli import model as bm
from borelli.analyses.forces.inverse_dynamics import inverse_dynamics
from borelli.analyses.simulation.simulate import simulate
from borelli.errors import (
    BorelliWarning,
    InvalidValueError,
    ShapeError,
    UnknownNameError,
    UnsolvableError,
)
from borelli.mechanics.motion.ordered_motion import Load

from .linkages import four_bar

TIME = np.linspace(0.0, 0.6, 13)


def one_body(joint: type[bm.Joint], body: bm.Body | None = None, **parameters: object) -> bm.Model:
    parts = {"name": "j", "parent": "ground", "child": "b"} | parameters
    return bm.Model(name="one", bodies=[body or bm.Body("b", 2.0)], joints=[joint(**parts)])


def double_pendulum() -> bm.Model:
    bodies = [
        bm.Body("a", 1.0, (0, -0.5, 0), (0.1, 0.02, 0.1)),
        bm.Body("b", 1.0, (0, -0.3, 0), (0.05, 0.01, 0.04)),
    ]
    joints = [
        bm.BallJoint(name="s", parent="ground", child="a"),
        bm.PinJoint(name="e", parent="a", child="b", parent_placement=bm.Placement((0, -1, 0))),
    ]
    return bm.Model(name="pendulum", bodies=bodies, joints=joints)


def test_a_free_body_falls_along_a_parabola() -> None:
    body = bm.Body("b", 2.0, inertia=(0.1, 0.2, 0.25))
    model = one_body(bm.FreeJoint, body)
    result = simulate(model, TIME, u0={"j_tx": 1.5, "j_ty": 2.0})
    np.testing.assert_allclose(result.column("j_tx"), 1.5 * TIME, atol=1e-12)
    np.testing.assert_allclose(result.column("j_ty"), 2.0 * TIME - 0.5 * 9.80665 * TIME**2, atol=1e-12)


def test_a_symmetric_top_precesses_at_the_known_rate() -> None:
    # Without torque the angular velocity of a body with inertia (A, A, C) turns about the own z axis with the
    # rate (C - A) w_z / A.
    model = one_body(bm.BallJoint, bm.Body("b", 1.0, inertia=(0.2, 0.2, 0.3)))
    result = simulate(model, TIME, u0=[1.0, 0.0, 5.0])
    rate = (0.3 - 0.2) / 0.2 * 5.0
    np.testing.assert_allclose(result.u[:, 0], np.cos(rate * TIME), atol=1e-9)
    np.testing.assert_allclose(result.u[:, 1], np.sin(rate * TIME), atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(result.q, axis=1), 1.0, atol=1e-15)
    momentum = np.diag([0.2, 0.2, 0.3]) @ result.u.T
    in_ground = attitude.rotate(result.q, momentum.T)
    np.testing.assert_allclose(in_ground, np.tile(in_ground[0], (13, 1)), atol=1e-9)


def test_a_force_law_makes_an_oscillator() -> None:
    model = one_body(bm.SliderJoint)
    result = simulate(model, TIME, [0.1], [0.0], lambda t, q, u: [-50.0 * q[0]])
    np.testing.assert_allclose(result.q[:, 0], 0.1 * np.cos(5.0 * TIME), atol=1e-9)
    np.testing.assert_allclose(result.udot[:, 0], -2.5 * np.cos(5.0 * TIME), atol=1e-7)
    # The spring's energy is what the force law has done.
    np.testing.assert_allclose(result.energies["work"], 25.0 * (0.01 - result.q[:, 0] ** 2), atol=1e-8)


def test_energy_and_forces_are_accounted_for() -> None:
    model = double_pendulum()
    result = simulate(model, TIME, u0={"s_wx": 3.0, "s_wy": 2.0, "e": 1.0})
    # Relative tolerance of 1e-9 on energies of about 10 J.
    assert result.energies.attrs["largest_drift"] < 1e-7
    assert float(np.ptp(result.energies["kinetic_energy"].values)) > 1.0
    force = inverse_dynamics(model, result)["generalized_force"]
    np.testing.assert_allclose(force, 0, atol=1e-12)


def test_given_torques_come_back_from_inverse_dynamics() -> None:
    model = double_pendulum()
    table = np.column_stack([np.sin(5 * TIME + k) for k in range(4)])
    result = simulate(model, TIME, generalized_force=table)
    np.testing.assert_allclose(inverse_dynamics(model, result)["generalized_force"], table, atol=1e-11)
    assert result.energies.attrs["largest_drift"] < 1e-6
    again = simulate(model, TIME, generalized_force=inverse_dynamics(model, result)["generalized_force"])
    np.testing.assert_allclose(again.q, result.q, atol=1e-8)


def test_a_load_does_the_work_of_its_generalized_force() -> None:
    model = one_body(bm.SliderJoint)
    pulled = simulate(model, TIME, loads=[Load("rope", "b", (3.0, 5.0, 0.0), (0.0, 0.0, 0.0))])
    np.testing.assert_allclose(pulled.q[:, 0], 0.5 * 1.5 * TIME**2, atol=1e-12)
    np.testing.assert_allclose(pulled.energies["work"], 3.0 * pulled.q[:, 0], atol=1e-10)
    growing = Load("wind", "b", np.column_stack([6 * TIME, 0 * TIME, 0 * TIME]), np.zeros(3), time=TIME)
    np.testing.assert_allclose(simulate(model, TIME, loads=[growing]).q[:, 0], 0.5 * TIME**3, atol=1e-9)
    fixed = Load("wall", "ground", (3.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    np.testing.assert_allclose(simulate(model, TIME, loads=[fixed]).q[:, 0], 0.0, atol=1e-14)


@pytest.mark.parametrize("closing", ["point", "weld"])
def test_a_closed_linkage_stays_closed_and_keeps_its_energy(closing: str) -> None:
    model = four_bar(closing)
    result = simulate(model, TIME, u0={"crank": 8.0}, rtol=1e-8)
    assert result.energies.attrs["largest_drift"] < 1e-5
    # The same linkage closed in another way moves alike: it is redundant rows that differ.
    if closing == "weld":
        other = simulate(four_bar("point"), TIME, result.q[0, :3], result.u[0, :3], rtol=1e-8)
        assert abs(other.q[-1, 0] - result.q[-1, 0]) > 1e-6  # the stub's own mass matters


def test_a_geared_pair_moves_like_one_body() -> None:
    # b turns three times as fast as a about the same axis: the inertia about a is I_a + (1 + 3)² I_b.
    joints = [
        bm.PinJoint(name="a", parent="ground", child="a"),
        bm.PinJoint(name="b", parent="a", child="b"),
    ]
    gear = bm.CoordinateCoupler(name="gear", dependent="b", independent="a", function=bm.Linear((3.0,)))
    model = bm.Model(
        bodies=[bm.Body("a", 1.0, inertia=(0.3,) * 3), bm.Body("b", 1.0, inertia=(0.1,) * 3)],
        joints=joints,
        constraints=[gear],
    )
    result = simulate(model, TIME, generalized_force=[1.0, 0.5])
    expected = 0.5 * (1.0 + 3 * 0.5) / (0.3 + 16 * 0.1) * TIME**2
    np.testing.assert_allclose(result.column("a"), expected, atol=1e-10)
    np.testing.assert_allclose(result.column("b"), 3 * expected, atol=1e-10)
    assert result.energies.attrs["largest_drift"] < 1e-9


def test_a_prescribed_coordinate_moves_as_prescribed_and_its_work_counts() -> None:
    wave = bm.Sine(0.5, 4.0)
    crank = bm.PinJoint(
        name="a",
        parent="ground",
        child="a",
        coordinates=(bm.Coordinate("a", prescribed_function=wave, prescribed=True),),
    )
    rod = bm.PinJoint(name="b", parent="a", child="b", parent_placement=bm.Placement((0, -0.4, 0)))
    bodies = [bm.Body(n, 1.0, (0, -0.2, 0), (0.02, 0.01, 0.02)) for n in "ab"]
    result = simulate(bm.Model(bodies=bodies, joints=[crank, rod]), TIME)
    np.testing.assert_allclose(result.column("a"), wave.value(TIME), atol=1e-14)
    assert float(np.abs(result.energies["work"]).max()) > 1e-2
    assert result.energies.attrs["largest_drift"] < 1e-7


def test_a_locked_coordinate_stays() -> None:
    model = one_body(bm.PinJoint, coordinates=(bm.Coordinate("j", default_value=0.3, locked=True),))
    result = simulate(model, TIME, generalized_force=[5.0])
    np.testing.assert_array_equal(result.q, np.full((13, 1), 0.3))


def test_one_instant_is_the_start() -> None:
    result = simulate(one_body(bm.SliderJoint), [2.0], [0.4])
    assert result.q.tolist() == [[0.4]]


def test_muscles_and_springs_that_do_not_act_are_named() -> None:
    model = one_body(bm.SliderJoint)
    spring = bm.CoordinateSpring(name="spring", coordinate="j", stiffness=1.0)
    motor = bm.CoordinateActuator(name="motor", coordinate="j")
    sprung = bm.Model(name="one", bodies=model.bodies, joints=model.joints, forces=[spring, motor])
    with pytest.warns(
        BorelliWarning, match=r"1 muscles and springs of model 'one' do not act .*\('spring'\)"
    ):
        simulate(sprung, TIME[:2])


def test_bad_questions_are_refused() -> None:
    model = one_body(bm.SliderJoint)
    with pytest.raises(
        ShapeError, match=r"time must be a vector of finite instants, but has the shape \(1, 1\)"
    ):
        simulate(model, [[0.0]])
    with pytest.raises(InvalidValueError, match="the instants to report must increase"):
        simulate(model, [0.0, 0.0])
    with pytest.raises(UnknownNameError, match="'k' is not a coordinate of model 'one'"):
        simulate(model, TIME, {"k": 1.0})
    with pytest.raises(ShapeError, match=r"1 values are needed, one for each speed .* the shape is \(2,\)"):
        simulate(model, TIME, u0=[1.0, 2.0])
    with pytest.raises(InvalidValueError, match="the coordinate 'j' at the start is not finite"):
        simulate(model, TIME, [np.nan])
    with pytest.raises(ShapeError, match=r"generalized_force needs the shape \(1,\) or \(13, 1\)"):
        simulate(model, TIME, generalized_force=[1.0, 2.0])
    with pytest.raises(ShapeError, match=r"generalized_force\(t, q, u\) must return 1 values"):
        simulate(model, TIME, generalized_force=lambda t, q, u: 1.0)
    with pytest.raises(UnknownNameError, match=r"'c' is not a body of model 'one'(.|\n)*load 'x'"):
        simulate(model, TIME, loads=[Load("x", "c", moment=(0, 0, 1))])


def test_a_body_without_inertia_at_the_end_cannot_be_turned() -> None:
    with pytest.raises(UnsolvableError, match=r"model 'one' has no accelerations at 0 s"):
        simulate(one_body(bm.PinJoint, bm.Body("b", 1.0)), TIME, generalized_force=[1.0])
