"""What comes of a line and a surface: does it wrap, where does it touch, how long is the way over the surface?

The rules that decide *whether* and *on which side* a line wraps are OpenSim's, so that its models mean here
what they mean there; the way itself is the geodesic. Everything is in the axes of the surface.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from borelli.kernels.jit import lean
from borelli.kernels.paths.vectors import Vector

CYLINDER, SPHERE, ELLIPSOID, TORUS, TORUS_AGAIN, CONE = range(6)
SURFACES = ("cylinder", "sphere", "ellipsoid", "torus", "torus again", "cone")
"""Kinds of surfaces by their numbers. A line through a ring may touch it on two sides: the second contact has a kind
of its own."""
CLOSED_FORM = (CYLINDER, SPHERE, CONE)
"""Surfaces whose geodesics are known in closed form: no scratch memory to follow them in is needed."""

FREE = 0
"""The line passes by."""
OPTIONAL = 1
"""It wraps if no other section of the path wraps over the surface at less cost."""
CERTAIN = 2
"""It wraps: the straight line would cut through the surface."""
INSIDE = 3
"""An end lies inside the surface, so that no way over it exists."""
LOST = 4
"""It should wrap, but no geodesic was found."""


@lean
def is_torus(kind: int) -> bool:
    """Tell whether a surface is a ring, touched for the first or the second time."""
    return kind in (TORUS, TORUS_AGAIN)


class Contact(NamedTuple):
    """A line that may touch a surface."""

    outcome: int
    first: Vector
    """Where it touches down (m)."""
    last: Vector
    """Where it lifts off (m)."""
    length: float
    """Way over the surface between them (m)."""
    direction: Vector
    """Unit tangent at touch-down."""


@lean
def no_contact(outcome: int) -> Contact:
    """Return a contact that does not take place."""
    zero = (0.0, 0.0, 0.0)
    return Contact(outcome, zero, zero, 0.0, zero)


@lean
def on_side(value: float, sign: int) -> bool:
    """Tell whether a value lies on the side of a sign; zero counts as positive."""
    return (value >= 0.0) == (sign > 0)


@lean
def crossing(x1: float, y1: float, x2: float, y2: float, radius: float) -> tuple[bool, float]:
    """Whether a plane segment cuts a circle about the origin that holds neither end, and where.

    Returns
    -------
    cuts : bool
    place : float
        Position along the segment (0 to 1 inside it) of the point nearest to the centre.
    """
    dx, dy = x2 - x1, y2 - y1
    square = dx * dx + dy * dy
    if square == 0.0:
        return False, 0.5
    place = -(x1 * dx + y1 * dy) / square
    turn = x1 * y2 - y1 * x2
    return 0.0 < place < 1.0 and turn * turn < radius * radius * square, place


@lean
def tangent_point(x: float, y: float, radius: float, way: float) -> tuple[float, float]:
    """Where the tangent from an outer point touches a circle, ``way`` (1 or -1) round it from that point."""
    square = x * x + y * y
    cosine = radius / math.sqrt(square)
    # An end on the circle may lie inside it by a round-off.
    sine = math.sqrt(max(0.0, 1.0 - cosine * cosine))
    k = cosine * cosine
    h = way * cosine * sine
    return k * x - h * y, k * y + h * x


@lean
def angle_round(x1: float, y1: float, x2: float, y2: float, way: float) -> float:
    """Angle from one direction to another, going one way round: 0 to 2 pi."""
    angle = way * math.atan2(x1 * y2 - y1 * x2, x1 * x2 + y1 * y2)
    # A line that just grazes turns by nothing, give or take the last digit: not by a full circle.
    return angle if angle >= 0.0 else 0.0 if angle > -1e-9 else angle + 2.0 * math.pi


@lean
def round_circle(
    x1: float, y1: float, x2: float, y2: float, radius: float, axis: int, sign: int
) -> tuple[int, float]:
    """Decide whether and which way a plane line goes round a circle (neither end inside).

    Parameters
    ----------
    axis, sign : int
        The half that may be touched: axis 0 or 1, sign 1 or -1; sign 0 for all of it.

    Returns
    -------
    outcome : int
    way : float
        1 counter-clockwise, -1 clockwise.
    """
    cuts, place = crossing(x1, y1, x2, y2, radius)
    if sign == 0:
        return CERTAIN if cuts else FREE, 1.0 if x1 * y2 - y1 * x2 >= 0.0 else -1.0
    value1, value2 = (x1, x2) if axis == 0 else (y1, y2)
    outcome = OPTIONAL
    if on_side(value1, sign) or on_side(value2, sign):
        between = value1 + place * (value2 - value1)
        if cuts:
            outcome = CERTAIN
        elif on_side(value1, sign) == on_side(value2, sign) or on_side(between, sign):
            return FREE, 1.0
    ahead1, back1 = tangent_point(x1, y1, radius, 1.0), tangent_point(x1, y1, radius, -1.0)
    ahead2, back2 = tangent_point(x2, y2, radius, 1.0), tangent_point(x2, y2, radius, -1.0)
    return outcome, way_over_half(ahead1, back1, ahead2, back2, axis, sign)


@lean
def way_over_half(
    ahead1: tuple[float, float],
    back1: tuple[float, float],
    ahead2: tuple[float, float],
    back2: tuple[float, float],
    axis: int,
    sign: int,
) -> float:
    """The way round on which a line leaves its first end towards the wanted half, or comes from it to its second.

    The first tangent that tells decides: where both or neither of the tangents from one end touch the half, those
    from the other end do; where none of the four does, the longer way of both goes over it.

    Parameters
    ----------
    ahead1, back1, ahead2, back2 : (float, float)
        Where the tangents from each end touch, counter-clockwise and clockwise round from it.
    """
    goes1, comes1 = on_side(ahead1[axis], sign), on_side(back1[axis], sign)
    if goes1 != comes1:
        return 1.0 if goes1 else -1.0
    goes2, comes2 = on_side(back2[axis], sign), on_side(ahead2[axis], sign)
    if goes1:
        return -1.0 if comes2 else 1.0
    if comes2:
        return -1.0
    if goes2:
        return 1.0
    one = ahead1[0] * back2[0] + ahead1[1] * back2[1]
    other = back1[0] * ahead2[0] + back1[1] * ahead2[1]
    return 1.0 if one < other else -1.0
