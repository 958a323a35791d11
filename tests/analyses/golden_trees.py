"""Models and motions of the golden spatial cases.

Body frame origin = joint point; the joint frame is the parent frame moved by ``pos`` and turned by a quaternion; the
axis is given in it. Spherical and free joints: unit quaternion scalar first, child to joint frame, w and wd in
child axes; free translation in joint-frame axes. External forces in world axes, their points in body axes.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

import borelli as bo
from borelli.model.body import Body
from borelli.model.joints.joint import BallJoint, FreeJoint, PinJoint, SliderJoint, WeldJoint
from borelli.model.model import Model
from borelli.model.placement import Placement

CASES = json.loads((Path(__file__).parents[1] / "fixtures" / "spatial_golden.json").read_text())["cases"]
TREES = [case for case in CASES if "bodies" in case["inputs"]]


def aligned(axis, column):
    """Rotation whose given column is the axis."""
    rotation = np.array(Placement.with_z_along(axis).rotation)
    return np.roll(rotation, column - 2, axis=1)


def joint(number, body):
    parent = "ground" if body["parent"] == 0 else f"b{body['parent']}"
    fixed = Rotation.from_quat(body.get("Rfix_quat", (1, 0, 0, 0)), scalar_first=True).as_matrix()
    common = {"name": f"j{number}", "parent": parent, "child": f"b{number}"}
    if body["type"] in ("revolute", "prismatic"):
        turns = body["type"] == "revolute"
        turn = aligned(body["axis"], 2 if turns else 0)
        return (PinJoint if turns else SliderJoint)(
            **common,
            parent_placement=Placement(body["pos"], fixed @ turn),
            child_placement=Placement(rotation=turn),
        )
    kind = {"spherical": BallJoint, "free": FreeJoint, "weld": WeldJoint}[body["type"]]
    return kind(**common, parent_placement=Placement(body["pos"], fixed))


def build(case):
    bodies = [
        Body(f"b{number}", body["m"], body["c"], body["I"])
        for number, body in enumerate(case["inputs"]["bodies"], start=1)
    ]
    joints = [joint(number, body) for number, body in enumerate(case["inputs"]["bodies"], start=1)]
    return Model(bodies=bodies, joints=joints, gravity=case["inputs"]["g"])


def state(case):
    q, u, udot = [], [], []
    for body in case["inputs"]["bodies"]:
        if body["type"] in ("revolute", "prismatic"):
            q, u, udot = [*q, body["q"]], [*u, body["qd"]], [*udot, body["qdd"]]
        elif body["type"] in ("spherical", "free"):
            quaternion = np.array(body["quat"]) / np.linalg.norm(body["quat"])
            shift = body["type"] == "free"
            q += [*quaternion, *(body["x"] if shift else ())]
            u += [*body["w"], *(body["xd"] if shift else ())]
            udot += [*body["wd"], *(body["xdd"] if shift else ())]
    return q, u, udot


def motion(case, model, copies=1):
    rows = [np.tile(row, (copies, 1)) for row in state(case)]
    return bo.Motion(np.arange(float(copies)), model.coordinate_names, *rows, speeds=model.speed_names)


def loads(case, poses):
    """Loads in ground; their points are found from the poses."""
    found = []
    for number, load in enumerate(case["inputs"]["external"]):
        body = f"b{load['body']}"
        own = poses.sel(body=body).isel(time=0)
        point = own["origin"].values + own["rotation"].values @ np.array(load["point"])
        found.append(bo.Load(f"l{number}", body, np.array(load["force"]), point, np.array(load["moment"])))
    return found
