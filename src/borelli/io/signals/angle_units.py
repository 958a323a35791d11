"""Do angles that a file calls radians or degrees look like it? The ranges of the model's coordinates tell.

Scripts write headers that say ``inDegrees=no`` above degrees. Read as radians a knee then turns round nine times in a
step, and nothing else fails.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from borelli.errors import InvalidValueError, warn
from borelli.model.joints.coordinate import Coordinate, MotionType
from borelli.units import RAD_PER_DEG

_BEYOND = 0.5
"""An angle this far outside its range is not the overshoot of a filter or of a careless range (rad)."""
_MANY = 1.0 / 3.0
"""One body that turns round and round leaves its range; a third of all angles do so in the wrong unit alone."""
_FEW = 3
"""One or two joints that hardly move are a posture or an experiment; a body moves more of them, and further."""
_MOVED = 0.35
"""The largest angle of whatever is worth recording, were it in radians: a fifth of a right angle."""


def refuse_degrees_as_radians(
    coordinates: Sequence[Coordinate],
    values: NDArray[np.float64],
    factors: NDArray[np.float64],
    stated: Sequence[bool],
    source: str,
) -> None:
    """Raise if angles that are taken as radians lie in their ranges only as degrees.

    Parameters
    ----------
    coordinates : sequence of Coordinate
        Of the columns.
    values : (n_times, n_columns) float
        As in the file; NaN where missing.
    factors : (n_columns,) float
        What they are multiplied by; 1 for radians.
    stated : sequence of bool
        Whether the unit of a column stands with its label: then it is not doubted.
    """
    strange, angles = [], 0
    for index, coordinate in enumerate(coordinates):
        low, high = coordinate.range
        column = values[:, index]
        if (
            coordinate.motion is not MotionType.ROTATIONAL
            or factors[index] != 1.0
            or stated[index]
            or not np.isfinite([low, high]).all()
            or not np.isfinite(column).any()
        ):
            continue
        angles += 1
        if _fits_as_degrees_alone(column, low, high):
            strange.append((_reach(column), coordinate))
    if not strange or len(strange) < _MANY * angles:
        return
    size, worst = max(strange, key=lambda pair: pair[0])
    raise InvalidValueError(
        f"The file says that angles are in radians, but {worst.name!r} reaches {size:.3g}, and {len(strange)} of "
        f"{angles} angles lie in the ranges of the model only if they are in degrees.",
        where=source,
        remedy="correct inDegrees in the header, or set their unit: in_degrees=True or False, "
        "--angles degrees or radians",
    )


def told_radians_as_degrees(
    coordinates: Sequence[Coordinate],
    values: NDArray[np.float64],
    factors: NDArray[np.float64],
    stated: Sequence[bool],
) -> list[str]:
    """Return a note if angles that are taken as degrees are so small that they may be radians.

    A spine that sways is as still as that; so it is told and not refused. The parameters are those of
    :func:`refuse_degrees_as_radians`.
    """
    angles = [
        index
        for index, coordinate in enumerate(coordinates)
        if coordinate.motion is MotionType.ROTATIONAL and factors[index] == RAD_PER_DEG and not stated[index]
    ]
    known = values[:, angles]
    if len(angles) < _FEW or not np.isfinite(known).any():
        return []
    largest = float(np.nanmax(np.abs(known)))
    low, high = np.array([coordinates[index].range for index in angles]).T
    # What lies outside its range as radians would lie there in no unit.
    fits = not ((known < low - _BEYOND) | (known > high + _BEYOND)).any()
    if not fits or not _MOVED < largest < np.pi:
        return []
    return [
        f"the angles are read as degrees, and none of {len(angles)} goes beyond {largest:.3g}°; if they are in "
        "radians, correct inDegrees in the header, or set their unit: in_degrees=False, --angles radians"
    ]


def coupled_in_degrees(
    coordinates: Sequence[Coordinate],
    values: NDArray[np.float64],
    factors: NDArray[np.float64],
    stated: Sequence[bool],
    source: str,
) -> NDArray[np.float64]:
    """Return the factors, with those of coupled coordinates that lie in their ranges as degrees alone.

    OpenSim 4 leaves such columns of a table in degrees in radians; OpenSim 3 called them angles and converted them. The
    parameters are those of :func:`refuse_degrees_as_radians`.
    """
    factors = factors.copy()
    for index, coordinate in enumerate(coordinates):
        low, high = coordinate.range
        column = values[:, index]
        if coordinate.motion is not MotionType.COUPLED or stated[index] or not np.isfinite(column).any():
            continue
        if _fits_as_degrees_alone(column, low, high):
            warn(
                f"{source}: column {coordinate.name!r} reaches {_reach(column):.3g}, lies in its range in degrees "
                "alone, and is read as degrees; OpenSim 4 takes it as radians."
            )
            factors[index] = RAD_PER_DEG
    return factors


def _fits_as_degrees_alone(column: NDArray[np.float64], low: float, high: float) -> bool:
    """Whether numbers leave a range (rad) if they are radians, and keep to it if they are degrees."""
    least, most = float(np.nanmin(column)), float(np.nanmax(column))
    outside = least < low - _BEYOND or most > high + _BEYOND
    return outside and least * RAD_PER_DEG > low - _BEYOND and most * RAD_PER_DEG < high + _BEYOND


def _reach(column: NDArray[np.float64]) -> float:
    """How far numbers go from zero."""
    return max(-float(np.nanmin(column)), float(np.nanmax(column)))
