"""Angular velocity and acceleration from quaternions and angles, given with their rates or over time.

Over time the rates come from an interpolating quintic spline. A quaternion series is first freed from jumps
of sign; the spline runs through its four components and is projected on the unit sphere, so that it meets
every given attitude, has four continuous derivatives and turns with the observer.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from borelli.errors import MissingInputError, ShapeError
from borelli.instants import distinct

# Loaded where needed: scipy, whose parts are slow to load and seldom needed.

FEWEST_INSTANTS = 6
"""A quintic spline needs this many points."""


def angular_velocity(quaternion: Any, rate: Any, *, in_body: bool = True) -> np.ndarray:
    """Angular velocity from a quaternion and its time derivative.

    w_body = 2 vec(q* q̇), w_world = 2 vec(q̇ q*). With the second derivative in place of ``rate`` it is the
    angular acceleration, because vec(q̇* q̇) = 0.

    Parameters
    ----------
    quaternion, rate : (…, 4) float
        Unit quaternion, scalar first, and its derivative by time.
    in_body : bool
        Body axes, or the axes of the world.

    Returns
    -------
    (…, 3) float
        rad/s.
    """
    q, d = np.asarray(quaternion, dtype=float), np.asarray(rate, dtype=float)
    cross = np.cross(q[..., 1:], d[..., 1:])
    plain = q[..., :1] * d[..., 1:] - d[..., :1] * q[..., 1:]
    return 2 * (plain - cross if in_body else plain + cross)


def quaternion_rate(quaternion: Any, angular_velocity: Any, *, in_body: bool = True) -> np.ndarray:
    """Time derivative of a quaternion: q̇ = ½ q (0, w_body) = ½ (0, w_world) q, (…, 4) scalar first."""
    q, w = np.asarray(quaternion, dtype=float), np.asarray(angular_velocity, dtype=float)
    scalar = -(q[..., 1:] * w).sum(axis=-1, keepdims=True)
    cross = np.cross(q[..., 1:], w)
    vector = q[..., :1] * w + (cross if in_body else -cross)
    return 0.5 * np.concatenate([scalar, vector], axis=-1)


def _axes_of_rates(angles: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return, in parent axes, the axes about which the three body-fixed XYZ angles turn."""
    sa, ca = np.sin(angles[..., 0]), np.cos(angles[..., 0])
    sb, cb = np.sin(angles[..., 1]), np.cos(angles[..., 1])
    zero = np.zeros_like(sa)
    first = np.stack([zero + 1, zero, zero], axis=-1)
    second = np.stack([zero, ca, sa], axis=-1)
    third = np.stack([sb, -sa * cb, ca * cb], axis=-1)
    return first, second, third


def angular_velocity_from_angles(angles: Any, rates: Any) -> np.ndarray:
    """Angular velocity, in parent axes, of body-fixed XYZ angles and their rates, (…, 3) rad/s."""
    a, d = np.asarray(angles, dtype=float), np.asarray(rates, dtype=float)
    first, second, third = _axes_of_rates(a)
    return d[..., :1] * first + d[..., 1:2] * second + d[..., 2:] * third


def angular_acceleration_from_angles(angles: Any, rates: Any, accelerations: Any) -> np.ndarray:
    """Angular acceleration, in parent axes, of body-fixed XYZ angles, (…, 3) rad/s²."""
    a, d = np.asarray(angles, dtype=float), np.asarray(rates, dtype=float)
    first, second, third = _axes_of_rates(a)
    # Each axis is carried along by the angles before it.
    second_turns = d[..., :1] * np.cross(first, second)
    third_turns = np.cross(d[..., :1] * first + d[..., 1:2] * second, third)
    turning = d[..., 1:2] * second_turns + d[..., 2:] * third_turns
    return angular_velocity_from_angles(a, accelerations) + turning


def angles_rates(angles: Any, angular_velocity: Any) -> np.ndarray:
    """Rates of body-fixed XYZ angles from the angular velocity in parent axes, (…, 3) rad/s.

    They grow without bound where the second angle approaches ±π/2.
    """
    a, w = np.asarray(angles, dtype=float), np.asarray(angular_velocity, dtype=float)
    sa, ca = np.sin(a[..., 0]), np.cos(a[..., 0])
    lateral = (-sa * w[..., 1] + ca * w[..., 2]) / np.cos(a[..., 1])
    return np.stack(
        [w[..., 0] - np.sin(a[..., 1]) * lateral, ca * w[..., 1] + sa * w[..., 2], lateral], axis=-1
    )


