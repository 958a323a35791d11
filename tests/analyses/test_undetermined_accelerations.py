"""Where forces do not determine an acceleration, and where numbers are beyond computing, both back ends refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import borelli as bo
from borelli import model as bm
from borelli.kernels import backend

BACK_ENDS = ("numpy", "lanes")
HAND = bm.Body("hand", 0.4, (0.0, -0.05, 0.01), (7e-4, 4e-4, 9e-4))
LOCKED = 0.5 * np.pi


@pytest.fixture(params=BACK_ENDS, autouse=True)
def either_back_end(request: pytest.FixtureRequest) -> Any:
    with backend.using(request.param):
        yield


def hand_at_an_arms_length(**more: Any) -> bm.Model:
    """Three rotations a metre away from the shoulder: round-off there is large beside a hand's inertia."""
    arm = bm.Body("arm", 3.0, (0.0, -0.5, 0.0), (0.2, 0.01, 0.2))
    shoulder = bm.PinJoint(name="shoulder", parent="ground", child="arm")
    wrist = bm.GimbalJoint(
        name="wrist", parent="arm", child="hand", parent_placement=bm.Placement((0.0, -1.0, 0.0))
    )
    return bm.Model(name="reach", bodies=[arm, HAND], joints=[shoulder, wrist], **more)


def posture(model: bm.Model, *angles: float) -> bo.Motion:
    """Two frames: an ordinary one and the one in question, both in motion."""
    q = np.array([[0.3, 0.2, 0.4, 0.1], [0.3, *angles]])
    return bo.Motion([0.0, 0.5], model.coordinate_names, q, np.full((2, 4), 0.7), np.zeros((2, 4)))


@pytest.mark.parametrize("moment", [0.0, 1.0])
@pytest.mark.parametrize("lock", [LOCKED, -LOCKED, 5 * LOCKED])
def test_gimbal_lock_is_refused_by_name_place_and_remedy(lock: float, moment: float) -> None:
    model = hand_at_an_arms_length()
    with pytest.raises(bo.BorelliError) as caught:
        bo.forward_dynamics(model, posture(model, 0.2, lock, 0.4), np.full((2, 4), moment))
    text = str(caught.value)
    names = ", ".join(map(repr, model.coordinate_names[1:]))
    assert f"the mass matrix is singular: the accelerations of joint 'wrist' ({names}) are not" in text
    assert "0.5 s (instant 1)" in text
    assert "gimbal lock" in text and "ball joint" in text


@pytest.mark.parametrize("from_lock", [1e-4, 1e-2])
def test_beside_the_lock_accelerations_need_just_these_forces(from_lock: float) -> None:
    # The negative control: as close as this the answer has digits left, eps over the square of the distance.
    model = hand_at_an_arms_length()
    motion = posture(model, 0.2, LOCKED - from_lock, 0.4)
    tau = np.array([[0.3, -0.2, 0.1, 0.25]] * 2)
    udot = bo.forward_dynamics(model, motion, tau)["acceleration"].values
    again = bo.Motion(motion.time, motion.coordinates, motion.q, motion.u, udot)
    needed = bo.inverse_dynamics(model, again)["generalized_force"].values
    np.testing.assert_allclose(needed, tau, atol=1e-13 / from_lock**2)


def test_a_ball_joint_has_no_lock_where_the_gimbal_has() -> None:
    ball = bm.BallJoint(name="wrist", parent="ground", child="hand", attitude=bm.Attitude.QUATERNION)
    model = bm.Model(bodies=[HAND], joints=[ball])
    turn = np.array([[np.cos(LOCKED / 2), 0.0, np.sin(LOCKED / 2), 0.0]])
    still = np.zeros((1, 3))
    motion = bo.Motion([0.0], model.coordinate_names, turn, still, still, speeds=model.speed_names)
    assert np.isfinite(bo.forward_dynamics(model, motion, np.ones((1, 3)))["acceleration"]).all()


def test_gimbal_lock_is_refused_under_constraints_too() -> None:
    # The held shoulder takes the way through mass matrices.
    coordinate = bm.Coordinate("shoulder", bm.MotionType.ROTATIONAL, default_value=0.3, locked=True)
    free = hand_at_an_arms_length()
    shoulder = bm.PinJoint(name="shoulder", parent="ground", child="arm", coordinates=(coordinate,))
    model = bm.Model(name="reach", bodies=list(free.bodies), joints=[shoulder, free.joints[1]])
    motion = posture(model, 0.2, LOCKED, 0.4)
    held = bo.Motion(motion.time, motion.coordinates, motion.q, motion.u * [0, 1, 1, 1], motion.udot)
    with pytest.raises(bo.BorelliError, match=r"accelerations of joint 'wrist'(.|\n)*0.5 s \(instant 1\)"):
        bo.forward_dynamics(model, held, np.ones((2, 4)))
    ordinary = bo.Motion([0.0], held.coordinates, held.q[:1], held.u[:1], held.udot[:1])
    assert np.isfinite(bo.forward_dynamics(model, ordinary, np.ones((1, 4)))["acceleration"]).all()


