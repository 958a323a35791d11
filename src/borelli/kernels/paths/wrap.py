"""Any surface: the contact of a line with it, points along the way over it, and its shape.

A surface has a branch in each function; of one that no branch knows lines are lost and numbers NaN.
"""

from __future__ import annotations

import math

import numpy as np

from borelli.kernels.jit import lean, shared
from borelli.kernels.paths.contact import (
    CONE,
    CYLINDER,
    ELLIPSOID,
    LOST,
    SPHERE,
    Contact,
    is_torus,
    no_contact,
)
from borelli.kernels.paths.geodesic import point_ahead
from borelli.kernels.paths.surface import level, smallest_radius
from borelli.kernels.paths.vectors import NOWHERE, Vector
from borelli.kernels.paths.wrap_cone import along_cone, wrap_cone
from borelli.kernels.paths.wrap_cylinder import along_helix, wrap_cylinder
from borelli.kernels.paths.wrap_ellipsoid import wrap_ellipsoid
from borelli.kernels.paths.wrap_sphere import along_great_circle, wrap_sphere
from borelli.kernels.paths.wrap_torus import wrap_torus


@shared
def wrap(
    kind: int, size: Vector, axis: int, sign: int, a: Vector, b: Vector, scratch: np.ndarray | None
) -> Contact:
    """Wrap the line from a to b over a surface; all in its own axes (m).

    Parameters
    ----------
    scratch : (SCRATCH,) or None
        Scratch memory to follow geodesics in. None says that all surfaces have them in closed form: the rest is then
        not even compiled.
    """
    if kind == CYLINDER:
        return wrap_cylinder(a, b, size, axis, sign)
    if kind == SPHERE:
        return wrap_sphere(a, b, size, axis, sign)
    if kind == CONE:
        return wrap_cone(a, b, size, axis, sign)
    if scratch is not None:
        if kind == ELLIPSOID:
            return wrap_ellipsoid(kind, a, b, size, axis, sign, scratch)
        if is_torus(kind):
            return wrap_torus(kind, a, b, size, axis, sign, scratch)
    return no_contact(LOST)


@lean
def over_surface(
    kind: int, size: Vector, start: Vector, direction: Vector, way: float, scratch: np.ndarray | None
) -> Vector:
    """Point at some way (m) along the geodesic that leaves a point of the surface in a direction."""
    if kind == CYLINDER:
        return along_helix(start, direction, way)
    if kind == SPHERE:
        return along_great_circle(start, direction, way)
    if kind == CONE:
        return along_cone(start, direction, way)
    if scratch is not None and (kind == ELLIPSOID or is_torus(kind)):
        return point_ahead(kind, size, start, direction, way, scratch)
    return NOWHERE


@lean
def is_inside(kind: int, size: Vector, x: Vector) -> bool:
    """Tell whether a point lies inside a surface, ends left out of account."""
    if kind == CYLINDER:
        return x[0] * x[0] + x[1] * x[1] < size[0] * size[0]
    if kind == SPHERE:
        return x[0] * x[0] + x[1] * x[1] + x[2] * x[2] < size[0] * size[0]
    if kind == CONE:
        return x[0] * x[0] + x[1] * x[1] < (size[2] * max(x[2], 0.0)) ** 2
    return level(kind, size, x) < 0.0


@lean
def narrowest(kind: int, size: Vector) -> float:
    """Smallest radius of curvature of a surface, ends left out of account (m)."""
    # Towards its apex a cone has no smallest radius; that of its base tells how large it is.
    if kind in (CYLINDER, SPHERE, CONE):
        return size[0]
    return smallest_radius(kind, size)


@lean
def without_ends(kind: int, size: Vector) -> Vector:
    """Size of the same surface without its ends, for those that have some."""
    return (size[0], math.inf, size[2]) if kind in (CYLINDER, CONE) else size
