"""The natural spline of degree five through the rows of a recording: its slopes and curvatures at the rows.

Of all curves through the rows it is the one with the least integral of the squared third derivative, and between two
rows it is the quintic that has the value, slope and curvature of both. So slopes and curvatures are those that make the
integral least.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from borelli.records import dataclass

Array = NDArray[np.float64]


@dataclass(frozen=True)
class QuinticSpline:
    """Quintics between rows, that meet in value and four derivatives.

    Attributes
    ----------
    time : (n_times,) float
        s, increasing.
    pieces : (6, n_times - 1, n_columns) float
        Coefficients of the powers of the time since the row before, the constant first.
    """

    time: Array
    pieces: Array

    def __call__(self, instants: Array | float, derivative: int = 0) -> Array:
        """Return values or derivatives at instants, (…, n_columns); outside, those of the first or last piece."""
        instants = np.asarray(instants, dtype=float)
        piece = np.clip(np.searchsorted(self.time, instants, side="right") - 1, 0, len(self.time) - 2)
        since = np.asarray(instants - self.time[piece])[..., None]
        found = np.zeros((*instants.shape, *self.pieces.shape[2:]))
        for power in range(5, derivative - 1, -1):
            factor = float(np.prod(np.arange(power - derivative + 1, power + 1)))
            found = found * since + factor * self.pieces[power][piece]
        return found


def natural_quintic_spline(time: Array, values: Array) -> QuinticSpline:
    """Return the interpolating natural spline of degree five.

    Parameters
    ----------
    time : (n_times,) float
        s, increasing; at least three.
    values : (n_times, n_columns) float
        Without NaN.

    Guarantees, each a test
    -----------------------
    - at even steps its slopes and curvatures are nearer to those found with 50 digits than those of scipy's spline
    """
    # Loaded here: it brings the compiler, and reading a file needs none.
    from borelli.kernels.quintic_spline import BAND, solve_quintic

    step = np.diff(time)
    solved = np.zeros((2 * len(time), values.shape[1]))
    solve_quintic(step, np.ascontiguousarray(values), np.zeros((2 * len(time), BAND)), solved)
    slope, curvature = np.ascontiguousarray(solved[::2]), np.ascontiguousarray(solved[1::2])
    h = step[:, None]
    rise = np.diff(values, axis=0)
    mean, before, after = rise / h, slope[:-1], slope[1:]
    bend, turn = h * curvature[:-1], h * curvature[1:]
    # The quintic of value, slope and curvature at both ends.
    pieces = np.stack(
        [
            values[:-1],
            before,
            0.5 * curvature[:-1],
            (10.0 * mean - 6.0 * before - 4.0 * after - 1.5 * bend + 0.5 * turn) / h**2,
            (-15.0 * mean + 8.0 * before + 7.0 * after + 1.5 * bend - turn) / h**3,
            (6.0 * mean - 3.0 * before - 3.0 * after - 0.5 * bend + 0.5 * turn) / h**4,
        ]
    )
    return QuinticSpline(time, pieces)
