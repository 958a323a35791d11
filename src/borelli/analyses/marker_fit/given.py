"""What inverse kinematics is given, checked and in the order of the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import xarray as xr

from borelli.arrays import one_number, plain_numbers, plain_recording
from borelli.compiled.compile import Attachment
from borelli.errors import (
    DuplicateNameError,
    InvalidValueError,
    MissingInputError,
    ShapeError,
    UnknownNameError,
    few,
    warn,
)
from borelli.kernels.markers.measured import choose_markers, weigh_markers
from borelli.kernels.tree.blocks import in_blocks
from borelli.mechanics.markers.problem import PostureProblem
from borelli.mechanics.markers.targets import Markers, Sensors
from borelli.model.model import Model
from borelli.records import dataclass

_DIMS = ("time", "marker", "axis")
_TO_METRES = {"m": 1.0, "cm": 0.01, "mm": 0.001}


@dataclass(frozen=True, eq=False)
class MarkerTasks:
    """The markers in use.

    Parameters
    ----------
    names : tuple of str
    markers : Markers
    ignored : tuple of str
        Recorded markers that the model does not have.
    """

    names: tuple[str, ...]
    markers: Markers
    ignored: tuple[str, ...]


def _in_order(name: str, given: xr.DataArray, dims: tuple[str, ...], remedy: str) -> xr.DataArray:
    """Return a recording with its dimensions in the order of ``dims``; refuse one that has others."""
    if not isinstance(given, xr.DataArray) or set(given.dims) != set(dims):
        got = getattr(given, "dims", type(given).__name__)
        raise ShapeError(
            f"{name} must be a DataArray with the dimensions {', '.join(dims[:-1])} and {dims[-1]}, not {got}.",
            where=f"argument {name}",
            remedy=remedy,
        )
    return given.transpose(*dims)


def recorded_markers(markers: xr.DataArray) -> tuple[np.ndarray, list[str], np.ndarray, float]:
    """Return time, names, places (n, n_markers, 3) as they were given, and the metres of their unit."""
    where = "argument markers"
    table = _in_order("markers", markers, _DIMS, "bo.load_markers reads .trc and .c3d files")
    for dim in ("time", "marker"):
        if dim not in table.coords:
            raise MissingInputError(f"the markers have no labels along {dim!r}.", where=where)
    if table.sizes["axis"] != 3:
        raise ShapeError(f"a marker has three coordinates, not {table.sizes['axis']}.", where=where)
    if not table.sizes["time"]:
        raise MissingInputError(
            "the recording has no instants.", where=where, remedy="record some, or widen the time range"
        )
    if "axis" in table.coords and list(table["axis"].values) != ["x", "y", "z"]:
        table = table.sel(axis=["x", "y", "z"])
    unit = str(table.attrs.get("units", "m")).strip() or "m"
    if unit not in _TO_METRES:
        raise InvalidValueError(
            f"the markers are in {unit!r}, which is not a known unit of length.",
            where=where,
            remedy=f"use one of: {', '.join(_TO_METRES)}",
        )
    table = plain_recording(table, "the markers")
    time = table["time"].values
    if not np.isfinite(time).all() or (np.diff(time) <= 0.0).any():
        first = int(np.argmax(~np.isfinite(time) | (np.diff(time, prepend=-np.inf) <= 0.0)))
        raise InvalidValueError(
            f"the times of the markers must increase; instant {first + 1} does not follow the one before.",
            where=where,
        )
    names = [str(name) for name in table["marker"].values]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise DuplicateNameError(
            f"the recording has marker {twice[0]!r} {names.count(twice[0])} times.",
            where=where,
            remedy="give every marker a unique name",
        )
    return time, names, table.values, _TO_METRES[unit]


def measured_markers(
    model: Model,
    problem: PostureProblem,
    recorded: list[str],
    measured: np.ndarray,
    metres: float,
    weights: Mapping[str, float] | None,
    threads: int = 1,
) -> MarkerTasks:
    """Pick the markers that are recorded, in the model and of some weight, and give their places in metres."""
    own = {marker.name: marker for marker in model.markers}
    if not own:
        raise MissingInputError(
            f"model {model.name!r} has no markers.", remedy="add a marker set to the model"
        )
    if weights is None:
        weights = {name: 1.0 for name in recorded if name in own}
    else:
        _check_weights(model, recorded, weights)
    chosen = [name for name in recorded if name in own and weights.get(name, 0.0) > 0.0]
    if not chosen:
        shown = few(map(repr, recorded), 6)
        raise MissingInputError(
            f"no marker with a weight is both in the recording and in model {model.name!r}.",
            where=f"the recording has {shown}" if recorded else "the recording has no markers",
            remedy=f"the model has {few(map(repr, own), 6)}",
        )
    frames = []
    for name in chosen:
        frame = problem.system.compiled.attachment(own[name].frame)
        place = frame.placement.of_point(own[name].location)
        frames.append(Attachment(frame.node, replace(frame.placement, translation=place)))
    columns = np.array([recorded.index(name) for name in chosen], dtype=np.int64)
    # Not measured[:, columns], which has the markers outermost in memory: whoever reads it instant by instant is slow.
    places = np.empty((len(measured), len(columns), 3))
    weight = np.array([float(weights[name]) for name in chosen])
    seen = np.empty(places.shape[:2], dtype=np.bool_)
    shares = np.empty(seen.shape)

    def fill(rows: slice) -> None:
        choose_markers(measured[rows], columns, metres, places[rows])
        weigh_markers(places[rows], weight, seen[rows], shares[rows])

    in_blocks(len(measured), fill, threads=threads)
    markers = Markers(tuple(frames), weight, places, seen, shares)
    return MarkerTasks(tuple(chosen), markers, tuple(name for name in recorded if name not in own))


def _check_weights(model: Model, recorded: list[str], weights: Mapping[str, float]) -> None:
    own = [marker.name for marker in model.markers]
    lacking = []
    for name, weight in weights.items():
        if name not in own:
            raise UnknownNameError.among(
                name, "marker", own, of=f"model {model.name!r}", where="argument weights"
            )
        if not one_number(weight, f"the weight of marker {name!r}") >= 0.0:
            raise InvalidValueError(
                f"the weight of marker {name!r} must be zero or more, not {weight!r}.",
                where="argument weights",
            )
        if name not in recorded and weight > 0.0:
            lacking.append(name)
    if lacking:
        shown = ", ".join(map(repr, lacking))
        warn(f"The recording lacks {len(lacking)} markers that have weights: {shown}.")


@dataclass(frozen=True, eq=False)
class SensorTasks:
    """The sensors in use, and recorded ones that the model does not have."""

    names: tuple[str, ...]
    sensors: Sensors
    ignored: tuple[str, ...] = ()


def recorded_orientations(
    model: Model,
    problem: PostureProblem,
    time: np.ndarray | None,
    orientations: xr.DataArray,
    weights: Mapping[str, float] | None,
    importance: float,
) -> tuple[np.ndarray, SensorTasks]:
    """Return the times of recorded orientations, and the sensors that the model has.

    Parameters
    ----------
    time : (n,) float, optional
        Instants of the markers, which the orientations must share.
    """
    where, dims = "argument orientations", ("time", "sensor", "axis", "sensor_axis")
    table = _in_order("orientations", orientations, dims, "bo.load_orientations reads tables of quaternions")
    table = plain_recording(table, "the orientations")
    own = table["time"].values
    # A thousandth of the step of a recording at 1 kHz: digits of text files differ by less.
    if time is not None and (own.shape != time.shape or np.abs(own - time).max() > 1e-6):
        raise InvalidValueError(
            "orientations and markers must have the same instants.",
            where=where,
            remedy="interpolate one of them: orientations.interp(time=markers.time) and normalise, or .sel",
        )
    names = [str(name) for name in table["sensor"].values]
    known = (*model.body_names, *model.frames.names)
    for name in weights or {}:
        if name not in known:
            raise UnknownNameError.among(
                name, "body or frame", known, of=f"model {model.name!r}", where=where
            )
    chosen = [name for name in names if name in known and (weights is None or weights.get(name, 0.0) > 0.0)]
    if not chosen:
        raise MissingInputError(
            f"no sensor is a body or frame of model {model.name!r}.",
            where=f"the recording has {', '.join(map(repr, names[:6]))}",
            remedy="bo.place_sensors adds the frames of sensors to a model",
        )
    frames = tuple(problem.system.compiled.attachment(name) for name in chosen)
    weight = np.array([1.0 if weights is None else float(weights[name]) for name in chosen])
    measured = table.sel(sensor=chosen).values
    ignored = tuple(name for name in names if name not in known)
    return own, SensorTasks(tuple(chosen), Sensors(frames, weight, measured, importance), ignored)


def task_tables(
    model: Model, problem: PostureProblem, n: int, tasks: Mapping[str, tuple[float, Any]] | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return weights and wanted values of coordinates, (n, n_q) in tree order; none on those known in advance."""
    weight, value = (np.zeros((n, problem.n_coordinates)) for _ in range(2))
    for name, task in (tasks or {}).items():
        where = f"argument tasks, coordinate {name!r}"
        place = problem.place[problem.system.compiled.coordinate_index(name)]
        try:
            own, wanted = task
            wanted = plain_numbers(wanted, f"the values of coordinate {name!r}")
        except (TypeError, ValueError):
            raise InvalidValueError(
                f"the task of coordinate {name!r} must be a weight and a value, not {task!r}.", where=where
            ) from None
        if wanted.ndim > 1 or (wanted.ndim == 1 and wanted.size != n):
            raise ShapeError(
                f"the values of coordinate {name!r} have shape {wanted.shape}; there are {n} instants.",
                where=where,
            )
        if not one_number(own, f"the weight of coordinate {name!r}") >= 0.0:
            raise InvalidValueError(
                f"the weight of coordinate {name!r} must be zero or more, not {own!r}.", where=where
            )
        if problem.is_fixed[place]:
            continue
        given = np.broadcast_to(wanted, n)
        weight[:, place] = np.where(np.isfinite(given), float(own), 0.0)
        value[:, place] = np.where(np.isfinite(given), given, 0.0)
    return weight, value


def prior_values(problem: PostureProblem, prior: Mapping[str, float] | None) -> np.ndarray:
    """Return where coordinates stay that nothing is known about, (n_q,) in tree order."""
    values = problem.default.copy()
    for name, value in (prior or {}).items():
        values[problem.place[problem.system.compiled.coordinate_index(name)]] = one_number(
            value, f"the prior of coordinate {name!r}"
        )
    return values
