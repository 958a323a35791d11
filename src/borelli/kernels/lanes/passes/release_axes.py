"""Along which axes the speeds of a joint yield: their own, or those of the ground where these cost less.

Three turns about one point are every turn about it. Released about axes that are parallel to the ground's, most
products are with zeros and ones; what the joint's own axes have to do with it is said by three vectors, the dual ones.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from borelli.kernels.lanes.code.record_views import IntegerRecord
from borelli.kernels.lanes.code.values import Integer
from borelli.kernels.lanes.code.workspace import Workspace
from borelli.kernels.lanes.passes.ground_passes import load_twist, moved
from borelli.kernels.lanes.tables.release_tables import N_FREE, TURNS
from borelli.kernels.tree.algebra import ZERO, Vector, add, cross, dot, scale
from borelli.kernels.tree.articulated import LEAST_RESISTANCE
from borelli.kernels.tree.node_motion import NodeVelocity
from borelli.kernels.tree.numbers import Number

_GROUND_AXES: tuple[Vector, ...] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


class Axes:
    """The speeds of a group, as they are.

    Attributes
    ----------
    count : int
    """

    def __init__(self, count: int, record: IntegerRecord, at: Workspace) -> None:
        self.count = count
        self._record, self._at = record, at
        self._rows = [record("twist", k) for k in range(count)]

    @property
    def lost(self) -> Any:
        """IR bits: where the axes do not determine the speeds; None for nowhere."""
        return None

    @property
    def kept(self) -> tuple[Number, ...]:
        """Numbers that the forward pass needs."""
        return ()

    def twist(self, k: int) -> NodeVelocity:
        """Return the twist of a unit acceleration along an axis; read from memory where it is asked for."""
        return load_twist(self._at, self._rows[k])

    def forces(self) -> list[Number]:
        """Return what the joint's generalized forces do along the axes."""
        return [self._at.load(self._record("force", k)) for k in range(self.count)]

    def accelerations(self, values: Sequence[Number]) -> list[Number]:
        """Return the accelerations of the speeds, from those along the axes."""
        return list(values)

    def add_to(self, motion: NodeVelocity, values: Sequence[Number]) -> NodeVelocity:
        """Add the accelerations along the axes to a motion."""
        for k, value in enumerate(values):
            motion = moved(motion, self.twist(k), value)
        return motion


class DualAxes:
    """Three vectors, each of which sees one of three axes: a turn is the sum of axes times what their duals see of it.

    All are zero where the axes do not span the turns.
    """

    def __init__(self, vectors: Sequence[Vector], lost: Any = None) -> None:
        self.vectors, self.lost = vectors, lost

    @classmethod
    def of(cls, a: Vector, b: Vector, c: Vector) -> DualAxes:
        """Find them for axes of unit length."""
        normals = (cross(b, c), cross(c, a), cross(a, b))
        volume = dot(a, normals[0])
        # As in an articulated body, what is left there is the sine squared of the angle to gimbal lock.
        lost = volume.emitter.lanes(LEAST_RESISTANCE).exceeds(volume * volume)
        per_volume = volume.emitter.lanes(0.0).where(lost, 1.0 / volume)
        return cls([scale(per_volume, normal) for normal in normals], lost)

    def moment(self, forces: Sequence[Number]) -> Vector:
        """Return the moment that does the same work as generalized forces."""
        parts = [scale(force, vector) for force, vector in zip(forces, self.vectors, strict=True)]
        return add(add(parts[0], parts[1]), parts[2])

    def seen(self, turn: Vector) -> list[Number]:
        """Return how much of a turn is about each axis."""
        return [dot(vector, turn) for vector in self.vectors]


class _DualAxesOfThree(Axes):
    """Axes of which the first three are turns about one point."""

    @functools.cached_property
    def _dual(self) -> DualAxes:
        # Found when they are first needed: they would only occupy registers before.
        return DualAxes.of(*(self._at.vector(row) for row in self._rows[:3]))

    @property
    def lost(self) -> Any:
        """IR bits: at gimbal lock."""
        return self._dual.lost

    def forces(self) -> list[Number]:
        """Return the moment of the joint, then its other forces."""
        forces = super().forces()
        return [*self._dual.moment(forces[:3]), *forces[3:]]

    def accelerations(self, values: Sequence[Number]) -> list[Number]:
        """Return the accelerations of the speeds, from an angular acceleration and the others."""
        return [*self._dual.seen((values[0], values[1], values[2])), *values[3:]]


class TurnAxes(_DualAxesOfThree):
    """Three turns about one point.

    Parameters
    ----------
    group : IntegerRecord
    at : Workspace
    dual : DualAxes, optional
        If it is known; else it is found.
    """

    def __init__(self, group: IntegerRecord, at: Workspace, dual: DualAxes | None = None) -> None:
        super().__init__(3, group, at)
        self._origin = group("origin")
        if dual is not None:
            self._dual = dual

    @property
    def kept(self) -> tuple[Number, ...]:
        """The dual axes."""
        return tuple(number for vector in self._dual.vectors for number in vector)

    def twist(self, k: int) -> NodeVelocity:
        """Return a turn about an axis of the ground's through the point."""
        axis = _GROUND_AXES[k]
        return NodeVelocity(axis, cross(self._at.vector(self._origin), axis))


class RootAxes(_DualAxesOfThree):
    """Three turns about the common point, and three shifts."""

    def __init__(self, root: IntegerRecord, at: Workspace) -> None:
        super().__init__(N_FREE, root, at)

    def twist(self, k: int) -> NodeVelocity:
        """Return a turn about an axis of the ground's, or a shift."""
        if k < 3:
            return NodeVelocity(_GROUND_AXES[k], ZERO)
        return NodeVelocity(ZERO, self._at.vector(self._rows[k], 3))


def axes_of(speeds: int, group: IntegerRecord, at: Workspace) -> Axes:
    """Return the axes along which so many speeds yield."""
    return TurnAxes(group, at) if speeds == TURNS else Axes(speeds, group, at)


def kept_axes(speeds: int, group: IntegerRecord, at: Workspace, kept: Integer, first: int) -> Axes:
    """Return the same for the forward pass, from what the backward pass has kept."""
    if speeds != TURNS:
        return Axes(speeds, group, at)
    return TurnAxes(group, at, DualAxes([at.vector(kept, first + 3 * k) for k in range(3)]))
