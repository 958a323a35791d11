"""The posture of a static trial as a table, and the coordinate values that a setup asks to keep near."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from borelli.errors import MissingInputError, UnknownNameError, warn
from borelli.io.load import load_table
from borelli.io.setups.ik_tasks import IKTask
from borelli.io.signals.filtering import natural_quintic
from borelli.io.tables.sto import write_sto
from borelli.mechanics.motion.ordered_motion import Motion
from borelli.model import Millard2012EquilibriumMuscle, Model, MotionType, Schutte1993Muscle, Thelen2003Muscle
from borelli.results.labelled.table import Table


def write_static_pose(model: Model, pose: Motion, path: Path) -> None:
    """Write a posture as OpenSim's MarkerPlacer does: every state of the model, in radians, one row for each trial."""
    owner = {c.name: joint.name for joint in model.joints for c in joint.coordinates}
    columns, values = [], []
    for index, name in enumerate(model.coordinate_names):
        stem = f"/jointset/{owner[name]}/{name}"
        columns += [f"{stem}/value", f"{stem}/speed"]
        values += [pose.q[:, index], np.zeros(pose.n_times)]
    for muscle in model.muscles:
        if isinstance(muscle, Thelen2003Muscle | Millard2012EquilibriumMuscle | Schutte1993Muscle):
            if not muscle.ignore_activation_dynamics:
                columns.append(f"/forceset/{muscle.name}/activation")
                values.append(np.full(pose.n_times, muscle.default_activation))
            if not muscle.ignore_tendon_compliance:
                columns.append(f"/forceset/{muscle.name}/fiber_length")
                values.append(np.full(pose.n_times, muscle.default_fiber_length))
    table = Table(pose.time, tuple(columns), np.column_stack(values), in_degrees=False, name="static pose")
    write_sto(table, path)


def coordinate_targets(
    model: Model,
    tasks: Sequence[IKTask],
    default: Mapping[str, float],
    file: Path | None,
    time: np.ndarray,
) -> dict[str, np.ndarray]:
    """Return the value that each task keeps its coordinate near, at every time (rad or m).

    Parameters
    ----------
    default : mapping of str to float
        Values for ``default_value``.
    file : Path or None
        Table for ``from_file``; a quintic spline runs through its rows.
    time : (n_times,) float
        s.
    """
    table = None if file is None else load_table(file)
    found: dict[str, np.ndarray] = {}
    for task in tasks:
        if not model.coordinates.has(task.name):
            raise UnknownNameError.among(
                task.name, "coordinate", model.coordinate_names, of=f"model {model.name!r}"
            )
        if model.coordinates[task.name].locked:
            warn(f"coordinate {task.name!r} is locked, so its task is ignored.")
        elif task.value_type == "manual_value":
            found[task.name] = np.full(time.shape, task.value)
        elif task.value_type == "default_value":
            found[task.name] = np.full(time.shape, default[task.name])
        else:
            found[task.name] = _from_table(model, task.name, table, time)
    return found


def _from_table(model: Model, name: str, table: Table | None, time: np.ndarray) -> np.ndarray:
    if table is None:
        raise MissingInputError(
            f"The task of {name!r} takes its value from a file, and the setup names no coordinate_file."
        )
    ends = [column for column in table.columns if name in (column, *column.split("/")[-2:-1])]
    if not ends:
        raise UnknownNameError.among(name, "column", table.columns, of=table.source)
    values = table.column(ends[0])
    # OpenSim takes the file as degrees whatever its header says; ours believes the header.
    if model.coordinates[name].motion is MotionType.ROTATIONAL and table.in_degrees is not False:
        values = np.radians(values)
    if table.n_times < 2:
        return np.full(time.shape, values[0])
    at: np.ndarray = natural_quintic(table.time, values[:, None])(time)[:, 0]
    return at
