"""Wrapping over the inside of a ring (a torus about its own z axis): a geodesic by Newton's method.

The path runs through the ring. Where the ring comes nearest to the line its tube is almost a cylinder; what
that cylinder would do decides whether the line wraps, and is the guess. A line that enters on one side and leaves on
the other may touch both: where a piece that leaves the first contact would cut the ring again, there is a second one.
"""

from __future__ import annotations

import math

import numpy as np

from borelli.kernels.jit import lean
from borelli.kernels.paths.contact import (
    CERTAIN,
    FREE,
    INSIDE,
    LOST,
    OPTIONAL,
    TORUS_AGAIN,
    Contact,
    angle_round,
    no_contact,
    on_side,
    round_circle,
    tangent_point,
)
from borelli.kernels.paths.surface import level, onto
from borelli.kernels.paths.taut_line import taut_line
from borelli.kernels.paths.vectors import Vector, along, dot, subtract

# Of the line, to find the neighbourhood of its lowest distance from the ring; sections narrow it down.
_SAMPLES = 32
_ON = 1e-9
"""Level of a point that lies on the ring: the end of its other contact."""
_OTHER_SIDE = 0.7
"""Cosine of the angle round the ring within which a point belongs to a contact that ends there."""


@lean
def _square(x: Vector, ring: float) -> float:
    """Square of the distance from the circle along the middle of the tube."""
    off = math.sqrt(x[0] * x[0] + x[1] * x[1]) - ring
    return off * off + x[2] * x[2]


@lean
def _beside(x: Vector, end: Vector) -> bool:
    """Whether a point lies on the same side of the ring as an end."""
    cosine = x[0] * end[0] + x[1] * end[1]
    return cosine > _OTHER_SIDE * math.sqrt((x[0] * x[0] + x[1] * x[1]) * (end[0] * end[0] + end[1] * end[1]))


@lean
def _nearest(kind: int, a: Vector, b: Vector, size: Vector, axis: int, sign: int) -> tuple[bool, float]:
    """Where along the line (0 to 1) the ring is nearest, on the wanted half, and not where it is touched already."""
    line, ring = subtract(b, a), size[1]
    after, before = level(kind, size, a) < _ON, level(kind, size, b) < _ON
    best, place, found = 1e300, 0.5, False
    for k in range(_SAMPLES + 1):
        x = along(a, k / _SAMPLES, line)
        if (
            (sign != 0 and not on_side(x[axis], sign))
            or (after and _beside(x, a))
            or (before and _beside(x, b))
        ):
            continue
        here = _square(x, ring)
        if here < best:
            best, place, found = here, k / _SAMPLES, True
    if not found:
        return False, 0.5
    return True, _lowest(a, line, ring, max(0.0, place - 1.0 / _SAMPLES), min(1.0, place + 1.0 / _SAMPLES))


@lean
def _slope(a: Vector, line: Vector, ring: float, place: float) -> tuple[float, float]:
    """First and second derivative of half the squared distance from the middle of the tube, along a line."""
    x = along(a, place, line)
    out = math.sqrt(x[0] * x[0] + x[1] * x[1])
    if out == 0.0:
        return 0.0, 0.0
    rate = (x[0] * line[0] + x[1] * line[1]) / out
    flat = line[0] * line[0] + line[1] * line[1]
    # The rate of the rate is what turns about the axis: (flat - rate²) / out.
    first = (out - ring) * rate + x[2] * line[2]
    return first, rate * rate + (out - ring) * (flat - rate * rate) / out + line[2] * line[2]


@lean
def _lowest(a: Vector, line: Vector, ring: float, low: float, high: float) -> float:
    """Where between two places a line is nearest to the middle of the tube: Newton's method, kept between them."""
    if _slope(a, line, ring, low)[0] >= 0.0:
        return low
    if _slope(a, line, ring, high)[0] <= 0.0:
        return high
    place = 0.5 * (low + high)
    # Sixty halvings use up all digits of the bracket; Newton's method needs a handful.
    for _ in range(60):
        first, second = _slope(a, line, ring, place)
        if first < 0.0:
            low = place
        else:
            high = place
        ahead = place - first / second if second > 0.0 else low
        after = ahead if low < ahead < high else 0.5 * (low + high)
        # Places run from zero to one: the rest is round-off.
        if abs(after - place) < 1e-15:
            break
        place = after
    return place


@lean
def _out_of_reach(kind: int, a: Vector, b: Vector, size: Vector) -> bool:
    """Whether a line certainly neither cuts a ring nor runs through it: a quick test."""
    if (a[2] < 0.0) != (b[2] < 0.0) and kind != TORUS_AGAIN:
        return False
    tube, outer = size[0], size[0] + size[1]
    if min(a[2], b[2]) > tube or max(a[2], b[2]) < -tube:
        return True
    line = subtract(b, a)
    square = dot(line, line)
    place = min(1.0, max(0.0, -dot(a, line) / square)) if square > 0.0 else 0.0
    near = along(a, place, line)
    return dot(near, near) > outer * outer


