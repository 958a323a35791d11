"""Write tests/fixtures/opensim/arc.json: OpenSim's poses of a constant-curvature joint.

    python -m tests.reference.make_opensim_arc

With them how far OpenSim's velocities are from the differences of its own poses, and the length of the joint after
OpenSim has scaled the model. Run by hand where the ``opensim`` package (4.6) is installed; the tests read the
numbers alone.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import borelli as bo
from borelli.model import Body, ConstantCurvatureJoint, Coordinate, Model, Placement
from tests.reference.ask_opensim import opensim
from tests.reference.make_opensim_cases import FIXTURES

NAMES = ("forward", "aside", "twist")
SCALE = (1.1, 1.3, 0.9)
POSTURES = (
    (0.0, 0.0, 0.0),
    (0.4, -0.3, 0.2),
    (-0.7, 0.5, -0.6),
    (0.9, 0.8, 0.1),
    (-0.1, 0.6, 1.0),
    (-0.099, 0.152, 0.3),
    (-0.0995, 0.1503, 0.3),
)
"""At (-0.1, 0.15) the segment is straight; at the last posture its bend is so small that OpenSim leaves it out."""
SPEEDS = (0.7, -0.4, 0.9)


def spine() -> Model:
    """A thorax on a segment of 0.3 m, with placed frames on both sides and neutral angles."""
    joint = ConstantCurvatureJoint(
        name="spine",
        parent="ground",
        child="thorax",
        parent_placement=Placement.from_angles((0.02, 0.1, -0.03), (0.2, -0.1, 0.3)),
        child_placement=Placement.from_angles((0.01, -0.05, 0.02), (-0.1, 0.2, 0.15)),
        coordinates=tuple(Coordinate(name, "rotational", range=(-1.5, 1.5)) for name in NAMES),
        length=0.3,
        neutral=(0.1, -0.15, 0.05),
    )
    thorax = Body("thorax", 12.0, (0.02, 0.15, -0.01), (0.3, 0.2, 0.25, 0.01, -0.02, 0.015))
    return Model(name="spine", bodies=(thorax,), joints=(joint,), gravity=(0.3, -9.8, 0.7))


def answers(osim: Any, folder: Path) -> dict[str, Any]:
    """Ask OpenSim."""
    bo.save_model(spine(), folder / "spine.osim")
    model = osim.Model(str(folder / "spine.osim"))
    state = model.initSystem()
    body = model.getBodySet().get("thorax")
    coordinates = [model.getCoordinateSet().get(name) for name in NAMES]

    def place(posture: Any) -> tuple[np.ndarray, np.ndarray]:
        for coordinate, value in zip(coordinates, posture, strict=True):
            coordinate.setValue(state, float(value), False)
        model.realizePosition(state)
        pose = body.getTransformInGround(state)
        turn = pose.R().asMat33()
        return pose.p().to_numpy(), np.array([[turn.get(i, j) for j in range(3)] for i in range(3)])

    found: dict[str, Any] = {"origin": [], "rotation": [], "velocity_off": []}
    for posture in POSTURES:
        origin, rotation = place(posture)
        for coordinate, speed in zip(coordinates, SPEEDS, strict=True):
            coordinate.setSpeedValue(state, speed)
        model.realizeVelocity(state)
        told = body.getLinearVelocityInGround(state).to_numpy()
        step = 1e-6 * np.array(SPEEDS)
        rate = (place(posture + step)[0] - place(posture - step)[0]) / 2e-6
        found["origin"].append(origin)
        found["rotation"].append(rotation)
        found["velocity_off"].append(float(np.abs(told - rate).max()))
    scaling = osim.ScaleSet()
    one = osim.Scale()
    one.setSegmentName("thorax")
    one.setScaleFactors(osim.Vec3(*SCALE))
    one.setApply(True)
    scaling.cloneAndAppend(one)
    model.scale(state, scaling, False)
    joint = osim.ConstantCurvatureJoint.safeDownCast(model.getJointSet().get("spine"))
    found["scaled_length"] = joint.get_length()
    return found


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        told = json.dumps(answers(opensim(), Path(scratch)), default=np.ndarray.tolist, indent=1)
        (FIXTURES / "arc.json").write_text(told + "\n", encoding="utf-8")
