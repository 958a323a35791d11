"""Write tests/fixtures/opensim/old_documents.json: what OpenSim makes of documents in the style of version 1.

    python -m tests.reference.make_opensim_old

The documents are those of tests/io/osim/version_one.py. Run by hand where the ``opensim`` package (4.6) is installed;
the tests read the numbers alone.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from tests.io.osim.version_one import VERSIONS, leg
from tests.reference.ask_opensim import opensim

FIXTURE = Path(__file__).parents[1] / "fixtures" / "opensim" / "old_documents.json"
COORDINATES = ("hip", "knee", "slide")
POSTURES = ((0.2, -0.9, 0.01), (-0.4, 0.3, -0.02), (0.7, -1.4, 0.0), (0.0, 0.9, 0.03))


def answers(osim: Any, path: Path) -> dict[str, Any]:
    """Return OpenSim's numbers of one document, posture by posture."""
    model = osim.Model(str(path))
    state = model.initSystem()
    coordinates = [model.getCoordinateSet().get(name) for name in COORDINATES]
    muscles = [model.getMuscles().get(i) for i in range(model.getMuscles().getSize())]
    found: dict[str, Any] = {"origin": [], "rotation": [], "mass_matrix": [], "length": [], "moment_arm": []}
    for posture in POSTURES:
        for coordinate, value in zip(coordinates, posture, strict=True):
            coordinate.setValue(state, value, False)
        model.realizePosition(state)
        poses = [body.getTransformInGround(state) for body in model.getBodySet()]
        found["origin"].append([pose.p().to_numpy().tolist() for pose in poses])
        turns = [pose.R().asMat33() for pose in poses]
        found["rotation"].append([[[m.get(i, j) for j in range(3)] for i in range(3)] for m in turns])
        matrix = osim.Matrix()
        model.getMatterSubsystem().calcM(state, matrix)
        found["mass_matrix"].append(matrix.to_numpy().tolist())
        found["length"].append([muscle.getLength(state) for muscle in muscles])
        found["moment_arm"].append([shortening(model, state, muscles, each) for each in coordinates])
    found["muscles"] = [muscle.getName() for muscle in muscles]
    found["pennation"] = [muscle.getPennationAngleAtOptimalFiberLength() for muscle in muscles]
    found["actuators"] = actuators(osim, model)
    return found


def shortening(model: Any, state: Any, muscles: list[Any], coordinate: Any) -> list[float]:
    """Return -dl/dq of every muscle by differences of OpenSim's lengths.

    Its computeMomentArm is up to 27 mm off these where a point moves along two axes at once.
    """
    here, step, lengths = coordinate.getValue(state), 1e-5, []
    for value in (here - step, here + step):
        coordinate.setValue(state, value, False)
        model.realizePosition(state)
        lengths.append(np.array([muscle.getLength(state) for muscle in muscles]))
    coordinate.setValue(state, here, False)
    return ((lengths[0] - lengths[1]) / (2 * step)).tolist()


def actuators(osim: Any, model: Any) -> dict[str, Any]:
    """Return the properties of the forces of version 1 as OpenSim has them now."""
    found: dict[str, Any] = {}
    for force in model.getForceSet():
        motor = osim.CoordinateActuator.safeDownCast(force)
        push = osim.PointActuator.safeDownCast(force)
        twist = osim.TorqueActuator.safeDownCast(force)
        if motor is not None:
            found[force.getName()] = [motor.get_coordinate(), motor.get_optimal_force()]
        elif push is not None:
            found[force.getName()] = [
                push.get_body(),
                push.get_point().to_numpy().tolist(),
                push.get_direction().to_numpy().tolist(),
                push.get_force_is_global(),
                push.get_point_is_global(),
                push.get_optimal_force(),
            ]
        elif twist is not None:
            found[force.getName()] = [
                twist.getBodyA().getName(),
                twist.getBodyB().getName(),
                twist.get_axis().to_numpy().tolist(),
                twist.get_torque_is_global(),
                twist.get_optimal_force(),
            ]
    return found


def every_answer(osim: Any) -> dict[str, Any]:
    """Return OpenSim's numbers of every version."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "old.osim"
        every = {}
        for version in VERSIONS:
            path.write_text(leg(version), encoding="utf-8")
            every[str(version)] = answers(osim, path)
    return every


if __name__ == "__main__":
    stored = json.dumps(every_answer(opensim()), default=np.ndarray.tolist)
    FIXTURE.write_text(stored.replace('}, "', '},\n"') + "\n", encoding="utf-8")
