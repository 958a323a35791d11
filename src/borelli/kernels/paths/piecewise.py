"""Polynomials between breaks: value and slope in one pass."""

from __future__ import annotations

import numpy as np

from borelli.kernels.jit import lean


@lean
def piecewise(
    breaks: np.ndarray,
    origins: np.ndarray,
    coefficients: np.ndarray,
    x: np.ndarray,
    value: np.ndarray,
    slope: np.ndarray,
) -> None:
    """Evaluate a function of one coordinate; ``value`` and ``slope``, (n,), are filled.

    Parameters
    ----------
    breaks, origins, coefficients : (n_pieces - 1,), (n_pieces,), (n_pieces, degree + 1)
        Piece i holds where breaks[i-1] <= x < breaks[i]: ascending powers of x - origins[i].
    x : (n,)
    """
    piece, last, degree = 0, len(breaks), coefficients.shape[1] - 1
    for k in range(len(x)):
        # Motion is slow: the piece is that of the instant before, or close to it.
        while piece < last and x[k] >= breaks[piece]:
            piece += 1
        while piece > 0 and x[k] < breaks[piece - 1]:
            piece -= 1
        local = x[k] - origins[piece]
        total, rate = coefficients[piece, degree], 0.0
        for power in range(degree - 1, -1, -1):
            rate = rate * local + total
            total = total * local + coefficients[piece, power]
        value[k], slope[k] = total, rate