def derivatives(time: Any, values: Any) -> tuple[np.ndarray, np.ndarray]:
    """First and second derivatives of the interpolating quintic spline through a table.

    The ends are not-a-knot, which keeps the full order of accuracy there. Instants that are NaN are left out of
    the spline of their column and stay NaN in the result. Of rows that are one instant the spline meets the
    first.

    Parameters
    ----------
    time : (n_times,) float
    values : (n_times, n) float

    Returns
    -------
    first, second : (n_times, n) float
    """
    time, table = np.asarray(time, dtype=float), np.asarray(values, dtype=float)
    if table.ndim != 2 or time.shape != table.shape[:1]:
        raise ShapeError(
            f"a table over {time.shape} times needs as many rows, but has the shape {table.shape}."
        )
    known = ~np.isnan(table)
    if known.all():
        return _spline_derivatives(time, table)
    first, second = np.full(table.shape, np.nan), np.full(table.shape, np.nan)
    for column in range(table.shape[1]):
        rows = known[:, column]
        if rows.any():
            slope, curve = _spline_derivatives(time[rows], table[rows, column : column + 1])
            first[rows, column], second[rows, column] = slope[:, 0], curve[:, 0]
    return first, second


def _spline_derivatives(time: np.ndarray, table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    from scipy.interpolate import make_interp_spline

    knots = distinct(time, table)
    if knots.sum() < FEWEST_INSTANTS:
        raise MissingInputError(
            f"speeds cannot be found from {int(knots.sum())} instants: a quintic spline needs {FEWEST_INSTANTS}.",
            remedy="give a longer recording; in Python give u and udot, which are zero for a posture at rest "
            "(Motion.at_rest)",
        )
    spline = make_interp_spline(time[knots], table[knots], k=5)
    return np.asarray(spline(time, 1)), np.asarray(spline(time, 2))


def rates_from_quaternions(
    time: Any, quaternions: Any, *, in_body: bool = True
) -> tuple[np.ndarray, np.ndarray]:
    """Angular velocity and acceleration of attitudes over time, by a spline on the sphere.

    Parameters
    ----------
    time : (n_times,) float
        s.
    quaternions : (n_times, 4) float
        Scalar first; signs and lengths do not matter.
    in_body : bool
        Body axes, or the axes of the world.

    Returns
    -------
    velocity, acceleration : (n_times, 3) float
        rad/s and rad/s².
    """
    q = continuous(quaternions)
    first, second = derivatives(time, q)
    # p is the spline through the unit quaternions, |p| = 1 at the given times; n = p/|p| is the curve on the
    # sphere. Parts of its derivatives along n drop out of the vector part of n* n' and n* n'', but the rate of
    # |p| does not: n'' = p'' - 2 (n·p') p' + (…) n.
    radial = (q * first).sum(axis=-1, keepdims=True)
    velocity = angular_velocity(q, first, in_body=in_body)
    acceleration = angular_velocity(q, second - 2 * radial * first, in_body=in_body)
    return velocity, acceleration


def continuous(quaternions: Any) -> np.ndarray:
    """Return unit quaternions in which no row jumps to the opposite sign of the one before, (n_times, 4)."""
    q = np.asarray(quaternions, dtype=float)
    if q.ndim != 2 or q.shape[1] != 4:
        raise ShapeError(f"quaternions over time need the shape (n_times, 4), but have {q.shape}.")
    q = q / np.linalg.norm(q, axis=1, keepdims=True)
    known = ~np.isnan(q).any(axis=1)
    rows = q[known]
    flips = np.where((rows[1:] * rows[:-1]).sum(axis=1) < 0, -1.0, 1.0)
    out = q.copy()
    out[known] = rows * np.cumprod(np.concatenate([[1.0], flips]))[: len(rows), None]
    return out


def rates_from_angles(time: Any, angles: Any) -> tuple[np.ndarray, np.ndarray]:
    """Angular velocity and acceleration, in parent axes, of body-fixed XYZ angles over time.

    Jumps by whole turns are removed first.

    Parameters
    ----------
    time : (n_times,) float
        s.
    angles : (n_times, 3) float
        rad.

    Returns
    -------
    velocity, acceleration : (n_times, 3) float
        rad/s and rad/s².
    """
    unwrapped = np.asarray(angles, dtype=float).copy()
    for column in unwrapped.T:
        known = ~np.isnan(column)
        column[known] = np.unwrap(column[known])
    first, second = derivatives(time, unwrapped)
    velocity = angular_velocity_from_angles(unwrapped, first)
    return velocity, angular_acceleration_from_angles(unwrapped, first, second)
