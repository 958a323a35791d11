"""Curves that a model gives as functions: pieces of polynomials up to the seventh degree."""

from __future__ import annotations

import numpy as np

from borelli.kernels.jit import jit


def pieces(breaks: np.ndarray, origins: np.ndarray, coefficients: np.ndarray) -> np.ndarray:
    """Rows (start, origin, eight ascending coefficients) of a table, (n, 12), for :func:`value`.

    Parameters
    ----------
    breaks : (n - 1,) float
        Ascending borders between the pieces; the outer ones reach to infinity.
    origins : (n,) float
        Point about which each polynomial is written.
    coefficients : (n, ≤ 8) float
        Ascending powers of (x - origin).
    """
    table = np.zeros((len(origins), 12))
    table[0, 0], table[1:, 0] = -np.inf, breaks
    table[:, 1] = origins
    table[:, 2 : 2 + coefficients.shape[1]] = coefficients
    return table


@jit
def value(table: np.ndarray, first: int, stop: int, x: float) -> float:
    """Value at x of the curve whose pieces are the rows ``first`` to ``stop - 1`` of a table."""
    low, high = first, stop
    while high - low > 1:
        middle = (low + high) // 2
        if x < table[middle, 0]:
            high = middle
        else:
            low = middle
    step = x - table[low, 1]
    total = 0.0
    for column in range(9, 1, -1):
        total = total * step + table[low, column]
    return total
