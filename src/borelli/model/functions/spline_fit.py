"""The equations behind the splines: pieces between data points from the points themselves."""

from __future__ import annotations

from math import factorial
from typing import Any

import numpy as np

from borelli.model.functions.piecewise import PiecewisePolynomial, with_tails

# Loaded where needed: scipy, whose parts are slow to load and seldom needed.

_LEAST_GAP = 1e-7
"""Points closer than this count as so far apart: published curves repeat points, and SIMM and OpenSim read them so."""


def gap(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Distance between abscissas, for divisions: never below 1e-7."""
    return np.maximum(right - left, _LEAST_GAP)


def simm_cubic(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, float, float]:
    """Return the pieces of a cubic spline whose end third derivatives come from divided differences.

    The unknowns are sigma = f''/6 at the points. Interior rows ask for a continuous slope; the first row asks
    for the third derivative of the cubic through the first four points, sigma_1 - sigma_0 = h_0 f[x0..x3]
    (three points: a parabola; two: a straight line) [Forsythe, Malcolm & Moler 1977, ch. 4].

    Parameters
    ----------
    x, y : (n,) float

    Returns
    -------
    pieces : (n - 1, 4) float
        Ascending powers about the left point of each interval.
    last_slope, last_value : float
        At the last point.
    """
    n = len(x)
    h = gap(x[:-1], x[1:])
    slope = np.diff(y) / h
    if n == 2:
        return np.array([[y[0], slope[0], 0.0, 0.0]]), float(slope[0]), float(y[-1])
    diagonal = np.empty(n)
    right_side = np.zeros(n)
    diagonal[1:-1] = 2 * (h[:-1] + h[1:])
    right_side[1:-1] = np.diff(slope)
    diagonal[0], diagonal[-1] = -h[0], -h[-1]
    if n > 3:
        second = np.diff(slope) / gap(x[:-2], x[2:])
        right_side[0] = h[0] ** 2 * (second[1] - second[0]) / gap(x[0], x[3])
        right_side[-1] = -(h[-1] ** 2) * (second[-1] - second[-2]) / gap(x[-4], x[-1])
    return _cubic_pieces(h, y, slope, _solve_tridiagonal(diagonal, h, right_side))


def natural_cubic(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, float, float]:
    """Return the pieces of the cubic spline with no second derivative at its ends; see :func:`simm_cubic`."""
    h = np.diff(x)
    slope = np.diff(y) / h
    sigma = np.zeros(len(x))
    if len(x) > 2:
        sigma[1:-1] = _solve_tridiagonal(2 * (h[:-1] + h[1:]), h[1:-1], np.diff(slope))
    return _cubic_pieces(h, y, slope, sigma)


def natural_odd_degree(x: np.ndarray, y: np.ndarray, degree: int) -> PiecewisePolynomial:
    """Return the interpolating natural spline of degree 2 m - 1, with its tails of degree m - 1."""
    from scipy.interpolate import PPoly, make_interp_spline

    m = (degree + 1) // 2
    natural: Any = [(order, 0.0) for order in range(m, degree)]
    ends: Any = (natural, natural) if natural else None
    spline: Any = make_interp_spline(x, y, k=degree, bc_type=ends)
    pieces = PPoly.from_spline(spline)
    # The knots repeat at the ends; only the intervals between data points have a length.
    inner = pieces.c[::-1, degree:-degree].T
    left = inner[0, :m]
    right = np.array([spline(x[-1], order) / factorial(order) for order in range(m)])
    return with_tails(x, np.ascontiguousarray(inner), left, right)


def _cubic_pieces(
    h: np.ndarray, y: np.ndarray, slope: np.ndarray, sigma: np.ndarray
) -> tuple[np.ndarray, float, float]:
    pieces = np.column_stack(
        [y[:-1], slope - h * (sigma[1:] + 2 * sigma[:-1]), 3 * sigma[:-1], np.diff(sigma) / h]
    )
    last_slope = slope[-1] + h[-1] * (sigma[-2] + 2 * sigma[-1])
    return pieces, float(last_slope), float(y[-1])


def _solve_tridiagonal(diagonal: np.ndarray, beside: np.ndarray, right_side: np.ndarray) -> np.ndarray:
    """Solve a symmetric tridiagonal system by elimination without exchange of rows."""
    d, b = diagonal.copy(), right_side.copy()
    for i in range(1, len(d)):
        factor = beside[i - 1] / d[i - 1]
        d[i] -= factor * beside[i - 1]
        b[i] -= factor * b[i - 1]
    b[-1] /= d[-1]
    for i in range(len(d) - 2, -1, -1):
        b[i] = (b[i] - beside[i] * b[i + 1]) / d[i]
    return b
