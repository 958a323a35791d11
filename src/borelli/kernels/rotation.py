"""Constant rotations between nodes.

The node functions ask a constant rotation for two things only: ``rotate(x)`` gives the components in the
parent node of a vector known in the node, ``unrotate(x)`` the way back. A back end is free to represent it
more cheaply than by nine numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from borelli.kernels.algebra import IDENTITY, Matrix, Vector, times, transposed_times


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
