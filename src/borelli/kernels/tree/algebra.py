"""Vectors and matrices as tuples of abstract numbers.

A vector is ``(x, y, z)``, a matrix nine numbers row by row, a symmetric matrix six numbers
``(xx, yy, zz, xy, xz, yz)``. Written out component by component, so that the same text runs on floats,
arrays of instants, dual numbers, symbols and compiler lanes.
"""

from __future__ import annotations

from typing import TypeAlias

from borelli.kernels.tree.numbers import Number

Vector: TypeAlias = tuple[Number, Number, Number]
Matrix: TypeAlias = tuple[Number, Number, Number, Number, Number, Number, Number, Number, Number]
Symmetric: TypeAlias = tuple[Number, Number, Number, Number, Number, Number]

ZERO: Vector = (0.0, 0.0, 0.0)
IDENTITY: Matrix = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
ZERO_MATRIX: Matrix = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def add(a: Vector, b: Vector) -> Vector:
    """Return a + b."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def subtract(a: Vector, b: Vector) -> Vector:
    """Return a - b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def negate(a: Vector) -> Vector:
    """Return -a."""
    return (-a[0], -a[1], -a[2])


def scale(s: Number, a: Vector) -> Vector:
    """Return s a."""
    return (s * a[0], s * a[1], s * a[2])


def dot(a: Vector, b: Vector) -> Number:
    """Return a . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    """Return a x b."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def times(m: Matrix, x: Vector) -> Vector:
    """Return M x."""
    return (
        m[0] * x[0] + m[1] * x[1] + m[2] * x[2],
        m[3] * x[0] + m[4] * x[1] + m[5] * x[2],
        m[6] * x[0] + m[7] * x[1] + m[8] * x[2],
    )


def transposed_times(m: Matrix, x: Vector) -> Vector:
    """Return M^T x."""
    return (
        m[0] * x[0] + m[3] * x[1] + m[6] * x[2],
        m[1] * x[0] + m[4] * x[1] + m[7] * x[2],
        m[2] * x[0] + m[5] * x[1] + m[8] * x[2],
    )


def symmetric_times(s: Symmetric, x: Vector) -> Vector:
    """Return S x for a symmetric S."""
    return (
        s[0] * x[0] + s[3] * x[1] + s[4] * x[2],
        s[3] * x[0] + s[1] * x[1] + s[5] * x[2],
        s[4] * x[0] + s[5] * x[1] + s[2] * x[2],
    )


def product(a: Matrix, b: Matrix) -> Matrix:
    """Return A B."""
    columns = [times(a, (b[k], b[3 + k], b[6 + k])) for k in range(3)]
    x, y, z = columns
    return (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2])


def transpose(m: Matrix) -> Matrix:
    """Return M^T."""
    return (m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8])


def spin_matrix(omega: Vector, alpha: Vector) -> Matrix:
    """U = [alpha]x + [omega]x [omega]x: acceleration of a body point is U times its position.

    Parameters
    ----------
    omega, alpha : Vector
        Angular velocity (rad/s) and acceleration (rad/s^2), in the axes of the body.
    """
    x, y, z = omega
    xx, yy, zz, xy, xz, yz = x * x, y * y, z * z, x * y, x * z, y * z
    return (
        -(yy + zz),
        xy - alpha[2],
        xz + alpha[1],
        xy + alpha[2],
        -(xx + zz),
        yz - alpha[0],
        xz - alpha[1],
        yz + alpha[0],
        -(xx + yy),
    )


def moment_of_spin(u: Matrix, j: Symmetric) -> Vector:
    """Sum of r x m (U r) over the particles of a body with second-moment matrix J = sum m r r^T.

    It is the axial vector of U J - (U J)^T.
    """
    xx, yy, zz, xy, xz, yz = j
    return (
        (u[6] * xy + u[7] * yy + u[8] * yz) - (u[3] * xz + u[4] * yz + u[5] * zz),
        (u[0] * xz + u[1] * yz + u[2] * zz) - (u[6] * xx + u[7] * xy + u[8] * xz),
        (u[3] * xx + u[4] * xy + u[5] * xz) - (u[0] * xy + u[1] * yy + u[2] * yz),
    )


def inertia_times(j: Symmetric, omega: Vector) -> Vector:
    """Inertia tensor times an angular velocity, from the second-moment matrix: (trace(J) E - J) w."""
    return subtract(scale(j[0] + j[1] + j[2], omega), symmetric_times(j, omega))


def outer(a: Vector, b: Vector) -> Symmetric:
    """Upper half of a b^T."""
    return (a[0] * b[0], a[1] * b[1], a[2] * b[2], a[0] * b[1], a[0] * b[2], a[1] * b[2])


def symmetric_product(a: Vector, b: Vector) -> Symmetric:
    """Return a b^T + b a^T."""
    return (
        2.0 * (a[0] * b[0]),
        2.0 * (a[1] * b[1]),
        2.0 * (a[2] * b[2]),
        a[0] * b[1] + a[1] * b[0],
        a[0] * b[2] + a[2] * b[0],
        a[1] * b[2] + a[2] * b[1],
    )


def add_symmetric(a: Symmetric, b: Symmetric) -> Symmetric:
    """Return A + B."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5])
