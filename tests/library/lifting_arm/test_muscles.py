"""Of two opposing muscles one works; a biarticular muscle loads both joints that it spans, through both its ends."""

from __future__ import annotations

import numpy as np
import pytest

import borelli as bo
from borelli.errors import InvalidValueError, UnknownNameError, UnsolvableError
from borelli.library import Person
from borelli.library import lifting_arm as la
from tests.library.lifting_arm.cases import assert_reference, case, rods


def bent(elbow_deg, shoulder_deg=10.0):
    return la.sagittal_posture(shoulder_deg, elbow_deg)


def test_of_two_muscles_the_one_on_the_right_side_works_alone():
    tension = la.hinge_tensions([6.0, -6.0, 0.0], [[0.04, -0.02]] * 3)
    np.testing.assert_allclose(tension, [[150.0, 0.0], [0.0, 300.0], [0.0, 0.0]])


def test_of_two_muscles_on_one_side_the_longer_arm_works():
    np.testing.assert_allclose(la.hinge_tensions([6.0], [[0.04, 0.02]]), [[150.0, 0.0]])


@pytest.mark.parametrize("name", ["du_model2_biceps", "du_model2_triceps"])
def test_normal_of_the_muscles_plane_equals_the_reference(name):
    given, expected = case(name)
    arm = rods(given)
    pose = la.posture_by_swivel(arm, given["hand"], given["swivel"])
    first, second = arm.du_muscles(tuple(given["r_d"]))
    pair = la.opposing_tensions(
        expected["load_elbow"]["M"],
        (first.direction(pose), second.direction(pose)),
        (first.unit_torque(pose), second.unit_torque(pose)),
    )
    assert_reference(pair.normal[0], expected["muscles"]["normal"])
    assert_reference(pair.tension[0], expected["muscles"]["tension"])


def test_torque_that_no_muscle_can_provide_is_refused():
    with pytest.raises(UnsolvableError, match="No muscle can provide -3 N m") as caught:
        la.hinge_tensions([1.0, -3.0], [[0.04, -0.02], [0.04, 0.0]])
    assert caught.value.where == "instant 1"


def test_hinge_rule_equals_the_rule_of_the_muscles_plane():
    arm = la.Arm.of_rods((0.31, 0.27, 0.19), (2.1, 1.5, 0.4), (0.45, 0.43, 0.5))
    moving = la.LiftingArm(arm.tree, (la.Weight("held", "hand", 4.0, (0.1, 0, 0)),), arm.du_muscles())
    attitudes = bent(70.0)
    still = la.held_still(moving.tree.placed(attitudes), moving.muscles, moving.weights)
    answer = la.arm_dynamics(moving, la.postures_at_rest(moving, attitudes))
    np.testing.assert_allclose(answer["tension"], still["tension"], rtol=1e-12)


@pytest.mark.parametrize("origin_on", ["base", "upper_arm"])
def test_muscle_loads_the_joints_that_it_spans_and_no_other(origin_on):
    arm = la.Arm.of_person()
    pose = arm.tree.placed(bent(80.0))
    muscle = la.ArmMuscle.at_fraction("biceps", arm.forearm, 0.9, origin_on=origin_on)
    slack = la.static_wrenches(pose)
    taut = la.static_wrenches(pose, muscles=[muscle], tensions={"biceps": 200.0})
    change = np.abs(taut["load_force"] - slack["load_force"]).max("axis")[0]
    assert float(change.sel(joint="wrist")) == 0.0
    assert float(change.sel(joint="elbow")) > 50.0
    # From the upper arm both ends act on one side of the shoulder, and cancel to round-off.
    spans_the_shoulder = origin_on == "base"
    assert (float(change.sel(joint="shoulder")) > 50.0) == spans_the_shoulder
    turning = np.abs(taut["load_moment"] - slack["load_moment"]).sel(joint="shoulder").max()
    # An origin at the very centre of the shoulder has no lever there, whichever bone it is on.
    assert turning < 1e-12


def test_biarticular_muscles_turn_the_shoulder_too_and_scapula_origins_unload_it():
    arm = la.Arm.of_person()
    biceps, triceps = arm.anatomical_muscles()
    pose = arm.tree.placed(bent(90.0))
    for muscle, flexes in ((biceps, 1.0), (triceps, -1.0)):
        answer = la.static_wrenches(pose, muscles=[muscle], tensions={muscle.name: 1.0}, gravity=0.0)
        # Flexion is about -y in the sagittal plane; the load on a joint is what acts on the distal side.
        turning = -answer["load_moment"].sel(axis="y").values[0]
        assert np.sign(turning[1]) == flexes
        # Long head of the triceps extends the shoulder, the biceps flexes it.
        assert np.sign(turning[0]) == flexes
        assert abs(turning[2]) == 0.0


