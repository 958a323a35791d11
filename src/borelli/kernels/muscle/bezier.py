"""Curves made of quintic Bézier corners, as functions of x.

A corner joins two points with given slopes; its inner control points sit in pairs on the two tangents, which
makes the second derivative vanish at both ends. Outside its corners a curve goes on straight.
"""

from __future__ import annotations

import numpy as np

from borelli.errors import InvalidValueError
from borelli.kernels.jit import jit


def corner(
    x0: float, y0: float, slope0: float, x1: float, y1: float, slope1: float, curviness: float
) -> np.ndarray:
    """Control points of a corner: six x, then six y.

    Parameters
    ----------
    curviness : float
        From 0 (wide) to 1 (sharp); a tenth of the range is kept at both ends so that no kink arises.
    """
    part = 0.1 + 0.8 * curviness
    meeting = 0.5 * (x0 + x1)
    if abs(slope0 - slope1) > np.sqrt(np.finfo(float).eps):
        meeting = (y1 - y0 - x1 * slope1 + x0 * slope0) / (slope0 - slope1)
    height = (meeting - x1) * slope1 + y1
    apart = np.hypot(x1 - x0, y1 - y0)
    if not apart > max(np.hypot(meeting - x0, height - y0), np.hypot(meeting - x1, height - y1)):
        raise InvalidValueError(
            f"a muscle curve cannot run from ({x0:g}, {y0:g}) with slope {slope0:g} "
            f"to ({x1:g}, {y1:g}) with slope {slope1:g} in one bend."
        )
    a, b = x0 + part * (meeting - x0), x1 + part * (meeting - x1)
    c, d = y0 + part * (height - y0), y1 + part * (height - y1)
    return np.array([x0, a, a, b, b, x1, y0, c, c, d, d, y1])


@jit
def _point(table: np.ndarray, row: int, first: int, u: float) -> tuple[float, float]:
    """Value and derivative by u of one coordinate of a corner, whose inner control points come in pairs."""
    v = 1.0 - u
    p, q, r, s = table[row, first], table[row, first + 1], table[row, first + 3], table[row, first + 5]
    # Bernstein's six terms, those of a pair of equal control points taken together, by products without powers.
    value = v * v * v * (v * v * p + u * (5.0 * v + 10.0 * u) * q)
    value += u * u * u * (u * u * s + v * (5.0 * u + 10.0 * v) * r)
    slope = 5.0 * (v * v * v * v * (q - p) + 6.0 * u * u * v * v * (r - q) + u * u * u * u * (s - r))
    return value, slope


@jit
def value(table: np.ndarray, first: int, stop: int, x: float) -> float:
    """Value at x of the curve whose corners are the rows ``first`` to ``stop - 1`` of a table, (n, 12)."""
    if x <= table[first, 0]:
        slope = (table[first, 7] - table[first, 6]) / (table[first, 1] - table[first, 0])
        return table[first, 6] + slope * (x - table[first, 0])
    last = stop - 1
    if x >= table[last, 5]:
        slope = (table[last, 11] - table[last, 10]) / (table[last, 5] - table[last, 4])
        return table[last, 11] + slope * (x - table[last, 5])
    row = first
    while x > table[row, 5]:
        row += 1
    low, high = 0.0, 1.0
    u = (x - table[row, 0]) / (table[row, 5] - table[row, 0])
    # Sixty halvings use up all digits of the bracket; Newton's method needs a handful.
    for _ in range(60):
        place, rate = _point(table, row, 0, u)
        error = place - x
        if error > 0.0:
            high = u
        else:
            low = u
        ahead = u - error / rate if rate > 0.0 else 2.0
        if not low <= ahead <= high:
            ahead = 0.5 * (low + high)
        moved = abs(ahead - u)
        u = ahead
        # Parameters run from zero to one: the rest is round-off.
        if moved <= 1e-14:
            break
    return _point(table, row, 6, u)[0]
