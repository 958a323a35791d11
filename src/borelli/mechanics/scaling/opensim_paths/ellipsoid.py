"""OpenSim's ellipsoid: the section with a plane through both ends and a third point.

The third point is the nearest of the surface to where the line crosses a coordinate plane ("axial"), to the middle of
the line ("midpoint"), or a blend of the former with the mean direction of 298 perpendiculars ("hybrid").
"""

from __future__ import annotations

import math

import numpy as np

from borelli.mechanics.scaling.opensim_paths.ellipsoid_tangent import tangent_in_plane
from borelli.mechanics.scaling.opensim_paths.nearest_on_ellipsoid import nearest_of_each, nearest_on_ellipsoid
from borelli.mechanics.scaling.opensim_paths.segment import (
    INSIDE,
    MISSED,
    SHORTEST,
    Action,
    Half,
    Wrap,
    arc_cosine,
    cross,
    crossings,
    dot,
    norm,
    unit,
)
from borelli.model.paths.path import WrapMethod

# OpenSim's own numbers (WrapEllipsoid): where its three ways to choose a plane blend, and in which pieces (m) a
# section is measured.
_NEARLY = 1e-4
_BLEND = (0.7073, 0.9)
_EDGE = 0.3
_FAN = 300
_PIECE = 0.001
_MOST_PIECES = 499


def wrap_ellipsoid(
    p: np.ndarray, q: np.ndarray, radii: np.ndarray, half: Half | None, method: WrapMethod
) -> Wrap:
    """Wrap the piece from p to q, both in the axes of the ellipsoid."""
    # OpenSim's tolerances are meant for surfaces of about unit size.
    factor = 3.0 / float(np.sum(radii))
    p, q, a = p * factor, q * factor, radii * factor
    over_p, over_q = float(np.sum((p / a) ** 2)) - 1.0, float(np.sum((q / a) ** 2)) - 1.0
    if over_p < -_NEARLY or over_q < -_NEARLY:
        return INSIDE
    if abs(dot(unit(p), unit(q)) - 1.0) < _NEARLY:
        return MISSED
    cuts = _cuts(p, q, a)
    if cuts is None:
        return MISSED
    third, first, last = _third_point(p, q, a, cuts, half, method)
    normal = unit(cross(p - q, p - third))
    offset = -dot(normal, third)
    first = tangent_in_plane(over_p, first, p, a, normal, offset)
    last = tangent_in_plane(over_q, last, q, a, normal, offset)
    points = _section(first, last, a, normal, offset, factor, far=False)
    if half is not None and len(points) > 2:
        turns_back = (
            dot(unit(p - first), unit(points[1] - first)) > 0.0
            or dot(unit(q - last), unit(points[-2] - last)) > 0.0
        )
        if turns_back:
            points = _section(first, last, a, normal, offset, factor, far=True)
    length = float(np.sum(np.sqrt(np.sum(np.diff(points, axis=0) ** 2, axis=1))))
    return Wrap(Action.REQUIRED, first / factor, last / factor, length / factor)


