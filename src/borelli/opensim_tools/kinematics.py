"""OpenSim's Kinematics, BodyKinematics and PointKinematics, in its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from borelli.errors import InvalidValueError, UnsolvableError, warn
from borelli.io.setups.analysis_setup import AnalysisSetup
from borelli.mechanics.forces.bushings import xyz_angles
from borelli.mechanics.motion.body_motion import point_motions
from borelli.model.joints.coordinate import MotionType
from borelli.opensim_tools.options import flag_of, names_of
from borelli.results.labelled.table import Table

if TYPE_CHECKING:
    from borelli.mechanics.motion.ordered_motion import Motion
    from borelli.opensim_tools.analyze_tool import AnalyzeTool

DEGREES = 180.0 / np.pi
AXES = ("X", "Y", "Z")
CENTRE = "center_of_mass"
_CAUSED = (
    "accelerations are those that the model's forces cause, as in OpenSim; "
    "--mode default writes those of the motion"
)


def _tell_of_accelerations(tool: AnalyzeTool) -> None:
    """Say once that accelerations are not the motion's, unless they are and the tool has said why."""
    if tool.mode == "opensim" and tool.caused is not tool.motion:
        warn(_CAUSED)


def _moving(tool: AnalyzeTool) -> tuple[Motion, bool]:
    """Return the motion with its accelerations, and whether they are known.

    Where forces do not determine them, the error is kept, and places and velocities are written nevertheless.
    """
    try:
        return tool.caused, True
    except (UnsolvableError, InvalidValueError) as error:
        tool.refused.append(error)
        return tool.motion, False


def kinematics(tool: AnalyzeTool, setup: AnalysisSetup) -> dict[str, Table]:
    """Coordinates, speeds and accelerations."""
    model = tool.model
    names = names_of(setup.words("coordinates"), model.coordinate_names, "coordinate", setup.where)
    turning = np.array([model.coordinates[name].motion is MotionType.ROTATIONAL for name in names])
    factor = np.where(turning & setup.in_degrees, DEGREES, 1.0)
    motion, accelerated = _moving(tool)
    columns = [motion.coordinates.index(name) for name in names]
    parts = [("q", "Coordinates", motion.q), ("u", "Speeds", motion.u)]
    if accelerated:
        _tell_of_accelerations(tool)
        parts.append(("dudt", "Accelerations", motion.udot))
    found = {}
    for end, title, values in parts:
        assert values is not None
        found[end] = Table(
            motion.time, tuple(names), values[:, columns] * factor, in_degrees=setup.in_degrees, name=title
        )
    return found


def body_kinematics(tool: AnalyzeTool, setup: AnalysisSetup) -> dict[str, Table]:
    """Mass centres of bodies, and of the model, with orientations as body-fixed XYZ angles.

    Velocities and accelerations of bodies may be in the axes of each body.
    """
    model = tool.model
    words = setup.words("bodies")
    asked = [name for name in words if name != CENTRE]
    names = names_of(asked, model.body_names, "body", setup.where) if asked or not words else []
    # The tool has it among all bodies, and where it is named.
    with_centre = not words or any(word == CENTRE or word.casefold() == "all" for word in words)
    motion, accelerated = _moving(tool)
    moving = point_motions(model, motion, {b.name: (b.name, b.com) for b in model.bodies})
    local = flag_of(setup, "express_results_in_body_local_frame", False)
    factor = DEGREES if setup.in_degrees else 1.0
    mass = np.array([body.mass for body in model.bodies])
    if accelerated:
        _tell_of_accelerations(tool)
    columns = [f"{name}_{end}" for name in names for end in (*AXES, "Ox", "Oy", "Oz")]
    columns += [f"{CENTRE}_{axis}" for axis in AXES if with_centre]
    found = {}
    for end, title, linear, angular in (
        ("pos", "Positions", "position", None),
        ("vel", "Velocities", "velocity", "angular_velocity"),
        ("acc", "Accelerations", "acceleration", "angular_acceleration"),
    )[: 3 if accelerated else 2]:
        parts: list[np.ndarray] = []
        for name in names:
            own = moving[name]
            turn = xyz_angles(own.rotation) if angular is None else getattr(own, angular)
            both = [getattr(own, linear), factor * turn]
            parts += [_turned(own.rotation, x) for x in both] if local and angular is not None else both
        if with_centre:
            whole = sum(m * getattr(moving[b.name], linear) for m, b in zip(mass, model.bodies, strict=True))
            parts.append(np.asarray(whole) / mass.sum())
        axes = "bodyLocal" if local and angular is not None else "global"
        found[f"{end}_{axes}"] = Table(
            tool.motion.time, tuple(columns), np.hstack(parts), in_degrees=setup.in_degrees, name=title
        )
    return found


def _turned(rotation: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Components in turned axes, (n, 3), of vectors in ground axes."""
    return np.asarray(np.einsum("nij,ni->nj", rotation, vectors))


def point_kinematics(tool: AnalyzeTool, setup: AnalysisSetup) -> dict[str, Table]:
    """Position, velocity and acceleration of one point.

    Relative to a body the position is one in that body; velocity and acceleration are still those in ground, in
    the body's axes, as in the tool.
    """
    body = setup.options.get("body_name", "ground").rsplit("/", 1)[-1]
    base = setup.options.get("relative_to_body_name", "").rsplit("/", 1)[-1] or "ground"
    # A point that the file leaves out is the origin, as in OpenSim.
    x, y, z = (float(word) for word in setup.words("point") or ("0", "0", "0"))
    name = setup.options.get("point_name") or "NONAME"
    points = {"point": (body, (x, y, z)), "base": (base, (0.0, 0.0, 0.0))}
    motion, accelerated = _moving(tool)
    moving, origin = point_motions(tool.model, motion, points).values()
    columns = ("state_0", "state_1", "state_2")
    if accelerated:
        _tell_of_accelerations(tool)
    return {
        f"{name}_{end}": Table(
            tool.motion.time, columns, _turned(origin.rotation, values), in_degrees=False, name=title
        )
        for end, title, values in (
            ("pos", "PointPosition", moving.position - origin.position),
            ("vel", "PointVelocity", moving.velocity),
            ("acc", "PointAcceleration", moving.acceleration),
        )[: 3 if accelerated else 2]
    }
