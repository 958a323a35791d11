"""Everything besides muscles that can help to balance a load: actuators of the model, and reserves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from borelli.compiled.compile import Attachment, CompiledModel
from borelli.kernels.tree.blocks import columns, fill
from borelli.kernels.tree.jacobian import carrying_speeds, speed_motions
from borelli.kernels.tree.node import GROUND
from borelli.mechanics.motion.coordinate_rates import rate_row
from borelli.mechanics.motion.frame_motion import unit_rows
from borelli.model.force import (
    CoordinateActuator,
    Force,
    PathActuator,
    PointActuator,
    PointToPointActuator,
    TorqueActuator,
)
from borelli.model.model import Model

Straight = CoordinateActuator | TorqueActuator | PointActuator | PointToPointActuator


@dataclass(frozen=True)
class ActuatorSet:
    """Actuators of a model that act, those along paths first.

    Parameters
    ----------
    along_paths : tuple of PathActuator
    straight : tuple of the other actuators
    """

    along_paths: tuple[PathActuator, ...]
    straight: tuple[Straight, ...]

    @property
    def all(self) -> tuple[PathActuator | Straight, ...]:
        """Both kinds in order."""
        return (*self.along_paths, *self.straight)

    @property
    def names(self) -> tuple[str, ...]:
        """Names in order."""
        return tuple(actuator.name for actuator in self.all)


def actuators_of(model: Model) -> ActuatorSet:
    """Collect the actuators of a model that are not switched off."""
    acting = [force for force in model.forces if force.applies_force]
    return ActuatorSet(
        tuple(force for force in acting if isinstance(force, PathActuator)),
        tuple(force for force in acting if isinstance(force, Straight)),
    )


def straight_forces(compiled: CompiledModel, actuators: Sequence[Straight], q: np.ndarray) -> np.ndarray:
    """Generalized forces of actuators per newton or newton metre, (n, n_actuators, n_u)."""
    out = np.zeros((len(q), len(actuators), compiled.mechanism.n_speeds))
    placed = _Placed(compiled, q) if any(not isinstance(a, CoordinateActuator) for a in actuators) else None
    for index, actuator in enumerate(actuators):
        if isinstance(actuator, CoordinateActuator):
            out[:, index] = _coordinate_row(compiled, actuator.coordinate, q)
        elif isinstance(actuator, TorqueActuator):
            assert placed is not None
            out[:, index] = _torque_row(placed, actuator)
        elif isinstance(actuator, PointToPointActuator):
            assert placed is not None
            out[:, index] = _two_points_row(placed, actuator)
        else:
            assert placed is not None
            out[:, index] = _point_row(placed, actuator)
    return out


def _coordinate_row(compiled: CompiledModel, name: str, q: np.ndarray) -> np.ndarray:
    """A force on a speed of that name; on a coordinate without one, by its rate."""
    if name in compiled.model.speed_names:
        row = np.zeros((len(q), compiled.mechanism.n_speeds))
        row[:, compiled.speed_index(name)] = 1.0
        return row
    return rate_row(compiled, compiled.coordinate_index(name), q)


class _Placed:
    """Poses of the nodes, and the motion that each speed gives."""

    def __init__(self, compiled: CompiledModel, q: np.ndarray) -> None:
        self.compiled, self.n = compiled, len(q)
        self.twists, self.poses = speed_motions(compiled.mechanism, columns(q))

    def rotation(self, place: Attachment) -> np.ndarray:
        """Axes of a frame in ground, (n, 3, 3)."""
        inner = np.array(place.placement.rotation, dtype=float)
        if place.node == GROUND:
            return np.broadcast_to(inner, (self.n, 3, 3))
        outer = np.empty((self.n, 9))
        fill(outer, self.poses[place.node].rotation)
        return outer.reshape(-1, 3, 3) @ inner

    def point(self, place: Attachment, location: np.ndarray) -> np.ndarray:
        """A point of a frame in ground, (n, 3)."""
        local = np.array(place.placement.of_point(tuple(location)), dtype=float)
        if place.node == GROUND:
            return np.broadcast_to(local, (self.n, 3))
        outer, origin = np.empty((self.n, 9)), np.empty((self.n, 3))
        fill(outer, self.poses[place.node].rotation)
        fill(origin, self.poses[place.node].origin)
        return origin + outer.reshape(-1, 3, 3) @ local

    def project(
        self, node: int, moment: np.ndarray, force: np.ndarray, point: np.ndarray, row: np.ndarray
    ) -> None:
        """Add the generalized forces of a force at a point and a moment on a node to a row, (n, n_u)."""
        if node == GROUND:
            return
        for speed in carrying_speeds(self.compiled.mechanism, node):
            angular, linear, origin = (self._vector(part) for part in self.twists[speed])
            velocity = linear + np.cross(angular, point - origin)
            row[:, speed] += (angular * moment).sum(axis=1) + (velocity * force).sum(axis=1)

    def _vector(self, parts: Sequence[object]) -> np.ndarray:
        out = np.empty((self.n, 3))
        fill(out, parts)
        return out


def _torque_row(placed: _Placed, actuator: TorqueActuator) -> np.ndarray:
    first, second = (placed.compiled.attachment(name) for name in (actuator.first, actuator.second))
    axis = np.broadcast_to(np.array(actuator.axis, dtype=float), (placed.n, 3))
    axis = axis / np.linalg.norm(axis, axis=1, keepdims=True)
    if not actuator.axis_in_ground:
        axis = np.einsum("nij,nj->ni", placed.rotation(first), axis)
    row, nothing = np.zeros((placed.n, placed.compiled.mechanism.n_speeds)), np.zeros((placed.n, 3))
    placed.project(first.node, axis, nothing, nothing, row)
    placed.project(second.node, -axis, nothing, nothing, row)
    return row


def _point_row(placed: _Placed, actuator: PointActuator) -> np.ndarray:
    body = placed.compiled.attachment(actuator.body)
    direction = np.broadcast_to(np.array(actuator.direction, dtype=float), (placed.n, 3))
    direction = direction / np.linalg.norm(direction, axis=1, keepdims=True)
    location = np.array(actuator.point, dtype=float)
    if not actuator.direction_in_ground:
        direction = np.einsum("nij,nj->ni", placed.rotation(body), direction)
    if actuator.point_in_ground:
        point = np.broadcast_to(location, (placed.n, 3))
    else:
        point = placed.point(body, location)
    row = np.zeros((placed.n, placed.compiled.mechanism.n_speeds))
    placed.project(body.node, np.zeros((placed.n, 3)), direction, point, row)
    return row


def _two_points_row(placed: _Placed, actuator: PointToPointActuator) -> np.ndarray:
    ends = [placed.compiled.attachment(name) for name in (actuator.first, actuator.second)]
    locations = [np.array(x, dtype=float) for x in (actuator.first_location, actuator.second_location)]
    if actuator.points_in_ground:
        points = [np.broadcast_to(location, (placed.n, 3)) for location in locations]
    else:
        points = [placed.point(end, location) for end, location in zip(ends, locations, strict=True)]
    along = unit_rows(points[0] - points[1])
    row, nothing = np.zeros((placed.n, placed.compiled.mechanism.n_speeds)), np.zeros((placed.n, 3))
    placed.project(ends[0].node, nothing, along, points[0], row)
    placed.project(ends[1].node, nothing, -along, points[1], row)
    return row


def control_bounds(actuators: Sequence[Force]) -> np.ndarray:
    """Lowest and highest control of each actuator, (n, 2)."""
    bounds = [(getattr(a, "min_control"), getattr(a, "max_control")) for a in actuators]  # noqa: B009
    return np.array(bounds, dtype=float).reshape(-1, 2)
