"""Wrapping over a cylinder about its own z axis: the geodesic is a helix, in closed form."""

from __future__ import annotations

import math

from borelli.kernels.jit import lean
from borelli.kernels.paths.contact import (
    FREE,
    INSIDE,
    Contact,
    angle_round,
    no_contact,
    round_circle,
    tangent_point,
)
from borelli.kernels.paths.vectors import Vector


@lean
def wrap_cylinder(a: Vector, b: Vector, size: Vector, axis: int, sign: int) -> Contact:
    """Wrap the line from a to b over a cylinder.

    Seen along the axis the path is two tangents and an arc; unrolled, it is straight, so that z grows evenly
    with the way seen along the axis.

    Parameters
    ----------
    a, b : Vector
        Ends of the line (m).
    size : Vector
        Radius and length (m).
    axis, sign : int
        Half that may be touched. Half of the length (axis 2) chooses no side; it admits or refuses contacts.
    """
    radius, half = size[0], 0.5 * size[1]
    square1, square2 = a[0] * a[0] + a[1] * a[1], b[0] * b[0] + b[1] * b[1]
    if square1 < radius * radius or square2 < radius * radius:
        return no_contact(INSIDE)
    outcome, way = round_circle(a[0], a[1], b[0], b[1], radius, axis, 0 if axis == 2 else sign)
    if outcome == FREE:
        return no_contact(FREE)
    x1, y1 = tangent_point(a[0], a[1], radius, way)
    x2, y2 = tangent_point(b[0], b[1], radius, -way)
    arc = radius * angle_round(x1, y1, x2, y2, way)
    before = math.sqrt(square1 - radius * radius)
    after = math.sqrt(square2 - radius * radius)
    slope = (b[2] - a[2]) / (before + arc + after)
    z1, z2 = a[2] + slope * before, b[2] - slope * after
    if abs(z1) > half and abs(z2) > half:
        return no_contact(FREE)
    if axis == 2 and sign * (z1 + z2) < 0.0:
        return no_contact(FREE)
    stretch = math.sqrt(1.0 + slope * slope)
    turn = way / (radius * stretch)
    direction = (-turn * y1, turn * x1, slope / stretch)
    return Contact(outcome, (x1, y1, z1), (x2, y2, z2), arc * stretch, direction)


@lean
def along_helix(start: Vector, direction: Vector, way: float) -> Vector:
    """Point at some way (m) along the helix that leaves a point of the cylinder in a direction."""
    radius = math.sqrt(start[0] * start[0] + start[1] * start[1])
    turn = (start[0] * direction[1] - start[1] * direction[0]) / (radius * radius)
    s, c = math.sin(turn * way), math.cos(turn * way)
    return (c * start[0] - s * start[1], s * start[0] + c * start[1], start[2] + direction[2] * way)
