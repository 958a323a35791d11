"""Any surface: the contact of a line with it, and points along the way over it."""

from __future__ import annotations

import numpy as np

from borelli.kernels.jit import jit
from borelli.kernels.paths.contact import CYLINDER, ELLIPSOID, SPHERE, Contact
from borelli.kernels.paths.geodesic import N_STATE, follow
from borelli.kernels.paths.vectors import Vector
from borelli.kernels.paths.wrap_cylinder import along_helix, wrap_cylinder
from borelli.kernels.paths.wrap_ellipsoid import wrap_ellipsoid
from borelli.kernels.paths.wrap_sphere import along_great_circle, wrap_sphere
from borelli.kernels.paths.wrap_torus import wrap_torus


@jit
def wrap(kind: int, size: Vector, axis: int, sign: int, a: Vector, b: Vector) -> Contact:
    """Wrap the line from a to b over a surface; all in its own axes (m)."""
    if kind == CYLINDER:
        return wrap_cylinder(a, b, size, axis, sign)
    if kind == SPHERE:
        return wrap_sphere(a, b, size, axis, sign)
    if kind == ELLIPSOID:
        return wrap_ellipsoid(a, b, size, axis, sign)
    return wrap_torus(a, b, size, axis, sign)


@jit
def over_surface(kind: int, size: Vector, start: Vector, direction: Vector, way: float) -> Vector:
    """Point at some way (m) along the geodesic that leaves a point of the surface in a direction."""
    if kind == CYLINDER:
        return along_helix(start, direction, way)
    if kind == SPHERE:
        return along_great_circle(start, direction, way)
    y, work = np.empty(N_STATE), np.empty((9, N_STATE))
    follow(kind, size, start, direction, way, y, work)
    return (y[0], y[1], y[2])
