"""A motion from a file: columns matched to coordinates, degrees turned into radians, smoothed, differentiated.

Degrees: a column's own unit counts first, then the argument ``in_degrees``, then the header. Where the header
of a ``.mot`` or ``.sto`` file is silent, OpenSim's rule holds: degrees in a ``.mot`` without ``version``, else
radians.
Only rotational coordinates are ever in degrees.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from borelli.errors import (
    InvalidValueError,
    MissingInputError,
    UnknownNameError,
    few,
    warn,
)
from borelli.io.load import load_table, save_table
from borelli.io.signals.angle_units import (
    coupled_in_degrees,
    refuse_degrees_as_radians,
    told_radians_as_degrees,
)
from borelli.io.signals.cleaning import clean_rows
from borelli.io.signals.coupled_coordinates import coupled_rates, coupled_value, couplers_of, fitting_factors
from borelli.io.signals.filtering import Mode, Smoothed, natural_quintic, smooth
from borelli.model.constraint import CoordinateCoupler
from borelli.model.joints.coordinate import Coordinate, MotionType
from borelli.model.model import Model
from borelli.model.motion import Motion
from borelli.model.plausibility.limits import refuse_impossible_accelerations
from borelli.results.labelled.table import Cell, Table
from borelli.units import RAD_PER_DEG

Array = NDArray[np.float64]

# Over a longer gap a spline would guess: the whole swing of a leg takes some 0.4 s.
DEFAULT_MAX_GAP_S = 0.2
# Whoever moves is recorded many times a second; a few rows may be postures, numbered.
_LONG_STEP_S, _MANY_ROWS = 1.0, 10
_VALUE_PATH = re.compile(r"(?:.*/)?(?P<name>[^/]+)/value$")


@dataclass
class _Matched:
    """Which column feeds which coordinate."""

    coordinates: list[Coordinate] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)
    missing: list[Coordinate] = field(default_factory=list)
    coupled: list[CoordinateCoupler] = field(default_factory=list)
    """Couplers of the coordinates that the file lacks and they determine"""
    unused: list[str] = field(default_factory=list)


def load_motion(
    path: str | os.PathLike[str],
    model: Model,
    cutoff_hz: float | None = None,
    *,
    mode: Mode = "default",
    time_range: tuple[float, float] | None = None,
    in_degrees: bool | None = None,
    rename: Mapping[str, str] | None = None,
    max_gap_s: float = DEFAULT_MAX_GAP_S,
    allow_violations: bool = False,
) -> Motion:
    """Read coordinates over time and differentiate them.

    Parameters
    ----------
    path : path
        ``.mot``, ``.sto``, ``.csv``, ``.tsv`` or ``.parquet``.
    model : Model
        Says which columns are coordinates, and which of them are angles.
    cutoff_hz : float, optional
        Low-pass filter; none where left out.
    mode : {"default", "opensim"}
        How to smooth: see :mod:`borelli.io.signals.filtering`. ``"opensim"`` gives the numbers of OpenSim's
        inverse-dynamics tool.
    time_range : (float, float), optional
        First and last time (s) to return.
    in_degrees : bool, optional
        Overrides what the header says about angles.
    rename : mapping of str to str, optional
        Column label to coordinate name.
    max_gap_s : float
        Longest gap (s) that is filled.
    allow_violations : bool
        Take columns as they are that violate a coupler of the model by more than 0.05 rad or 5 mm, and warn;
        otherwise they are refused.

    Returns
    -------
    motion : Motion
        All coordinates of the model, in its order; ``motion.settings`` says what was done. Coordinates
        that the file lacks follow from couplers of the model, or are at their defaults. Speeds and
        accelerations are derivatives of the natural quintic spline; in the default mode they are left to the
        analysis where the model has joints whose speeds are angular velocities.

    Examples
    --------
    >>> smooth = bo.load_motion(walk.motion, model, cutoff_hz=6.0)
    >>> smooth.q.shape  # rad and m
    (191, 29)
    """
    table = _scalars(path)
    matched = _match(table, model, rename or {})
    notes: list[str] = []
    factors = _factors(table, matched, in_degrees, notes)
    names = [coordinate.name for coordinate in matched.coordinates]
    raw = table.values[:, matched.columns]
    stated = [bool(table.units[index]) for index in matched.columns]
    if in_degrees is None:
        refuse_degrees_as_radians(matched.coordinates, raw, factors, stated, table.source)
        notes += told_radians_as_degrees(matched.coordinates, raw, factors, stated)
        if table.in_degrees:
            factors = coupled_in_degrees(matched.coordinates, raw, factors, stated, table.source)
    factors = fitting_factors(model, names, raw, factors, stated, table.source, allow_violations)
    _complete(model, matched)
    # OpenSim's tools answer for every row of what they do not resample.
    every_row = mode == "opensim" and cutoff_hz is None
    time, values = clean_rows(
        table.time,
        raw,
        names,
        max_gap_s=max_gap_s,
        source=table.source,
        notes=notes,
        every_row=every_row,
    )
    smoothed = smooth(time, values, cutoff_hz, mode)
    span = (float(time[0]), float(time[-1])) if time_range is None else time_range
    _refuse_elsewhere(time, span, table.source)
    rows = _window(smoothed.time, span, mode, table.source)
    notes += [*_told(matched), *_told_of_steps(time, smoothed)]
    if notes:
        warn(f"{table.source}: " + "; ".join(notes) + ".")
    settings = _settings(table, matched, smoothed, time, notes)
    explicit = mode == "opensim" or not any(joint.n_attitude for joint in model.joints)
    return _motion(model, matched, smoothed, factors, rows, explicit, settings)


def _scalars(path: str | os.PathLike[str]) -> Table:
    table = load_table(path)
    if str(path).casefold().endswith(".trc"):
        raise InvalidValueError(
            "These are markers, not coordinates. Compute the motion first.",
            where=table.source,
            remedy="borelli analyze MODEL --markers FILE.trc …, or borelli ik; in Python inverse_kinematics",
        )
    if table.cells is not Cell.SCALAR:
        raise InvalidValueError(
            f"A motion has one number per coordinate, the table has cells of {table.cells.value}.",
            where=table.source,
        )
    return table


def _match(table: Table, model: Model, rename: Mapping[str, str]) -> _Matched:
    for label in rename:
        if label not in table.columns:
            raise UnknownNameError.among(label, "column", table.columns, of=table.source, where="rename")
    wanted = {coordinate.name: coordinate for coordinate in model.coordinates}
    found: dict[str, int] = {}
    matched = _Matched()
    for index, label in enumerate(table.columns):
        path = _VALUE_PATH.fullmatch(label)
        name = rename.get(label) or (path["name"] if path else label)
        if name in wanted and name not in found:
            found[name] = index
        else:
            matched.unused.append(label)
    if not found:
        raise MissingInputError(
            f"No column of the table is a coordinate of model {model.name!r}.",
            where=table.source,
            closest=table.columns[:3],
            remedy="the model has "
            + ", ".join(map(repr, list(wanted)[:6]))
            + ", …; rename the columns of the table, in Python rename={…}",
        )
    for name, coordinate in wanted.items():
        if name in found:
            matched.coordinates.append(coordinate)
            matched.columns.append(found[name])
        else:
            matched.missing.append(coordinate)
    return matched


def _factors(table: Table, matched: _Matched, in_degrees: bool | None, notes: list[str]) -> Array:
    """Return what each column must be multiplied by to be in SI units."""
    units = [table.units[index] for index in matched.columns]
    angles = [coordinate.motion is MotionType.ROTATIONAL for coordinate in matched.coordinates]
    undecided = any(angle and not unit for angle, unit in zip(angles, units, strict=True))
    degrees = table.in_degrees if in_degrees is None else in_degrees
    if degrees is None and undecided:
        degrees = _silent_header(table, notes)
    factors = []
    for angle, unit, coordinate in zip(angles, units, matched.coordinates, strict=True):
        if unit:
            factors.append(_unit_factor(unit, coordinate, table.source))
        else:
            factors.append(RAD_PER_DEG if angle and degrees else 1.0)
    return np.array(factors)


def _silent_header(table: Table, notes: list[str]) -> bool:
    if not table.source.lower().endswith((".mot", ".sto")):
        raise MissingInputError(
            "The table does not say whether angles are in degrees or radians.",
            where=table.source,
            remedy="write units behind the labels ('knee_angle_r [deg]'), or say what they are: --angles degrees or "
            "radians, in_degrees=True or False",
        )
    degrees = "version" not in table.metadata and table.source.lower().endswith(".mot")
    kind = "a .mot file without a version" if degrees else "any other table"
    notes.append(
        f"the header does not state inDegrees; angles were read as {'degrees' if degrees else 'radians'}, "
        f"as OpenSim does in {kind}"
    )
    return degrees


def _unit_factor(unit: str, coordinate: Coordinate, source: str) -> float:
    factors = {
        MotionType.ROTATIONAL: {"deg": RAD_PER_DEG, "°": RAD_PER_DEG, "degrees": RAD_PER_DEG, "rad": 1.0},
        MotionType.TRANSLATIONAL: {"m": 1.0, "mm": 1e-3, "cm": 1e-2},
    }.get(coordinate.motion, {"1": 1.0, "rad": 1.0, "m": 1.0})
    if unit not in factors:
        raise InvalidValueError(
            f"The unit {unit!r} does not fit the {coordinate.motion.value} coordinate {coordinate.name!r}.",
            where=source,
            remedy="known are " + ", ".join(factors),
        )
    return factors[unit]


def _window(time: Array, span: tuple[float, float], mode: Mode, source: str) -> slice:
    """Return the rows to give back."""
    start, end = span
    if mode == "opensim":
        # The tool takes the rows at or before the two times.
        first = max(int(np.searchsorted(time, start, "right")) - 1, 0)
        last = int(np.searchsorted(time, end, "right"))
    else:
        # Half a microsecond: times are printed with six decimals or more.
        first = int(np.searchsorted(time, start - 5e-7))
        last = int(np.searchsorted(time, end + 5e-7))
    if not start <= end or first >= last:
        raise InvalidValueError(
            f"No row lies between {start:g} s and {end:g} s; the recording runs from {time[0]:g} s to {time[-1]:g} s.",
            where=source,
        )
    return slice(first, last)


def _refuse_elsewhere(recorded: Array, span: tuple[float, float], source: str) -> None:
    """Refuse a time span without an instant of the recording, where OpenSim's tool answers for the nearest row."""
    # A setup may name the first instant with fewer digits than the file.
    slack = float(np.median(np.diff(recorded))) if len(recorded) > 1 else 0.5e-6
    if span[0] > recorded[-1] + slack or span[1] < recorded[0] - slack:
        raise InvalidValueError(
            f"No row lies between {span[0]:g} s and {span[1]:g} s; the recording runs from {recorded[0]:g} s to "
            f"{recorded[-1]:g} s.",
            where=source,
            remedy="correct the times of the setup or trial (in seconds)",
        )


