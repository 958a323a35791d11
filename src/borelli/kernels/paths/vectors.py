"""Vectors as three floats."""

from __future__ import annotations

import math
from typing import TypeAlias

from borelli.kernels.jit import lean

Vector: TypeAlias = tuple[float, float, float]

NOWHERE: Vector = (math.nan, math.nan, math.nan)
"""What there is no answer for."""


@lean
def dot(a: Vector, b: Vector) -> float:
    """Scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@lean
def cross(a: Vector, b: Vector) -> Vector:
    """Vector product."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@lean
def add(a: Vector, b: Vector) -> Vector:
    """Sum."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@lean
def subtract(a: Vector, b: Vector) -> Vector:
    """Difference a - b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@lean
def scale(k: float, a: Vector) -> Vector:
    """Multiple."""
    return (k * a[0], k * a[1], k * a[2])


@lean
def along(a: Vector, k: float, b: Vector) -> Vector:
    """Return a + k b."""
    return (a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2])


@lean
def norm(a: Vector) -> float:
    """Length."""
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@lean
def unit(a: Vector) -> Vector:
    """Direction; a vector of no length stays as it is."""
    length = norm(a)
    return a if length == 0.0 else scale(1.0 / length, a)


@lean
def signed_axis(axis: int, sign: int) -> Vector:
    """Unit vector along an axis (0, 1, 2), or against it."""
    length = float(sign)
    return (length if axis == 0 else 0.0, length if axis == 1 else 0.0, length if axis == 2 else 0.0)


@lean
def perpendicular(a: Vector) -> Vector:
    """Some unit vector normal to a."""
    x, y, z = abs(a[0]), abs(a[1]), abs(a[2])
    if x <= y and x <= z:
        return unit(cross(a, (1.0, 0.0, 0.0)))
    if y <= z:
        return unit(cross(a, (0.0, 1.0, 0.0)))
    return unit(cross(a, (0.0, 0.0, 1.0)))
