"""OpenSim's cylinder about z: tangent points in a plane through an apex, and the spiral between them."""

from __future__ import annotations

import math

import numpy as np

from borelli.mechanics.scaling.opensim_paths.segment import (
    INSIDE,
    MISSED,
    Action,
    Half,
    Pair,
    Wrap,
    arc_cosine,
    closest_pair,
    cross,
    dot,
    nearest_of_lines,
    norm,
    unit,
)

_Z = np.array([0.0, 0.0, 1.0])


def wrap_cylinder(
    p: np.ndarray, q: np.ndarray, radius: float, length: float, half: Half | None, alone: bool
) -> Wrap:
    """Wrap the piece from p to q, both in the axes of the cylinder.

    Parameters
    ----------
    alone : bool
        Whether the path has no other surface: OpenSim then leaves tangents as they are at first.
    """
    if min(p[0] * p[0] + p[1] * p[1], q[0] * q[0] + q[1] * q[1]) < radius * radius:
        return INSIDE
    ends = np.array([0.0, 0.0, -0.5 * length]), np.array([0.0, 0.0, 0.5 * length])
    near, fraction, on_axis = nearest_of_lines((p, q), ends)
    gap = near - on_axis
    hits = dot(gap, gap) < radius * radius and 0.0 < fraction < 1.0
    action = Action.REQUIRED
    of_p, of_q = _tangents(p, radius), _tangents(q, radius)
    far = long_way = False
    if half is None:
        if not hits:
            return MISSED
        first, last = closest_pair(of_p, of_q, _cosine)
    else:
        # A line that begins and ends beside the wanted half is never required to go round, even if it runs through.
        asked = half.holds(p) or half.holds(q)
        if asked and not hits and not (half.parts(p, q) and not half.holds(near)):
            return MISSED
        if not (asked and hits):
            action = Action.OFFERED
        first, last, far = _wanted_pair(of_p, of_q, half)
        pulled = (first - p) + (last - q)
        outward = _off_axis(first) + _off_axis(last)
        long_way = dot(outward, pulled) < 0.0
    first, last = _slid_to_plane(p, q, first, last, _apex(p, q, radius, far))
    beyond = 0.5 * length
    if abs(first[2]) > beyond and abs(last[2]) > beyond:
        return MISSED
    return _spiral(p, q, first, last, radius, long_way, alone, action)


def _off_axis(point: np.ndarray) -> np.ndarray:
    return np.array([point[0], point[1], 0.0])


def _tangents(p: np.ndarray, radius: float) -> Pair:
    """Both points of the circle at the height of p whose tangents run through p."""
    distance = math.hypot(p[0], p[1])
    x, y = p[0] / distance, p[1] / distance
    inward = radius * (radius / distance)
    across = math.sqrt(max(radius * radius - inward * inward, 0.0))
    left = np.array([inward * x - across * y, inward * y + across * x, p[2]])
    right = np.array([inward * x + across * y, inward * y - across * x, p[2]])
    return left, right


def _cosine(a: np.ndarray, b: np.ndarray) -> float:
    return float((a[0] * b[0] + a[1] * b[1]) / (math.hypot(a[0], a[1]) * math.hypot(b[0], b[1])))


def _wanted_pair(of_p: Pair, of_q: Pair, half: Half) -> tuple[np.ndarray, np.ndarray, bool]:
    """The tangent points on the wanted half, and whether the way between them is OpenSim's far side."""
    left_way = of_p[0], of_q[1]
    right_way = of_p[1], of_q[0]
    wider_left = arc_cosine(_cosine(*left_way)) > arc_cosine(_cosine(*right_way))
    here = half.holds(of_p[0]), half.holds(of_p[1])
    if here[0] != here[1]:
        left = here[0]
    elif here[0]:
        left = not half.holds(of_q[0])
    elif half.holds(of_q[0]):
        left = False
    elif half.holds(of_q[1]):
        left = True
    else:
        return (*(left_way if wider_left else right_way), True)
    return (*(left_way if left else right_way), wider_left == left)


def _apex(p: np.ndarray, q: np.ndarray, radius: float, far: bool) -> np.ndarray:
    """The point of the cylinder that the plane of the line runs through."""
    of_p, of_q = math.hypot(p[0], p[1]), math.hypot(q[0], q[1])
    middle = p + of_p / (of_p + of_q) * (q - p)
    on_axis = np.array([0.0, 0.0, middle[2]])
    normal = cross(unit(p - on_axis), unit(q - on_axis))
    size = norm(normal)
    if size == 0.0:
        return np.full(3, np.nan)
    outward = unit(cross(_Z, normal / size))
    one, other = on_axis + radius * outward, on_axis - radius * outward
    nearer = dot(middle - one, middle - one) < dot(middle - other, middle - other)
    return one if nearer != far else other


