"""Wrapping over a cone about its own z axis, apex at the origin: unrolled, the whole path is a straight line.

From an outer point two planes touch the cone, each along one generator. Unrolled together with such planes at both
ends, the path from end to end is straight, so that length and contacts follow from one triangle at the apex.
"""

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
    no_contact,
    on_side,
    way_over_half,
)
from borelli.kernels.paths.vectors import Vector, norm


@lean
def _generator(x: Vector, slope: float, way: float) -> tuple[float, float]:
    """Direction seen along the axis of the generator that is touched, ``way`` (1 or -1) round from a point."""
    across = math.sqrt(x[0] * x[0] + x[1] * x[1])
    # At the height of the point the cone is a circle of radius slope * z, negative below the apex.
    cosine = slope * x[2] / across
    sine = way * math.sqrt(max(0.0, 1.0 - cosine * cosine))
    return (cosine * x[0] - sine * x[1]) / across, (cosine * x[1] + sine * x[0]) / across


@lean
def _side(a: Vector, b: Vector, slope: float, axis: int, sign: int) -> tuple[int, float]:
    """Decide whether and which way a line goes round; the rules are those of a cylinder (see ``round_circle``)."""
    # The plane through the apex and both ends: it cuts the cone if its normal is far enough from the axis.
    nx = a[1] * b[2] - a[2] * b[1]
    ny = a[2] * b[0] - a[0] * b[2]
    nz = a[0] * b[1] - a[1] * b[0]
    square = nx * nx + ny * ny + nz * nz
    # Of the plane's directions (-nx nz, -ny nz, nx² + ny²) is the one nearest to the axis: between the ends?
    px, py, pz = -nx * nz, -ny * nz, nx * nx + ny * ny
    after = nx * (a[1] * pz - a[2] * py) + ny * (a[2] * px - a[0] * pz) + nz * (a[0] * py - a[1] * px)
    before = nx * (py * b[2] - pz * b[1]) + ny * (pz * b[0] - px * b[2]) + nz * (px * b[1] - py * b[0])
    # |nz| / |n| is the sine of the angle between plane and axis.
    through = nz * nz * (1.0 + slope * slope) < slope * slope * square
    cuts = through and after > 0.0 and before > 0.0
    if sign == 0:
        return CERTAIN if cuts else FREE, 1.0 if nz >= 0.0 else -1.0
    value1, value2 = (a[0], b[0]) if axis == 0 else (a[1], b[1])
    outcome = CERTAIN if cuts else OPTIONAL
    if not cuts:
        between = px if axis == 0 else py
        same = on_side(value1, sign) and on_side(value2, sign)
        if same or ((on_side(value1, sign) or on_side(value2, sign)) and on_side(between, sign)):
            return FREE, 1.0
    ahead1, back1 = _generator(a, slope, 1.0), _generator(a, slope, -1.0)
    ahead2, back2 = _generator(b, slope, 1.0), _generator(b, slope, -1.0)
    return outcome, way_over_half(ahead1, back1, ahead2, back2, axis, sign)


@lean
def wrap_cone(a: Vector, b: Vector, size: Vector, axis: int, sign: int) -> Contact:
    """Wrap the line from a to b over a cone.

    Parameters
    ----------
    a, b : Vector
        Ends of the line (m).
    size : Vector
        Radius at the base, and height of the base above the apex (m). Contacts beyond the base do not count. The
        third is the slope, radius over height, which stays when the base is taken away.
    axis, sign : int
        Half that may be touched, of x or y.
    """
    height, slope = size[1], size[2]
    across1, across2 = math.sqrt(a[0] * a[0] + a[1] * a[1]), math.sqrt(b[0] * b[0] + b[1] * b[1])
    if across1 < slope * a[2] or across2 < slope * b[2]:
        return no_contact(INSIDE)
    # Behind the apex, within the mirror image of the cone, all ways lead over the apex itself.
    if across1 <= -slope * a[2] or across2 <= -slope * b[2]:
        return no_contact(FREE)
    outcome, way = _side(a, b, slope, axis, sign)
    if outcome == FREE:
        return no_contact(FREE)
    x1, y1 = _generator(a, slope, way)
    x2, y2 = _generator(b, slope, -way)
    cosine = 1.0 / math.sqrt(1.0 + slope * slope)
    sine = slope * cosine
    r1, r2 = norm(a), norm(b)
    # Angles at the apex: from each end to its generator, and between the generators, all as unrolled.
    angle1 = math.acos(max(-1.0, min(1.0, a[2] / (r1 * cosine))))
    angle2 = math.acos(max(-1.0, min(1.0, b[2] / (r2 * cosine))))
    turned = sine * angle_round(x1, y1, x2, y2, way)
    whole = angle1 + turned + angle2
    if whole >= math.pi:
        return no_contact(FREE)  # The line slips off over the apex.
    area = r1 * r2 * math.sin(whole)
    s1 = area / (r1 * math.sin(angle1) + r2 * math.sin(whole - angle1))
    s2 = area / (r1 * math.sin(whole - angle2) + r2 * math.sin(angle2))
    if s1 * cosine > height and s2 * cosine > height:
        return no_contact(FREE)
    first = (s1 * sine * x1, s1 * sine * y1, s1 * cosine)
    last = (s2 * sine * x2, s2 * sine * y2, s2 * cosine)
    over = math.sqrt(max(0.0, (s1 - s2) ** 2 + 4.0 * s1 * s2 * math.sin(0.5 * turned) ** 2))
    # Direction of the straight line in the unrolled plane, along the generator and across it.
    total = math.sqrt((r1 - r2) ** 2 + 4.0 * r1 * r2 * math.sin(0.5 * whole) ** 2)
    outward = (r2 * math.cos(whole - angle1) - r1 * math.cos(angle1)) / total
    round_it = way * (r2 * math.sin(whole - angle1) + r1 * math.sin(angle1)) / total
    direction = (
        outward * sine * x1 - round_it * y1,
        outward * sine * y1 + round_it * x1,
        outward * cosine,
    )
    return Contact(outcome, first, last, over, direction)


@lean
def along_cone(start: Vector, direction: Vector, way: float) -> Vector:
    """Point at some way (m) along the geodesic that leaves a point of the cone in a direction."""
    s = norm(start)
    across = math.sqrt(start[0] * start[0] + start[1] * start[1])
    sine, cosine = across / s, start[2] / s
    outward = (start[0] * direction[0] + start[1] * direction[1] + start[2] * direction[2]) / s
    round_it = (start[0] * direction[1] - start[1] * direction[0]) / across
    ahead, aside = s + outward * way, round_it * way
    far = math.sqrt(ahead * ahead + aside * aside)
    turn = math.atan2(aside, ahead) / sine
    c, n = math.cos(turn), math.sin(turn)
    x, y = start[0] / across, start[1] / across
    return (far * sine * (c * x - n * y), far * sine * (n * x + c * y), far * cosine)
