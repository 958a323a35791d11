"""Power is moment times velocity; all of it is the change of energy less what the loads give; work is its integral."""

from __future__ import annotations

import numpy as np
import pytest

import borelli as bo
from borelli.trial.forces import Forces
from borelli.trial.result import split
from tests.analyses.muscle_arms import arm, curl

STEP = 1e-5


@pytest.fixture(scope="module")
def model() -> bo.Model:
    return bo.load_model(bo.library.sample_walk().model)


def swinging(model: bo.Model, shift: float = 0.0) -> bo.Motion:
    """Every coordinate on a sine of its own about the default posture, with exact rates."""
    time = np.linspace(0.0, 1.0, 7)
    k = np.arange(len(model.coordinate_names))
    size, rate, phase = 0.2 + 0.05 * np.cos(k), 3.0 + np.sin(2.0 * k), 0.7 * k
    at = rate * (time[:, None] + shift) + phase
    q0 = np.array([float(value) for value in model.default_values().values()])
    return bo.Motion(
        time,
        model.coordinate_names,
        q0 + size * np.sin(at),
        size * rate * np.cos(at),
        -size * rate**2 * np.sin(at),
        speeds=model.speed_names,
    )


def load(model: bo.Model) -> bo.Load:
    time = np.linspace(0.0, 1.0, 7)
    force = np.column_stack([50.0 * np.sin(5 * time), 600.0 + 100.0 * time, 30.0 * np.cos(3 * time)])
    point = np.column_stack([0.1 * time, 0.0 * time, 0.1 + 0.0 * time])
    return bo.Load("push", "tibia_r", force, point, np.outer(np.cos(time), (1.0, 2.0, -3.0)))


def power_of_load(model: bo.Model, given: bo.Load) -> np.ndarray:
    """Force on the velocity of the body where it acts, moment on the angular velocity: by differences."""
    now, before, after = (
        bo.body_poses(model, swinging(model, s)).sel(body=given.body) for s in (0, -STEP, STEP)
    )
    turn = [pose["rotation"].transpose("time", "axis", "body_axis").values for pose in (now, before, after)]
    origin = [pose["origin"].transpose("time", "axis").values for pose in (now, before, after)]
    local = np.einsum("tij,ti->tj", turn[0], given.point - origin[0])
    before_at, after_at = (origin[k] + np.einsum("tij,tj->ti", turn[k], local) for k in (1, 2))
    velocity = (after_at - before_at) / (2.0 * STEP)
    skew = np.einsum("tij,tkj->tik", (turn[2] - turn[1]) / (2.0 * STEP), turn[0])
    spin = np.column_stack([skew[:, 2, 1], skew[:, 0, 2], skew[:, 1, 0]])
    return np.sum(given.force * velocity, axis=1) + np.sum(given.moment * spin, axis=1)


def test_the_powers_of_all_joints_are_the_change_of_energy_less_that_of_the_loads(model):
    motion, given = swinging(model), load(model)
    forces = bo.inverse_dynamics(model, motion, [given])["generalized_force"]
    found = bo.joint_power(model, motion, forces)
    energies = [bo.energy(model, swinging(model, shift)) for shift in (-STEP, STEP)]
    before, after = ((each["kinetic_energy"] + each["potential_energy"]).values for each in energies)
    rate, outside = (after - before) / (2.0 * STEP), power_of_load(model, given)
    total = found["joint_power"].sum("joint").values
    scale = np.abs(found["joint_power"].values).sum(axis=1).max()
    np.testing.assert_allclose(total, rate - outside, atol=1e-7 * scale)
    np.testing.assert_allclose(found["power"].sum("coordinate"), total, rtol=1e-12)
    # Without the load's part the law does not hold: the test can tell.
    assert np.abs(total - rate).max() > 1e-3 * scale


def test_power_is_moment_times_velocity_and_work_its_integral():
    model, motion = arm(), curl(401)
    forces = bo.inverse_dynamics(model, motion)["generalized_force"]
    found = bo.joint_power(model, motion, forces)
    assert dict(found.sizes) == {"time": 401, "coordinate": 2, "joint": 2}
    speed = found["coordinate_speed"].sel(coordinate="elbow").values
    np.testing.assert_array_equal(
        found["power"].sel(coordinate="elbow"), forces.sel(coordinate="elbow") * speed
    )
    np.testing.assert_array_equal(found["coordinate_value"].values, motion.q)
    # By another rule than trapezoids; a curl without loads gives back what it took up but for the arm's own energy.
    from scipy.integrate import simpson

    work, power = (
        found["joint_work"].sel(joint="elbow").values,
        found["joint_power"].sel(joint="elbow").values,
    )
    assert work[0] == 0.0 and work[-1] == pytest.approx(simpson(power, x=motion.time), rel=1e-3)
    energies = bo.energy(model, motion)
    gained = (energies["kinetic_energy"] + energies["potential_energy"]).values
    total = found["joint_work"].sum("joint").values
    np.testing.assert_allclose(total, gained - gained[0], atol=1e-3 * np.abs(total).max())


def test_forces_of_another_model_are_refused():
    model, motion = arm(), curl()
    forces = bo.inverse_dynamics(model, motion)["generalized_force"]
    with pytest.raises(bo.BorelliError, match="no generalized force of 'elbow'"):
        bo.joint_power(model, motion, forces.isel(coordinate=[0]))
    with pytest.raises(bo.BorelliError, match="no generalized force at every instant"):
        bo.joint_power(model, motion, forces.isel(time=slice(1, None)))


def test_a_result_holds_them_and_its_tables_have_their_units(tmp_path):
    model, motion = arm(), curl(21)
    loads = [bo.Load("table", "fore", force=(0.0, 30.0, 0.0), point=(0.1, -0.4, 0.0))]
    result = split(model, motion, Forces(loads), "body", {}).to_dataset()
    folder = bo.save_result(result, tmp_path / "curl")
    again = bo.load_result(folder)
    torque, speed = again["total_generalized_force"], again["coordinate_speed"]
    np.testing.assert_array_equal(again["power"].values, torque.values * speed.values)
    head = (folder / "totals.csv").read_text(encoding="utf-8").splitlines()[0].replace('"', "").split(",")
    assert {
        "elbow_angle [rad]",
        "elbow_speed [rad/s]",
        "elbow_power [W]",
        "elbow_joint_power [W]",
        "elbow_joint_work [J]",
        "fore_ground_force_y [N]",
        "fore_centre_of_pressure_x [m]",
        "fore_free_moment [N m]",
    } <= set(head)
    assert not [output.name for output in bo.outputs(again) if "power" in output.name]
    for words in ("elbow power", "elbow_joint_power", "elbow angle"):
        with pytest.raises(bo.BorelliError, match="saved in the result, but it is not split"):
            bo.explain(again, words)
