"""Reaching by springs at the joints about a moving posture, and the spring on the hand with its lever."""

from __future__ import annotations

import numpy as np
import pytest

from borelli import errors, library, planar

ARM, TARGET = library.reaching_arm(), library.reach(duration_s=0.5)
STIFFNESS = np.array([[90.0, 20.0, 0.0], [20.0, 70.0, 5.0], [0.0, 5.0, 12.0]])


def test_torques_are_stiffness_times_what_is_missing_less_damping_times_speed():
    torques = library.equilibrium_torques(ARM, TARGET, STIFFNESS, [8.0, 4.0, 0.3])
    angle, velocity = np.array([-1.1, 0.2, 0.4]), np.array([0.5, -0.3, 2.0])
    frame = 30
    missing = planar.joint_from_segment(TARGET.angle[frame] - angle)
    wanted = STIFFNESS @ missing - np.array([8.0, 4.0, 0.3]) * planar.joint_from_segment(velocity)
    found = [torques[joint](float(TARGET.time[frame]), angle, velocity) for joint in ARM.joint_names]
    np.testing.assert_allclose(found, wanted, rtol=1e-12)
    # Between frames it is the minimum-jerk movement itself, to the square of the square of the frames' distance.
    between = library.reach(duration_s=0.5, rate_hz=1000.0)
    half = int(np.searchsorted(between.time, 0.305))
    goal = planar.joint_from_segment(between.angle[half])
    still = [torques[joint](0.305, np.zeros(3), np.zeros(3)) for joint in ARM.joint_names]
    np.testing.assert_allclose(still, STIFFNESS @ goal, rtol=1e-6)


def test_an_arm_at_rest_hangs_below_its_target_by_its_weight_over_its_stiffness():
    """Linear to first order: a stiffness a hundred times larger leaves a hundredth of the sag."""
    posture = planar.Motion.static(TARGET.angle[-1])
    weight = planar.joint_space(ARM, posture)["G"].values[0]
    time = np.array([0.0, 0.02])
    for stiffness in (1e3, 1e5):
        sag = weight / stiffness
        angle = posture.angle[0] - np.cumsum(sag)
        torques = library.equilibrium_torques(ARM, posture, stiffness, 0.0)
        run = planar.simulate(ARM, time, angle, np.zeros(3), torques=torques, rtol=1e-6)
        # What is left of the balance is second order in the sag.
        assert np.abs(run.motion.acceleration[0]).max() < 200.0 * np.abs(sag).max()


def test_the_spring_is_fastened_where_it_is_said():
    """T_ext of Cesari's (42) to (44), with d_S from the wrist in place of d_3 + d_S."""
    motion, lever = library.reach(), 0.12
    spring = library.hand_spring(ARM, motion, stiffness_n_per_m=80.0, from_wrist_m=lever)
    pull = -np.asarray(spring.force)[:, 0]
    one, two, three = motion.angle.T
    lengths = [link.length for link in ARM.links]
    x = lengths[0] * np.cos(one) + lengths[1] * np.cos(two) + lever * np.cos(three)
    np.testing.assert_allclose(pull, 80.0 * (x - x[0]), atol=1e-12)
    found = planar.joint_space(ARM, motion, contacts=(spring,))["T_ext"]
    wrist = -pull * lever * np.sin(three)
    np.testing.assert_allclose(found.sel(joint="wrist"), wrist, atol=1e-12)
    np.testing.assert_allclose(found.sel(joint="elbow"), wrist - pull * lengths[1] * np.sin(two), atol=1e-12)
    by_default = library.hand_spring(ARM, motion, stiffness_n_per_m=80.0)
    centre = library.hand_spring(ARM, motion, stiffness_n_per_m=80.0, from_wrist_m=ARM.links[-1].com[0])
    np.testing.assert_allclose(by_default.force, centre.force, atol=1e-12)


def test_a_stiffness_of_the_wrong_size_is_refused():
    with pytest.raises(errors.ShapeError, match=r"The stiffness has shape \(2,\); the chain has 3 joints"):
        library.equilibrium_torques(ARM, TARGET, [1.0, 2.0], 1.0)
