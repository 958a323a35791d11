"""Geodesics over a level set, step by step.

A geodesic leaves a point in a direction and never turns within the surface: x'' is normal to it. Two further
solutions travel with it, the Jacobi fields a (its neighbour starts beside it) and r (its neighbour starts at
another angle), both a'' + K a = 0.
"""

from __future__ import annotations

import math

import numpy as np

from borelli.kernels.jit import lean
from borelli.kernels.paths.surface import (
    bent,
    gaussian_curvature,
    gradient,
    onto,
    smallest_radius,
)
from borelli.kernels.paths.vectors import Vector, along, dot, unit

N_STATE = 10
"""Position (3), direction (3), a, a', r, r'."""
ROWS = 10
"""Rows of the scratch memory that following a geodesic needs: the state, and nine to work in."""
_COLUMNS = 6
"""Depth of the extrapolation: order 12 in the step."""
_MOST_STEPS = 60


@lean
def _rate(kind: int, size: Vector, y: np.ndarray, out: np.ndarray) -> None:
    x, t = (y[0], y[1], y[2]), (y[3], y[4], y[5])
    normal = gradient(kind, size, x)
    pull = -dot(t, bent(kind, size, x, t)) / dot(normal, normal)
    curvature = gaussian_curvature(kind, size, x)
    out[0], out[1], out[2] = t
    out[3], out[4], out[5] = pull * normal[0], pull * normal[1], pull * normal[2]
    out[6], out[7] = y[7], -curvature * y[6]
    out[8], out[9] = y[9], -curvature * y[8]


@lean
def _step(kind: int, size: Vector, y: np.ndarray, h: float, work: np.ndarray) -> None:
    """Advance by h in place: midpoint rule with 2, 4, 6 … substeps, extrapolated to none (Gragg 1965)."""
    rate, before, here = work[0], work[1], work[2]
    table = work[3 : 3 + _COLUMNS]
    for column in range(_COLUMNS):
        n = 2 * (column + 1)
        small = h / n
        _rate(kind, size, y, rate)
        for i in range(N_STATE):
            before[i] = y[i]
            here[i] = y[i] + small * rate[i]
        for _ in range(n - 1):
            _rate(kind, size, here, rate)
            for i in range(N_STATE):
                later = before[i] + 2.0 * small * rate[i]
                before[i] = here[i]
                here[i] = later
        _rate(kind, size, here, rate)
        for i in range(N_STATE):
            value = 0.5 * (before[i] + here[i] + small * rate[i])
            # Neville: the row of this column replaces that of the one before.
            for k in range(1, column + 1):
                ratio = (column + 1.0) / (column + 1.0 - k)
                better = value + (value - table[k - 1, i]) / (ratio * ratio - 1.0)
                table[k - 1, i] = value
                value = better
            table[column, i] = value
    for i in range(N_STATE):
        y[i] = table[_COLUMNS - 1, i]


@lean
def follow(
    kind: int, size: Vector, start: Vector, direction: Vector, way: float, y: np.ndarray, work: np.ndarray
) -> None:
    """Follow the geodesic from a point for some way (m); the state at the end is written to ``y``."""
    y[0], y[1], y[2] = start
    y[3], y[4], y[5] = direction
    y[6], y[7], y[8], y[9] = 1.0, 0.0, 0.0, 1.0
    reach = 0.7 * smallest_radius(kind, size)
    n_steps = min(_MOST_STEPS, max(1, math.ceil(abs(way) / reach)))
    for _ in range(n_steps):
        _step(kind, size, y, way / n_steps, work)
        x = onto(kind, size, (y[0], y[1], y[2]))
        t = tangent(kind, size, x, (y[3], y[4], y[5]))
        y[0], y[1], y[2] = x
        y[3], y[4], y[5] = t


@lean
def point_ahead(
    kind: int, size: Vector, start: Vector, direction: Vector, way: float, scratch: np.ndarray
) -> Vector:
    """Point at some way (m) along the geodesic that leaves a point in a direction."""
    follow(kind, size, start, direction, way, scratch[0], scratch[1:])
    return (scratch[0, 0], scratch[0, 1], scratch[0, 2])


@lean
def tangent(kind: int, size: Vector, x: Vector, v: Vector) -> Vector:
    """Direction of a vector within the surface."""
    normal = unit(gradient(kind, size, x))
    return unit(along(v, -dot(v, normal), normal))
