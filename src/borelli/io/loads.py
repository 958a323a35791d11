"""Loads from files: the columns that an ExternalLoads description names, in ground axes."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from borelli.errors import (
    FileFormatError,
    InvalidValueError,
    MissingInputError,
    UnknownNameError,
    warn,
)
from borelli.instants import distinct
from borelli.io.load import load_table
from borelli.io.setups.external_loads import GROUND, ExternalForce, ExternalLoads, read_external_loads
from borelli.io.signals.filtering import MODES, Mode, smooth
from borelli.model.load import Interpolation, Load
from borelli.model.plausibility.limits import refuse_impossible_loads
from borelli.results.labelled.table import Cell, Table

Array = NDArray[np.float64]

ROUND_OFF = 1e-7
"""Times (s) that differ by less are the same: OpenSim's drift by this much where it resamples."""


def load_loads(
    path: str | os.PathLike[str],
    at: Any = None,
    *,
    data_file: str | os.PathLike[str] | Table | None = None,
    poses: Any = None,
    cutoff_hz: float | None = None,
    mode: Mode = "default",
) -> list[Load]:
    """Read external loads.

    Parameters
    ----------
    path : path
        ExternalLoads xml.
    at : Motion or (n_times,) float, optional
        Times (s) at which the loads are wanted; their own times where left out.
    data_file : path or Table, optional
        Table to take instead of the one that the xml names.
    poses : Dataset of ``bo.body_poses``, optional
        At the times ``at``; needed where a force or point is given in the axes of a moving body, or
        where a force without a point acts at the origin of its body.
    cutoff_hz : float, optional
        Low-pass filter on forces and torques (points are not filtered).
    mode : {"default", "opensim"}
        Between samples: linear, which never overshoots, or OpenSim's cubic spline.

    Returns
    -------
    loads : list of Load
        In ground axes: N, m, N m.

    Examples
    --------
    >>> ground = bo.load_loads(walk.loads)
    >>> [load.body for load in ground], ground[0].force.shape  # N
    (['foot_r', 'foot_l'], (191, 3))
    """
    if mode not in MODES:
        raise UnknownNameError.among(str(mode), "mode", MODES)
    description = read_external_loads(path)
    table = _data(description, data_file)
    time, keep = _instants(table)
    times = getattr(at, "time", at)
    interpolation = Interpolation.CUBIC if mode == "opensim" else Interpolation.LINEAR
    notes = [f"{name!r} is switched off" for name in description.disabled]
    if not keep.all():
        notes.append(f"{int((~keep).sum())} rows repeat the instant of the row before (the first is kept)")
    if times is not None:
        notes += _told_outside(time, np.asarray(times, dtype=float), interpolation)
    loads = []
    for force in description.forces:
        load = _load(force, table, time, keep, cutoff_hz, mode, notes)
        load = load if times is None else load.at(times, interpolation)
        loads.append(_in_ground(load, force, poses))
    if notes:
        warn(f"{description.source}: " + "; ".join(dict.fromkeys(notes)) + ".")
    return loads


def _told_outside(time: Array, times: Array, interpolation: Interpolation) -> list[str]:
    """Say how far the wanted instants leave the span of the loads; ``Load.at`` allows half a step."""
    outside = (times < time[0] - ROUND_OFF) | (times > time[-1] + ROUND_OFF)
    if not outside.any():
        return []
    what = (
        "the nearest value is used"
        if interpolation is Interpolation.LINEAR
        else "the loads are extrapolated linearly"
    )
    away = float(np.max(np.maximum(time[0] - times, times - time[-1])))
    rows = f"{int(outside.sum())} instants lie" if outside.sum() > 1 else "one instant lies"
    return [f"{rows} up to {away:.1g} s outside the span of the loads: there {what}"]


def _data(description: ExternalLoads, data_file: str | os.PathLike[str] | Table | None) -> Table:
    if isinstance(data_file, Table):
        return data_file
    chosen = data_file or description.data_file
    if chosen is None:
        raise MissingInputError(
            "The ExternalLoads file does not name its data file.",
            where=description.source,
            remedy="pass data_file",
        )
    return load_table(chosen)


