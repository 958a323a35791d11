"""The Jacobian of points of a chain and its rate: differences, and Cesari's (2) as it stands."""

from __future__ import annotations

import numpy as np
import pytest

from borelli import errors, library, planar
from tests.planar.golden import CASES

CHAIN, MOTION = library.reaching_arm(), library.reach()
FINGER = {"fingertip": ("hand", (0.18, 0.01)), "elbow": (2, (0.0, 0.0)), "shoulder": ("base", (0.0, 0.0))}


@pytest.mark.parametrize("space", ["joint", "segment"])
def test_accelerations_are_the_rate_times_velocities_plus_the_jacobian_times_accelerations(space):
    found = planar.jacobian(CHAIN, MOTION, space=space)
    rates = (MOTION.velocity, MOTION.acceleration)
    velocity, acceleration = (planar.joint_from_segment(x) if space == "joint" else x for x in rates)
    total = np.einsum("tpaj,tj->tpa", found["J_dot"], velocity) + np.einsum(
        "tpaj,tj->tpa", found["J"], acceleration
    )
    places = planar.kinematics(CHAIN, MOTION)
    np.testing.assert_allclose(total, places["com_acceleration"], atol=1e-12)
    speed = np.einsum("tpaj,tj->tpa", found["J"], velocity)
    np.testing.assert_allclose(speed, places["com_velocity"], atol=1e-13)
    assert np.abs(found["J_dot"]).max() > 0.1


def test_the_rate_is_the_change_of_the_jacobian():
    step = 1e-6
    frame = MOTION.instants(slice(50, 51))

    def at(shift):
        moved = planar.Motion(
            frame.time, frame.angle + shift * frame.velocity, frame.velocity, frame.acceleration
        )
        return planar.jacobian(CHAIN, moved, FINGER)["J"].values

    slope = (at(step) - at(-step)) / (2 * step)
    # Central differences of numbers of order 1: round-off over the step.
    np.testing.assert_allclose(planar.jacobian(CHAIN, frame, FINGER)["J_dot"], slope, atol=1e-9)


def test_points_keep_their_names_and_the_base_does_not_move():
    found = planar.jacobian(CHAIN, MOTION, FINGER)
    assert list(found.point.values) == list(FINGER)
    assert not found["J"].sel(point="shoulder").any()
    assert not found["J"].sel(point="elbow", joint=["elbow", "wrist"]).any()
    assert found["J"].units == "m" and found["J_dot"].units == "m/s"


def test_cesaris_accelerations_are_met():
    """(4), (6), (8) and the corrected (10), (12), (14), as the reference computed them."""
    inputs, outputs = CASES["cesari_three_link"]["inputs"], CASES["cesari_three_link"]["outputs"]
    links = tuple(
        planar.Link(f"s{k}", inputs["l"][k], inputs["m"][k], inputs["I"][k], (inputs["d"][k], 0.0))
        for k in range(3)
    )
    motion = planar.Motion.from_joint_angles(
        [0.0], [inputs["alpha"]], [inputs["alpha_dot"]], [inputs["alpha_ddot"]]
    )
    found = planar.jacobian(planar.Chain(links), motion).isel(time=0)
    total = found["J_dot"].values @ inputs["alpha_dot"] + found["J"].values @ inputs["alpha_ddot"]
    np.testing.assert_allclose(total, outputs["com_acc"], rtol=1e-12)


def test_an_unknown_space_and_link_are_refused():
    with pytest.raises(errors.UnknownNameError, match="'joints' is not a space"):
        planar.jacobian(CHAIN, MOTION, space="joints")
    with pytest.raises(errors.UnknownNameError, match="point 'tip'"):
        planar.jacobian(CHAIN, MOTION, {"tip": ("hnd", (0.0, 0.0))})
