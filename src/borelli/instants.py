"""Which rows of a recording are instants of their own.

Programs that integrate write their last row a round-off after the row before. A spline through both has no
meaning there: what differs between the rows is round-off, divided by 1e-14 s, twice.
"""

from __future__ import annotations

import numpy as np

SAME_INSTANT = 1e-6
"""Rows nearer than this fraction of the usual step are one instant.

The first steps of OpenSim's integrators, 1e-8 s, are longer (4e-6 of the usual step and more in its published
results), its repeated last rows are much nearer (below 1e-9).
"""
SAME_ROW = 1e-2
"""The same for rows whose numbers are all equal."""
_ROUND_OFF = 1e-9


def distinct(time: np.ndarray, values: np.ndarray | None = None) -> np.ndarray:
    """Tell which rows are instants of their own: the first of those that are one instant, (n_times,) bool.

    Parameters
    ----------
    time : (n_times,) float
        s, not decreasing.
    values : (n_times, …) float, optional
        What was recorded; a row that repeats the one before need not be quite as near to it.
    """
    keep = np.ones(len(time), dtype=bool)
    usual = usual_step(time)
    near = time[1:] - time[:-1] <= SAME_ROW * usual
    if not near.any():
        return keep
    last = 0
    for row in map(int, np.flatnonzero(near) + 1):
        if keep[row - 1]:
            last = row - 1
        gap = time[row] - time[last]
        repeats = values is not None and np.array_equal(values[row], values[last])
        keep[row] = gap > (SAME_ROW if repeats else SAME_INSTANT) * usual
    return keep


def usual_step(time: np.ndarray) -> float:
    """Median of the steps that are more than round-off (s); zero for a single instant."""
    steps = np.diff(time)
    mean = steps.mean() if steps.size else 0.0
    longer = steps[steps > _ROUND_OFF * mean]
    return float(np.median(longer)) if longer.size else 0.0
