"""Geodesics over a level set, step by step.

A geodesic leaves a point in a direction and never turns within the surface: x'' is normal to it. Two further
solutions travel with it, the Jacobi fields a (its neighbour starts beside it) and r (its neighbour starts at
another angle), both a'' + K a = 0.

A step is the midpoint rule with 2, 4, 6 … substeps, extrapolated to infinitely many. These rules know nothing of each
other, so that they are computed side by side, each in a lane of its own; how well the last two orders agree says
whether the step was too long.
"""

from __future__ import annotations

import math

import numpy as np

from borelli.kernels.jit import inlined, lean
from borelli.kernels.paths.contact import ELLIPSOID, is_torus
from borelli.kernels.paths.surface import bent, gaussian_curvature, gradient, onto
from borelli.kernels.paths.vectors import Vector, along, dot, unit

N_STATE = 10
"""Position (3), direction (3), a, a', r, r'."""
_LANES = 8
"""Rules side by side, the last of 16 substeps: order 16 in the step."""
_BLOCK = N_STATE * _LANES
_BEFORE = 16
"""Where the states of the rules one substep ago begin in the scratch memory; the state itself comes first."""
_HERE = _BEFORE + _BLOCK
_END = _HERE + _BLOCK
"""Where the smoothed ends of the rules begin."""
_SMALL = _END + _BLOCK
"""Substep of each rule."""
_COUNT = _SMALL + _LANES
"""Number of substeps of each rule."""
SCRATCH = _COUNT + _LANES
"""Numbers of scratch memory that following a geodesic needs; its first ``N_STATE`` are the state."""

FINE = 1e-11
"""Difference of the last two orders in the direction that leaves nothing but rounding in the last one."""
_MOST_STEPS = 400
"""At 0.8 radii of curvature each some fifty times round; a taut line goes round once at the most."""
_REACH = 0.8
"""First step, in radii of curvature, for the finest tolerance."""


def _weights(used: range) -> tuple[float, ...]:
    """Weights of the rules that extrapolate those in use to infinitely many substeps (even powers: Gragg 1965)."""
    weights = [0.0] * _LANES
    for j in used:
        weights[j] = math.prod((j + 1) ** 2 / ((j + 1) ** 2 - (i + 1) ** 2) for i in used if i != j)
    return tuple(weights)


_W0, _W1, _W2, _W3, _W4, _W5, _W6, _W7 = _weights(range(_LANES))
# The order below, without the last rule.
_V0, _V1, _V2, _V3, _V4, _V5, _V6, _ = _weights(range(_LANES - 1))


@inlined
def _advance(y: np.ndarray, at: int, f: int, number: float, rate: float) -> None:
    """Advance one component of a lane that has substeps to go; smooth its end where this is the last one."""
    before, here, small, count = y[_BEFORE + at], y[_HERE + at], y[_SMALL + f], y[_COUNT + f]
    # The first substep has no point before it: it is a plain one, of half the length.
    reach = small if number == 0.0 else 2.0 * small
    y[_END + at] = 0.5 * (before + here + small * rate) if number == count else y[_END + at]
    y[_BEFORE + at] = here if number < count else before
    y[_HERE + at] = before + reach * rate if number < count else here


@inlined
def _advance_all(
    y: np.ndarray, f: int, number: float, pull: float, n: Vector, t: Vector, bend: float
) -> None:
    """Advance a lane: its direction turns by ``pull`` times n, its Jacobi fields bend."""
    a, a_rate = y[_HERE + 6 * _LANES + f], y[_HERE + 7 * _LANES + f]
    r, r_rate = y[_HERE + 8 * _LANES + f], y[_HERE + 9 * _LANES + f]
    _advance(y, f, f, number, t[0])
    _advance(y, _LANES + f, f, number, t[1])
    _advance(y, 2 * _LANES + f, f, number, t[2])
    _advance(y, 3 * _LANES + f, f, number, pull * n[0])
    _advance(y, 4 * _LANES + f, f, number, pull * n[1])
    _advance(y, 5 * _LANES + f, f, number, pull * n[2])
    _advance(y, 6 * _LANES + f, f, number, a_rate)
    _advance(y, 7 * _LANES + f, f, number, bend * a)
    _advance(y, 8 * _LANES + f, f, number, r_rate)
    _advance(y, 9 * _LANES + f, f, number, bend * r)


@lean
def _ellipsoid_substep(p: float, q: float, r: float, number: float, y: np.ndarray) -> None:
    """One substep of all lanes; p, q, r are the inverse squares of the semi-axes."""
    product = p * q * r
    # One long loop body: short ones are unrolled before they can become vector instructions.
    for f in range(_LANES):
        tx, ty, tz = y[_HERE + 3 * _LANES + f], y[_HERE + 4 * _LANES + f], y[_HERE + 5 * _LANES + f]
        nx, ny, nz = p * y[_HERE + f], q * y[_HERE + _LANES + f], r * y[_HERE + 2 * _LANES + f]
        inverse = 1.0 / (nx * nx + ny * ny + nz * nz)
        pull = -(p * tx * tx + q * ty * ty + r * tz * tz) * inverse
        _advance_all(y, f, number, pull, (nx, ny, nz), (tx, ty, tz), -product * inverse * inverse)


