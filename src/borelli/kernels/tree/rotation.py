"""Constant rotations between nodes.

The node functions ask a constant rotation for two things only: ``rotate(x)`` gives the components in the
parent node of a vector known in the node, ``unrotate(x)`` the way back. A back end is free to represent it
more cheaply than by nine numbers.
"""

from __future__ import annotations

from functools import cached_property
from typing import Protocol

from borelli.kernels.tree.algebra import IDENTITY, Matrix, Vector, times, transposed_times
from borelli.kernels.tree.numbers import Number
from borelli.records import dataclass


class ConstantRotation(Protocol):
    """A rotation that maps the components of a vector in the node to those in its parent."""

    def rotate(self, x: Vector) -> Vector:
        """Components in the parent."""
        ...

    def unrotate(self, x: Vector) -> Vector:
        """Components in the node."""
        ...


@dataclass(frozen=True)
class MatrixRotation:
    """Rotation by a full matrix; its columns are the node's axes in the parent."""

    matrix: Matrix

    def rotate(self, x: Vector) -> Vector:
        """C x."""
        return times(self.matrix, x)

    def unrotate(self, x: Vector) -> Vector:
        """C^T x."""
        return transposed_times(self.matrix, x)


@dataclass(frozen=True)
class SameAxes:
    """No rotation at all."""

    matrix: Matrix = IDENTITY

    def rotate(self, x: Vector) -> Vector:
        """Return x itself."""
        return x

    def unrotate(self, x: Vector) -> Vector:
        """Return x itself."""
        return x


@dataclass(frozen=True)
class ExchangedAxes:
    """Axes that change places or signs: nothing is multiplied, and no round-off enters.

    Parameters
    ----------
    matrix : Matrix
        With one entry 1 or -1 in every row and column, 0 elsewhere.
    """

    matrix: Matrix

    @cached_property
    def _rows(self) -> tuple[tuple[int, bool], ...]:
        return tuple(_only_entry(self.matrix[3 * row : 3 * row + 3]) for row in range(3))

    @cached_property
    def _columns(self) -> tuple[tuple[int, bool], ...]:
        return tuple(_only_entry(self.matrix[column::3]) for column in range(3))

    def rotate(self, x: Vector) -> Vector:
        """C x."""
        return _picked(self._rows, x)

    def unrotate(self, x: Vector) -> Vector:
        """C^T x."""
        return _picked(self._columns, x)


def _only_entry(entries: tuple[Number, ...]) -> tuple[int, bool]:
    """Position of the entry that is not zero, and whether it is negative."""
    position = next(index for index, entry in enumerate(entries) if entry != 0)
    return position, bool(entries[position] < 0)


def _picked(places: tuple[tuple[int, bool], ...], x: Vector) -> Vector:
    a, b, c = (-x[position] if negative else x[position] for position, negative in places)
    return (a, b, c)