def _told_of_steps(recorded: Array, smoothed: Smoothed) -> list[str]:
    """Words on times that look like milliseconds or row numbers, and on a cut-off that such steps cannot have."""
    notes = []
    step = float(np.median(np.diff(recorded))) if len(recorded) > 1 else 0.0
    if step >= _LONG_STEP_S and len(recorded) > _MANY_ROWS:
        notes.append(
            f"its {len(recorded)} rows are {step:g} s apart: if time is in milliseconds or frames, write it in "
            "seconds, because all speeds and accelerations are wrong otherwise"
        )
    lowered = smoothed.settings.get("cutoff_hz_lowered_to")
    if lowered is not None:
        notes.append(
            f"the cut-off of {smoothed.settings['cutoff_hz']:g} Hz is not below half the sampling rate, and was "
            f"lowered to {lowered:.3g} Hz, as in OpenSim"
        )
    return notes


def within(motion: Motion, span: tuple[float, float], mode: Mode = "default") -> Motion:
    """Cut a motion to a time span (s), by the rule of :func:`load_motion`."""
    recorded = motion.settings.get("recorded_s")
    ends = np.array(recorded) if isinstance(recorded, list) else motion.time
    _refuse_elsewhere(ends, span, str(motion.settings.get("source", "motion")))
    return motion.instants(_window(motion.time, span, mode, str(motion.settings.get("source", "motion"))))


