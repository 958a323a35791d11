"""An actuator between two points pushes them apart, as OpenSim's does; one with activation acts on its coordinate."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import borelli as bo
from borelli.compiled.compile import compile_model
from borelli.mechanics.forces.actuators import straight_forces
from borelli.model import ActivationCoordinateActuator, CoordinateActuator, PointToPointActuator
from tests.analyses.three_bodies import bodies_with, swinging

PISTON = PointToPointActuator(
    name="piston",
    first="ground",
    second="lower",
    first_location=(0.4, 0.2, 0.1),
    second_location=(0.1, -0.3, 0.0),
)
RAM = PointToPointActuator(
    name="ram",
    first="upper",
    second="box",
    first_location=(0.1, -0.2, 0.3),
    second_location=(0.2, 0.1, 0.0),
    points_in_ground=True,
)
ACTUATORS = (PISTON, RAM)


def test_it_does_what_opensim_s_does(tmp_path):
    osim = pytest.importorskip("opensim")
    osim.Logger.setLevelString("Off")
    # OpenSim allows no end on ground.
    model = bodies_with((dataclasses.replace(PISTON, first="upper"), RAM))
    motion = swinging(model, 6)
    bo.save_model(model, tmp_path / "model.osim")
    own = osim.Model(str(tmp_path / "model.osim"))
    state = own.initSystem()
    solver = osim.InverseDynamicsSolver(own)
    pistons = [osim.ScalarActuator.safeDownCast(own.updForceSet().get(each.name)) for each in ACTUATORS]
    unit = straight_forces(compile_model(model), tuple(model.forces), motion.q)

    def solve(force, only):
        for piston in pistons:
            piston.overrideActuation(state, True)
            piston.setOverrideActuation(state, force if piston is only else 0.0)
        own.realizeDynamics(state)
        answer = solver.solve(state, osim.Vector(3, 0.0))
        return np.array([answer.get(i) for i in range(3)])

    for frame in range(motion.n_times):
        for column, name in enumerate(motion.coordinates):
            own.updCoordinateSet().get(name).setValue(state, float(motion.q[frame, column]), False)
        for index, piston in enumerate(pistons):
            found = solve(0.0, piston) - solve(12.0, piston)
            # Differences of inverse dynamics of some ten N m.
            np.testing.assert_allclose(12.0 * unit[frame, index], found, atol=1e-10)


def test_it_does_the_work_of_the_growing_distance():
    """Per newton: the derivative of the distance between its points by every speed, by central differences."""
    model = bodies_with((PISTON,))
    motion = swinging(model)
    unit = straight_forces(compile_model(model), (PISTON,), motion.q)[:, 0]

    def distance(q):
        pose = bo.body_poses(model, bo.Motion(motion.time, motion.coordinates, q)).sel(body="lower")
        end = pose["origin"].values + pose["rotation"].values @ np.array(PISTON.second_location)
        return np.linalg.norm(end - PISTON.first_location, axis=1)

    for column in range(3):
        step = 1e-6 * np.eye(3)[column]
        slope = (distance(motion.q + step) - distance(motion.q - step)) / 2e-6
        # Round-off of a distance of about 1 m over 2e-6.
        np.testing.assert_allclose(unit[:, column], slope, atol=1e-9)


@pytest.mark.parametrize("variables", ["body", "coordinates"])
def test_its_share_is_its_work_and_the_shares_close(variables):
    model = bodies_with(ACTUATORS)
    motion = swinging(model)
    given = {"piston": 10.0 + np.sin(motion.time), "ram": -4.0}
    found = bo.contributions(model, motion, tensions=given, variables=variables)
    assert float(found["closure"]) < 1e-12
    unit = straight_forces(compile_model(model), ACTUATORS, motion.q)
    for index, name in enumerate(given):
        share = found["generalized_force"].sel(source=f"actuator:{name}")
        np.testing.assert_allclose(share, -unit[:, index] * np.reshape(given[name], (-1, 1)), atol=1e-10)


def test_without_a_force_it_does_nothing_and_is_not_named_as_left_out():
    model = bodies_with(ACTUATORS)
    found = bo.contributions(model, swinging(model))
    assert not [source for source in found["source"].values if "piston" in source or "ram" in source]


def test_points_that_coincide_are_not_pushed():
    still = PointToPointActuator(name="still", first="upper", second="upper")
    model = bodies_with((still,))
    assert not straight_forces(compile_model(model), (still,), swinging(model).q).any()


def test_an_activation_actuator_acts_as_one_without():
    plain = CoordinateActuator(name="motor", coordinate="knee", optimal_force=5.0)
    lagging = ActivationCoordinateActuator(name="motor", coordinate="knee", optimal_force=5.0)
    motion = swinging(bodies_with((plain,)))
    one, other = (
        bo.contributions(bodies_with((actuator,)), motion, tensions={"motor": 3.0})
        for actuator in (plain, lagging)
    )
    np.testing.assert_array_equal(one["generalized_force"], other["generalized_force"])


def test_an_end_on_ground_is_told_when_it_is_written(tmp_path):
    with pytest.warns(bo.BorelliWarning, match="point-to-point actuator 'piston' ends on ground or a frame"):
        bo.save_model(bodies_with((PISTON,)), tmp_path / "model.osim")