def test_moment_arms_equal_the_engines_and_the_virtual_work_of_length():
    arm = la.Arm.of_person()
    moving = la.LiftingArm(arm.tree, muscles=arm.anatomical_muscles())
    angle = np.linspace(15.0, 120.0, 22)
    postures = [bent(degrees) for degrees in angle]
    attitudes = {name: np.array([each[name] for each in postures]) for name in moving.tree.names}
    motion = la.postures_at_rest(moving, attitudes)
    ours = la.arm_dynamics(moving, motion)["moment_arm"]
    theirs = bo.moment_arms(moving.model, motion)
    for muscle in ("biceps", "triceps"):
        for joint in ("shoulder", "elbow"):
            # Flexion is about -y of the distal segment.
            engine = -theirs.sel(path=muscle, coordinate=f"{joint}_wy").values
            np.testing.assert_allclose(ours.sel(muscle=muscle, joint=joint), engine, atol=1e-15)
        length = bo.paths(moving.model, motion)["length"].sel(path=muscle).values
        slope = np.gradient(length, np.radians(angle))[1:-1]
        # Central differences over 5 degrees are good to a few tenths of a millimetre.
        np.testing.assert_allclose(ours.sel(muscle=muscle, joint="elbow")[1:-1], -slope, atol=5e-4)


def test_moment_arms_of_a_person_are_of_the_measured_size():
    arm = la.Arm.of_person()
    pose = arm.tree.placed(bent(90.0))
    biceps, triceps = (-muscle.unit_torque(pose)[0, 1] for muscle in arm.anatomical_muscles())
    # Order of magnitude of measured arms at a right angle (Murray, Delp & Buchanan 1995): some 4 cm and 2 cm.
    assert biceps == pytest.approx(0.045, abs=0.006)
    assert triceps == pytest.approx(-0.02, abs=0.005)


def test_muscles_grow_with_the_person():
    small, tall = Person(60.0, 1.6), Person(60.0, 1.9)
    near, far = (la.Arm.of_person(who).anatomical_muscles(who)[0].insertion[0] for who in (small, tall))
    assert far / near == pytest.approx(1.9 / 1.6)


def test_general_static_optimization_gives_the_same_tensions_at_the_elbow():
    arm = la.Arm.of_person()
    muscles = arm.du_muscles((0.8, 1.2), origin_on="upper_arm")
    moving = la.LiftingArm(arm.tree, (la.Weight("held", "hand", 2.0, (0.1, 0, 0)),), muscles)
    motion = la.curl_motion(moving, rate_hz=20.0)
    reserves = {name: 10.0 for name in moving.model.speed_names if name != "elbow_wy"}
    shared = bo.muscle_forces(moving.model, motion, reserves=reserves)
    ours = la.arm_dynamics(moving, motion)["tension"]
    # Only muscles act about the axis of flexion, so the least activations leave the antagonist silent.
    got = shared["actuator_force"].sel(actuator=["biceps", "triceps"]).values
    np.testing.assert_allclose(got, ours, rtol=1e-8, atol=1e-6)


def test_muscles_can_pull_as_hard_as_their_strength_and_cannot_push():
    arm = la.Arm.of_person()
    model = la.LiftingArm(arm.tree, muscles=arm.anatomical_muscles()).model
    for muscle in arm.anatomical_muscles():
        force = model.forces[muscle.name]
        assert (force.min_control, force.max_control, force.optimal_force) == (0.0, 1.0, muscle.strength)
    with pytest.raises(InvalidValueError, match="the strength of muscle 'm' is 0"):
        la.ArmMuscle(name="m", strength=0.0)


def test_muscles_that_make_no_sense_are_refused():
    arm = la.Arm.of_person()
    pose = arm.tree.placed(bent(90.0))
    with pytest.raises(InvalidValueError, match="muscle 'm' inserts on the base"):
        la.ArmMuscle(name="m", insertion_on="base")
    with pytest.raises(UnknownNameError, match="'fore_arm' is not a segment") as caught:
        la.ArmMuscle(name="m", insertion_on="fore_arm").direction(pose)
    assert caught.value.where == "muscle 'm'"
    with pytest.raises(UnsolvableError, match="two points of muscle 'm' meet"):
        la.ArmMuscle(name="m", insertion_on="upper_arm").direction(pose)
    with pytest.raises(InvalidValueError, match="all points of muscle 'm' are on segment 'forearm'"):
        la.ArmMuscle(name="m", origin_on="forearm", insertion=(0.1, 0, 0)).direction(pose)
    with pytest.raises(UnknownNameError, match="'fore_arm' is not a segment") as caught:
        la.LiftingArm(arm.tree, muscles=(la.ArmMuscle(name="m", insertion_on="fore_arm"),))
    assert caught.value.where == "point 2 of muscle 'm'"
