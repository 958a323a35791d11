"""N, C_θ, P and effective torque: the golden numbers, and each equation of Sherman, Seth & Delp (2013)."""

from __future__ import annotations

import json
from pathlib import Path as FilePath

import numpy as np
import pytest

import borelli as bo
from borelli import library
from borelli.model import BallJoint, Body, Model
from tests.path_models import composite, hinge, moving_hinge, muscle, point
from tests.random_trees import random_model, random_motion

GOLDEN = json.loads(
    (FilePath(__file__).parent.parent / "fixtures" / "moment_arm_golden.json").read_text(encoding="utf-8")
)["cases"]
COMPOSITES = [
    "moment_arm_composite_wrap",
    "moment_arm_composite_wrap_scaled",
    "moment_arm_composite_nonlinear",
]


def composite_case(name):
    case = GOLDEN[name]
    inputs, outputs = case["inputs"], case["outputs"]
    model = composite(inputs)
    theta = {f"q{k}": inputs["w"][k - 1] for k in inputs["theta_is_sum_of"]}
    return model, bo.Motion.at_rest(model.coordinate_names, [outputs["q"]]), {"theta": theta}, outputs


@pytest.mark.parametrize("name", COMPOSITES)
def test_coupling_matrix_and_partial_velocity_are_the_golden_ones(name):
    model, posture, theta, outputs = composite_case(name)
    found = bo.coupling_matrix(model, posture, angles=theta)
    # Golden numbers have 17 digits.
    np.testing.assert_allclose(found.sel(angle="theta").values[0], outputs["C_theta"], rtol=1e-12)
    slopes = bo.partial_velocity(model, posture).values[0, 0]
    np.testing.assert_allclose(slopes, outputs["dl_dq"], rtol=1e-10)
    # (15): r = -P N C, sign as in erratum H1.
    through = bo.speed_map(model, posture).values[0] @ found.values[0, 0]
    np.testing.assert_allclose(-slopes @ through, outputs["moment_arm"], rtol=1e-10)


@pytest.mark.parametrize("name", COMPOSITES)
def test_effective_torque_is_the_sum_over_all_coupled_speeds(name):
    model, posture, theta, outputs = composite_case(name)
    found = bo.effective_torque(model, posture, {"muscle": 250.0}, angles=theta)
    np.testing.assert_allclose(
        found["generalized_force"].values[0, 0],
        250.0 * np.array(outputs["generalized_force_unit_tension"]),
        rtol=1e-10,
    )
    np.testing.assert_allclose(
        found["torque"].values[0, 0], 250.0 * outputs["effective_torque_unit_tension"], rtol=1e-10
    )
    parts = found["part"].values[0, 0, 0]
    np.testing.assert_allclose(parts.sum(), found["torque"].values[0, 0], rtol=1e-12)
    # (21): alpha_k times the physical torque tau_k = f_k / w_k, the scaling w dropped out.
    expected = np.array(outputs["C_theta"]) * outputs["generalized_force_unit_tension"]
    np.testing.assert_allclose(parts, 250.0 * expected, rtol=1e-9, atol=1e-12)


def test_speeds_outside_the_angle_belong_to_the_sum():
    """Erratum H5: the four angles of θ alone give 0.026527 m, all six coupled ones 0.026147 m."""
    model, posture, theta, outputs = composite_case("moment_arm_composite_wrap")
    parts = bo.effective_torque(model, posture, {"muscle": 1.0}, angles=theta)["part"].values[0, 0, 0]
    assert abs(parts[:4].sum() - 0.026527) < 5e-7
    assert abs(parts.sum() - 0.026147) < 5e-7
    assert abs(parts.sum() - outputs["moment_arm"]) < 1e-12


def test_one_coordinate_alone_is_not_the_effective_torque():
    """Erratum H2: before (22) the sum over k is missing in print."""
    model, posture, theta, outputs = composite_case("moment_arm_composite_wrap")
    parts = bo.effective_torque(model, posture, {"muscle": 1.0}, angles=theta)["part"].values[0, 0, 0]
    assert (np.abs(parts - outputs["moment_arm"]) > 1e-3).all()


def test_torque_has_the_sign_that_the_definition_needs():
    """Erratum H1: (1) with s > 0 makes r = -dl/dθ; printed without the minus it is the negative of torque."""
    case = GOLDEN["moment_arm_hinge"]
    model = hinge(case["inputs"])
    posture = bo.Motion.at_rest(["theta"], [[case["inputs"]["theta"]]])
    tension = case["inputs"]["tension"]
    torque = float(bo.effective_torque(model, posture, {"muscle": tension})["torque"][0, 0])
    slope = float(bo.partial_velocity(model, posture)[0, 0, 0])
    assert torque == pytest.approx(case["outputs"]["torque"], rel=1e-12)
    assert torque / tension == pytest.approx(-slope, rel=1e-12)
    assert abs(torque / tension - slope) > 0.07


