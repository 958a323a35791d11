"""OpenSim's InverseKinematicsTool: markers in, the tables that the tool writes out."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from borelli.analyses.marker_fit.solution import Asked, solved
from borelli.analyses.movement.body_poses import marker_positions
from borelli.errors import MissingInputError, UnknownNameError, warn
from borelli.io.load import load_table
from borelli.io.load_model import load_model
from borelli.io.markers import load_markers
from borelli.io.motion import save_motion
from borelli.io.setups.ik_tasks import IKTask
from borelli.io.setups.inverse_kinematics_setup import InverseKinematicsSetup
from borelli.io.signals.filtering import natural_quintic
from borelli.io.tables.sto import write_sto
from borelli.model.joints.coordinate import MotionType
from borelli.model.model import Model
from borelli.opensim_tools.stopping_short import compared
from borelli.results.labelled.table import Table
from borelli.results.labelled.time_range import rows_between
from borelli.results.on_disk.whole import make_folder
from borelli.units import RAD_PER_DEG

if TYPE_CHECKING:
    import xarray as xr


def run_inverse_kinematics(settings: InverseKinematicsSetup) -> tuple[Model, xr.Dataset]:
    """Compute what a setup asks for."""
    if settings.constraint_weight != math.inf:
        warn(
            f"constraint_weight {settings.constraint_weight:g} is ignored, as in OpenSim: "
            "constraints hold exactly."
        )
    model = load_model(settings.model)
    markers = load_markers(settings.markers)
    markers = markers[rows_between(markers["time"].values, settings.time_range, settings.source)]
    weights = marker_weights(model, [str(name) for name in markers["marker"].values], settings.tasks)
    tasks = coordinate_tasks(model, settings, markers["time"].values)
    solution = solved(model, Asked(markers, weights, tasks))
    return model, compared(solution, settings.accuracy, settings.motion)


def marker_weights(model: Model, recorded: list[str], tasks: tuple[IKTask, ...]) -> dict[str, float] | None:
    """Return the weights of the markers that tasks name, are recorded and in the model; None where none is named."""
    named = {task.name: task.weight for task in tasks if task.is_marker}
    if not named:
        return None
    own = [name for name in named if name in model.marker_names]
    for where, lacking in (
        ("model", [name for name in named if name not in own and named[name] > 0.0]),
        ("recording", [name for name in own if name not in recorded and named[name] > 0.0]),
    ):
        if lacking:
            shown = ", ".join(map(repr, lacking))
            warn(f"the {where} does not have these markers, so their tasks are ignored: {shown}.")
    return {name: w for name, w in named.items() if name in model.marker_names and name in recorded}


def coordinate_tasks(
    model: Model, settings: InverseKinematicsSetup, time: np.ndarray
) -> dict[str, tuple[float, Any]]:
    """Return weights and wanted values of coordinates."""
    found: dict[str, tuple[float, Any]] = {}
    for task in settings.tasks:
        if task.is_marker:
            continue
        if task.name not in model.coordinate_names:
            raise UnknownNameError.among(
                task.name,
                "coordinate",
                model.coordinate_names,
                of=f"model {model.name!r}",
                where=settings.source,
            )
        value: Any = task.value
        if task.value_type == "default_value":
            value = model.coordinates[task.name].default_value
        elif task.value_type == "from_file":
            assert settings.coordinates is not None
            value = _from_file(model, task.name, settings.coordinates, time)
        found[task.name] = (task.weight, value)
    return found


def _from_file(model: Model, name: str, path: Path, time: np.ndarray) -> np.ndarray:
    """Return a column of a table at the instants of a recording, by the spline that OpenSim takes (rad or m)."""
    table = load_table(path)
    if name not in table.columns:
        raise UnknownNameError.among(name, "column", table.columns, of="the table", where=str(path))
    # Printed times are rounded; no recording has rows a microsecond apart.
    if time[0] < table.time[0] - 1e-6 or time[-1] > table.time[-1] + 1e-6:
        raise MissingInputError(
            f"coordinate {name!r} is given from {table.time[0]:g} s to {table.time[-1]:g} s, the markers go from "
            f"{time[0]:g} s to {time[-1]:g} s.",
            where=str(path),
            remedy="give coordinates for all instants, or narrow <time_range>",
        )
    values = natural_quintic(table.time, table.values)(time)[:, table.columns.index(name)]
    turns = model.coordinates[name].motion is MotionType.ROTATIONAL
    if turns and table.in_degrees is False:
        warn(f"{path} is in radians and is read as radians; OpenSim's tool reads it as degrees.")
        return np.asarray(values)
    return np.asarray(values * (RAD_PER_DEG if turns else 1.0))


def write_tables(settings: InverseKinematicsSetup, model: Model, result: xr.Dataset) -> list[Path]:
    """Write the motion, and the errors and places of markers where the setup asks for them; return the files."""
    for folder in (settings.motion.parent, settings.results):
        make_folder(folder)
    motion = result.borelli.motion()
    save_motion(motion, model, settings.motion)
    written = [settings.motion]
    time = np.asarray(result["time"].values, dtype=float)
    if settings.report_errors:
        written.append(settings.results / f"{settings.name}_ik_marker_errors.sto")
        write_sto(_errors(time, result["marker_error"].values), written[-1])
    if settings.report_locations:
        names = [str(name) for name in result["marker"].values]
        places = marker_positions(model, motion).sel(marker=names).values
        table = Table(
            time=time,
            columns=tuple(f"{name}_t{axis}" for name in names for axis in "xyz"),
            values=places.reshape(len(time), -1),
            units=("m",) * (3 * len(names)),
            in_degrees=False,
            name="Model Marker Locations from IK",
        )
        written.append(settings.results / f"{settings.name}_ik_model_marker_locations.sto")
        write_sto(table, written[-1])
    return written


def _errors(time: np.ndarray, distance: np.ndarray) -> Table:
    """Sum of squares (m²), root of their mean and largest error (m), over the markers that were seen."""
    seen = np.isfinite(distance)
    square = np.where(seen, distance, 0.0) ** 2
    total = np.where(seen.any(axis=1), square.sum(axis=1), np.nan)
    count = np.where(seen.any(axis=1), seen.sum(axis=1), 1)
    largest = np.where(seen.any(axis=1), np.sqrt(square.max(axis=1)), np.nan)
    return Table(
        time=time,
        columns=("total_squared_error", "marker_error_RMS", "marker_error_max"),
        values=np.column_stack([total, np.sqrt(total / count), largest]),
        units=("m^2", "m", "m"),
        in_degrees=False,
        name="Model Marker Errors from IK",
    )
