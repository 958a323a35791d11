"""Every kind of joint gives OpenSim's poses, mass matrix, generalized forces and reactions."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from borelli.compiled.compile import compile_model
from borelli.kernels.tree.numpy_backend import NumpyBackend
from borelli.model.body import Body
from borelli.model.functions.function import Constant, Linear, Multiplier
from borelli.model.functions.tabulated import SimmSpline
from borelli.model.joints.coordinate import Coordinate
from borelli.model.joints.custom_joint import AxisFunction, CustomJoint
from borelli.model.joints.joint import (
    Attitude,
    BallJoint,
    EllipsoidJoint,
    FreeJoint,
    GimbalJoint,
    PinJoint,
    PlanarJoint,
    ScapulothoracicJoint,
    SliderJoint,
    UniversalJoint,
    WeldJoint,
)
from borelli.model.model import Model
from borelli.model.placement import Placement

FIXTURE = json.loads((Path(__file__).parents[1] / "fixtures" / "opensim_joints.json").read_text())
CASES = [
    pytest.param(case, frame, id=f"{case['kind']}-{number}")
    for case in FIXTURE["cases"]
    # Where OpenSim breaks Lagrange's equations: see tests/analyses/test_axis_rates.py.
    if case["kind"] != "custom_coupled"
    for number, frame in enumerate(case["frames"])
]
# OpenSim's sums are ordered otherwise: a few hundred roundings of numbers of order 100.
TOLERANCE = {"rtol": 1e-11, "atol": 1e-11}


def custom_axes():
    spline = SimmSpline(FIXTURE["spline"]["x"], FIXTURE["spline"]["y"])
    rotations = (
        AxisFunction((0.6, 0.0, 0.8), Linear(), ("c0",)),
        AxisFunction((0.0, 1.0, 0.0), Linear((0.7,), 0.1), ("c1",)),
        AxisFunction((0.0, 0.6, 0.8), Constant(0.2)),
    )
    translations = (
        AxisFunction((1.0, 0.0, 0.0), spline, ("c0",)),
        AxisFunction((0.0, 1.0, 0.0), Constant(0.03)),
        AxisFunction((0.0, 0.0, 1.0), Multiplier(spline, 1.7), ("c1",)),
    )
    return {"rotations": rotations, "translations": translations}


ELLIPSOID = (0.2, 0.3, 0.15)
JOINTS = {
    "pin": (PinJoint, {}),
    "slider": (SliderJoint, {}),
    "universal": (UniversalJoint, {}),
    "gimbal": (GimbalJoint, {}),
    "ball": (BallJoint, {"attitude": Attitude.ANGLES}),
    "free": (FreeJoint, {"attitude": Attitude.ANGLES}),
    "planar": (PlanarJoint, {}),
    "ellipsoid": (EllipsoidJoint, {"radii": ELLIPSOID}),
    "scapulothoracic": (
        ScapulothoracicJoint,
        {"radii": ELLIPSOID, "winging_origin": (0.03, -0.02), "winging_direction": 0.4},
    ),
    "custom": (CustomJoint, custom_axes()),
    "weld": (WeldJoint, {}),
}


def build(case):
    p = case["placements"]
    kind, options = JOINTS[case["kind"]]
    n = len(case["frames"][0]["q"]) - 1
    carrier, body = (Body(name, **case[name]) for name in ("carrier", "body"))
    base = PinJoint(
        name="base",
        parent="ground",
        child="carrier",
        parent_placement=Placement.from_angles(p[0], p[1]),
        child_placement=Placement.from_angles(p[2], p[3]),
    )
    joint = kind(
        name="joint",
        parent="carrier",
        child="body",
        parent_placement=Placement.from_angles(p[4], p[5]),
        child_placement=Placement.from_angles(p[6], p[7]),
        coordinates=tuple(Coordinate(f"c{k}") for k in range(n)),
        **options,
    )
    return Model(bodies=(carrier, body), joints=(base, joint), gravity=(0.3, -9.8, 0.7))


def rows(frame):
    return (np.array([frame[key]]) for key in ("q", "u", "udot"))


@pytest.mark.parametrize(("case", "frame"), CASES)
def test_generalized_forces_and_mass_matrix_equal_opensims(case, frame):
    mechanism = compile_model(build(case)).mechanism
    q, u, udot = rows(frame)
    tau = NumpyBackend().inverse_dynamics(mechanism, q, u, udot).generalized_force
    np.testing.assert_allclose(tau[0], frame["tau"], **TOLERANCE)
    np.testing.assert_allclose(NumpyBackend().mass_matrix(mechanism, q)[0], frame["mass_matrix"], **TOLERANCE)


@pytest.mark.parametrize(("case", "frame"), CASES)
def test_poses_equal_opensims(case, frame):
    compiled = compile_model(build(case))
    q, _, _ = rows(frame)
    for name, expected in frame["poses"].items():
        found = compiled.bodies[name]
        rotation, origin = NumpyBackend().poses(compiled.mechanism, q, [found.node])
        place = np.array(found.placement.translation)
        np.testing.assert_allclose(origin[0, 0] + rotation[0, 0] @ place, expected["origin"], atol=1e-13)
        own = rotation[0, 0] @ np.array(found.placement.rotation)
        np.testing.assert_allclose(own, expected["rotation"], atol=1e-13)


@pytest.mark.parametrize("merge_welds", [True, False])
@pytest.mark.parametrize(("case", "frame"), CASES)
def test_forward_dynamics_undoes_opensims_inverse_dynamics(case, frame, merge_welds):
    mechanism = compile_model(build(case), merge_welds).mechanism
    q, u, udot = rows(frame)
    found = NumpyBackend().forward_dynamics(mechanism, q, u, np.array([frame["tau"]]))
    np.testing.assert_allclose(found, udot, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize(("case", "frame"), CASES)
def test_reactions_on_the_child_at_its_joint_frame_equal_opensims(case, frame):
    compiled = compile_model(build(case), merge_welds=False)
    mechanism = compiled.mechanism
    q, u, udot = rows(frame)
    for name, expected in frame["reactions"].items():
        joint = compiled.joints[name]
        answer = NumpyBackend().inverse_dynamics(mechanism, q, u, udot, wanted=[joint.node])
        rotation, origin = NumpyBackend().poses(mechanism, q, [joint.child_frame.node])
        lever = rotation[0, 0] @ np.array(joint.child_frame.placement.translation)
        force = answer.force[0, 0]
        np.testing.assert_allclose(origin[0, 0] + lever, expected["point"], atol=1e-13)
        np.testing.assert_allclose(force, expected["force"], **TOLERANCE)
        moment = answer.moment[0, 0] - np.cross(lever, force)
        np.testing.assert_allclose(moment, expected["moment"], **TOLERANCE)
