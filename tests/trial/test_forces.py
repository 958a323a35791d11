"""Forces of a trial: tensions, actuators and external loads, told apart and put to use."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import borelli as bo
from borelli import model as bm
from borelli.results.labelled.plain_result import PlainResult
from borelli.trial.forces import Forces
from borelli.trial.result import split
from tests.analyses.muscle_arms import arm, curl

WEIGHT_N = 2.0 * 9.80665


def box(*forces: bm.Force) -> bm.Model:
    """2 kg on a joint that slides and turns in the plane."""
    body = bm.Body("box", 2.0, (0, 0, 0), (0.1, 0.1, 0.1))
    joint = bm.PlanarJoint(name="slide", parent="ground", child="box")
    return bm.Model(bodies=[body], joints=[joint], forces=list(forces))


def resting(model: bm.Model, n: int = 8) -> bo.Motion:
    return bo.Motion(np.arange(n) / 10, model.coordinate_names, np.zeros((n, len(model.coordinate_names))))


LIFT = bm.PointActuator(name="lift", body="box", direction=(0.0, 1.0, 0.0))
TWIST = bm.TorqueActuator(name="twist", first="box", second="ground", axis=(0.0, 0.0, 1.0))


def test_an_actuator_that_carries_the_weight_leaves_no_residual_and_is_reported():
    model = box(LIFT)
    motion = resting(model)
    result = split(
        model, motion, Forces([], actuators={"lift": np.full(8, WEIGHT_N)}), "body", {}
    ).to_dataset()
    assert float(result["root_residual_force"]) == pytest.approx(0.0, abs=1e-12)
    assert float(result["largest_actuator_force"]) == pytest.approx(WEIGHT_N)
    assert "largest_actuator_moment" not in result
    share = result["generalized_force"].sel(source="load:lift")
    np.testing.assert_allclose(abs(share).max("coordinate"), WEIGHT_N, rtol=1e-12)


def test_an_actuator_that_pushes_a_body_up_and_lets_go_is_no_step():
    model = box(LIFT)
    motion = resting(model, 40)
    pushes = np.where(np.arange(40) // 10 % 2, 500.0, 0.0)
    steps = bo.Load("plate", "box", np.outer(np.roll(pushes, 5), (0, 1, 0)), np.zeros(3))
    by_plate = split(model, motion, Forces([steps]), "body", {}).to_dataset()
    both = split(model, motion, Forces([steps], actuators={"lift": pushes}), "body", {}).to_dataset()
    np.testing.assert_array_equal(both["event_time"], by_plate["event_time"])
    assert by_plate.sizes["event"] > 2
    # The negative control: as an external load it would be one.
    lift = bo.Load("lift", "box", np.outer(pushes, (0, 1, 0)), np.zeros(3))
    mistaken = split(model, motion, Forces([steps, lift]), "body", {}).to_dataset()
    assert not np.array_equal(mistaken["event_time"], by_plate["event_time"])


def test_a_torque_actuator_acts_on_both_of_its_bodies():
    model = box(TWIST)
    forces = Forces([], actuators={"twist": np.full(8, 3.0)})
    first, second = forces.loads(model, resting(model))
    assert (first.name, first.body) == ("twist on box", "box")
    assert (second.name, second.body) == ("twist on ground", "ground")
    np.testing.assert_allclose(first.moment + second.moment, 0.0, atol=1e-15)
    assert forces.largest_of_actuators(model) == {"largest_actuator_moment": (3.0, "N m")}


def test_instants_that_the_motion_does_not_know_are_left_out_and_told_once():
    model = box(LIFT)
    motion = resting(model)
    motion = dataclasses.replace(motion, q=np.where(np.arange(8)[:, None] == 3, np.nan, motion.q))
    with pytest.warns(bo.BorelliWarning, match="1 of 8 instants contain NaN") as told:
        result = split(
            model, motion, Forces([], actuators={"lift": np.full(8, WEIGHT_N)}), "body", {}
        ).to_dataset()
    assert all(issubclass(each.category, bo.BorelliWarning) for each in told)
    unknown = np.isnan(result["total_generalized_force"]).all("coordinate")
    np.testing.assert_array_equal(np.flatnonzero(unknown), [3])
    assert float(result["root_residual_force"]) == pytest.approx(0.0, abs=1e-12)


def test_a_shared_load_is_told_apart_into_tensions_and_actuators():
    motor = bm.CoordinateActuator(name="motor", coordinate="elbow", optimal_force=5.0)
    model = dataclasses.replace(arm(), forces=bm.Parts((*arm().forces, motor)))
    motion = curl()
    shared = bo.muscle_forces(model, motion, reserves=1.0)
    forces = Forces.from_optimization(model, [], PlainResult.of(shared))
    assert set(forces.tensions) == set(model.muscle_names) and set(forces.actuators) == {"motor"}
    assert forces.loads(model, motion) == []  # it acts on its coordinate, not on bodies
    result = split(model, motion, forces, "body", {}).to_dataset()
    # What the muscles leave over is what motor and reserves bear.
    borne = shared["reserve"].sel(coordinate="elbow") + shared["actuator_force"].sel(actuator="motor")
    np.testing.assert_allclose(result["missing_moment"].sel(coordinate="elbow"), borne, atol=1e-9)
    largest = float(abs(shared["actuator_force"]).max())
    assert float(result["largest_actuator_moment"]) == pytest.approx(largest, rel=1e-12)
