"""Placements of the model in the form the kernels use: flat matrices and constant rotations."""

from __future__ import annotations

from borelli.kernels.tree.algebra import IDENTITY, Matrix, Vector
from borelli.kernels.tree.numbers import Number, cos, sin
from borelli.kernels.tree.rotation import ConstantRotation, ExchangedAxes, MatrixRotation, SameAxes
from borelli.model.placement import Placement
from borelli.model.values import Matrix as Rows
from borelli.model.values import all_concrete, multiply, transpose


def flat(rotation: Rows) -> Matrix:
    """Nine numbers row by row."""
    return (*rotation[0], *rotation[1], *rotation[2])


def constant_rotation(rotation: Rows) -> ConstantRotation:
    """Return the cheapest constant rotation for a matrix."""
    matrix = flat(rotation)
    if matrix == IDENTITY:
        return SameAxes()
    if all_concrete(matrix) and all(entry in (0.0, 1.0, -1.0) for entry in matrix):
        return ExchangedAxes(matrix)
    return MatrixRotation(matrix)


def aligned(axis: Vector) -> Rows:
    """Return a rotation whose third column is a unit axis: it puts a hinge on its own z axis.

    An axis along x or y exchanges the axes cyclically, so that no round-off enters.
    """
    plain = all_concrete(axis)
    if plain and tuple(axis) == (1.0, 0.0, 0.0):
        return ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    if plain and tuple(axis) == (0.0, 1.0, 0.0):
        return ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0))
    x, y, z = axis
    if plain and z < 0.0:
        # The smallest rotation from z is ill-conditioned near -z: turn half about x first.
        return multiply(_HALF_TURN, _smallest_rotation((x, -y, -z)))
    return _smallest_rotation(axis)


_HALF_TURN: Rows = ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0))


def _smallest_rotation(axis: Vector) -> Rows:
    x, y, z = axis
    k = 1.0 / (1.0 + z)
    return ((1.0 - k * x * x, -(k * x * y), x), (-(k * x * y), 1.0 - k * y * y, y), (-x, -y, z))


def turned_about(axis: Vector, angle: Number) -> Rows:
    """Rotation by a constant angle (rad) about a unit axis."""
    align = aligned(axis)
    s, c = sin(angle), cos(angle)
    return multiply(multiply(align, ((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0))), transpose(align))


def rotation_only(rotation: Rows) -> Placement:
    """Place a frame at the same origin with other axes."""
    return Placement(rotation=rotation)