def _instants(table: Table) -> tuple[Array, NDArray[np.bool_]]:
    if table.n_times == 0:
        raise FileFormatError("The table has no rows.", where=table.source)
    steps = np.diff(table.time)
    if (steps < 0).any():
        row = int(np.argmax(steps < 0)) + 1
        raise FileFormatError(
            f"Time goes back from {table.time[row - 1]:g} s to {table.time[row]:g} s.",
            where=f"{table.source}, row {row + 1} of the data",
        )
    keep = distinct(table.time)
    return table.time[keep], keep


def _load(
    force: ExternalForce,
    table: Table,
    time: Array,
    keep: NDArray[np.bool_],
    cutoff_hz: float | None,
    mode: Mode,
    notes: list[str],
) -> Load:
    def rows(identifier: str, what: str) -> Array | None:
        return _vector(table, identifier, what, force)[keep] if identifier else None

    vector, point, torque = (
        rows(force.force, "force"),
        rows(force.point, "point"),
        rows(force.torque, "torque"),
    )
    known = _recorded(force, table, [each for each in (vector, torque) if each is not None])
    if len(time[known]) < len(time):
        notes.append(f"{force.name!r} is known from {time[known][0]:g} to {time[known][-1]:g} s alone")
    time = time[known]
    vector, point, torque = (None if each is None else each[known] for each in (vector, point, torque))
    for what, values in (("force", vector), ("torque", torque)):
        if values is not None and not np.all(np.isfinite(values)):
            row = int(np.flatnonzero(~np.isfinite(values).all(axis=1))[0])
            raise FileFormatError(
                f"The {what} of load {force.name!r} is missing at {time[row]:g} s.",
                where=table.source,
                remedy="write zero while a plate is unloaded, and fill gaps while it is loaded",
            )
        if values is not None:
            refuse_impossible_loads(force.name, time, values, table.source)
    if vector is not None and cutoff_hz is not None:
        vector = _filtered(time, vector, cutoff_hz, mode)
    if torque is not None and cutoff_hz is not None:
        torque = _filtered(time, torque, cutoff_hz, mode)
    if point is not None:
        point = _known_points(point, vector, force, table, time, notes)
    if vector is not None and point is None:
        point = np.zeros_like(vector)
    given = {"force": vector, "point": point, "moment": torque}
    return Load(
        force.name, force.body, time=time, **{key: rows for key, rows in given.items() if rows is not None}
    )


def known_span(description: ExternalLoads, table: Table) -> tuple[float, float]:
    """From when to when the rows of a table hold numbers of every load (s)."""
    first, last = 0, table.n_times - 1
    for force in description.forces:
        named = [(force.force, "force"), (force.torque, "torque")]
        vectors = [_vector(table, identifier, what, force) for identifier, what in named if identifier]
        rows = _recorded(force, table, vectors)
        first, last = max(first, rows.start), min(last, rows.stop - 1)
    return float(table.time[first]), float(table.time[last])


def _recorded(force: ExternalForce, table: Table, vectors: list[Array]) -> slice:
    """Rows from the first to the last that holds numbers: a plate may have recorded a part of the trial alone."""
    known = np.ones(len(vectors[0]) if vectors else table.n_times, dtype=bool)
    for values in vectors:
        known &= np.isfinite(values).all(axis=1)
    if not known.any():
        raise FileFormatError(
            f"Load {force.name!r} has no number at any instant.",
            where=table.source,
            remedy="give the file that holds this load, or leave the load out of the ExternalLoads file",
        )
    return slice(int(np.argmax(known)), len(known) - int(np.argmax(known[::-1])))


def _filtered(time: Array, values: Array, cutoff_hz: float, mode: Mode) -> Array:
    smoothed = smooth(time, values, cutoff_hz, mode)
    inside = np.clip(time, smoothed.time[0], smoothed.time[-1])
    return np.column_stack([np.interp(inside, smoothed.time, column) for column in smoothed.values.T])


