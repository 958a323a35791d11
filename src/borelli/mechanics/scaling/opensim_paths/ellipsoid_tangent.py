"""Where a line through a point touches the section of an ellipsoid with a plane, as OpenSim finds it.

Damped least squares on four equations (in the plane, on the ellipsoid, a tangent plane through both points) with
OpenSim's damping, its step lengths and its stop at a sum of squares of 1e-8: the answer is OpenSim's, not the root.
"""

from __future__ import annotations

import numpy as np

from borelli.mechanics.scaling.opensim_paths.segment import dot, unit

# OpenSim's own numbers (WrapEllipsoid): a point this near is its own tangent; where, and after how much, it stops.
_TOUCHES = 1e-4
_ENOUGH = 1e-8
_MOST_STEPS = 50
_MOST_TRIES = 1000


class _Equations:
    """The four equations of a point r and an offset d: in plane, on surface, tangent at r, tangent through p."""

    def __init__(self, p: np.ndarray, a: np.ndarray, normal: np.ndarray, offset: float) -> None:
        self.p, self.square, self.normal, self.offset = p, a * a, normal, offset

    def residuals(self, x: np.ndarray) -> np.ndarray:
        r, d = x[:3], x[3]
        outward = 2.0 * r / self.square
        return np.array(
            [
                dot(self.normal, r) + self.offset,
                float(np.sum(r * r / self.square)) - 1.0,
                dot(outward, r) + d,
                dot(outward, self.p) + d,
            ]
        )

    def slopes(self, x: np.ndarray) -> np.ndarray:
        """Derivatives of the equations (columns) by the unknowns (rows)."""
        r = x[:3]
        slopes = np.zeros((4, 4))
        slopes[:3, 0] = self.normal
        slopes[:3, 1] = 2.0 * r / self.square
        slopes[:3, 2] = 4.0 * r / self.square
        slopes[:3, 3] = 2.0 * self.p / self.square
        slopes[3, 2:] = 1.0
        return slopes


def tangent_in_plane(
    over: float, start: np.ndarray, p: np.ndarray, a: np.ndarray, normal: np.ndarray, offset: float
) -> np.ndarray:
    """Return the tangent point.

    Parameters
    ----------
    over : float
        How far p is from the surface: the equation of the ellipsoid at p.
    start, p, a : (3,) float
        First guess; the point outside; the semi-axes.
    normal, offset
        Of the plane: normal · r + offset = 0.
    """
    if abs(over) < _TOUCHES:
        return p.copy()
    equations = _Equations(p, a, normal, offset)
    x = np.append(start, -dot(2.0 * start / (a * a), start))
    error = equations.residuals(x)
    before = now = float(error @ error)
    damping = 0.01
    towards_centre = unit(p)
    step = np.zeros(4)
    for _ in range(_MOST_STEPS):
        if not now > _ENOUGH:
            break
        slopes = equations.slopes(x)
        cosine = dot(unit(p - x[:3]), towards_centre)
        shorten = 1.0 - cosine**100 if cosine > 0.1 else 1.0
        wanted = -(slopes @ error)
        normal_matrix = slopes @ slopes.T
        diagonal = np.diag(normal_matrix).copy()
        tries = 0
        while now >= before and tries < _MOST_TRIES:
            np.fill_diagonal(normal_matrix, diagonal * (1.0 + damping))
            step = shorten * _solved(normal_matrix, wanted) / 16.0
            x = x + step
            error = equations.residuals(x)
            before, now = now, float(error @ error)
            damping *= 4.0
            tries += 1
        damping /= 8.0
        # Then along the same step, each time twice as far, until that is worse; that last one is taken back.
        stretch, tries = 0.5, 0
        while now <= before and tries < _MOST_TRIES:
            stretch *= 2.0
            x = x + step * stretch
            error = equations.residuals(x)
            before, now = now, float(error @ error)
            tries += 1
        x = x - step * stretch
        error = equations.residuals(x)
        before = now = float(error @ error)
    return x[:3]


def _solved(matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
    try:
        return np.linalg.solve(matrix, right)
    except np.linalg.LinAlgError:
        return np.full(4, np.nan)
