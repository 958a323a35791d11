"""The point of an ellipsoid, or of an ellipse, that is nearest to a given one, as OpenSim finds it.

Newton's method on the polynomial of Hart (Graphics Gems IV, 1994), with OpenSim's starts, tolerance and treatment of
points on the coordinate planes.
"""

from __future__ import annotations

import math

import numpy as np

# OpenSim's own numbers (WrapEllipsoid; the first is ROUNDOFF_ERROR of SimmMacros).
_ON_PLANE = 2e-13
_SMALL = 1e-9
_MOST_STEPS = 64


def nearest_on_ellipsoid(
    radii: np.ndarray, point: np.ndarray, otherwise: np.ndarray, plane: int | None = None
) -> np.ndarray:
    """Return the nearest point of an ellipsoid.

    Parameters
    ----------
    radii, point : (3,) float
    otherwise : (3,) float
        What to return where Newton's method does not end.
    plane : int, optional
        Axis across the coordinate plane in which to search; else found for points that lie in one.
    """
    if plane is None:
        flat = [axis for axis in range(3) if abs(point[axis]) <= _ON_PLANE]
        if flat:
            plane = min(flat, key=lambda axis: float(sum(radii) - radii[axis]))
    if plane is None:
        found, ended = _by_newton(radii, point[None])
        return found[0] if ended[0] else otherwise
    i, j = (plane + 1) % 3, (plane + 2) % 3
    nearest = np.array(point, float)
    nearest[i], nearest[j] = _nearest_on_ellipse(
        float(radii[i]), float(radii[j]), float(point[i]), float(point[j])
    )
    return nearest


def nearest_of_each(radii: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return the nearest point to each of several, (n, 3); where Newton's method fails, that of the one before."""
    flat = np.abs(points) <= _ON_PLANE
    if flat.any():
        found, last = np.empty_like(points), np.full(3, np.nan)
        for index, point in enumerate(points):
            found[index] = last = nearest_on_ellipsoid(radii, point, last)
        return found
    found, ended = _by_newton(radii, points)
    for index in np.flatnonzero(~ended).tolist():
        found[index] = found[index - 1] if index else np.nan
    return found


def _by_newton(radii: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Nearest points, and where the method has ended."""
    squares = radii * radii
    weights = squares * points * points
    outside = np.sum((points / radii) ** 2, axis=1) >= 1.0
    t = np.where(outside, np.max(radii) * np.sqrt(np.sum(points * points, axis=1)), 0.0)
    found, ended = np.full_like(points, np.nan), np.zeros(len(points), bool)
    a, b, c = squares
    x, y, z = weights.T
    for _ in range(_MOST_STEPS):
        p, q, r = t + a, t + b, t + c
        p2, q2, r2 = p * p, q * q, r * r
        f = p2 * q2 * r2 - x * q2 * r2 - y * p2 * r2 - z * p2 * q2
        here = (np.abs(f) < _SMALL) & ~ended
        if here.any():
            found[here] = (squares * points / np.stack([p, q, r], 1))[here]
            ended |= here
            if ended.all():
                break
        pq, pr, qr = p * q, p * r, q * r
        slope = 2.0 * (p * q * r * (qr + pr + pq) - x * qr * (q + r) - y * pr * (p + r) - z * pq * (p + q))
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.where(ended, t, t - f / slope)
    return found, ended


def _nearest_on_ellipse(a: float, b: float, u: float, v: float) -> tuple[float, float]:
    if math.isnan(u) or math.isnan(v):
        return math.nan, math.nan
    on_v_axis, on_u_axis = abs(u) <= _ON_PLANE, abs(v) <= _ON_PLANE
    if on_u_axis and on_v_axis:
        return (-a if u < 0.0 else a, v) if a < b else (u, -b if v < 0.0 else b)
    if on_v_axis:
        return _from_axis(a, b, u, v)
    if on_u_axis:
        return _from_axis(b, a, v, u)[::-1]
    a2, b2 = a * a, b * b
    x, y = a2 * u * u, b2 * v * v
    inside = (u / a) ** 2 + (v / b) ** 2 < 1.0
    t = 0.0 if inside else max(a, b) * math.sqrt(u * u + v * v)
    p = q = 1.0
    for _ in range(_MOST_STEPS):
        p, q = t + a2, t + b2
        f = p * p * q * q - x * q * q - y * p * p
        if abs(f) < _SMALL:
            break
        slope = 2.0 * (p * q * (p + q) - x * q - y * p)
        t -= f / slope
    return a2 * u / p, b2 * v / q


def _from_axis(a: float, b: float, u: float, v: float) -> tuple[float, float]:
    """Nearest point to one on the axis of b."""
    if a >= b or abs(v) >= b - a * a / b:
        return u, (b if v >= 0.0 else -b)
    y = b * b * v / (b * b - a * a)
    return a * math.sqrt(abs(1.0 - (y / b) ** 2)), y
