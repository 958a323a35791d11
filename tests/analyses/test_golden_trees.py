"""The engine gives the golden numbers of spatial trees."""

from __future__ import annotations

import numpy as np
import pytest

import borelli as bo
from borelli.model.body import Body
from borelli.model.joints.joint import PinJoint
from borelli.model.model import Model
from borelli.model.placement import Placement
from tests.analyses.golden_trees import CASES, TREES, build, loads, motion

# Double precision against 60 digits: a few dozen roundings of numbers up to 200.
CLOSE = {"rtol": 1e-11, "atol": 1e-13}
FULL = [case for case in TREES if "R" in case["outputs"]]
LAGRANGIAN = [case for case in TREES if "H" in case["outputs"]]


def of(cases):
    return pytest.mark.parametrize("case", cases, ids=[case["id"] for case in cases])


@of(FULL)
def test_poses_equal_the_golden_ones(case):
    model = build(case)
    poses = bo.body_poses(model, motion(case, model))
    np.testing.assert_allclose(poses["rotation"].values[0], case["outputs"]["R"], **CLOSE)
    np.testing.assert_allclose(poses["origin"].values[0], case["outputs"]["origin"], **CLOSE)
    np.testing.assert_allclose(poses["com"].values[0], case["outputs"]["com"], **CLOSE)


@of(FULL)
def test_generalized_forces_equal_the_golden_ones(case):
    model = build(case)
    own = motion(case, model)
    given = loads(case, bo.body_poses(model, own))
    found = bo.inverse_dynamics(model, own, given)["generalized_force"].values[0]
    expected = [value for body in case["outputs"]["generalized_force"] for value in body]
    np.testing.assert_allclose(found, expected, **CLOSE)


@of(TREES)
def test_joint_wrenches_equal_the_golden_ones(case):
    model = build(case)
    own = motion(case, model)
    found = bo.joint_reactions(model, own, loads(case, bo.body_poses(model, own)))
    for index, expected in enumerate(case["outputs"]["wrench_on_body_by_parent"]):
        np.testing.assert_allclose(found["force"].values[0, index], expected["f"], **CLOSE)
        np.testing.assert_allclose(found["moment"].values[0, index], expected["n"], **CLOSE)


@of(FULL)
def test_energy_equals_the_golden_one(case):
    model = build(case)
    found = bo.energy(model, motion(case, model))
    np.testing.assert_allclose(found["kinetic_energy"].values[0], case["outputs"]["kinetic_energy"], **CLOSE)
    np.testing.assert_allclose(
        found["potential_energy"].values[0], case["outputs"]["potential_energy"], **CLOSE
    )
    masses = [body["m"] for body in case["inputs"]["bodies"]]
    expected = np.array(masses) @ np.array(case["outputs"]["com_vel"])
    np.testing.assert_allclose(found["momentum"].values[0], expected, **CLOSE)


@of(LAGRANGIAN)
def test_lagrangian_terms_equal_the_golden_ones(case):
    model = build(case)
    own = motion(case, model)
    found = bo.lagrangian(model, own, loads(case, bo.body_poses(model, own)))
    for name, key in (("H", "H"), ("h", "h"), ("G", "G"), ("load_force", "Q_ext")):
        np.testing.assert_allclose(found[name].values[0], case["outputs"][key], **CLOSE)
    np.testing.assert_allclose(bo.mass_matrix(model, own).values[0], case["outputs"]["H"], **CLOSE)


def test_schaffners_arm_has_its_golden_inertia_velocity_and_gravity_terms():
    case = next(case for case in CASES if case["kind"] == "schaffner")
    given = case["inputs"]
    bodies = [
        Body("upper", given["m1"], (given["lc1"], 0, 0), (0, 0, given["I1"])),
        Body("fore", given["m2"], (given["lc2"], 0, 0), (0, 0, given["I2"])),
    ]
    elbow = Placement((given["l1"], 0, 0))
    joints = [
        PinJoint(name="shoulder", parent="ground", child="upper"),
        PinJoint(name="elbow", parent="upper", child="fore", parent_placement=elbow),
    ]
    with pytest.warns(bo.BorelliWarning, match="triangle|inertia"):
        model = Model(bodies=bodies, joints=joints, gravity=(0, -given["g"], 0))
    rows = [[given[key]] for key in ("theta", "theta_dot", "theta_ddot")]
    own = bo.Motion([0.0], model.coordinate_names, *rows)
    found = bo.lagrangian(model, own)
    for name in ("H", "h", "G"):
        np.testing.assert_allclose(found[name].values[0], case["outputs"][name], **CLOSE)
    tau = bo.inverse_dynamics(model, own)["generalized_force"].values[0]
    np.testing.assert_allclose(tau, case["outputs"]["tau"], **CLOSE)
    np.testing.assert_allclose(
        bo.energy(model, own)["kinetic_energy"].values, case["outputs"]["kinetic_energy"], **CLOSE
    )
