"""Which instants of a static trial count, and where its markers are on average."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from borelli.errors import InvalidValueError

Array = NDArray[np.float64]
# Times of a text file are decimal fractions, off by round-off; steps of a capture (1e-3 s at 1 kHz) are far longer.
_SLACK = 1e-9


def all_instants(time: Array) -> slice:
    """Return every instant."""
    return slice(0, time.size)


def opensim_instants(time: Array, first: float, last: float) -> slice:
    """Return the instants that OpenSim's MarkerData takes for a range of time (s).

    From the last instant that is not after ``first`` to the first one that is not before ``last``: one more on each
    side than lies in the range, and the first alone for its default (-1, -1).
    """
    start = max(int(np.searchsorted(time, first, side="right")) - 1, 0)
    later = np.flatnonzero(time[start:] >= last)
    end = start + int(later[0]) if later.size else time.size - 1
    return slice(start, end + 1)


def within(time: Array, first: float, last: float) -> slice:
    """Return the instants of a range of time (s), both ends included.

    Raises
    ------
    InvalidValueError
        If there is none.
    """
    start = int(np.searchsorted(time, first - _SLACK))
    end = int(np.searchsorted(time, last + _SLACK, side="right"))
    if end <= start:
        raise InvalidValueError(
            f"No instant of the static trial lies between {first:g} s and {last:g} s.",
            where=f"it goes from {time[0]:g} s to {time[-1]:g} s",
            remedy="choose a range inside it",
        )
    return slice(start, end)


def mean_of_seen(positions: Array) -> Array:
    """Return the mean (markers, 3) over the instants that see a marker; NaN where none does."""
    seen: NDArray[np.bool_] = np.asarray(np.isfinite(positions).all(axis=2))
    count = seen.sum(axis=0)
    total = np.where(seen[:, :, None], positions, 0.0).sum(axis=0)
    return np.where(count[:, None] > 0, total / np.maximum(count, 1)[:, None], np.nan)


def mean_of_whole(positions: Array) -> Array:
    """Return the mean (markers, 3); NaN where a marker misses in a single instant, as OpenSim has it."""
    mean: Array = positions.mean(axis=0)
    whole: NDArray[np.bool_] = np.asarray(np.isfinite(positions).all(axis=(0, 2)))
    return np.where(whole[:, None], mean, np.nan)
