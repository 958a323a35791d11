"""What no body does: accelerations and forces that are a fault of the numbers, not an answer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from borelli.arrays import FARTHEST, FARTHEST_COORDINATE, all_plausible
from borelli.errors import InvalidValueError, UnsolvableError
from borelli.model.model import Model

LARGEST_COORDINATE = FARTHEST_COORDINATE
"""rad or m. Beyond it an angle is known to a ten-millionth of a radian at best; at 1e300 nothing is left but NaN."""
LARGEST_ACCELERATION = 1e6
"""rad/s² or m/s². A jump by half a turn between two instants at 250 Hz stays below, one at 1 kHz does not."""
LARGEST_SPEED = 1e5
"""rad/s or m/s in a simulation, ten times the spin of a bullet. An integrator would follow faster turns for hours."""
LARGEST_LOAD = 1e8
"""N or N m."""
MOST_WEIGHTS, MOST_FORCE = 1e4, 1e6
"""Generalized forces beyond this many weights of the whole model and this many N or N m. A landing has twenty
weights; the floor is for light bodies on stiff contacts."""
LARGEST_RESULT = FARTHEST
"""Beyond this no quantity of a body is real, whatever its SI unit."""
# To count in weights; the model's own may be zero.
_GRAVITY = 9.81


def refuse_impossible_numbers(
    kind: str, limit: float, time: np.ndarray, names: Sequence[str], values: np.ndarray
) -> None:
    """Raise, naming column and instant, if numbers of a motion are so large that nothing can be computed from them.

    Parameters
    ----------
    kind : str
        What the numbers are: a coordinate, a speed, an acceleration.
    values : (n_times, n_names) float
        NaN is allowed, and so is infinity, which is not known either.
    """
    if all_plausible(values, limit):
        return
    found = _beyond(np.where(np.isinf(values), np.nan, values), limit)
    if found is not None:
        row, column = found
        raise InvalidValueError(
            f"The {kind} {names[column]!r} is {values[row, column]:.1e} at {time[row]:g} s, which no body reaches: "
            f"beyond {limit:.0e} too few digits are left to compute with.",
            where=f"the motion, instant {row}",
            remedy="look for a damaged number or a wrong unit there; NaN marks what is not known",
        )


def refuse_impossible_accelerations(
    time: np.ndarray, names: Sequence[str], udot: np.ndarray, where: str | None = None
) -> None:
    """Raise, naming coordinate and instant, if a motion accelerates as no body does.

    Parameters
    ----------
    udot : (n_times, n_names) float
        rad/s² or m/s²; NaN is allowed.
    """
    found = _beyond(udot, LARGEST_ACCELERATION)
    if found is None:
        return
    row, column = found
    raise InvalidValueError(
        f"{names[column]!r} would accelerate by {udot[row, column]:.1e} rad/s² or m/s² at {time[row]:g} s, "
        "as no body does.",
        where=where,
        remedy="look for a jump, a wrong unit or uneven times there; a cut-off frequency removes noise",
    )


def refuse_impossible_loads(name: str, time: np.ndarray, vectors: np.ndarray, where: str) -> None:
    """Raise if an external force (N) or moment (N m), (n_times, 3), is more than any body bears."""
    found = _beyond(vectors, LARGEST_LOAD)
    if found is not None:
        row, column = found
        raise InvalidValueError(
            f"Load {name!r} has a component of {vectors[row, column]:.1e} N or N m at {time[row]:g} s, "
            "which is not plausible.",
            where=where,
            remedy="check the columns and their units",
        )


def refuse_impossible_forces(
    model: Model, time: np.ndarray, names: Sequence[str], forces: np.ndarray
) -> None:
    """Raise if generalized forces (n_times, n_names), in N or N m, are beyond any that could move the model."""
    weight = _GRAVITY * sum(body.mass for body in model.bodies)
    found = _beyond(forces, max(MOST_WEIGHTS * weight, MOST_FORCE))
    if found is not None:
        row, column = found
        raise UnsolvableError(
            f"The motion would need {forces[row, column]:.1e} N or N m at {names[column]!r} at {time[row]:g} s; "
            f"the whole model weighs {weight:.3g} N.",
            where=f"model {model.name!r}",
            remedy="check units, times and loads; nothing was written",
        )


def refuse_absurd_results(what: str, time: np.ndarray, names: Sequence[str], values: np.ndarray) -> None:
    """Raise if a table about to be written, (n_times, n_names), holds what no quantity of a body can be."""
    found = _beyond(values, LARGEST_RESULT)
    if found is not None:
        row, column = found
        raise UnsolvableError(
            f"{what}: {names[column]!r} would be {values[row, column]:.1e} at {time[row]:g} s, which is not plausible.",
            remedy="check units, times and loads; this table was not written",
        )


def absurd_numbers(values: np.ndarray) -> np.ndarray:
    """Which numbers of an array, of the same shape, no quantity of a body can be; NaN is none of them."""
    with np.errstate(invalid="ignore"):
        return np.abs(values) > LARGEST_RESULT


def refuse_impossible_places(time: np.ndarray, names: Sequence[str], places: np.ndarray) -> None:
    """Raise, naming body and instant, if origins or mass centres (n_times, n_names, 3) are nowhere (m).

    Postures are numbers when they come here, so that NaN and infinity are a fault of the model.
    """
    if all_plausible(places, LARGEST_RESULT):
        return
    row, column, _ = np.argwhere(~(np.abs(places) <= LARGEST_RESULT))[0]
    raise UnsolvableError(
        f"body {names[column]!r} would be {np.abs(places[row, column]).max():.1e} m away at {time[row]:g} s.",
        remedy="look at the places and functions of its joint and of those that carry it",
    )


def _beyond(values: np.ndarray, limit: float) -> tuple[int, int] | None:
    """Row and column of the largest value, if it is beyond the limit."""
    if all_plausible(values, limit):
        return None
    size = np.abs(values)
    if not np.fmax.reduce(size, axis=None) > limit:
        return None
    row, column = np.unravel_index(int(np.nanargmax(size)), size.shape)
    return int(row), int(column)


def refuse_impossible_shares(
    time: np.ndarray, sources: Sequence[str], shares: np.ndarray, total: np.ndarray
) -> None:
    """Raise, naming source and instant, if shares or their total are no numbers of a body.

    Parameters
    ----------
    shares : (…, n_sources, n_times) float
    total : (n_times, …) float
    """
    if np.isfinite(total).all() and np.abs(total).max(initial=0.0) <= LARGEST_RESULT:
        size = max(float(shares.max(initial=0.0)), -float(shares.min(initial=0.0)))
        if size <= LARGEST_RESULT:
            return
    flat = np.moveaxis(shares, -2, 0).reshape(len(sources), -1, shares.shape[-1])
    bad = ~(np.abs(flat) <= LARGEST_RESULT)
    source = int(np.argmax(bad.any(axis=(1, 2)))) if bad.any() else None
    row = int(np.argmax(bad[source].any(axis=0))) if source is not None else 0
    who = "all sources together" if source is None else f"source {sources[source]!r}"
    raise UnsolvableError(
        f"The share of {who} is {'no number' if source is None else f'{flat[source][bad[source]][0]:.1e}'} "
        f"at {time[row]:g} s, which is not plausible.",
        remedy="look for a stiffness, an inertia or a load of a wrong size or unit there",
    )
