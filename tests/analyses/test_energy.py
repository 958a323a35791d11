"""Energy and momentum, and models that cannot move."""

from __future__ import annotations

import numpy as np
import pytest

import borelli as bo
from borelli.model.body import Body
from borelli.model.joints.joint import FreeJoint, PinJoint, WeldJoint
from borelli.model.model import Model
from borelli.model.placement import Placement

G = 9.81


def brick(mass=2.0):
    return Body("brick", mass, (0.1, 0, 0), (0.1, 0.1, 0.1))


def shelf():
    """A brick welded to the wall, one metre up."""
    weld = WeldJoint(name="screw", parent="ground", child="brick", parent_placement=Placement((0, 1, 0)))
    return Model(bodies=(brick(),), joints=(weld,), gravity=(0, -G, 0))


def nothing_moves(n_times=2):
    empty = np.zeros((n_times, 0))
    return bo.Motion(np.arange(float(n_times)), (), empty, empty, empty)


def test_a_thrown_brick_has_its_textbook_energy_and_momentum():
    model = Model(
        bodies=(brick(),), joints=(FreeJoint(name="fly", parent="ground", child="brick"),), gravity=(0, -G, 0)
    )
    q = [[1, 0, 0, 0, 0, 3, 0]]
    u = [[0, 0, 2, 1, 0, 0]]
    motion = bo.Motion([0.0], model.coordinate_names, q, u, np.zeros((1, 6)), speeds=model.speed_names)
    found = bo.energy(model, motion).isel(time=0)
    # The mass centre is 0.1 m along x and moves with (1, 0.2) m/s.
    assert found["kinetic_energy"] == pytest.approx(0.5 * 2 * (1 + 0.04) + 0.5 * 0.1 * 4, rel=1e-14)
    assert found["potential_energy"] == pytest.approx(2 * G * 3, rel=1e-14)
    np.testing.assert_allclose(found["momentum"], (2, 0.4, 0), atol=1e-14)
    spin = 0.1 * 2 + 2 * (0.1 * 0.2 - 3 * 1)
    np.testing.assert_allclose(found["angular_momentum"], (0, 0, spin), atol=1e-14)
    assert found["momentum"].attrs == {"units": "kg m/s", "expressed_in": "ground"}


def test_bodies_welded_to_the_ground_have_potential_energy():
    found = bo.energy(shelf(), nothing_moves())
    np.testing.assert_allclose(found["potential_energy"], [2 * G] * 2, rtol=1e-14)
    np.testing.assert_array_equal(found["kinetic_energy"], [0, 0])


def test_a_model_that_cannot_move_has_answers_without_columns():
    model, motion = shelf(), nothing_moves()
    assert bo.inverse_dynamics(model, motion)["generalized_force"].shape == (2, 0)
    assert bo.mass_matrix(model, motion).shape == (2, 0, 0)
    assert bo.forward_dynamics(model, motion, np.zeros((2, 0)))["acceleration"].shape == (2, 0)
    reaction = bo.joint_reactions(model, motion)["force"].values[0, 0]
    np.testing.assert_allclose(reaction, (0, 2 * G, 0), atol=1e-14)


def test_a_pendulum_exchanges_its_energies():
    joint = PinJoint(name="swing", parent="ground", child="brick")
    model = Model(bodies=(brick(),), joints=(joint,), gravity=(0, -G, 0))
    low, high = (bo.Motion.at_rest(["swing"], [angle]) for angle in (-np.pi / 2, np.pi / 2))
    rise = (
        bo.energy(model, high)["potential_energy"].values - bo.energy(model, low)["potential_energy"].values
    )
    np.testing.assert_allclose(rise, 2 * G * 0.2, rtol=1e-14)
