"""Can this motion be what was recorded? Units and ranges of angles, columns that were missing, noise."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from borelli.errors import few
from borelli.model.plausibility.ranges import FAR_OUTSIDE, joint_angles, outside_range
from borelli.results.verdict import Check
from borelli.units import RAD_PER_DEG

if TYPE_CHECKING:
    from borelli.model.joints.coordinate import Coordinate
    from borelli.model.model import Model
    from borelli.model.motion import Motion

_BEYOND_RANGE = (5.0, 90.0)
"""Degrees outside its range: ranges of models are careless by a few; no joint turns a quarter beyond its end."""
_WRONG_UNIT = 100.0 / 3.0
"""Per cent of all angles. One body may turn round and round; a third of all do so in the wrong unit alone."""
_FAST_HZ = 12.0
"""Movements of whole segments are slower, also in running (Winter 2009, chapter 3)."""
_NOISE = 10.0
"""Per cent of the power of an acceleration above it; a filtered walk has less than one."""
_FELT = 0.01
"""rad/s² or m/s²: less is round-off of a coordinate that rests or goes straight on."""
_FEWEST = 32
"""Instants from which on a spectrum says anything."""


def motion_checks(model: Model, motion: Motion) -> list[Check | None]:
    """Check units and ranges of angles, missing columns, and noise."""
    columns = dict(zip(motion.coordinates, motion.q.T, strict=True))
    angles = [
        (each, columns[each.name])
        for each in joint_angles(model)
        if each.name in columns and np.isfinite(columns[each.name]).any()
    ]
    return [_unit_check(angles), _range_check(angles), _column_check(model, motion), _noise_check(motion)]


def _outside(coordinate: Coordinate, column: np.ndarray) -> float:
    """How far an angle leaves its range (rad), at most; negative inside."""
    return float(np.nanmax(outside_range(coordinate, column)))


def _unit_check(angles: list[tuple[Coordinate, np.ndarray]]) -> Check | None:
    moving = [(each, column) for each, column in angles if np.nanmax(np.abs(column)) > 0.0]
    if not moving:
        return None
    strange = [each for each, column in moving if _fits_as_degrees(each, column)]
    share = 100.0 * len(strange) / len(moving)
    said = (
        f"{len(strange)} of {len(moving)} angles ({', '.join(each.name for each in strange[:3])}, …) make sense "
        "only if they are in degrees, but were read as radians."
        if strange
        else f"All {len(moving)} angles are plausible in the unit they were read in."
    )
    remedy = (
        "correct inDegrees in the header of the motion, or use --angles degrees (in_degrees in a trial file)"
    )
    # A single one is a body that turns; it is told by its range.
    limits = (_WRONG_UNIT, _WRONG_UNIT)
    return Check.graded("unit of angles", share, limits, "%", said, remedy)


def _fits_as_degrees(coordinate: Coordinate, column: np.ndarray) -> bool:
    if not np.isfinite(coordinate.range).all():
        return float(np.nanmax(column) - np.nanmin(column)) > 2.0 * math.pi
    return (
        _outside(coordinate, column) > FAR_OUTSIDE
        and _outside(coordinate, column * RAD_PER_DEG) < FAR_OUTSIDE
    )


def _range_check(angles: list[tuple[Coordinate, np.ndarray]]) -> Check | None:
    known = [(_outside(each, column) / RAD_PER_DEG, each.name) for each, column in angles]
    known = [(far, name) for far, name in known if math.isfinite(far)]
    if not known:
        return None
    worst, name = max(known)
    if worst <= 0.0:
        return Check(
            "ranges of angles", "green", 0.0, _BEYOND_RANGE[0], "deg", "Every angle is within its range."
        )
    others = sum(far > _BEYOND_RANGE[0] for far, _ in known) - 1
    more = f", and {others} more angles leave their range" if others > 0 else ""
    return Check.graded(
        "ranges of angles",
        worst,
        _BEYOND_RANGE,
        "deg",
        f"{name} leaves its range by up to {worst:.0f}°{more}.",
        "look at the motion on the page and compare it with a video; check the model's markers and ranges",
    )


def _column_check(model: Model, motion: Motion) -> Check | None:
    held = motion.settings.get("at_default")
    if held is None:
        return None
    missing = [str(name) for name in held if not model.coordinates[str(name)].locked]
    shown = few(missing, 6, counted=True)
    return Check.graded(
        "columns of the motion",
        float(len(missing)),
        (0.0, math.inf),
        "1",
        f"Not in the file, so held at their default values: {shown}."
        if missing
        else "The file has all coordinates that can move.",
        "add these columns, or lock the coordinates in the model if they should not move",
    )


def _noise_check(motion: Motion) -> Check | None:
    if motion.settings.get("filter", "none") != "none" or motion.n_times < _FEWEST:
        return None
    share, name = _fast_part(motion)
    if name is None:
        return None
    return Check.graded(
        "noise",
        share,
        (_NOISE, math.inf),
        "%",
        f"The motion was not filtered, and {share:.0f} % of the power of the acceleration of {name} lies above "
        f"{_FAST_HZ:g} Hz, which is noise, not movement."
        if share > _NOISE
        else "The motion is smooth; it was not filtered here.",
        "filter it: --cutoff-hz 6 for walking (cutoff_hz in a trial file), 10 to 15 for running",
    )


def _fast_part(motion: Motion) -> tuple[float, str | None]:
    """Largest share (per cent) of an acceleration's power above what segments do, and its coordinate."""
    time = motion.time
    step = float(time[-1] - time[0]) / (len(time) - 1)
    if not step > 0.0 or 0.5 / step <= _FAST_HZ:
        return 0.0, None
    even = np.linspace(time[0], time[-1], len(time))
    rates = motion.udot if motion.udot is not None else None
    worst: tuple[float, str | None] = (0.0, None)
    for index, name in enumerate(motion.coordinates):
        if rates is None:
            column = np.gradient(np.gradient(motion.q[:, index], time), time)
        else:
            column = rates[:, index]
        # The ends of a spline are wild, filtered or not.
        inner = np.interp(even, time, np.nan_to_num(column))[4:-4]
        power = np.abs(np.fft.rfft((inner - inner.mean()) * np.hanning(len(inner)))) ** 2
        total = float(power.sum())
        if total > 0.0 and float(inner.std()) > _FELT:
            fast = np.fft.rfftfreq(len(inner), step) > _FAST_HZ
            worst = max(worst, (100.0 * float(power[fast].sum()) / total, name), key=lambda pair: pair[0])
    return worst
