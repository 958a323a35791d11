"""Slopes and curvatures of the natural spline of degree five at its rows."""

from __future__ import annotations

import numpy as np

from borelli.kernels.jit import lean

BAND = 4
"""Entries of a row of the system up to its diagonal."""


@lean
def solve_quintic(step: np.ndarray, values: np.ndarray, band: np.ndarray, out: np.ndarray) -> None:
    """Find the slopes and curvatures that make the integral of the squared third derivative least.

    Between two rows a step h apart that integral is, with slopes p, q and curvatures b, c at the ends and the rise d,
    ``(720 d² - 720 d h (p + q) - 120 d h² (b - c) + h² (192 p² + 336 p q + 192 q²) + h³ (72 p b - 48 p c + 48 q b
    - 72 q c) + h⁴ (9 b² - 6 b c + 9 c²)) / h⁵``. Half its derivatives by p, q, b and c are the equations: symmetric,
    positive definite, three entries beside the diagonal; solved as L D Lᵀ without exchanges.

    Parameters
    ----------
    step : (n - 1,)
        Steps of time (s), positive.
    values : (n, n_columns)
    band : (2 n, BAND)
        Scratch memory; zeros.
    out : (2 n, n_columns)
        Filled: slope and curvature of each row in turn. Zeros at first.
    """
    _assemble(step, values, band, out)
    size, columns = out.shape
    for i in range(size):
        # Entries of L times those of D, from the left; then L itself, and D.
        for k in range(min(i, BAND - 1), 0, -1):
            entry = band[i, k]
            for m in range(k + 1, min(i, BAND - 1) + 1):
                entry -= band[i, m] * band[i - k, m - k]
            band[i, k] = entry
        for k in range(min(i, BAND - 1), 0, -1):
            whole = band[i, k]
            part = whole / band[i - k, 0]
            band[i, 0] -= part * whole
            band[i, k] = part
        for k in range(1, min(i, BAND - 1) + 1):
            for column in range(columns):
                out[i, column] -= band[i, k] * out[i - k, column]
    for i in range(size - 1, -1, -1):
        for column in range(columns):
            out[i, column] /= band[i, 0]
        for k in range(1, min(size - 1 - i, BAND - 1) + 1):
            for column in range(columns):
                out[i, column] -= band[i + k, k] * out[i + k, column]


@lean
def _assemble(step: np.ndarray, values: np.ndarray, band: np.ndarray, out: np.ndarray) -> None:
    for row in range(len(step)):
        each = 1.0 / step[row]
        squared = each * each
        cubed = squared * each
        p, b, q, c = 2 * row, 2 * row + 1, 2 * row + 2, 2 * row + 3
        band[p, 0] += 192.0 * cubed
        band[b, 0] += 9.0 * each
        band[b, 1] += 36.0 * squared
        band[q, 0] += 192.0 * cubed
        band[q, 1] += 24.0 * squared
        band[q, 2] += 168.0 * cubed
        band[c, 0] += 9.0 * each
        band[c, 1] -= 36.0 * squared
        band[c, 2] -= 3.0 * each
        band[c, 3] -= 24.0 * squared
        for column in range(values.shape[1]):
            rise = values[row + 1, column] - values[row, column]
            push, turn = 360.0 * squared * squared * rise, 60.0 * cubed * rise
            out[p, column] += push
            out[b, column] += turn
            out[q, column] += push
            out[c, column] -= turn