def test_a_simulation_that_starts_at_gimbal_lock_is_refused() -> None:
    model = hand_at_an_arms_length()
    with pytest.raises(bo.BorelliError, match=r"no accelerations at 0 s(.|\n)*gimbal lock"):
        bo.simulate(model, np.linspace(0.0, 0.1, 3), [0.3, 0.2, LOCKED, 0.4])


def test_a_coordinate_that_drives_nothing_has_no_acceleration() -> None:
    turning = bm.AxisFunction((0, 0, 1), bm.Linear((1.0,)), ("turns",))
    idle = bm.AxisFunction((0, 1, 0), bm.Linear((0.0,), 1.0), ("idle",))
    names = tuple(bm.Coordinate(name) for name in ("turns", "idle"))
    joint = bm.CustomJoint(
        name="j",
        parent="ground",
        child="hand",
        coordinates=names,
        rotations=(turning, idle, bm.AxisFunction((1, 0, 0))),
    )
    model = bm.Model(bodies=[HAND], joints=[joint])
    motion = bo.Motion.at_rest(("turns", "idle"), [0.1, 0.2])
    with pytest.raises(bo.BorelliError, match=r"joint 'j' \('turns', 'idle'\) are not determined"):
        bo.forward_dynamics(model, motion, np.ones((1, 2)))


def test_forces_that_are_not_finite_are_named() -> None:
    model = hand_at_an_arms_length()
    force = np.zeros((2, 4))
    force[1, 2] = np.nan
    expected = rf"generalized_force is nan at '{model.speed_names[2]}'(.|\n)*0.5 s \(instant 1\)"
    with pytest.raises(bo.BorelliError, match=expected):
        bo.forward_dynamics(model, posture(model, 0.1, 0.2, 0.3), force)


@pytest.mark.parametrize(
    "question",
    [
        bo.body_poses,
        bo.mass_matrix,
        bo.inverse_dynamics,
        bo.joint_reactions,
        bo.contributions,
        lambda model, motion: bo.forward_dynamics(model, motion, np.zeros((7, 4))),
    ],
    ids=["poses", "mass", "inverse", "reactions", "contributions", "forward"],
)
@pytest.mark.parametrize("with_rates", [True, False])
def test_angles_beyond_any_body_are_refused(question: Callable[..., object], with_rates: bool) -> None:
    model = hand_at_an_arms_length()
    q = np.full((7, 4), 0.2)
    q[3, 2] = 1e300
    rates = (np.zeros((7, 4)),) * 2 if with_rates else ()
    motion = bo.Motion(np.arange(7.0), model.coordinate_names, q, *rates)
    with pytest.raises(bo.BorelliError) as caught:
        question(model, motion)
    text = str(caught.value)
    assert f"The coordinate {model.coordinate_names[2]!r} is 1.0e+300 at 3 s" in text
    assert "the motion, instant 3" in text and "wrong unit" in text


@pytest.mark.parametrize(("position", "kind"), [(1, "speed"), (2, "acceleration")])
def test_speeds_and_accelerations_beyond_computing_are_refused(position: int, kind: str) -> None:
    model = hand_at_an_arms_length()
    states = [np.full((2, 4), 0.2) for _ in range(3)]
    states[position][1, 3] = -1e200
    motion = bo.Motion([0.0, 1.0], model.coordinate_names, *states)
    with pytest.raises(bo.BorelliError, match=rf"The {kind} '{model.speed_names[3]}' is -1.0e\+200 at 1 s"):
        bo.inverse_dynamics(model, motion)


def test_many_turns_and_instants_that_are_not_known_remain_allowed() -> None:
    model = hand_at_an_arms_length()
    q = np.full((3, 4), 1e5)
    q[1] = np.nan
    motion = bo.Motion(np.arange(3.0), model.coordinate_names, q, np.zeros((3, 4)), np.zeros((3, 4)))
    with pytest.warns(bo.BorelliWarning, match="1 of 3 instants contain NaN"):
        found = bo.inverse_dynamics(model, motion)["generalized_force"].values
    assert np.isfinite(found).all(axis=1).tolist() == [True, False, True]