def _known_points(
    point: Array, vector: Array | None, force: ExternalForce, table: Table, time: Array, notes: list[str]
) -> Array:
    """Hold the last known point where the plate is not loaded, so that nothing is interpolated with NaN."""
    known = np.isfinite(point).all(axis=1)
    if known.all():
        return point
    if vector is not None and np.any(vector[~known] != 0.0):
        row = int(np.flatnonzero(~known & (vector != 0.0).any(axis=1))[0])
        raise FileFormatError(
            f"The point of load {force.name!r} is missing at {time[row]:g} s, where its force is not zero.",
            where=table.source,
        )
    if not known.any():
        return np.zeros_like(point)
    notes.append(f"{int((~known).sum())} points of {force.name!r} are missing where its force is zero")
    last = np.maximum.accumulate(np.where(known, np.arange(len(point)), -1))
    last[last < 0] = int(np.argmax(known))
    return point[last]


def _vector(table: Table, identifier: str, what: str, force: ExternalForce) -> Array:
    """Return the three columns that an identifier begins."""
    if table.cells is Cell.VEC3 and identifier in table.columns:
        return table.column(identifier)
    for ends in (("x", "y", "z"), ("X", "Y", "Z"), ("_x", "_y", "_z"), ("1", "2", "3"), ("_1", "_2", "_3")):
        names = [identifier + end for end in ends]
        if all(name in table.columns for name in names):
            return np.column_stack([table.column(name) for name in names])
    error = UnknownNameError.among(
        identifier + "x", "column", table.columns, of=table.source, where=force.where
    )
    error.what = (
        f"The {what} of load {force.name!r} needs columns {identifier}x, …y, …z; {table.source} lacks them."
    )
    raise error


def _in_ground(load: Load, force: ExternalForce, poses: Any) -> Load:
    """Turn a load into ground axes, where its force or point is given in those of a body."""
    at_body_origin = bool(force.force) and not force.point
    point_frame = force.body if at_body_origin else force.point_frame
    needs = {frame for frame in (force.force_frame, point_frame) if frame != GROUND}
    if not force.force:
        needs.discard(point_frame)
    if not needs:
        return load
    if poses is None:
        raise MissingInputError(
            f"Load {force.name!r} is given in the axes of {', '.join(map(repr, sorted(needs)))}, which moves.",
            where=force.where,
            remedy="pass at=motion and poses=bo.body_poses(model, motion)",
        )
    pose = _pose_lookup(poses, load, force)
    vector, moment, point = load.force, load.moment, load.point
    if force.force_frame != GROUND:
        rotation, _ = pose(force.force_frame)
        vector = np.einsum("tij,tj->ti", rotation, vector)
        moment = np.einsum("tij,tj->ti", rotation, moment)
    if force.force and point_frame != GROUND:
        rotation, origin = pose(point_frame)
        point = origin + np.einsum("tij,tj->ti", rotation, point)
    return Load(load.name, load.body, vector, point, moment, load.time)


def _pose_lookup(poses: Any, load: Load, force: ExternalForce) -> Callable[[str], tuple[Array, Array]]:
    """Return a function from a body's name to its rotation (n, 3, 3) and origin (n, 3)."""
    n_times = len(load.force)

    def look_up(body: str) -> tuple[Array, Array]:
        try:
            if isinstance(poses, Mapping) and body in poses:
                rotation, origin = poses[body]
            else:
                rotation = poses["rotation"].sel(body=body).values
                origin = poses["origin"].sel(body=body).values
        except (KeyError, TypeError, ValueError, AttributeError):
            raise MissingInputError(
                f"The poses do not hold the body {body!r}, in whose axes load {force.name!r} is given.",
                where=force.where,
            ) from None
        rotation, origin = np.asarray(rotation, dtype=float), np.asarray(origin, dtype=float)
        if rotation.shape != (n_times, 3, 3) or origin.shape != (n_times, 3):
            raise InvalidValueError(
                f"The pose of {body!r} has {len(origin)} instants, the loads have {n_times}.",
                where=force.where,
                remedy="pass at=motion, the motion of the poses",
            )
        return rotation, origin

    return look_up