def _cuts(p: np.ndarray, q: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Where the piece enters the ellipsoid and leaves it."""
    # Stretched to a sphere of unit size, which keeps fractions of the way as they are.
    found = crossings(q / a, (p - q) / a, 1.0)
    return None if found is None else (q + found[0] * (p - q), q + found[1] * (p - q))


def _third_point(
    p: np.ndarray,
    q: np.ndarray,
    a: np.ndarray,
    cuts: tuple[np.ndarray, np.ndarray],
    half: Half | None,
    method: WrapMethod,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The third point of the plane, and where to begin looking for both tangent points."""
    slant = np.abs(unit(p - q))
    best = int(np.argmax(slant))
    through = cuts[1] - cuts[0]
    crossing = -cuts[0][best] / through[best]
    fan_weight = -math.inf
    if method is WrapMethod.MIDPOINT:
        middle = cuts[0] + 0.5 * through
        third = nearest_on_ellipsoid(a, middle, middle)
    else:
        on_plane = cuts[0] + crossing * through
        third = nearest_on_ellipsoid(a, on_plane, on_plane, plane=best)
        if method is WrapMethod.HYBRID:
            third, fan_weight = _hybrid(a, cuts[0], through, float(slant[best]), crossing, third)
    from_third = method is not WrapMethod.AXIAL or 0.0 < crossing < 1.0
    first, last = (third, third) if from_third else cuts
    if half is not None and not half.holds(third):
        flipped = third.copy()
        flipped[half.axis] = -third[half.axis]
        first = last = flipped
        weight = min(fan_weight, 1.0)
        third = flipped
        if weight > 0.0:
            # Half way between a point and its image lies the plane between the halves.
            drawn = flipped.copy()
            drawn[half.axis] -= weight * flipped[half.axis]
            third = nearest_on_ellipsoid(a, drawn, drawn)
    return third, first, last


def _hybrid(
    a: np.ndarray,
    start: np.ndarray,
    through: np.ndarray,
    slant: float,
    crossing: float,
    axial: np.ndarray,
) -> tuple[np.ndarray, float]:
    """Blend the axial point with that of the fan; also the weight of the fan."""
    low, high = _BLEND
    if slant > low:
        if not 0.0 <= crossing <= 1.0:
            trust = 0.0
        else:
            trust = min(crossing / _EDGE, (1.0 - crossing) / _EDGE, 1.0)
        if trust < 1.0:
            slant = low + trust * (slant - low)
    if slant >= high:
        return axial, -math.inf
    fan = start + (np.arange(1, _FAN - 1) / _FAN)[:, None] * through
    blades = nearest_of_each(a, fan) - fan
    sizes = np.sqrt(np.sum(blades * blades, axis=1, keepdims=True))
    with np.errstate(invalid="ignore", divide="ignore"):
        blades = np.where(sizes >= SHORTEST, blades / sizes, 0.0)
    target = start + 0.5 * through + unit(blades.sum(axis=0))
    by_fan = nearest_on_ellipsoid(a, target, target)
    if slant <= low:
        return by_fan, 1.0
    part = (slant - low) / (high - low)
    blend = part * axial + (1.0 - part) * by_fan
    return nearest_on_ellipsoid(a, blend, axial), 1.0 - part


def _section(
    first: np.ndarray,
    last: np.ndarray,
    a: np.ndarray,
    normal: np.ndarray,
    offset: float,
    factor: float,
    far: bool,
) -> np.ndarray:
    """Points of the section from first to last, at equal angles about a point of the plane, (n, 3)."""
    gap = norm(first - last) / factor
    if not gap >= _PIECE:
        return np.stack([first, last])
    n_pieces = min(int(gap / _PIECE), _MOST_PIECES)
    main = int(np.argmax(np.abs(normal)))
    centre = np.zeros(3)
    centre[main] = -offset / normal[main]
    from_first, from_last = unit(first - centre), unit(last - centre)
    angle = arc_cosine(dot(from_first, from_last))
    if far:
        angle = angle - 2.0 * math.pi
    across = cross(unit(cross(from_first, from_last)), from_first)
    turn = (np.arange(1, n_pieces) * (angle / n_pieces))[:, None]
    rays = np.cos(turn) * from_first + np.sin(turn) * across
    ray, base = rays / a, centre / a
    aa = np.sum(ray * ray, axis=1)
    bb = 2.0 * np.sum(ray * base, axis=1)
    cc = dot(base, base) - 1.0
    # Where the centre lies outside the ellipsoid rays may miss it: OpenSim's length is then no number either.
    with np.errstate(invalid="ignore"):
        reach = (-bb + np.sqrt(bb * bb - 4.0 * aa * cc)) / (2.0 * aa)
    return np.concatenate([first[None], centre + reach[:, None] * rays, last[None]])
