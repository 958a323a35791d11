"""Any number of muscles on any side of the elbow: the moment about it is taken once, or the question is refused."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from borelli.errors import DuplicateNameError, InvalidValueError, ShapeError, UnsolvableError
from borelli.library import lifting_arm as la

HAND = (0.35, 0.05, -0.15)


def normal_of(pose):
    upper, fore = pose.rotation[:, 0, :, 0], pose.rotation[:, 1, :, 0]
    normal = np.cross(upper, fore)
    return normal / np.linalg.norm(normal, axis=1, keepdims=True)


def flexors(arm, *fractions):
    return tuple(la.ArmMuscle.at_fraction(f"flexor {k}", arm.forearm, at) for k, at in enumerate(fractions))


@pytest.mark.parametrize("fractions", [(0.9, 0.8), (0.8, 0.9), (0.9,), (0.95, 0.9, 1.1), (0.9, 0.9)])
@pytest.mark.parametrize("swivel", [0.0, 0.8])
def test_the_moment_across_the_arm_is_taken_once(fractions, swivel):
    arm = la.Arm.of_person()
    muscles = flexors(arm, *fractions)
    answer = la.model_2(arm, HAND, 5.0, swivel, muscles=muscles)
    pose = la.posture_by_swivel(arm, HAND, swivel)
    before = answer["load_moment"].sel(joint="elbow").values
    across = normal_of(pose)
    assert abs(float((before * across).sum())) > 5.0
    # With both muscles carrying the whole moment, as much was left as before, reversed.
    left = answer["residual_moment"].values
    assert float((left * across).sum()) == pytest.approx(0.0, abs=1e-12)
    # A second account: both ends of every muscle in the recursion over the segments.
    borne = answer["load_moment_with_muscles"].sel(joint="elbow").values
    np.testing.assert_allclose(borne, left, atol=1e-12)


def test_every_fraction_is_a_muscle():
    arm = la.Arm.of_person()
    assert [muscle.name for muscle in arm.du_muscles()] == ["biceps", "triceps"]
    assert [muscle.name for muscle in arm.du_muscles((0.9,))] == ["biceps"]
    three = arm.du_muscles((0.9, 1.1, 0.8))
    assert [muscle.name for muscle in three] == ["biceps", "triceps", "muscle_3"]
    # The third has the longest moment arm and takes the whole moment.
    tension = la.model_2(arm, HAND, 5.0, muscles=three)["tension"].values[0]
    alone = la.model_2(arm, HAND, 5.0, muscles=arm.du_muscles((0.8,)))["tension"].values[0]
    np.testing.assert_allclose(tension, [0.0, 0.0, alone[0]], rtol=1e-12)


def test_tensions_add_the_least_force_that_takes_the_moment():
    # The rule is the solution of a linear programme: least sum of tensions, moment taken, no muscle pushes.
    arm = la.Arm.of_person()
    pose = la.posture_by_swivel(arm, HAND, 0.3)
    muscles = flexors(arm, 0.93, 0.8, 0.88, 1.1, 1.2)
    answer = la.held_still(pose, muscles, [la.Weight("held", "forearm", 5.0, arm.forearm.point(1.0))])
    arms = [float((m.unit_torque(pose) * normal_of(pose)).sum()) for m in muscles]
    needed = -float((answer["load_moment"].sel(joint="elbow").values * normal_of(pose)).sum())
    least = linprog(np.ones(5), A_eq=[arms], b_eq=[needed])
    np.testing.assert_allclose(answer["tension"].values[0], least.x, atol=1e-9)


def test_muscles_that_cannot_flex_are_refused_where_flexion_is_needed():
    arm = la.Arm.of_person()
    for muscles in (arm.du_muscles((1.1, 1.2)), flexors(arm, 1.1)):
        with pytest.raises(UnsolvableError, match="No muscle can provide") as caught:
            la.model_2(arm, HAND, 5.0, muscles=muscles)
        assert "both sides" in str(caught.value)
        assert caught.value.where == "instant 0"


def test_one_and_three_muscles_in_the_model_with_a_hand_and_in_motion():
    arm = la.Arm.of_person()
    held = {"held": (0.35, 0.05, -0.15), "held_kg": 5.0, "hand_x": (1, 0.2, 0), "hand_z": (0, 0, 1)}
    for muscles in (flexors(arm, 0.9), flexors(arm, 0.9, 0.85, 1.1)):
        answer = la.model_3(arm, **held, muscles=muscles)
        assert answer["tension"].shape == (1, len(muscles))
        moving = la.LiftingArm(arm.tree, muscles=muscles)
        rest = la.arm_dynamics(moving, la.postures_at_rest(moving, la.sagittal_posture(10.0, 70.0)))
        assert float(abs(rest["residual_torque"].sel(joint="elbow")).max()) < 1e-12
        assert ((rest["tension"] > 0).sum("muscle") == 1).all()


def test_a_wrist_flexor_from_the_upper_arm_helps_the_elbow_and_loads_the_wrist():
    arm = la.Arm.of_person()
    long = la.ArmMuscle(
        name="flexor",
        origin_on="upper_arm",
        origin=arm.upper_arm.point(0.3),
        insertion_on="hand",
        insertion=(0.05, 0.0, -0.01),
    )
    held = {"held": (0.35, 0.05, -0.15), "held_kg": 5.0, "hand_x": (1, 0.2, 0), "hand_z": (0, 0, 1)}
    answer = la.model_3(arm, **held, muscles=(long,))
    # It does not insert on the forearm: the moment about the elbow counts, not that about the wrist.
    pose = la.posture_of_hand(arm, held["held"], held["hand_x"], held["hand_z"])
    left = answer["load_moment_with_muscles"].sel(joint="elbow").values
    assert float((left * normal_of(pose)).sum()) == pytest.approx(0.0, abs=1e-11)
    more = answer["load_force_with_muscles"] - answer["load_force"]
    pull = float(answer["tension"][0, 0])
    assert float(np.linalg.norm(more.sel(joint="wrist"))) == pytest.approx(pull)
    assert float(abs(more.sel(joint="shoulder")).max()) < 1e-10


def test_a_straight_elbow_is_held_by_muscles_that_pass_beside_it():
    arm = la.Arm.of_person()
    pose = arm.tree.placed(la.sagittal_posture(60.0, 0.0))
    answer = la.held_still(pose, arm.anatomical_muscles()[:1])
    left = answer["residual_moment"].values[0]
    assert np.linalg.norm(left) < 1e-12
    assert float(answer["tension"][0, 0]) > 10.0


def test_muscles_of_other_joints_and_arms_that_fit_no_torque_are_refused():
    arm = la.Arm.of_person()
    deltoid = la.ArmMuscle(
        name="deltoid", origin=(0.0, 0.0, 0.03), insertion_on="upper_arm", insertion=(0.1, 0, 0)
    )
    with pytest.raises(InvalidValueError, match="muscle 'deltoid' does not span the elbow"):
        la.model_2(arm, HAND, 5.0, muscles=(*arm.du_muscles(), deltoid))
    with pytest.raises(DuplicateNameError, match="Two muscles are called 'biceps'"):
        la.model_2(arm, HAND, 5.0, muscles=arm.du_muscles()[:1] * 2)
    with pytest.raises(ShapeError, match=r"moment arms need the shape \(2, n_muscles\)"):
        la.hinge_tensions([1.0, 2.0], [[0.1, -0.1]])
