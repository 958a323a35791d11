"""Everything besides muscles that can help to balance a load: actuators of the model, and reserves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from borelli.arrays import unit_rows
from borelli.compiled.compile import Attachment, CompiledModel
from borelli.errors import unhandled
from borelli.kernels.tree.jacobian import carrying_speeds
from borelli.kernels.tree.node import GROUND
from borelli.mechanics.engine import engine
from borelli.mechanics.motion.coordinate_rates import rate_row
from borelli.model.forces.force import (
    CoordinateActuator,
    Force,
    PathActuator,
    PointActuator,
    PointToPointActuator,
    TorqueActuator,
)
from borelli.model.model import Model
from borelli.records import dataclass

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


def straight_forces(
    compiled: CompiledModel, actuators: Sequence[Straight], q: np.ndarray, out: np.ndarray | None = None
) -> np.ndarray:
    """Generalized forces of actuators per newton or newton metre, (n, n_actuators, n_u).

    Parameters
    ----------
    out : (n_actuators, n_u, n) float, optional
        Memory for them; the answer is a view of it.
    """
    if out is None:
        out = np.empty((len(actuators), compiled.mechanism.n_speeds, len(q)))
    out[:] = 0.0
    on_bodies = [actuator for actuator in actuators if not isinstance(actuator, CoordinateActuator)]
    placed = _Placed(compiled, q, on_bodies) if on_bodies else None
    for row, actuator in zip(out, actuators, strict=True):
        if isinstance(actuator, CoordinateActuator):
            _add_coordinate(compiled, actuator.coordinate, q, row)
        elif placed is None:
            raise AssertionError("an actuator on bodies has places")
        elif isinstance(actuator, TorqueActuator):
            _add_torque(placed, actuator, row)
        elif isinstance(actuator, PointToPointActuator):
            _add_two_points(placed, actuator, row)
        elif isinstance(actuator, PointActuator):
            _add_point(placed, actuator, row)
        else:
            raise unhandled(actuator, "acts on bodies in no way that is known")
    return np.moveaxis(out, 2, 0)


def _add_coordinate(compiled: CompiledModel, name: str, q: np.ndarray, row: np.ndarray) -> None:
    """A force on a speed of that name; on a coordinate without one, by its rate."""
    if name in compiled.speed_names:
        row[compiled.speed_index(name)] = 1.0
    else:
        row[:] = rate_row(compiled, compiled.coordinate_index(name), q).T


def _frames(actuator: Straight) -> tuple[str, ...]:
    """Names of the frames that an actuator acts on."""
    if isinstance(actuator, PointActuator):
        return (actuator.body,)
    if isinstance(actuator, CoordinateActuator):
        return ()
    return (actuator.first, actuator.second)


class _Placed:
    """Poses of the nodes that actuators act on, and the motion that each speed gives."""

    def __init__(self, compiled: CompiledModel, q: np.ndarray, actuators: Sequence[Straight]) -> None:
        self.compiled, self.n = compiled, len(q)
        nodes = {compiled.attachment(name).node for actuator in actuators for name in _frames(actuator)}
        self._position = {node: k for k, node in enumerate(sorted(nodes))}
        self._carrying = {node: carrying_speeds(compiled.mechanism, node) for node in nodes if node != GROUND}
        self._pose, self._twist = engine().speed_motions(compiled.mechanism, q, sorted(nodes))

    def turned(self, place: Attachment, vector: np.ndarray) -> np.ndarray:
        """A vector of a frame in ground axes, (3, n)."""
        local = np.array(place.placement.rotation, dtype=float) @ vector
        rotation = self._pose[self._position[place.node], :9].reshape(3, 3, -1)
        return np.einsum("ijn,j->in", rotation, local)

    def point(self, place: Attachment, location: np.ndarray) -> np.ndarray:
        """A point of a frame in ground, (3, n)."""
        local = np.array(place.placement.of_point(tuple(location)), dtype=float)
        pose = self._pose[self._position[place.node]]
        return np.asarray(pose[9:] + np.einsum("ijn,j->in", pose[:9].reshape(3, 3, -1), local))

    def everywhen(self, vector: np.ndarray) -> np.ndarray:
        """The same vector at all instants, (3, n)."""
        return np.broadcast_to(vector[:, None], (3, self.n))

    def add(self, node: int, moment: np.ndarray, force: np.ndarray, row: np.ndarray) -> None:
        """Add the generalized forces of a wrench about the ground's origin on a node to a row, (n_u, n)."""
        (a, b, c), (x, y, z) = moment, force
        for speed in self._carrying.get(node, ()):
            p, q, r, i, j, k = self._twist[speed]
            row[speed] += p * a + q * b + r * c + i * x + j * y + k * z


def _add_torque(placed: _Placed, actuator: TorqueActuator, row: np.ndarray) -> None:
    first, second = (placed.compiled.attachment(name) for name in _frames(actuator))
    axis = _unit_vector(actuator.axis)
    moment = placed.everywhen(axis) if actuator.axis_in_ground else placed.turned(first, axis)
    nothing = placed.everywhen(np.zeros(3))
    placed.add(first.node, moment, nothing, row)
    placed.add(second.node, -moment, nothing, row)


def _add_point(placed: _Placed, actuator: PointActuator, row: np.ndarray) -> None:
    body, direction = placed.compiled.attachment(actuator.body), _unit_vector(actuator.direction)
    location = np.array(actuator.point, dtype=float)
    force = placed.everywhen(direction) if actuator.direction_in_ground else placed.turned(body, direction)
    point = placed.everywhen(location) if actuator.point_in_ground else placed.point(body, location)
    placed.add(body.node, _moment(point, force), force, row)


def _add_two_points(placed: _Placed, actuator: PointToPointActuator, row: np.ndarray) -> None:
    ends = [placed.compiled.attachment(name) for name in _frames(actuator)]
    locations = [np.array(x, dtype=float) for x in (actuator.first_location, actuator.second_location)]
    if actuator.points_in_ground:
        points = [placed.everywhen(location) for location in locations]
    else:
        points = [placed.point(end, location) for end, location in zip(ends, locations, strict=True)]
    along = unit_rows((points[0] - points[1]).T).T
    for end, point, force in zip(ends, points, (along, -along), strict=True):
        placed.add(end.node, _moment(point, force), force, row)


def _unit_vector(numbers: Sequence[float]) -> np.ndarray:
    """A vector of length one, (3,)."""
    vector = np.array(numbers, dtype=float)
    return np.asarray(vector / np.linalg.norm(vector))


def _moment(point: np.ndarray, force: np.ndarray) -> np.ndarray:
    """Moment of a force about the ground's origin, (3, n)."""
    (x, y, z), (a, b, c) = point, force
    return np.stack([y * c - z * b, z * a - x * c, x * b - y * a])


def control_bounds(actuators: Sequence[Force]) -> np.ndarray:
    """Lowest and highest control of each actuator, (n, 2)."""
    bounds = [(getattr(a, "min_control"), getattr(a, "max_control")) for a in actuators]  # noqa: B009
    return np.array(bounds, dtype=float).reshape(-1, 2)