def _slid_to_plane(
    p: np.ndarray, q: np.ndarray, first: np.ndarray, last: np.ndarray, apex: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Slide the tangent points along the axis into the plane of both ends and the apex."""
    normal = cross(unit(p - apex), unit(q - apex))
    size = norm(normal)
    if not size > 0.0:
        return first, last
    normal = normal / size
    offset = -dot(p, normal)
    height = p[2] - q[2]
    # OpenSim measures along a line through the origin and q's foot: without direction where q lies at height zero.
    if abs(q[2]) < _NO_HEIGHT:
        return first, last
    high = _where_in_plane(first, normal, offset)
    if high is not None and (high[2] - q[2]) ** 2 < height * height:
        first = high
    low = _where_in_plane(last, normal, offset)
    if low is not None and (low[2] - p[2]) ** 2 < height * height:
        last = low
    return first, last


# OpenSim's own numbers (WrapCylinder, WrapMath): its tangent points depend on them.
_NO_HEIGHT = 2.0**-52
_REACH = 10.0
_TOLERANCE = 1e-5


def _where_in_plane(point: np.ndarray, normal: np.ndarray, offset: float) -> np.ndarray | None:
    """Where the line along z through a point meets a plane, within ten metres."""
    rise = 2.0 * _REACH * normal[2]
    if not abs(rise) >= _TOLERANCE:
        return None
    low = point - _REACH * _Z
    fraction = (-offset - dot(normal, low)) / rise
    if not -_TOLERANCE <= fraction <= 1.0 + _TOLERANCE:
        return None
    return low + fraction * 2.0 * _REACH * _Z


def _spiral(
    p: np.ndarray,
    q: np.ndarray,
    first: np.ndarray,
    last: np.ndarray,
    radius: float,
    long_way: bool,
    alone: bool,
    action: Action,
) -> Wrap:
    """The spiral between both tangent points, slid until it leaves them along the straight pieces."""
    for tries in range(_MOST_TRIES + 1):
        rise = last[2] - first[2]
        turn = math.atan2(first[0] * last[1] - first[1] * last[0], first[0] * last[0] + first[1] * last[1])
        if long_way:
            # OpenSim takes the turn from a whole one with its sign: it may exceed a whole turn.
            turn = 2.0 * math.pi - turn
        length = math.hypot(radius * turn, rise)
        n_pieces = int(length / _PIECE) if math.isfinite(length) else 1
        if alone or n_pieces < 2 or tries == _MOST_TRIES:
            break
        whole = -turn if long_way else turn
        moved_first = _tangent_slid(p, first, _along(first, whole / n_pieces, rise / n_pieces))
        if moved_first is not None:
            first = moved_first
        # The end of the spiral is that of the one from the point just moved.
        part = 1.0 - 1.0 / n_pieces
        moved_last = _tangent_slid(q, last, _along(first, part * whole, part * rise))
        if moved_last is not None:
            last = moved_last
        if moved_first is None and moved_last is None:
            break
    return Wrap(action, first, last, length)


# OpenSim walks along the spiral in pieces of this length (m) until both ends are tangent to a tenth of a degree.
_MOST_TRIES = 100
_PIECE = 0.002
_TANGENT = math.radians(0.1)


def _along(point: np.ndarray, angle: float, rise: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    x, y, z = point.tolist()
    return np.array([c * x - s * y, s * x + c * y, z + rise])


def _tangent_slid(end: np.ndarray, tangent: np.ndarray, after: np.ndarray) -> np.ndarray | None:
    """A tangent point slid along the axis where straight piece and spiral meet at an angle, or None."""
    straight, curved = unit(tangent - end), unit(after - tangent)
    if not abs(arc_cosine(straight[2]) - arc_cosine(curved[2])) > _TANGENT:
        return None
    edge = (
        np.array([tangent[0], tangent[1], end[2]]),
        np.array([tangent[0], tangent[1], after[2]]),
    )
    _, _, on_edge = nearest_of_lines((end, after), edge)
    slid: np.ndarray = tangent + 1.5 * (on_edge - tangent)
    return slid
