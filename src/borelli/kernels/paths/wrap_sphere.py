"""Wrapping over a sphere about its own origin: the geodesic is an arc of a great circle, in closed form."""

from __future__ import annotations

import math

from borelli.kernels.jit import lean
from borelli.kernels.paths.contact import (
    CERTAIN,
    FREE,
    INSIDE,
    OPTIONAL,
    Contact,
    angle_round,
    crossing,
    no_contact,
    on_side,
    tangent_point,
)
from borelli.kernels.paths.vectors import (
    Vector,
    along,
    dot,
    norm,
    perpendicular,
    scale,
    signed_axis,
    subtract,
    unit,
)


@lean
def wrap_sphere(a: Vector, b: Vector, size: Vector, axis: int, sign: int) -> Contact:
    """Wrap the line from a to b over a sphere, in the plane of both ends and the centre.

    Parameters
    ----------
    a, b : Vector
        Ends of the line (m).
    size : Vector
        Radius (m), twice unused.
    axis, sign : int
        Half that may be touched; sign 0 for the whole sphere.
    """
    radius = size[0]
    far_a, far_b = norm(a), norm(b)
    if far_a < radius or far_b < radius:
        return no_contact(INSIDE)
    e1 = scale(1.0 / far_a, a)
    x2 = dot(b, e1)
    rest = along(b, -x2, e1)
    y2 = norm(rest)
    # Straight through the centre every plane is as good as another: take one that contains the wanted half.
    if y2 > 1e-12 * far_b:
        # Once more: close to the centre the first difference has lost most of its digits.
        e2 = unit(along(rest, -dot(rest, e1), e1))
    else:
        e2, y2 = _upwards(e1, axis, sign), 0.0
    cuts, _ = crossing(far_a, 0.0, x2, y2, radius)
    if not cuts:
        return no_contact(FREE)
    way = 1.0
    outcome = OPTIONAL if sign == 0 else CERTAIN
    if sign != 0 and not (on_side(a[axis], sign) and on_side(b[axis], sign)):
        x, y = tangent_point(far_a, 0.0, radius, -1.0)
        u, v = tangent_point(x2, y2, radius, 1.0)
        # The far way pulls towards the wanted half: take it.
        pull = (x - far_a + u - x2) * e1[axis] + (y + v - y2) * e2[axis]
        way = -1.0 if pull * sign >= 0.0 else 1.0
        if not (on_side(a[axis], sign) or on_side(b[axis], sign)):
            outcome = OPTIONAL
    x1, y1 = tangent_point(far_a, 0.0, radius, way)
    u2, v2 = tangent_point(x2, y2, radius, -way)
    arc = radius * angle_round(x1, y1, u2, v2, way)
    first = along(scale(x1, e1), y1, e2)
    last = along(scale(u2, e1), v2, e2)
    direction = along(scale(-way * y1 / radius, e1), way * x1 / radius, e2)
    return Contact(outcome, first, last, arc, direction)


@lean
def _upwards(e1: Vector, axis: int, sign: int) -> Vector:
    wanted = signed_axis(axis, sign)
    across = subtract(wanted, scale(dot(wanted, e1), e1))
    length = norm(across)
    # Along the axis of the wanted half every plane is as good as another.
    return perpendicular(e1) if length < 1e-6 else scale(1.0 / length, across)


@lean
def along_great_circle(start: Vector, direction: Vector, way: float) -> Vector:
    """Point at some way (m) along the great circle that leaves a point of the sphere in a direction."""
    radius = norm(start)
    angle = way / radius
    return along(scale(math.cos(angle), start), radius * math.sin(angle), direction)