@lean
def _torus_substep(tube: float, ring: float, number: float, y: np.ndarray) -> None:
    """One substep of all lanes."""
    inverse = 1.0 / (tube * tube)
    for f in range(_LANES):
        tx, ty, tz = y[_HERE + 3 * _LANES + f], y[_HERE + 4 * _LANES + f], y[_HERE + 5 * _LANES + f]
        px, py, pz = y[_HERE + f], y[_HERE + _LANES + f], y[_HERE + 2 * _LANES + f]
        square = px * px + py * py
        inward = 1.0 / square
        ratio = ring * math.sqrt(inward)
        k, outward = 1.0 - ratio, px * tx + py * ty
        pull = -(k * (tx * tx + ty * ty) + ratio * outward * outward * inward + tz * tz) * inverse
        _advance_all(y, f, number, pull, (k * px, k * py, pz), (tx, ty, tz), -k * inverse)


@lean
def _substeps(kind: int, size: Vector, y: np.ndarray) -> None:
    """All substeps of all lanes; the numbers of a surface that is not known here are NaN."""
    if kind == ELLIPSOID:
        p, q, r = 1.0 / (size[0] * size[0]), 1.0 / (size[1] * size[1]), 1.0 / (size[2] * size[2])
        for number in range(2 * _LANES + 1):
            _ellipsoid_substep(p, q, r, float(number), y)
    elif is_torus(kind):
        for number in range(2 * _LANES + 1):
            _torus_substep(size[0], size[1], float(number), y)
    else:
        y[_END:_SMALL] = math.nan


@lean
def _extrapolated(y: np.ndarray, i: int) -> tuple[float, float]:
    """Change of a component in the step, and its difference from the order below."""
    at, start = _END + i * _LANES, y[i]
    d0, d1, d2, d3 = y[at] - start, y[at + 1] - start, y[at + 2] - start, y[at + 3] - start
    d4, d5, d6, d7 = y[at + 4] - start, y[at + 5] - start, y[at + 6] - start, y[at + 7] - start
    best = (_W0 * d0 + _W1 * d1 + _W2 * d2 + _W3 * d3) + (_W4 * d4 + _W5 * d5 + _W6 * d6 + _W7 * d7)
    below = (_V0 * d0 + _V1 * d1 + _V2 * d2 + _V3 * d3) + (_V4 * d4 + _V5 * d5 + _V6 * d6)
    return best, abs(best - below)


@lean
def _step(kind: int, size: Vector, y: np.ndarray, h: float, tolerance: float) -> bool:
    """Advance by h in place; False, and nothing has moved, where that is too far."""
    for f in range(_LANES):
        y[_COUNT + f] = 2.0 * (f + 1)
        y[_SMALL + f] = h / (2.0 * (f + 1))
        for i in range(N_STATE):
            y[_BEFORE + i * _LANES + f] = y[i]
            y[_HERE + i * _LANES + f] = y[i]
    _substeps(kind, size, y)
    for i in range(N_STATE):
        change, doubt = _extrapolated(y, i)
        # The direction alone is asked: places are sums of directions, and the other four only steer Newton's method.
        if 2 < i < 6 and doubt > tolerance:
            return False
        y[_BEFORE + i] = y[i] + change
    for i in range(N_STATE):
        y[i] = y[_BEFORE + i]
    return True


@lean
def _radius(kind: int, size: Vector, y: np.ndarray) -> float:
    """Radius of curvature where the geodesic is (m), of itself and of what its neighbours do."""
    x, t = (y[0], y[1], y[2]), (y[3], y[4], y[5])
    normal = gradient(kind, size, x)
    bending = dot(t, bent(kind, size, x, t))
    return 1.0 / math.sqrt(
        bending * bending / dot(normal, normal) + abs(gaussian_curvature(kind, size, x)) + 1e-300
    )


@lean
def follow(
    kind: int, size: Vector, start: Vector, direction: Vector, way: float, tolerance: float, y: np.ndarray
) -> None:
    """Follow the geodesic from a point for some way (m); the state at the end is written to ``y``.

    Parameters
    ----------
    tolerance : float
        How far the last two orders may differ in the direction; FINE where nothing but rounding may be left.
    y : (SCRATCH,)
        Scratch memory, the state first.
    """
    y[0], y[1], y[2] = start
    y[3], y[4], y[5] = direction
    y[6], y[7], y[8], y[9] = 1.0, 0.0, 0.0, 1.0
    # The error grows with the sixteenth power of the step.
    reach = _REACH * (tolerance / FINE) ** 0.0625
    longest, left = reach * _radius(kind, size, y), abs(way)
    for _ in range(_MOST_STEPS):
        if not left > 0.0:
            return
        h = min(longest, left)
        # Two steps of one length rather than a long and a very short one.
        if longest < left < 2.0 * longest:
            h = 0.5 * left
        if not _step(kind, size, y, h if way > 0.0 else -h, tolerance):
            longest = 0.5 * h
            continue
        left = left - h if h < left else 0.0
        x = onto(kind, size, (y[0], y[1], y[2]))
        t = tangent(kind, size, x, (y[3], y[4], y[5]))
        y[0], y[1], y[2] = x
        y[3], y[4], y[5] = t
        if left > 0.0:
            longest = min(2.0 * h, max(h, reach * _radius(kind, size, y)))


@lean
def point_ahead(
    kind: int, size: Vector, start: Vector, direction: Vector, way: float, scratch: np.ndarray
) -> Vector:
    """Point at some way (m) along the geodesic that leaves a point in a direction."""
    follow(kind, size, start, direction, way, FINE, scratch)
    return (scratch[0], scratch[1], scratch[2])


@lean
def tangent(kind: int, size: Vector, x: Vector, v: Vector) -> Vector:
    """Direction of a vector within the surface."""
    normal = unit(gradient(kind, size, x))
    return unit(along(v, -dot(v, normal), normal))