def test_ball_joint_has_the_golden_n_and_slopes():
    case = GOLDEN["moment_arm_ball"]
    inputs, outputs = case["inputs"], case["outputs"]
    points = [point("o", "ground", inputs["origin_parent"]), point("i", "b", inputs["insertion_body"])]
    model = Model(
        bodies=(Body("b", 1.0),),
        joints=(BallJoint(name="ball", parent="ground", child="b"),),
        muscles=(muscle(points),),
    )
    posture = bo.Motion.at_rest(model.coordinate_names, [outputs["quat"]])
    n = bo.speed_map(model, posture).values[0]
    rotation = bo.body_poses(model, posture)["rotation"].values[0, 0]
    # The golden N is for an angular velocity in parent axes, ours has it in the child's.
    np.testing.assert_allclose(n @ rotation.T, np.array(outputs["N"]), atol=1e-14)
    slope = bo.partial_velocity(model, posture).values[0, 0]
    np.testing.assert_allclose(slope, outputs["dl_dq_homogeneous"], atol=1e-14)
    np.testing.assert_allclose(-slope @ n @ rotation.T, outputs["torque_unit_tension"], atol=1e-14)


def test_speed_map_turns_speeds_into_rates():
    model = random_model(8, 3, ("free", "ball", "pin"))
    motion = random_motion(model, 8, 5)
    n = bo.speed_map(model, motion).values
    h = 1e-6
    moved = bo.simulate(
        Model(bodies=model.bodies, joints=model.joints, gravity=(0, 0, 0)), [0.0, h], motion.q[2], motion.u[2]
    )
    # A free step of h is off by h times the acceleration.
    np.testing.assert_allclose((moved.q[1] - motion.q[2]) / h, n[2] @ motion.u[2], atol=2e-3)


def test_guides_of_moving_points_are_left_out():
    case = GOLDEN["moment_arm_moving_point"]
    model = moving_hinge(case["inputs"])
    posture = bo.Motion.at_rest(["theta"], [[case["inputs"]["theta"]]])
    torque = float(bo.effective_torque(model, posture, {"muscle": 1.0})["torque"][0, 0])
    assert torque == pytest.approx(case["outputs"]["moment_arm_effective_torque"], rel=1e-10)
    # Negative control: tendon excursion counts the guide.
    assert abs(torque + case["outputs"]["dl_dtheta"]) > 0.02


def test_library_models_have_one_freedom_and_four_methods_agree():
    for model, angles, driver in (
        (library.neck(), library.neck_angle(), "c7_pitch"),
        (library.composite_joint(), library.composite_angle(), "theta_1"),
    ):
        low, high = model.coordinates[driver].range
        sweep = np.linspace(low, high, 7)
        motion = bo.assemble(model, bo.Motion(np.arange(7.0), [driver], sweep[:, None]))
        arms = {
            method: bo.moment_arms(model, motion, method, angles=angles).values
            for method in ("generalized_force", "path_velocity", "partial_velocity", "perturbation")
        }
        for method, values in arms.items():
            # Perturbation is a five-point difference of step 1e-3.
            np.testing.assert_allclose(values, arms["generalized_force"], atol=1e-8, err_msg=method)
        torque = bo.effective_torque(model, motion, dict.fromkeys(model.path_names, 2.0), angles=angles)
        np.testing.assert_allclose(torque["path_torque"].values, 2.0 * arms["generalized_force"], atol=1e-12)
        coupled = bo.coupling_matrix(model, motion, angles=angles).values
        jacobian = bo.constraint_jacobian(model, motion).values
        np.testing.assert_allclose(np.einsum("nij,naj->nai", jacobian, coupled), 0.0, atol=1e-13)


def test_bad_input_is_named():
    model = library.composite_joint()
    posture = bo.Motion.at_rest(model.coordinate_names, [[0.0] * 6])
    with pytest.raises(bo.BorelliError, match="'muscel' is not a path"):
        bo.effective_torque(model, posture, {"muscel": 1.0})
    with pytest.raises(bo.BorelliError, match="must add up to one"):
        library.composite_joint((0.5, 0.5, 0.5, 0.5, 0.0, 0.0))
    with pytest.raises(bo.BorelliError, match="six shares are needed"):
        library.composite_joint((1.0,))
