"""OpenSim's sphere: the great circle in the plane of both ends and the centre."""

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
    crossings,
    dot,
    norm,
    unit,
)

# OpenSim's own (WrapSphere): a line nearer to the centre than this, as a sine, has no plane.
_THROUGH_CENTRE = 1e-5


def wrap_sphere(p: np.ndarray, q: np.ndarray, radius: float, half: Half | None) -> Wrap:
    """Wrap the piece from p to q, both about the centre of the sphere."""
    if norm(p) < radius or norm(q) < radius:
        return INSIDE
    along = p - q
    if crossings(q, along, radius) is None:
        return MISSED
    direction = unit(along)
    normal = cross(direction, unit(q))
    if norm(normal) < _THROUGH_CENTRE:
        # OpenSim falls back on the previous line, which it has lost: the length is undefined and never chosen.
        return MISSED
    of_p, of_q = _tangents(p, unit(normal), radius), _tangents(q, unit(normal), radius)
    first, last = closest_pair(of_p, of_q, _cosine)
    action, far = Action.OFFERED, False
    if half is not None:
        if half.holds(p) or half.holds(q):
            # The parameter is a length, not a fraction, as in OpenSim.
            forward = dot(p, direction)
            near = p - forward * direction
            if dot(near, near) < radius * radius and 0.0 < forward < 1.0:
                action = Action.REQUIRED
            elif not (half.parts(p, q) and not half.holds(near)):
                return MISSED
        if not (half.holds(p) and half.holds(q)):
            first, last = _wanted_pair(p, q, of_p, of_q, half)
            far = dot(first + last, (first - p) + (last - q)) < 0.0
    angle = arc_cosine(_cosine(first, last))
    if far:
        angle = angle - 2.0 * math.pi
    return Wrap(action, first, last, radius * angle)


def _tangents(p: np.ndarray, normal: np.ndarray, radius: float) -> Pair:
    """Both points in the plane across `normal` where a tangent through p touches."""
    distance = norm(p)
    inward = unit(-p)
    across = cross(normal, inward)
    angle = math.asin(min(radius / distance, 1.0))
    c, s = math.cos(angle), math.sin(angle)
    reach = distance * c
    return p + reach * (c * inward - s * across), p + reach * (c * inward + s * across)


def _cosine(a: np.ndarray, b: np.ndarray) -> float:
    return dot(unit(a), unit(b))


def _wanted_pair(p: np.ndarray, q: np.ndarray, of_p: Pair, of_q: Pair, half: Half) -> Pair:
    """The tangent points on the way round the wanted half."""
    middle = unit(-p - q)
    at_p = 0 if dot(unit(of_p[0]), middle) > dot(unit(of_p[1]), middle) else 1
    at_q = 0 if dot(unit(of_q[0]), middle) > dot(unit(of_q[1]), middle) else 1
    pulled = (of_p[at_p] - p) + (of_q[at_q] - q)
    if half.sign * unit(pulled)[half.axis] < 0.0:
        at_p, at_q = 1 - at_p, 1 - at_q
    return of_p[at_p], of_q[at_q]
