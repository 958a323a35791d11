"""Surfaces without closed-form geodesics, as level sets: value, gradient, Hessian and Gaussian curvature.

``size`` holds the three semi-axes of an ellipsoid, or the radius of a torus' tube and of its ring (m). Of a kind
of surface that is not known here all numbers are NaN: it is never taken for another one.
"""

from __future__ import annotations

import math

from borelli.kernels.jit import lean
from borelli.kernels.paths.contact import ELLIPSOID, is_torus
from borelli.kernels.paths.vectors import NOWHERE, Vector, along, dot


@lean
def level(kind: int, size: Vector, x: Vector) -> float:
    """Zero on the surface, positive outside."""
    if kind == ELLIPSOID:
        return (x[0] / size[0]) ** 2 + (x[1] / size[1]) ** 2 + (x[2] / size[2]) ** 2 - 1.0
    if not is_torus(kind):
        return math.nan
    off = math.sqrt(x[0] * x[0] + x[1] * x[1]) - size[1]
    return (off * off + x[2] * x[2]) / (size[0] * size[0]) - 1.0


@lean
def gradient(kind: int, size: Vector, x: Vector) -> Vector:
    """Gradient of the level: an outward normal (1/m)."""
    if kind == ELLIPSOID:
        return (
            2.0 * x[0] / (size[0] * size[0]),
            2.0 * x[1] / (size[1] * size[1]),
            2.0 * x[2] / (size[2] * size[2]),
        )
    if not is_torus(kind):
        return NOWHERE
    scale = 2.0 / (size[0] * size[0])
    k = scale * (1.0 - size[1] / math.sqrt(x[0] * x[0] + x[1] * x[1]))
    return (k * x[0], k * x[1], scale * x[2])


@lean
def bent(kind: int, size: Vector, x: Vector, v: Vector) -> Vector:
    """Hessian of the level times a vector."""
    if kind == ELLIPSOID:
        return (
            2.0 * v[0] / (size[0] * size[0]),
            2.0 * v[1] / (size[1] * size[1]),
            2.0 * v[2] / (size[2] * size[2]),
        )
    if not is_torus(kind):
        return NOWHERE
    scale = 2.0 / (size[0] * size[0])
    square = x[0] * x[0] + x[1] * x[1]
    ratio = size[1] / math.sqrt(square)
    inward = ratio * (x[0] * v[0] + x[1] * v[1]) / square
    k = 1.0 - ratio
    return (scale * (k * v[0] + inward * x[0]), scale * (k * v[1] + inward * x[1]), scale * v[2])


@lean
def gaussian_curvature(kind: int, size: Vector, x: Vector) -> float:
    """Product of the principal curvatures (1/m²)."""
    if kind == ELLIPSOID:
        p, q, r = size[0] * size[0], size[1] * size[1], size[2] * size[2]
        weight = x[0] * x[0] / (p * p) + x[1] * x[1] / (q * q) + x[2] * x[2] / (r * r)
        return 1.0 / (p * q * r * weight * weight)
    if not is_torus(kind):
        return math.nan
    distance = math.sqrt(x[0] * x[0] + x[1] * x[1])
    return (distance - size[1]) / (size[0] * size[0] * distance)


@lean
def smallest_radius(kind: int, size: Vector) -> float:
    """Smallest radius of curvature anywhere on the surface (m)."""
    if kind == ELLIPSOID:
        least, most = min(size[0], size[1], size[2]), max(size[0], size[1], size[2])
        return least * least / most
    return min(size[0], size[1] - size[0]) if is_torus(kind) else math.nan


@lean
def least_size(kind: int, size: Vector) -> float:
    """Smallest semi-axis of an ellipsoid, radius of a torus' tube (m)."""
    if kind == ELLIPSOID:
        return min(size[0], size[1], size[2])
    return size[0] if is_torus(kind) else math.nan


@lean
def onto(kind: int, size: Vector, x: Vector) -> Vector:
    """Bring a point that is close to the surface onto it, along the gradient."""
    # From close by each step doubles the digits: 2 and 80 pass the same tests of paths.
    for _ in range(8):
        value = level(kind, size, x)
        # Terms of a level are about one: this is their round-off, where Newton's method ends.
        if abs(value) < 1e-15:
            break
        normal = gradient(kind, size, x)
        x = along(x, -value / dot(normal, normal), normal)
    return x
