"""Coordinates that couplers determine: completed where a recording lacks them, checked where it has them.

A coupler says ``dependent = scale * function(independent…)``. What a file says about such a coordinate is known twice,
so that a column in the wrong unit, or of another model, shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from borelli.errors import InvalidValueError, warn
from borelli.model.constraint import CoordinateCoupler
from borelli.model.joints.coordinate import MotionType
from borelli.model.model import Model
from borelli.units import DEG_PER_RAD, RAD_PER_DEG

Array = NDArray[np.float64]

LARGEST_VIOLATION_RAD, LARGEST_VIOLATION_M = 0.05, 0.005
"""Violations of constraints beyond this are no matter of filters or digits, which leave a tenth of it (rad, m)."""
_TELLING = 4.0
"""Accepted violations that a follower must move to tell the unit of what it follows."""


def couplers_of(model: Model) -> list[CoordinateCoupler]:
    """Couplers in force, each after those that determine what it depends on.

    Coordinates that are locked or prescribed are not theirs to determine; of two couplers of one coordinate the first
    counts, and couplers that go round in a circle are left out.
    """
    held = {c.name for c in model.coordinates if c.locked or c.prescribed}
    waiting: dict[str, CoordinateCoupler] = {}
    for each in model.constraints:
        if isinstance(each, CoordinateCoupler) and each.enforced and each.dependent not in held:
            waiting.setdefault(each.dependent, each)
    ordered: list[CoordinateCoupler] = []
    while waiting:
        ready = [each for each in waiting.values() if not waiting.keys() & set(each.independent)]
        if not ready:
            break
        ordered += ready
        for each in ready:
            del waiting[each.dependent]
    return ordered


def coupled_value(coupler: CoordinateCoupler, q: Mapping[str, Array]) -> Array:
    """Value that a coupler asks for, (n_times,) rad or m."""
    values = coupler.function.value(*(q[name] for name in coupler.independent))
    return np.asarray(float(coupler.scale) * values, dtype=float)


def coupled_rates(
    coupler: CoordinateCoupler, q: Mapping[str, Array], u: Mapping[str, Array], udot: Mapping[str, Array]
) -> tuple[Array, Array]:
    """Speed and acceleration that a coupler asks for, by the chain rule, (n_times,) each."""
    arguments = [q[name] for name in coupler.independent]
    speed = np.zeros_like(arguments[0])
    acceleration = np.zeros_like(arguments[0])
    for j, first in enumerate(coupler.independent):
        slope = coupler.function.derivative(*arguments, by=j)
        speed = speed + slope * u[first]
        acceleration = acceleration + slope * udot[first]
        for k, second in enumerate(coupler.independent):
            bend = coupler.function.second_derivative(*arguments, by=(j, k))
            acceleration = acceleration + bend * u[first] * u[second]
    return float(coupler.scale) * speed, float(coupler.scale) * acceleration


def fitting_factors(
    model: Model,
    names: Sequence[str],
    values: Array,
    factors: Array,
    stated: Sequence[bool],
    source: str,
    allow_violations: bool,
) -> Array:
    """Check the columns of coupled coordinates; return what every column is to be multiplied by.

    Parameters
    ----------
    names : sequence of str
        Coordinates of the columns.
    values : (n_times, n_columns) float
        As in the file.
    factors : (n_columns,) float
        What the file's own statements make of them.
    stated : sequence of bool
        Whether the unit of a column stands with its label: then it is not doubted.
    allow_violations : bool
        Warn of what does not fit instead of refusing it.

    Raises
    ------
    InvalidValueError
        If a column fits its coupler neither in degrees nor in radians.
    """
    column = {name: index for index, name in enumerate(names)}
    factors = factors.copy()
    for coupler in couplers_of(model):
        if not {coupler.dependent, *coupler.independent} <= column.keys():
            continue
        known = np.isfinite(values[:, [column[n] for n in (coupler.dependent, *coupler.independent)]]).all(
            axis=1
        )
        own = column[coupler.dependent]
        q = {name: values[known, column[name]] * factors[column[name]] for name in coupler.independent}
        gap = np.abs(values[known, own] * factors[own] - coupled_value(coupler, q))
        if not gap.size or gap.max() <= tolerance(model, coupler.dependent):
            continue
        for name in _doubted(model, coupler):
            if stated[column[name]]:
                continue
            other = factors.copy()
            other[column[name]] = 1.0 if factors[column[name]] == RAD_PER_DEG else RAD_PER_DEG
            q = {each: values[known, column[each]] * other[column[each]] for each in coupler.independent}
            wanted = coupled_value(coupler, q)
            # What follows hardly moves if an angle in radians is taken as degrees: then zeros would fit as well.
            tells = name == coupler.dependent or np.ptp(wanted) > _TELLING * tolerance(
                model, coupler.dependent
            )
            fits = np.abs(values[known, own] * other[own] - wanted)
            if tells and fits.max() <= tolerance(model, coupler.dependent):
                _tell_unit(source, coupler, name, radians=other[column[name]] == 1.0)
                factors = other
                break
        else:
            _complain(coupler, gap, np.flatnonzero(known), source, allow_violations)
    return factors


def _doubted(model: Model, coupler: CoordinateCoupler) -> list[str]:
    """Coordinates of a coupler whose column may be in another unit: the one that follows, then the one it follows."""
    followed = coupler.independent if len(coupler.independent) == 1 else ()
    return [
        name
        for name in (coupler.dependent, *followed)
        if model.coordinates[name].motion is not MotionType.TRANSLATIONAL
    ]


def _tell_unit(source: str, coupler: CoordinateCoupler, name: str, radians: bool) -> None:
    words = ("degrees", "radians") if radians else ("radians", "degrees")
    warn(
        f"{source}: column {name!r} should be in {words[0]}, but fits constraint "
        f"{coupler.name!r} only in {words[1]}, and is read as {words[1]}."
    )


def tolerance(model: Model, coordinate: str) -> float:
    """Largest violation that is accepted at a coordinate (rad or m)."""
    slides = model.coordinates[coordinate].motion is MotionType.TRANSLATIONAL
    return LARGEST_VIOLATION_M if slides else LARGEST_VIOLATION_RAD


def _complain(
    coupler: CoordinateCoupler, gap: Array, rows: NDArray[np.int64], source: str, allowed: bool
) -> None:
    worst = int(np.argmax(gap))
    what = (
        f"Column {coupler.dependent!r} violates constraint {coupler.name!r}, which makes it follow "
        f"{', '.join(coupler.independent)}, by up to {gap[worst]:.3g} (rad or m; {gap[worst] * DEG_PER_RAD:.3g} if "
        f"degrees) in row {int(rows[worst]) + 1} of the data."
    )
    if allowed:
        warn(f"{source}: {what}")
        return
    raise InvalidValueError(
        what,
        where=source,
        remedy="leave the column out, so that it is computed; check units and model; or allow it "
        "(allow_violations=True, --allow-violations)",
    )
