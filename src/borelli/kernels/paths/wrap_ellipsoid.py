"""Wrapping over an ellipsoid about its own axes: a geodesic by Newton's method, started from plane sections.

Planes through the line cut the ellipsoid in ellipses; shrunk to a unit sphere these are circles, whose
tangents are known. The shortest ways among sixteen planes are the guesses.
"""

from __future__ import annotations

import math

import numpy as np

from borelli.kernels.jit import inlined, jit, lean
from borelli.kernels.paths.contact import (
    FREE,
    INSIDE,
    LOST,
    Contact,
    no_contact,
    on_side,
    tangent_point,
)
from borelli.kernels.paths.geodesic import point_ahead
from borelli.kernels.paths.taut_line import taut_line
from borelli.kernels.paths.vectors import (
    Vector,
    along,
    cross,
    dot,
    norm,
    perpendicular,
    scale,
    signed_axis,
    subtract,
    unit,
)

# Half planes through the chord, 22.5° apart: taut lines lie near the shortest of their sections.
_PLANES = 16
_COSINE, _SINE = math.cos(2.0 * math.pi / _PLANES), math.sin(2.0 * math.pi / _PLANES)
_CLOSE = 1.05
"""Guesses whose section is at most so much longer than the shortest are tried as well."""


@lean
def _shrunk(x: Vector, size: Vector) -> Vector:
    return (x[0] / size[0], x[1] / size[1], x[2] / size[2])


@lean
def _grown(x: Vector, size: Vector) -> Vector:
    return (x[0] * size[0], x[1] * size[1], x[2] * size[2])


@inlined
def _eighth(u1: float, v1: float, u2: float, v2: float, square: float) -> tuple[float, float]:
    """Cosine and sine of an eighth of the angle, clockwise, from one point of a circle to another.

    By halving it three times: without trigonometric functions many sections are measured at once.
    """
    c, s = (u1 * u2 + v1 * v2) / square, (v1 * u2 - u1 * v2) / square
    # A line that just grazes turns by nothing, give or take the last digit: not by a full circle.
    s = 0.0 if (c > 0.0) & (s < 0.0) & (s > -1e-9) else s
    half = math.sqrt(max(0.0, 0.5 * (1.0 + c)))
    c, s = half if s >= 0.0 else -half, s / (2.0 * half) if c > 0.0 else math.sqrt(0.5 * (1.0 - c))
    s = abs(s)
    half = math.sqrt(max(0.0, 0.5 * (1.0 + c)))
    c, s = half, s / (2.0 * half) if half > 0.0 else 1.0
    half = math.sqrt(0.5 * (1.0 + c))
    return half, s / (2.0 * half)


@inlined
def _onwards(
    u: float, v: float, c: float, s: float, centre: Vector, chord: Vector, up: Vector, size: Vector, x: Vector
) -> tuple[float, float, Vector, float]:
    """Next point of a section: in the plane, in space, and how far it is from x, the one before."""
    u, v = c * u + s * v, c * v - s * u
    here = _grown(along(along(centre, u, chord), v, up), size)
    return u, v, here, norm(subtract(here, x))


@inlined
def _section(
    p: Vector, q: Vector, chord: Vector, up: Vector, size: Vector
) -> tuple[float, Vector, Vector, float, Vector]:
    """Way over the section of the plane spanned by the line and ``up``, on the side of ``up``, in eight pieces.

    Points are shrunk, results are not.

    Returns
    -------
    total, first, direction, way, middle
        Whole length, touch-down, direction there, way over the surface, and its middle.
    """
    # The centre of the circle is the point of the plane nearest to the origin.
    normal = cross(chord, up)
    centre = scale(dot(p, normal), normal)
    # A plane that just touches has a section without size: not divided by zero.
    radius = math.sqrt(max(1.0 - dot(centre, centre), 1e-30))
    x1, y1 = dot(subtract(p, centre), chord), dot(subtract(p, centre), up)
    x2, y2 = dot(subtract(q, centre), chord), dot(subtract(q, centre), up)
    # From left to right over the top is clockwise.
    u1, v1 = tangent_point(x1, y1, radius, -1.0)
    u2, v2 = tangent_point(x2, y2, radius, 1.0)
    c, s = _eighth(u1, v1, u2, v2, radius * radius)
    first = _grown(along(along(centre, u1, chord), v1, up), size)
    u, v, x, way1 = _onwards(u1, v1, c, s, centre, chord, up, size, first)
    u, v, x, way2 = _onwards(u, v, c, s, centre, chord, up, size, x)
    u, v, x, way3 = _onwards(u, v, c, s, centre, chord, up, size, x)
    u, v, middle, way4 = _onwards(u, v, c, s, centre, chord, up, size, x)
    u, v, x, way5 = _onwards(u, v, c, s, centre, chord, up, size, middle)
    u, v, x, way6 = _onwards(u, v, c, s, centre, chord, up, size, x)
    u, v, x, way7 = _onwards(u, v, c, s, centre, chord, up, size, x)
    u, v, x, way8 = _onwards(u, v, c, s, centre, chord, up, size, x)
    way = (way1 + way2) + (way3 + way4) + (way5 + way6) + (way7 + way8)
    direction = _grown(along(scale(v1, chord), -u1, up), size)
    total = norm(subtract(first, _grown(p, size))) + way + norm(subtract(_grown(q, size), x))
    return total, first, direction, way, middle


