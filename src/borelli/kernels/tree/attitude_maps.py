"""Rotation of a ball: from its coordinates to a matrix, and between rates and angular velocity.

Two ways to write a rotation R (child axes as columns in the joint's parent frame):

* a unit quaternion, scalar first (s, x, y, z), normalised on use;
* body-fixed XYZ angles: R = Rx(a) Ry(b) Rz(c).
"""

from __future__ import annotations

from borelli.kernels.tree.algebra import Matrix, Vector, cross, dot, scale, subtract
from borelli.kernels.tree.numbers import Number, cos, sin


def quaternion_matrix(q: tuple[Number, ...]) -> Matrix:
    """Rotation matrix of a quaternion of any length but zero."""
    s, x, y, z = q
    k = 2.0 / (s * s + x * x + y * y + z * z)
    return (
        1.0 - k * (y * y + z * z),
        k * (x * y - s * z),
        k * (x * z + s * y),
        k * (x * y + s * z),
        1.0 - k * (x * x + z * z),
        k * (y * z - s * x),
        k * (x * z - s * y),
        k * (y * z + s * x),
        1.0 - k * (x * x + y * y),
    )


def quaternion_rates(q: tuple[Number, ...], omega: Vector) -> tuple[Number, ...]:
    """Rate of a quaternion from the angular velocity in child axes: 1/2 q (0, w)."""
    s, x, y, z = q
    a, b, c = omega
    return (
        -0.5 * (x * a + y * b + z * c),
        0.5 * (s * a + y * c - z * b),
        0.5 * (s * b + z * a - x * c),
        0.5 * (s * c + x * b - y * a),
    )


def quaternion_spin(q: tuple[Number, ...], rate: tuple[Number, ...]) -> Vector:
    """Angular velocity in child axes from a quaternion and its rate: 2 vec(q* q') / q.q.

    With the second derivative in place of the rate it gives the angular acceleration.
    """
    s, v = q[0], (q[1], q[2], q[3])
    k = 2.0 / (s * s + dot(v, v))
    part = (rate[1], rate[2], rate[3])
    vec = subtract(subtract(scale(s, part), scale(rate[0], v)), cross(v, part))
    return scale(k, vec)


def xyz_matrix(angles: tuple[Number, ...]) -> Matrix:
    """Rotation matrix of body-fixed XYZ angles (rad)."""
    a, b, c = angles
    sa, ca, sb, cb, sc, cc = sin(a), cos(a), sin(b), cos(b), sin(c), cos(c)
    return (
        cb * cc,
        -(cb * sc),
        sb,
        ca * sc + sa * sb * cc,
        ca * cc - sa * sb * sc,
        -(sa * cb),
        sa * sc - ca * sb * cc,
        sa * cc + ca * sb * sc,
        ca * cb,
    )


def xyz_rates(angles: tuple[Number, ...], omega: Vector) -> tuple[Number, ...]:
    """Rates of body-fixed XYZ angles from the angular velocity in *parent* axes.

    Infinite where the middle angle is a right angle: the three axes then lie in a plane.
    """
    a, b, _ = angles
    sa, ca, sb, cb = sin(a), cos(a), sin(b), cos(b)
    third = (ca * omega[2] - sa * omega[1]) / cb
    return (omega[0] - sb * third, ca * omega[1] + sa * omega[2], third)


def xyz_spin(
    angles: tuple[Number, ...], rates: tuple[Number, ...], accelerations: tuple[Number, ...]
) -> tuple[Vector, Vector]:
    """Angular velocity and acceleration in *parent* axes from XYZ angles and their derivatives."""
    a, b, _ = angles
    sa, ca, sb, cb = sin(a), cos(a), sin(b), cos(b)
    da, db, dc = rates
    dda, ddb, ddc = accelerations
    omega = (da + sb * dc, ca * db - sa * cb * dc, sa * db + ca * cb * dc)
    alpha = (
        dda + sb * ddc + cb * db * dc,
        ca * ddb - sa * cb * ddc - sa * da * db - (ca * cb * da - sa * sb * db) * dc,
        sa * ddb + ca * cb * ddc + ca * da * db - (sa * cb * da + ca * sb * db) * dc,
    )
    return omega, alpha
