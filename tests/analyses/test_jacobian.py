"""Jacobians and bias forces."""

from __future__ import annotations

import numpy as np
import pytest

import borelli as bo
from tests.random_trees import ALL, random_model, random_motion

POINT = (0.1, -0.2, 0.3)


@pytest.mark.parametrize("kind", [kind for kind in ALL if kind != "weld"])
def test_a_load_works_through_the_transposed_jacobian(kind):
    model = random_model(2, 4, (kind,))
    motion = random_motion(model, 2)
    body = model.body_names[-1]
    pose = bo.body_poses(model, motion).sel(body=body)
    place = pose["origin"].values + pose["rotation"].values @ POINT
    rng = np.random.default_rng(0)
    force, moment = rng.normal(size=(2, motion.n_times, 3))
    load = bo.Load("push", body, force, place, moment)
    own = bo.jacobian(model, motion, body, POINT)
    expected = np.einsum("tac,ta->tc", own["linear"].values, force)
    expected += np.einsum("tac,ta->tc", own["angular"].values, moment)
    with_load, without = (bo.inverse_dynamics(model, motion, x)["generalized_force"] for x in ([load], []))
    np.testing.assert_allclose(without.values - with_load.values, expected, rtol=1e-9, atol=1e-10)


def test_velocity_of_a_point_is_jacobian_times_speeds():
    model = random_model(3, 6, ("pin", "slider", "custom", "gimbal"))
    motion = random_motion(model, 3)
    body = model.body_names[-1]

    def place(step):
        moved = bo.Motion(motion.time, motion.coordinates, motion.q + step * motion.u)
        pose = bo.body_poses(model, moved).sel(body=body)
        return pose["origin"].values + pose["rotation"].values @ POINT

    h = 1e-6
    found = np.einsum("tac,tc->ta", bo.jacobian(model, motion, body, POINT)["linear"].values, motion.u)
    # A central difference of step 1e-6.
    np.testing.assert_allclose(found, (place(h) - place(-h)) / (2 * h), rtol=1e-7, atol=1e-8)


def test_the_ground_does_not_move():
    model = random_model(4, 3)
    own = bo.jacobian(model, random_motion(model, 4), "ground")
    assert not own["linear"].values.any()


def test_bias_forces_and_inertia_add_up_to_inverse_dynamics():
    model = random_model(5, 8)
    motion = random_motion(model, 5)
    bias = bo.bias_forces(model, motion)
    inertia = np.einsum("tij,tj->ti", bo.mass_matrix(model, motion).values, motion.udot)
    total = inertia + bias["velocity_force"].values + bias["gravity_force"].values
    expected = bo.inverse_dynamics(model, motion)["generalized_force"].values
    np.testing.assert_allclose(total, expected, rtol=1e-9, atol=1e-9)


def test_velocity_forces_are_quadratic():
    model = random_model(6, 6)
    motion = random_motion(model, 6)
    double = bo.Motion(
        motion.time, motion.coordinates, motion.q, 2 * motion.u, motion.udot, speeds=motion.speeds
    )
    one, two = (bo.bias_forces(model, m)["velocity_force"].values for m in (motion, double))
    np.testing.assert_allclose(two, 4 * one, rtol=1e-9, atol=1e-9)


def test_an_unknown_frame_is_named():
    model = random_model(1, 2)
    with pytest.raises(bo.BorelliError, match="'b9' is not a body or frame"):
        bo.jacobian(model, random_motion(model, 1), "b9")