@lean
def _one_side(
    kind: int, a: Vector, b: Vector, size: Vector, axis: int, sign: int, scratch: np.ndarray
) -> Contact:
    """Wrap the line from a to b over the inside of a ring where the ring comes nearest to it; LOST with the guess."""
    tube, ring = size[0], size[1]
    found, place = _nearest(kind, a, b, size, axis, sign)
    if not found:
        return no_contact(FREE)
    near = along(a, place, subtract(b, a))
    distance = math.sqrt(near[0] * near[0] + near[1] * near[1])
    # On the axis of the ring all of it is equally near.
    if distance < 1e-12:
        return no_contact(FREE)
    cosine, sine = near[0] / distance, near[1] / distance
    # In the plane across the tube: x from the ring towards its centre, y along its axis; s along the tube.
    x1, s1 = ring - (a[0] * cosine + a[1] * sine), a[1] * cosine - a[0] * sine
    x2, s2 = ring - (b[0] * cosine + b[1] * sine), b[1] * cosine - b[0] * sine
    y1, y2 = a[2], b[2]
    cuts = _square(near, ring) < tube * tube and 0.0 < place < 1.0
    if kind == TORUS_AGAIN and not cuts:
        return no_contact(FREE)
    # A cylinder that reaches an end of the line has no tangent from there: thinner by a trifle, for a guess alone.
    # 0.99 and 0.9999 pass the same tests of paths.
    shown = min(tube, 0.999 * math.sqrt(min(x1 * x1 + y1 * y1, x2 * x2 + y2 * y2)))
    outcome, way = round_circle(x1, y1, x2, y2, shown, 0, 1)
    # A line that stays on one side of the ring does not run through it.
    if not cuts and (outcome == FREE or (y1 < 0.0) == (y2 < 0.0)):
        return no_contact(FREE)
    outcome = CERTAIN if cuts else OPTIONAL
    u1, v1 = tangent_point(x1, y1, shown, way)
    u2, v2 = tangent_point(x2, y2, shown, -way)
    arc = shown * angle_round(u1, v1, u2, v2, way)
    before, after = math.hypot(u1 - x1, v1 - y1), math.hypot(u2 - x2, v2 - y2)
    slope = (s2 - s1) / (before + arc + after)
    along_tube = s1 + slope * before
    first = _in_space(u1, v1, along_tube, ring, cosine, sine)
    ahead = _in_space(u1 - way * v1, v1 + way * u1, along_tube + slope * shown, ring, cosine, sine)
    found, contact = taut_line(
        kind, size, a, b, first, subtract(ahead, first), arc * math.sqrt(1.0 + slope * slope), scratch
    )
    if found:
        return Contact(outcome, contact.first, contact.last, contact.length, contact.direction)
    # Where no taut line holds to the inside of the ring, the line slips off it, if it can.
    if not cuts:
        return no_contact(FREE)
    last = _in_space(u2, v2, s2 - slope * after, ring, cosine, sine)
    return Contact(LOST, onto(kind, size, first), onto(kind, size, last), contact.length, contact.direction)


@lean
def wrap_torus(
    kind: int, a: Vector, b: Vector, size: Vector, axis: int, sign: int, scratch: np.ndarray
) -> Contact:
    """Wrap the line from a to b over the inside of a ring.

    Parameters
    ----------
    kind : int
        TORUS or TORUS_AGAIN, as a number known at run time.
    a, b : Vector
        Ends of the line (m).
    size : Vector
        Radius of the tube, radius of the ring (m).
    axis, sign : int
        Half of the ring that may be touched; sign 0 for all of it.

    Returns
    -------
    Contact
        With outcome LOST it is a guess: the line may be taut once the ring is touched on its other side, too.
    """
    if _out_of_reach(kind, a, b, size):
        return no_contact(FREE)
    if level(kind, size, a) < -_ON or level(kind, size, b) < -_ON:
        return no_contact(INSIDE)
    contact = _one_side(kind, a, b, size, axis, sign, scratch)
    if contact.outcome == LOST:
        return _by_the_middle(kind, a, b, size, axis, sign, scratch, contact)
    return contact


@lean
def _by_the_middle(
    kind: int, a: Vector, b: Vector, size: Vector, axis: int, sign: int, scratch: np.ndarray, contact: Contact
) -> Contact:
    """Find the line from a to b that is not found where the ring is nearest, from those to the middle of the ring."""
    middle = (0.0, 0.0, 0.0)
    for half in range(2):
        start, end = (a, middle) if half == 0 else (middle, b)
        guess = _one_side(kind, start, end, size, axis, sign, scratch)
        if guess.outcome != CERTAIN:
            continue
        found, whole = taut_line(kind, size, a, b, guess.first, guess.direction, guess.length, scratch)
        if found:
            return whole
        contact = Contact(LOST, guess.first, guess.last, guess.length, guess.direction)
    return contact


@lean
def _in_space(x: float, y: float, s: float, ring: float, cosine: float, sine: float) -> Vector:
    """From the plane across the tube and the way along it to the axes of the torus."""
    turn = s / ring
    c, d = math.cos(turn), math.sin(turn)
    e1, e2 = cosine * c - sine * d, sine * c + cosine * d
    return ((ring - x) * e1, (ring - x) * e2, y)