def tell_prolonged(motion: Motion) -> None:
    """Warn of instants beyond the recording, which OpenSim's filter makes up: it pads the data by half their rows."""
    span = motion.settings.get("recorded_s")
    if not isinstance(span, list) or motion.n_times < 2:
        return
    start, end = span
    # The tool starts at the row before the time that it is given.
    step = float(np.median(np.diff(motion.time)))
    beyond = int(((motion.time < start - step) | (motion.time > end + step)).sum())
    if beyond:
        warn(
            f"{motion.settings.get('source')}: the recording runs from {start:g} s to {end:g} s, and {beyond} of the "
            f"{motion.n_times} instants asked for lie outside. OpenSim's filter makes them up by reflection, and so "
            "do these numbers: set the times of the setup within the recording, or use --mode default."
        )


def _complete(model: Model, matched: _Matched) -> None:
    """Find the couplers that determine coordinates that the file lacks; those are not missing."""
    matched.coupled = [
        coupler
        for coupler in couplers_of(model)
        if any(coordinate.name == coupler.dependent for coordinate in matched.missing)
    ]
    determined = {coupler.dependent for coupler in matched.coupled}
    matched.missing = [each for each in matched.missing if each.name not in determined]


def _told(matched: _Matched) -> list[str]:
    notes = []
    if matched.coupled:
        shown = ", ".join(coupler.dependent for coupler in matched.coupled)
        notes.append(f"not in the file, so computed from the constraints of the model: {shown}")
    if matched.missing:
        shown = few((f"{c.name} = {c.default_value:g}" for c in matched.missing), 12, counted=True)
        notes.append(f"not in the file, so held at their default values: {shown}")
    if matched.unused:
        shown = few(map(repr, matched.unused), 12, counted=True)
        notes.append(f"columns ignored, because they are not coordinates of the model: {shown}")
    return notes