@lean
def _measure(
    p: Vector, q: Vector, chord: Vector, e1: Vector, e2: Vector, size: Vector, plane: np.ndarray
) -> None:
    """Whole lengths of all sections, and the middles of their ways.

    Parameters
    ----------
    plane : (6 _PLANES,)
        Cosine and sine of each plane's angle from e1; filled: length (m), middle (m).
    """
    for k in range(_PLANES):
        c, s = plane[k], plane[_PLANES + k]
        up = (c * e1[0] + s * e2[0], c * e1[1] + s * e2[1], c * e1[2] + s * e2[2])
        total, _, _, _, middle = _section(p, q, chord, up, size)
        plane[2 * _PLANES + k] = total
        plane[3 * _PLANES + k] = middle[0]
        plane[4 * _PLANES + k] = middle[1]
        plane[5 * _PLANES + k] = middle[2]


@lean
def _cuts(p: Vector, q: Vector) -> bool:
    """Whether a line cuts the unit sphere between its ends, which lie outside."""
    chord = subtract(q, p)
    square = dot(chord, chord)
    place = -dot(p, chord) / square
    nearest = along(p, place, chord)
    return 0.0 < place < 1.0 and dot(nearest, nearest) < 1.0


@lean
def _tried(
    kind: int,
    a: Vector,
    b: Vector,
    p: Vector,
    q: Vector,
    chord: Vector,
    up: Vector,
    size: Vector,
    axis: int,
    sign: int,
    scratch: np.ndarray,
) -> tuple[bool, float, Contact]:
    """Taut line from one guess: whether it is one on the wanted half, and its whole length."""
    _, first, direction, way, _ = _section(p, q, chord, up, size)
    found, contact = taut_line(kind, size, a, b, first, unit(direction), way, scratch)
    if found and sign != 0:
        middle = point_ahead(kind, size, contact.first, contact.direction, 0.5 * contact.length, scratch)
        found = on_side(middle[axis], sign)
    total = norm(subtract(contact.first, a)) + contact.length + norm(subtract(b, contact.last))
    return found, total, contact


@jit
def _shortest(
    kind: int,
    a: Vector,
    b: Vector,
    p: Vector,
    q: Vector,
    chord: Vector,
    size: Vector,
    axis: int,
    sign: int,
    scratch: np.ndarray,
) -> Contact:
    """Shortest taut line whose middle lies on the wanted half, among those near short plane sections."""
    e1 = perpendicular(chord)
    e2 = cross(chord, e1)
    plane = np.empty(6 * _PLANES)
    c, s = 1.0, 0.0
    for k in range(_PLANES):
        plane[k], plane[_PLANES + k] = c, s
        c, s = _COSINE * c - _SINE * s, _SINE * c + _COSINE * s
    _measure(p, q, chord, e1, e2, size, plane)
    lengths, shortest = plane[2 * _PLANES : 3 * _PLANES], np.inf
    for k in range(_PLANES):
        if sign != 0 and not on_side(plane[(3 + axis) * _PLANES + k], sign):
            lengths[k] = np.inf
        shortest = min(shortest, lengths[k])
    best_total, best = np.inf, no_contact(LOST)
    for k in range(_PLANES):
        here = lengths[k]
        lowest = here <= lengths[k - 1] and here < lengths[(k + 1) % _PLANES]
        if lowest and here <= _CLOSE * shortest:
            up = along(scale(plane[k], e1), plane[_PLANES + k], e2)
            found, total, contact = _tried(kind, a, b, p, q, chord, up, size, axis, sign, scratch)
            if found and total < best_total:
                best_total, best = total, contact
    return best


@lean
def _straight_over(
    kind: int,
    a: Vector,
    b: Vector,
    p: Vector,
    q: Vector,
    chord: Vector,
    size: Vector,
    axis: int,
    sign: int,
    scratch: np.ndarray,
) -> Contact:
    """Taut line near the plane section straight over the wanted half: it need not be a shortest one."""
    wanted = signed_axis(axis, sign)
    across = along(wanted, -dot(wanted, chord), chord)
    # A chord along the axis leaves round-off across it, and no plane straight over the half.
    if norm(across) > 1e-9:
        found, _, contact = _tried(kind, a, b, p, q, chord, unit(across), size, axis, sign, scratch)
        if found:
            return contact
    return no_contact(LOST)


@lean
def wrap_ellipsoid(
    kind: int, a: Vector, b: Vector, size: Vector, axis: int, sign: int, scratch: np.ndarray
) -> Contact:
    """Wrap the line from a to b over an ellipsoid.

    Parameters
    ----------
    kind : int
        ELLIPSOID, as a number known at run time: what is shared with other surfaces is compiled once.
    a, b : Vector
        Ends of the line (m).
    size : Vector
        Semi-axes (m).
    axis, sign : int
        Half on which the middle of the way should lie; sign 0 for all. Where no taut line over that half
        exists, the line slips off it.
    """
    p, q = _shrunk(a, size), _shrunk(b, size)
    if dot(p, p) < 1.0 or dot(q, q) < 1.0:
        return no_contact(INSIDE)
    if not _cuts(p, q):
        return no_contact(FREE)
    chord = unit(subtract(q, p))
    contact = _shortest(kind, a, b, p, q, chord, size, axis, sign, scratch)
    if contact.outcome == LOST and sign != 0:
        contact = _straight_over(kind, a, b, p, q, chord, size, axis, sign, scratch)
        if contact.outcome == LOST:
            contact = _shortest(kind, a, b, p, q, chord, size, axis, 0 * sign, scratch)
    return contact
