"""Tables as OpenSim's analyses write them: the same names, columns and units."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from borelli.cli.run_static_optimization import static_optimization
from borelli.errors import BorelliWarning, UnknownNameError, UnsupportedError
from borelli.io.analyze_setup import AnalysisSetup
from borelli.model.coordinate import MotionType
from borelli.model.model import Model
from borelli.results.table import Table

if TYPE_CHECKING:
    from borelli.cli.analyze_tool import Trial

DEGREES = 180.0 / np.pi
AXES = ("X", "Y", "Z")
_FIBRE = "fibre and tendon quantities of MuscleAnalysis need muscle states and are not written"
_DYNAMIC = (
    "accelerations are those of the motion; OpenSim writes what its muscles at their default activation cause"
)


def _names(asked: list[str], known: tuple[str, ...], kind: str, where: str) -> list[str]:
    """Resolve a list that may say "all"."""
    if not asked or any(word.casefold() == "all" for word in asked):
        return list(known)
    for name in asked:
        if name not in known:
            raise UnknownNameError.among(name, kind, known, where=where)
    return asked


def kinematics(trial: Trial, setup: AnalysisSetup) -> dict[str, Table]:
    """Coordinates, speeds and accelerations."""
    model = trial.model
    names = _names(setup.words("coordinates"), model.coordinate_names, "coordinate", setup.where)
    turning = np.array([model.coordinates[name].motion is MotionType.ROTATIONAL for name in names])
    factor = np.where(turning & setup.in_degrees, DEGREES, 1.0)
    motion = trial.motion
    columns = [motion.coordinates.index(name) for name in names]
    warnings.warn(_DYNAMIC, BorelliWarning, stacklevel=2)
    found = {}
    for end, title, values in (
        ("q", "Coordinates", motion.q),
        ("u", "Speeds", motion.u),
        ("dudt", "Accelerations", motion.udot),
    ):
        assert values is not None
        found[end] = Table(
            motion.time, tuple(names), values[:, columns] * factor, in_degrees=setup.in_degrees, name=title
        )
    return found


def body_kinematics(trial: Trial, setup: AnalysisSetup) -> dict[str, Table]:
    """Mass centres of bodies, and of the model, with orientations as body-fixed XYZ angles."""
    from borelli.analyses.body_motion import point_motions

    model = trial.model
    asked = [name for name in setup.words("bodies") if name != "center_of_mass"]
    names = _names(asked, model.body_names, "body", setup.where)
    moving = point_motions(model, trial.motion, {b.name: (b.name, b.com) for b in model.bodies})
    factor = DEGREES if setup.in_degrees else 1.0
    mass = np.array([body.mass for body in model.bodies])
    warnings.warn(_DYNAMIC, BorelliWarning, stacklevel=2)
    columns = [f"{name}_{end}" for name in names for end in (*AXES, "Ox", "Oy", "Oz")]
    columns += [f"center_of_mass_{axis}" for axis in AXES]
    found = {}
    for end, title, linear, angular in (
        ("pos_global", "Positions", "position", None),
        ("vel_global", "Velocities", "velocity", "angular_velocity"),
        ("acc_global", "Accelerations", "acceleration", "angular_acceleration"),
    ):
        parts = []
        for name in names:
            own = moving[name]
            turn = xyz_angles(own.rotation) if angular is None else getattr(own, angular)
            parts += [getattr(own, linear), factor * turn]
        whole = sum(m * getattr(moving[b.name], linear) for m, b in zip(mass, model.bodies, strict=True))
        parts.append(np.asarray(whole) / mass.sum())
        found[end] = Table(
            trial.motion.time, tuple(columns), np.hstack(parts), in_degrees=setup.in_degrees, name=title
        )
    return found


def xyz_angles(rotation: np.ndarray) -> np.ndarray:
    """Body-fixed XYZ angles (rad) of rotation matrices, (n, 3)."""
    first = np.arctan2(-rotation[:, 1, 2], rotation[:, 2, 2])
    second = np.arcsin(np.clip(rotation[:, 0, 2], -1.0, 1.0))
    third = np.arctan2(-rotation[:, 0, 1], rotation[:, 0, 0])
    return np.stack([first, second, third], axis=1)


def point_kinematics(trial: Trial, setup: AnalysisSetup) -> dict[str, Table]:
    """Position, velocity and acceleration of one point, in ground."""
    from borelli.analyses.body_motion import point_motions

    body = setup.options.get("body_name", "ground").rsplit("/", 1)[-1]
    x, y, z = (float(word) for word in setup.words("point"))
    name = setup.options.get("point_name") or "NONAME"
    moving = point_motions(trial.model, trial.motion, {name: (body, (x, y, z))})[name]
    columns = ("state_0", "state_1", "state_2")
    warnings.warn(_DYNAMIC, BorelliWarning, stacklevel=2)
    return {
        f"{name}_{end}": Table(trial.motion.time, columns, values, in_degrees=False, name=title)
        for end, title, values in (
            ("pos", "PointPosition", moving.position),
            ("vel", "PointVelocity", moving.velocity),
            ("acc", "PointAcceleration", moving.acceleration),
        )
    }


def muscle_analysis(trial: Trial, setup: AnalysisSetup) -> dict[str, Table]:
    """Lengths of the muscles, and with ``compute_moments`` their moment arms about every coordinate."""
    from borelli.analyses.moment_arms import moment_arms
    from borelli.analyses.paths import paths

    model, motion = trial.model, trial.motion
    names = _names(setup.words("muscle_list"), model.muscle_names, "muscle", setup.where)
    length = paths(model, motion, names=names)["length"].values
    found = {"Length": Table(motion.time, tuple(names), length, in_degrees=False, name="Length")}
    warnings.warn(_FIBRE, BorelliWarning, stacklevel=2)
    if setup.options.get("compute_moments", "false").casefold() == "true":
        asked = setup.words("moment_arm_coordinate_list")
        coordinates = _names(asked, model.coordinate_names, "coordinate", setup.where)
        arms = moment_arms(model, motion, paths=names, coordinates=coordinates)
        for name in coordinates:
            values = arms.sel(path=names, coordinate=name).values
            title = f"MomentArm_{name}"
            found[title] = Table(motion.time, tuple(names), values, in_degrees=False, name=title)
    return found


def joint_reaction(trial: Trial, setup: AnalysisSetup) -> dict[str, Table]:
    """Loads on joints with the given forces of muscles and actuators."""
    from borelli.analyses.joint_reactions import joint_reactions

    model = trial.model
    joints = _names(setup.words("joint_names"), model.joint_names, "joint", setup.where)
    sides = _for_each(setup, "apply_on_bodies", "child", len(joints))
    frames = _for_each(setup, "express_in_frame", "ground", len(joints))
    motion, loads, tensions = trial.driven(setup)
    columns, parts = [], []
    for joint, side, frame in zip(joints, sides, frames, strict=True):
        ends = {
            "child": model.child_of(model.joints[joint])[0],
            "parent": model.parent_of(model.joints[joint])[0],
        }
        if side not in ends:
            raise UnknownNameError.among(side, "side of a joint", tuple(ends), where=setup.where)
        # The words child and parent mean the body, not the joint's frame on it, as in OpenSim.
        axes = ends.get(frame, frame)
        found = joint_reactions(
            model, motion, loads, tensions=tensions, joints=[joint], on=side, express_in=axes
        )
        stem = f"{joint}_on_{ends[side]}_in_{axes}"
        columns += [f"{stem}_{kind}{axis}" for kind in "fmp" for axis in "xyz"]
        parts += [found[name].values[:, 0] for name in ("force", "moment", "point")]
    table = Table(
        motion.time, tuple(columns), np.hstack(parts), in_degrees=False, name="Joint Reaction Loads"
    )
    return {"ReactionLoads": table}


def _for_each(setup: AnalysisSetup, option: str, default: str, count: int) -> list[str]:
    words = setup.words(option) or [default]
    if len(words) == 1:
        return words * count
    if len(words) != count:
        raise UnsupportedError(
            f"<{option}> has {len(words)} entries for {count} joints.",
            where=setup.where,
            remedy="give one entry, or one for each joint",
        )
    return words


def induced_accelerations(trial: Trial, setup: AnalysisSetup) -> dict[str, Table]:
    """Accelerations of coordinates that each force causes, in columns that add up to the total."""
    from borelli.analyses.induced import induced

    model = trial.model
    names = _names(setup.words("coordinate_names"), model.speed_names, "coordinate", setup.where)
    found = induced(model, trial.motion, trial.loads)["acceleration"]
    labels = [str(label) for label in found["source"].values]
    groups = [_opensim_source(label) for label in labels]
    kept = list(dict.fromkeys(("gravity", "velocity", *groups)))
    tables = {}
    for name in names:
        values = found.sel(coordinate=name).values
        turns = model.coordinates[name].motion is MotionType.ROTATIONAL
        factor = DEGREES if turns and setup.in_degrees else 1.0
        member = np.array([[group == one for one in kept] for group in groups], dtype=float)
        rows = factor * np.column_stack([values.sum(axis=1), values @ member])
        tables[name] = Table(
            trial.motion.time, ("total", *kept), rows, in_degrees=setup.in_degrees and turns, name=name
        )
    return tables


def _opensim_source(label: str) -> str:
    kind, _, name = label.partition(":")
    return {"weight": "gravity", "velocity": "velocity"}.get(kind, name if kind != "provided" else "provided")


def refuse_unsupported(model: Model, setup: AnalysisSetup) -> None:
    """Refuse, before anything is computed, what an analysis asks for and cannot have."""
    if setup.kind == "PointKinematics":
        _refuse_other_frames(setup)
    elif setup.kind == "InducedAccelerations":
        _refuse_muscle_states(model, setup)
    elif setup.kind == "JointReaction":
        joints = _names(setup.words("joint_names"), model.joint_names, "joint", setup.where)
        for option, default in (("apply_on_bodies", "child"), ("express_in_frame", "ground")):
            _for_each(setup, option, default, len(joints))
        if not forces_file(setup) and model.muscles:
            raise UnsupportedError(
                "JointReaction without forces_file takes muscle forces from muscle states, which are not computed.",
                where=setup.where,
                remedy="name the forces of static optimization as forces_file, or remove the muscles",
            )


def forces_file(setup: AnalysisSetup) -> str:
    """Name of the file of forces, or nothing."""
    reference = setup.options.get("forces_file", "")
    return "" if reference.casefold() == "unassigned" else reference


def _refuse_other_frames(setup: AnalysisSetup) -> None:
    relative = setup.options.get("relative_to_body_name", "ground").rsplit("/", 1)[-1]
    if relative not in ("", "ground"):
        raise UnsupportedError(
            f"PointKinematics relative to {relative!r} is not supported.",
            where=setup.where,
            remedy="leave relative_to_body_name at ground",
        )


def _refuse_muscle_states(model: Model, setup: AnalysisSetup) -> None:
    if model.muscles:
        raise UnsupportedError(
            "InducedAccelerations takes muscle forces from muscle states, which are not computed.",
            where=setup.where,
            remedy="call borelli.induced with tensions",
        )
    if [name for name in setup.words("body_names") if name]:
        raise UnsupportedError(
            "InducedAccelerations of bodies are not written, those of coordinates are.",
            where=setup.where,
            remedy="leave body_names empty",
        )


RUNNERS: dict[str, Callable[..., dict[str, Table]]] = {
    "Kinematics": kinematics,
    "BodyKinematics": body_kinematics,
    "PointKinematics": point_kinematics,
    "MuscleAnalysis": muscle_analysis,
    "JointReaction": joint_reaction,
    "InducedAccelerations": induced_accelerations,
    "StaticOptimization": static_optimization,
}


def thinned(table: Table, setup: AnalysisSetup) -> Table:
    """Keep the frames of an analysis: every so many of its span, and the last."""
    first, last = setup.span
    # The tool's times drift by less than a microsecond from those of the file.
    inside = (table.time >= first - 1e-6) & (table.time <= last + 1e-6)
    every = np.flatnonzero(inside)
    # The tool records the last frame in any case.
    rows = np.unique(np.concatenate([every[:: setup.every], every[-1:]]))
    return dataclasses.replace(table, time=table.time[rows], values=table.values[rows])
