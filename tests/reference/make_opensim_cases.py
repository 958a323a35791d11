"""Write tests/fixtures/opensim/<model>.json: OpenSim's own numbers for the models of tests/conformance/own_models.py.

    python -m tests.reference.make_opensim_cases [model …]

Borelli writes each model as an .osim file and OpenSim (4.6) does the rest: every number is a function of the stored
q, u, udot, loads and tensions. Run by hand where the ``opensim`` package is installed; the tests read the numbers.
Exact optima of static optimization are found by quadprog from OpenSim's matrices.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import borelli as bo
from tests.conformance.own_models import MODELS
from tests.reference.ask_opensim import Asked, opensim

FIXTURES = Path(__file__).parents[1] / "fixtures" / "opensim"
FRAMES = 9
RESERVE = 10.0
"""What a unit of control of a reserve bears (N or N m): some of each load, but not all, is left to muscles."""
KINDS = {1: "rotational", 2: "translational", 3: "coupled"}
CENTRES = {"knee_angle": -0.7, "elbow_flexion": 1.1, "up": 0.9, "ty": 1.0, "wrist_flexion": 0.3}
SPANS = {"knee_angle": 0.6, "elbow_flexion": 0.6, "forward": 0.3, "up": 0.05, "ankle_angle": 0.3}


def motion_of(name: str, model: Any) -> bo.Motion:
    """Sums of two sines; a coupled coordinate follows its coupler."""
    rng = np.random.default_rng(sum(map(ord, name)))
    time = np.linspace(0.0, 0.8, FRAMES)
    q, u, udot = (np.zeros((FRAMES, len(model.coordinate_names))) for _ in range(3))
    for k, coordinate in enumerate(model.coordinate_names):
        q[:, k] = CENTRES.get(coordinate, 0.0)
        for rate in (4.0, 9.0):
            size, phase = SPANS.get(coordinate, 0.4) * 4.0 / rate / 2, rng.uniform(0, 2 * np.pi)
            q[:, k] += size * np.sin(rate * time + phase)
            u[:, k] += size * rate * np.cos(rate * time + phase)
            udot[:, k] -= size * rate**2 * np.sin(rate * time + phase)
    for coupler in model.constraints:
        c, b, a = coupler.function.coefficients
        i, k = (model.coordinate_names.index(n) for n in (coupler.independent[0], coupler.dependent))
        slope = 2 * a * q[:, i] + b
        q[:, k], u[:, k] = a * q[:, i] ** 2 + b * q[:, i] + c, slope * u[:, i]
        udot[:, k] = slope * udot[:, i] + 2 * a * u[:, i] ** 2
    return bo.Motion(time, tuple(model.coordinate_names), q, u, udot)


def load_of(model: Any, motion: bo.Motion) -> dict[str, Any]:
    """A push on the last body that a muscle moves: force, point and free moment in ground."""
    body, size = {"leg": ("foot", 1.0), "arm": ("hand", 0.03), "body": ("shank", 0.5)}[model.name]
    turn = 5.0 * motion.time
    force = size * np.stack([40 * np.sin(turn), 200 + 150 * np.cos(turn), 9 * np.cos(2 * turn)], axis=1)
    point = np.stack([0.05 + 0.1 * motion.time, 0.02 * np.sin(turn), 0.05 + 0 * turn], axis=1)
    moment = size * np.stack([0 * turn, 4 * np.sin(turn), 2 * np.cos(turn)], axis=1)
    return {
        "ext_names": ["push"],
        "ext_body": [body],
        "ext_force": force[:, None],
        "ext_point": point[:, None],
        "ext_torque": moment[:, None],
    }


def poses(asked: Asked) -> dict[str, Any]:
    """Bodies and markers in ground."""
    bodies, markers = asked.model.getBodySet(), asked.model.getMarkerSet()
    own = [bodies.get(i) for i in range(bodies.getSize())]
    turns = [body.getTransformInGround(asked.state).R() for body in own]
    return {
        "body_origin": [body.getPositionInGround(asked.state).to_numpy() for body in own],
        "body_com": [
            body.findStationLocationInGround(asked.state, body.getMassCenter()).to_numpy() for body in own
        ],
        "body_R": [[[turn.get(i, j) for j in range(3)] for i in range(3)] for turn in turns],
        "marker_pos": [
            markers.get(i).getLocationInGround(asked.state).to_numpy() for i in range(markers.getSize())
        ],
    }


def paths(asked: Asked, names: list[str]) -> dict[str, Any]:
    """Lengths, speeds, arms and how far each muscle could pull with a rigid tendon."""
    state, coordinates = asked.state, [asked.model.getCoordinateSet().get(name) for name in asked.names]
    lines = [asked.geometry(name) for name in names]
    muscles = [asked.model.getMuscles().get(name) for name in asked.muscles]
    stops = [line.getCurrentPath(state) for line in lines]
    wrapped = asked.osim.PathWrapPoint.safeDownCast
    return {
        "path_length": [line.getLength(state) for line in lines],
        "path_speed": [line.getLengtheningSpeed(state) for line in lines],
        "path_n_wrap_points": [sum(wrapped(s.get(i)) is not None for i in range(s.getSize())) for s in stops],
        "moment_arm": [[line.computeMomentArm(state, c) for c in coordinates] for line in lines],
        "muscle_rigid_tendon_active_force": [
            m.calcInextensibleTendonActiveFiberForce(state, 1.0) for m in muscles
        ],
    }


def pulls(asked: Asked, tensions: dict[str, float]) -> dict[str, Any]:
    """What OpenSim's points make of the tensions: force on each body, and moment about ground's origin."""
    bodies = asked.model.getBodySet()
    force, moment = (np.zeros((bodies.getSize(), 3)) for _ in range(2))
    for name, tension in tensions.items():
        points = asked.osim.ArrayPointForceDirection()
        asked.geometry(name).getPointForceDirections(asked.state, points)
        for i in range(points.getSize()):
            frame = points.get(i).frame()
            body = bodies.getIndex(frame.findBaseFrame().getName())
            if body >= 0:  # what pulls on ground moves nothing
                pull = tension * points.get(i).direction().to_numpy()
                force[body] += pull
                at = frame.findStationLocationInGround(asked.state, points.get(i).point()).to_numpy()
                moment[body] += np.cross(at, pull)
    return {"pull_force": force, "pull_moment": moment}


def slopes(asked: Asked, names: list[str], frame: int) -> np.ndarray:
    """-dl/du of each path: what its speed becomes by a unit of each speed."""
    out = np.empty((len(names), len(asked.names)))
    for k, name in enumerate(asked.names):
        for other in asked.names:
            asked.model.getCoordinateSet().get(other).setSpeedValue(asked.state, float(other == name))
        asked.model.realizeVelocity(asked.state)
        out[:, k] = [-asked.geometry(path).getLengtheningSpeed(asked.state) for path in names]
    asked.at(frame)
    asked.model.realizeDynamics(asked.state)
    return out


def optimum(arms: np.ndarray, strength: np.ndarray, needed: np.ndarray) -> np.ndarray:
    """Activations of muscles, then controls of reserves: least sum of squares that balances ``needed``."""
    from qpsolvers import solve_qp

    n, reserves = len(strength), len(needed)
    balance = np.hstack([(arms * strength[:, None]).T, RESERVE * np.eye(reserves)])
    # OpenSim lets a muscle do with one per cent of its force at the least.
    lower = np.r_[np.full(n, 0.01), np.full(reserves, -np.inf)]
    upper = np.r_[np.ones(n), np.full(reserves, np.inf)]
    found = solve_qp(
        np.eye(n + reserves),
        np.zeros(n + reserves),
        A=balance,
        b=needed,
        lb=lower,
        ub=upper,
        solver="quadprog",
    )
    assert found is not None
    return found


def answers(osim: Any, name: str, file: Path) -> dict[str, Any]:
    """Everything that is stored of one model."""
    model = MODELS[name]()
    motion = motion_of(name, model)
    load = load_of(model, motion)
    asked = Asked(osim, file, motion, load)
    rng = np.random.default_rng(4)
    names = [*asked.muscles, *(f.name for f in model.forces if hasattr(f, "path"))]
    passive = [element for element in asked.elements if element not in asked.muscles]
    tension = rng.uniform(0, 0.4, (FRAMES, len(asked.muscles))) * [
        m.max_isometric_force for m in model.muscles
    ]
    rows: list[dict[str, Any]] = []
    for frame in range(FRAMES):
        asked.at(frame)
        asked.act(["push"])
        row = {"tau": asked.inverse_dynamics(frame), "M": asked.mass_matrix()}
        row |= poses(asked) | paths(asked, names)
        row["path_minus_dldt_du"] = slopes(asked, names, frame)
        asked.act(["push", *passive])
        row["tau_elements"] = asked.inverse_dynamics(frame)
        pulled = dict(zip(asked.muscles, tension[frame], strict=True))
        asked.act(["push", *pulled], pulled)
        row["rx_mus_tau"] = asked.inverse_dynamics(frame)
        row |= pulls(asked, pulled)
        for kind, sizes in (("id", {}), ("mus", pulled)):
            tau = row["tau"] if kind == "id" else row["rx_mus_tau"]
            sizes = sizes | {f"motor_{n}": value for n, value in zip(asked.names, tau, strict=True)}
            row[f"rx_{kind}_force"], row[f"rx_{kind}_moment"], reached = asked.reactions(["push"], sizes)
            assert np.abs(reached - motion.udot[frame]).max() < 1e-6, (
                name,
                frame,
                reached - motion.udot[frame],
            )
        if not model.constraints:  # which would bear a part of the load
            strength = np.array(row["muscle_rigid_tendon_active_force"])
            row["optimum"] = optimum(
                row["path_minus_dldt_du"][: len(strength)], strength, row["tau_elements"]
            )
        rows.append(row)
    parts = asked.model.getBodySet(), asked.model.getJointSet(), asked.model.getMarkerSet()
    bodies, joints, markers = ([part.get(i).getName() for i in range(part.getSize())] for part in parts)
    coordinates = [asked.model.getCoordinateSet().get(name) for name in asked.names]
    fixed = {
        "origin": f"OpenSim {osim.GetVersion()}; written by tests/reference/make_opensim_cases.py",
        "coord_names": asked.names,
        "coord_range": [[c.getRangeMin(), c.getRangeMax()] for c in coordinates],
        "coord_motion": [KINDS[c.getMotionType()] for c in coordinates],
        "coord_locked": [False] * len(coordinates),
        "joint_names": joints,
        "body_names": bodies,
        "marker_names": markers,
        "path_names": names,
        "muscle_names": asked.muscles,
        "time": motion.time,
        "q": motion.q,
        "u": motion.u,
        "udot": motion.udot,
        "rx_mus_tension": tension,
        **load,
    }
    return fixed | {key: [row[key] for row in rows] for key in rows[0]}


def text_of(content: dict[str, Any]) -> str:
    """JSON with a line for each quantity."""

    def plain(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return value.tolist()
        return [plain(v) for v in value] if isinstance(value, list) else value

    lines = [f" {json.dumps(key)}: {json.dumps(plain(value))}" for key, value in content.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main(wanted: list[str]) -> None:
    osim = opensim()
    FIXTURES.mkdir(exist_ok=True)
    for name in wanted or MODELS:
        with tempfile.TemporaryDirectory() as scratch:
            file = Path(scratch) / f"{name}.osim"
            bo.save_model(MODELS[name](), file)
            (FIXTURES / f"{name}.json").write_text(text_of(answers(osim, name, file)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
