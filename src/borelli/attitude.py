"""Attitude: quaternions, rotation matrices, angles, and the angular velocities between them.

Quaternions are **scalar first**, ``(s, x, y, z)``, and carry body axes to the frame in which the body is
observed: ``x_world = q x_body q*``. Arrays may have any leading dimensions; time comes first. Quaternions
are normalised before use, so a rounded one still is a rotation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from borelli.attitude_rates import (
    angles_rates,
    angular_acceleration_from_angles,
    angular_velocity,
    angular_velocity_from_angles,
    quaternion_rate,
    rates_from_angles,
    rates_from_quaternions,
)
from borelli.errors import InvalidValueError, ShapeError

# Loaded where needed: scipy, whose parts are slow to load and seldom needed.

__all__ = [
    "angles_from_matrix",
    "angles_rates",
    "angular_acceleration_from_angles",
    "angular_velocity",
    "angular_velocity_from_angles",
    "between",
    "conjugate",
    "from_axis_angle",
    "from_direction",
    "from_matrix",
    "from_scipy",
    "inertia_about_point",
    "inertia_in_world",
    "matrix_from_angles",
    "multiply",
    "normalized",
    "quaternion_rate",
    "rates_from_angles",
    "rates_from_quaternions",
    "rotate",
    "rotation_matrix",
    "to_scipy",
    "turn_angle",
]


def _array(values: Any, last: tuple[int, ...], what: str) -> np.ndarray:
    array = np.asarray(values, dtype=float)
    if array.shape[-len(last) :] != last:
        raise ShapeError(f"{what} needs the shape (…, {', '.join(map(str, last))}), but has {array.shape}.")
    return array


def normalized(quaternion: Any) -> np.ndarray:
    """Return the unit quaternion, (…, 4) scalar first."""
    q = _array(quaternion, (4,), "a quaternion")
    length = np.linalg.norm(q, axis=-1, keepdims=True)
    if (length == 0).any():
        raise InvalidValueError("a quaternion of zero length is no rotation.")
    return q / length


def conjugate(quaternion: Any) -> np.ndarray:
    """Return the quaternion of the inverse rotation (for unit length)."""
    return _array(quaternion, (4,), "a quaternion") * np.array([1.0, -1.0, -1.0, -1.0])


def multiply(a: Any, b: Any) -> np.ndarray:
    """Return the quaternion product: first the rotation ``b``, then ``a``."""
    a, b = _array(a, (4,), "a quaternion"), _array(b, (4,), "a quaternion")
    s = a[..., 0] * b[..., 0] - (a[..., 1:] * b[..., 1:]).sum(axis=-1)
    v = a[..., :1] * b[..., 1:] + b[..., :1] * a[..., 1:] + np.cross(a[..., 1:], b[..., 1:])
    return np.concatenate([s[..., None], v], axis=-1)


def from_axis_angle(axis: Any, angle: Any) -> np.ndarray:
    """Quaternion of a turn by an angle about an axis, (…, 4): (cos θ/2, sin θ/2 · axis).

    Parameters
    ----------
    axis : (…, 3) float
        Of any length but zero; right-handed.
    angle : (…) float
        rad.
    """
    n = _array(axis, (3,), "an axis")
    length = np.linalg.norm(n, axis=-1, keepdims=True)
    if (length == 0).any():
        raise InvalidValueError("an axis of zero length points nowhere.")
    half = 0.5 * np.asarray(angle, dtype=float)
    scalar, vector = np.broadcast_arrays(np.cos(half)[..., None], np.sin(half)[..., None] * (n / length))
    return np.concatenate([scalar[..., :1], vector], axis=-1)


def between(start: Any, end: Any) -> np.ndarray:
    """Quaternion of the smallest turn that carries one direction to another, (…, 4).

    Parameters
    ----------
    start, end : (…, 3) float
        Of any length but zero. Opposite directions leave the axis open: it is then across the start, as near to
        the z axis as can be, or to x for a vertical start.
    """
    a, b = np.broadcast_arrays(_array(start, (3,), "a direction"), _array(end, (3,), "a direction"))
    sizes = [np.linalg.norm(each, axis=-1, keepdims=True) for each in (a, b)]
    if any((size == 0).any() for size in sizes):
        raise InvalidValueError("a direction of zero length points nowhere.")
    a, b = a / sizes[0], b / sizes[1]
    # |a + b| is 2 cos θ/2: exact near zero, where 1 + a·b is too; near opposite both vanish.
    middle = a + b
    length = np.linalg.norm(middle, axis=-1, keepdims=True)
    opposite = length[..., 0] < 1e-8
    m = middle / np.where(length == 0.0, 1.0, length)
    found = np.concatenate([(a * m).sum(axis=-1, keepdims=True), np.cross(a, m)], axis=-1)
    # Within 1.4e-6 rad of vertical what is left of z across the start has lost six digits.
    upright = np.abs(a[..., 2]) > 1.0 - 1e-12
    aim = np.where(upright[..., None], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0])
    across = aim - (aim * a).sum(axis=-1, keepdims=True) * a
    across = across / np.linalg.norm(across, axis=-1, keepdims=True)
    half_turn = np.concatenate([np.zeros_like(length), across], axis=-1)
    return normalized(np.where(opposite[..., None], half_turn, found))


def turn_angle(quaternion: Any) -> np.ndarray:
    """Angle by which a quaternion turns, (…), from 0 to π rad."""
    q = normalized(quaternion)
    return 2.0 * np.arctan2(np.linalg.norm(q[..., 1:], axis=-1), np.abs(q[..., 0]))


def from_direction(direction: Any) -> np.ndarray:
    """Attitude of a segment along a direction: x axis along it, z axis as high as possible.

    A vertical direction leaves the heading open; it is then taken as zero.

    Parameters
    ----------
    direction : (…, 3) float
        Of any length but zero.

    Returns
    -------
    (…, 4) float
        Quaternion, scalar first, body to world.
    """
    d = _array(direction, (3,), "a direction")
    if not (np.abs(d).max(axis=-1, initial=0.0) > 0).all():
        raise InvalidValueError("a direction of zero length points nowhere.")
    level = np.hypot(d[..., 0], d[..., 1])
    half_heading = np.where(level > 0, np.arctan2(d[..., 1], d[..., 0]), 0.0) / 2
    half_rise = np.arctan2(d[..., 2], level) / 2
    ch, sh, cr, sr = np.cos(half_heading), np.sin(half_heading), np.cos(half_rise), np.sin(half_rise)
    return np.stack([ch * cr, sh * sr, -ch * sr, sh * cr], axis=-1)


def rotation_matrix(quaternion: Any) -> np.ndarray:
    """Rotation matrix of a quaternion, (…, 3, 3); columns are the body axes in the world.

    R = (s² - v·v) E + 2 v vᵀ + 2 s [v]×, for |q| = 1.
    """
    q = normalized(quaternion)
    s, v = q[..., 0], q[..., 1:]
    x, y, z = v[..., 0], v[..., 1], v[..., 2]
    outer = 2 * v[..., :, None] * v[..., None, :]
    zero = np.zeros_like(s)
    skew = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=-1).reshape((*s.shape, 3, 3))
    diagonal = (s * s - (v * v).sum(axis=-1))[..., None, None] * np.eye(3)
    return diagonal + outer + 2 * s[..., None, None] * skew


def from_matrix(matrix: Any) -> np.ndarray:
    """Quaternion of a rotation matrix, (…, 4) scalar first, with a scalar that is not negative."""
    r = _array(matrix, (3, 3), "a rotation matrix")
    trace = np.trace(r, axis1=-2, axis2=-1)
    diagonal = np.diagonal(r, axis1=-2, axis2=-1)
    # Each row below is the quaternion times one of its own components; the longest row is the best conditioned.
    k = np.empty((*trace.shape, 4, 4))
    k[..., 0, 0] = 1 + trace
    axes = ((1, 2), (2, 0), (0, 1))
    for i, (j, l_) in enumerate(axes):
        k[..., i + 1, i + 1] = 1 - trace + 2 * diagonal[..., i]
        k[..., 0, i + 1] = k[..., i + 1, 0] = r[..., l_, j] - r[..., j, l_]
        k[..., j + 1, l_ + 1] = k[..., l_ + 1, j + 1] = r[..., j, l_] + r[..., l_, j]
    best = np.argmax(np.diagonal(k, axis1=-2, axis2=-1), axis=-1)
    q = normalized(np.take_along_axis(k, best[..., None, None], axis=-2)[..., 0, :])
    return np.where(q[..., :1] < 0, -q, q)


def rotate(quaternion: Any, vector: Any) -> np.ndarray:
    """Carry a vector from body axes to world axes, (…, 3)."""
    x = _array(vector, (3,), "a vector")
    return np.einsum("...ij,...j->...i", rotation_matrix(quaternion), x)


def matrix_from_angles(angles: Any) -> np.ndarray:
    """Rotation matrix of body-fixed XYZ angles: R = Rx(a) Ry(b) Rz(c), (…, 3, 3)."""
    angles = _array(angles, (3,), "body-fixed XYZ angles")
    (sa, sb, sc), (ca, cb, cc) = np.moveaxis(np.sin(angles), -1, 0), np.moveaxis(np.cos(angles), -1, 0)
    rows = [
        [cb * cc, -cb * sc, sb],
        [ca * sc + sa * sb * cc, ca * cc - sa * sb * sc, -sa * cb],
        [sa * sc - ca * sb * cc, sa * cc + ca * sb * sc, ca * cb],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def angles_from_matrix(matrix: Any) -> np.ndarray:
    """Body-fixed XYZ angles of a rotation matrix, (…, 3), the second within ±π/2.

    Where the second is ±π/2 only the sum or difference of the others is defined; the third is then zero.
    """
    r = _array(matrix, (3, 3), "a rotation matrix")
    second = np.arctan2(r[..., 0, 2], np.hypot(r[..., 0, 0], r[..., 0, 1]))
    # Closer than this to gimbal lock the first row's other entries are round-off.
    locked = np.hypot(r[..., 0, 0], r[..., 0, 1]) < 1e-12
    first = np.where(locked, np.arctan2(r[..., 2, 1], r[..., 1, 1]), np.arctan2(-r[..., 1, 2], r[..., 2, 2]))
    third = np.where(locked, 0.0, np.arctan2(-r[..., 0, 1], r[..., 0, 0]))
    return np.stack([first, second, third], axis=-1)


def inertia_in_world(inertia: Any, rotation: Any) -> np.ndarray:
    """Turn an inertia from body axes to world axes: R I Rᵀ, (…, 3, 3).

    Parameters
    ----------
    inertia : (…, 3, 3) float
        In body axes (kg m²).
    rotation : (…, 3, 3) float
        Rotation matrix, body to world.
    """
    i, r = _array(inertia, (3, 3), "an inertia"), _array(rotation, (3, 3), "a rotation matrix")
    return r @ i @ np.swapaxes(r, -1, -2)


def inertia_about_point(inertia: Any, mass: Any, com: Any) -> np.ndarray:
    """Move an inertia from the mass centre to another point (parallel axes): I + m (c·c E - c cᵀ).

    Parameters
    ----------
    inertia : (…, 3, 3) float
        About the mass centre (kg m²). A negative mass moves it back.
    mass : (…) float
        kg.
    com : (…, 3) float
        Mass centre seen from the point, in the same axes (m).
    """
    i, c = _array(inertia, (3, 3), "an inertia"), _array(com, (3,), "a mass centre")
    square = (c * c).sum(axis=-1)[..., None, None] * np.eye(3)
    return i + np.asarray(mass, dtype=float)[..., None, None] * (square - c[..., :, None] * c[..., None, :])


def to_scipy(quaternion: Any) -> Any:
    """Return a :class:`scipy.spatial.transform.Rotation`, which is scalar last inside."""
    from scipy.spatial.transform import Rotation

    return Rotation.from_quat(normalized(quaternion)[..., [1, 2, 3, 0]])


def from_scipy(rotation: Any) -> np.ndarray:
    """Return the quaternion, scalar first, of a :class:`scipy.spatial.transform.Rotation`."""
    return np.asarray(rotation.as_quat())[..., [3, 0, 1, 2]]
