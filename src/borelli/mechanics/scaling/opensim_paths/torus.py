"""OpenSim's ring: a cylinder along the tube where the line comes nearest to it."""

from __future__ import annotations

import math

import numpy as np

from borelli.mechanics.scaling.opensim_paths.cylinder import wrap_cylinder
from borelli.mechanics.scaling.opensim_paths.damped_root import damped_root
from borelli.mechanics.scaling.opensim_paths.segment import (
    MISSED,
    Action,
    Half,
    Wrap,
    cross,
    dot,
    norm,
    unit,
)

# Of the cylinder (m) that OpenSim puts in place of the tube, CYL_LENGTH of WrapTorus: no line passes its ends.
_LENGTH = 1e4


def wrap_torus(
    p: np.ndarray, q: np.ndarray, tube: float, ring: float, half: Half | None, alone: bool
) -> Wrap:
    """Wrap the piece from p to q, both in the axes of the ring, round the inner side of its tube."""
    centre = _nearest_of_ring(p, q, ring, half)
    if centre is None:
        return MISSED
    x = unit(-centre)
    y = np.array([0.0, 0.0, -1.0])
    axes = np.stack([x, y, cross(x, y)])
    found = wrap_cylinder(axes @ (p - centre), axes @ (q - centre), tube, _LENGTH, Half(0, 1), alone)
    if found.action in (Action.MISSED, Action.INSIDE):
        # OpenSim offers a line without points, of undefined length: it is never chosen.
        return Wrap(Action.OFFERED, found.first, found.last, math.nan)
    return Wrap(Action.OFFERED, centre + axes.T @ found.first, centre + axes.T @ found.last, found.length)


def _nearest_of_ring(p: np.ndarray, q: np.ndarray, ring: float, half: Half | None) -> np.ndarray | None:
    """The point on the middle line of the tube that OpenSim takes for the nearest."""
    here = [_stop_of_search(p, q, ring), _stop_of_search(q, p, ring)]
    gaps = [_distance(point, ring) for point in here]
    wanted = here[0] if gaps[0] < gaps[1] else here[1]
    if half is not None:
        holds = [half.holds(point) for point in here]
        if not any(holds):
            return None
        if not all(holds):
            wanted = here[holds.index(True)]
    radius = math.sqrt(wanted[0] ** 2 + wanted[1] ** 2)
    if radius == 0.0:
        return np.array([math.nan, math.nan, 0.0])
    return np.array([wanted[0] * ring / radius, wanted[1] * ring / radius, 0.0])


def _distance(point: np.ndarray, ring: float) -> float:
    x, y, _ = point
    # Rounding may carry the square below zero, where C's root is not a number.
    square = dot(point, point) + ring * ring - 2.0 * ring * math.sqrt(x * x + y * y)
    return math.sqrt(square) if square >= 0.0 else math.nan


def _stop_of_search(p: np.ndarray, q: np.ndarray, ring: float) -> np.ndarray:
    """Where OpenSim's search for the nearest point along the line, begun at p, ends."""
    direction = (q - p) / norm(q - p)
    c2 = 2.0 * dot(p, direction)
    c3 = p[0] * direction[0] + p[1] * direction[1]
    c4 = direction[0] ** 2 + direction[1] ** 2
    c5 = p[0] ** 2 + p[1] ** 2

    def residual(u: float) -> float:
        under_root = u * u * c4 + 2.0 * c3 * u + c5
        if under_root <= 0.0:
            return math.nan
        # Twice the derivative of the second term, as in OpenSim: the root is not quite the nearest point.
        return float(c2 + 2.0 * u - 2.0 * ring * (2.0 * c4 * u + 2.0 * c3) / math.sqrt(under_root))

    place: np.ndarray = p + damped_root(residual) * direction
    return place