def _settings(
    table: Table, matched: _Matched, smoothed: Smoothed, recorded: Array, notes: list[str]
) -> dict[str, object]:
    return {
        "source": table.source,
        **smoothed.settings,
        **({"recorded_s": [float(recorded[0]), float(recorded[-1])]} if smoothed.pad else {}),
        "derivatives": "interpolating natural spline of degree five",
        "at_default": [coordinate.name for coordinate in matched.missing],
        "from_couplers": [coupler.dependent for coupler in matched.coupled],
        "not_used": list(matched.unused),
        "notes": list(notes),
    }


def _motion(
    model: Model,
    matched: _Matched,
    smoothed: Smoothed,
    factors: Array,
    rows: slice,
    explicit: bool,
    settings: dict[str, object],
) -> Motion:
    time = smoothed.time[rows]
    values = smoothed.values * factors
    if not explicit:
        derived = [values[rows]]
    elif len(smoothed.time) == 1:
        derived = [values, np.zeros_like(values), np.zeros_like(values)]
    else:
        spline = natural_quintic(smoothed.time, values)
        # The rows are the spline's own points: their values need no evaluation.
        derived = [values[rows], spline(time, 1), spline(time, 2)]
    names = model.coordinate_names
    column = {coordinate.name: index for index, coordinate in enumerate(matched.coordinates)}
    tables = []
    for order, part in enumerate(derived):
        whole = np.zeros((len(time), len(names)))
        for index, coordinate in enumerate(model.coordinates):
            if coordinate.name in column:
                whole[:, index] = part[:, column[coordinate.name]]
            elif order == 0:
                whole[:, index] = coordinate.default_value
        tables.append(whole)
    _follow(matched.coupled, names, tables)
    u, udot = (tables[1], tables[2]) if explicit else (None, None)
    if udot is not None:
        refuse_impossible_accelerations(time, names, udot, str(settings["source"]))
    return Motion(time, names, tables[0], u, udot, settings=settings)


def _follow(couplers: list[CoordinateCoupler], names: tuple[str, ...], tables: list[Array]) -> None:
    """Fill in what couplers determine: coordinates and, where they are known, speeds and accelerations."""
    for coupler in couplers:
        index = names.index(coupler.dependent)
        parts = [{name: table[:, names.index(name)] for name in coupler.independent} for table in tables]
        tables[0][:, index] = coupled_value(coupler, parts[0])
        if len(parts) > 1:
            tables[1][:, index], tables[2][:, index] = coupled_rates(coupler, *parts)


def save_motion(
    motion: Motion, model: Model, path: str | os.PathLike[str], *, in_degrees: bool = True
) -> None:
    """Write the coordinates of a motion as OpenSim's inverse kinematics does.

    Parameters
    ----------
    motion : Motion
        Its speeds are not written: readers differentiate anew.
    model : Model
        Says which coordinates are angles.
    path : path
        ``.mot``, ``.sto`` or another table format.
    in_degrees : bool
        Write rotational coordinates in degrees.

    Examples
    --------
    >>> bo.save_motion(motion, model, "walk.mot")
    >>> bool(np.allclose(bo.load_motion("walk.mot", model).q, motion.q))
    True
    """
    factors, units = [], []
    for name in motion.coordinates:
        coordinate = model.coordinates[name]
        turned = in_degrees and coordinate.motion is MotionType.ROTATIONAL
        factors.append(1.0 / RAD_PER_DEG if turned else 1.0)
        units.append("deg" if turned else coordinate.unit)
    table = Table(
        time=motion.time,
        columns=motion.coordinates,
        values=motion.q * np.array(factors),
        units=tuple(units),
        in_degrees=in_degrees,
        name="Coordinates",
    )
    save_table(table, path)
