"""The equations of each constraint: its error, and what it asks of speeds and accelerations.

A constraint adds rows to::

    error(q, t) = 0          G(q) u = speed(t)          G(q) udot = acceleration(q, u, t)

Rows that fix one coordinate as a function of others or of time can be solved for that coordinate; they are
kept apart from rows that close loops between bodies.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from borelli import attitude
from borelli.compiled.compile import Attachment, CompiledModel
from borelli.errors import unhandled
from borelli.mechanics.motion.coordinate_rates import rate_bias, rate_row, rates
from borelli.mechanics.motion.frame_motion import FrameMotion, cross_rows
from borelli.model import (
    ConstantDistanceConstraint,
    Constraint,
    Function,
    PointConstraint,
    PointOnLineConstraint,
    RollingConstraint,
    WeldConstraint,
)
from borelli.records import dataclass


class Rows(NamedTuple):
    """Rows of some constraints in n instants; the last two are zero where no speeds were given."""

    error: np.ndarray
    """(n, n_rows)"""
    jacobian: np.ndarray
    """(n, n_rows, n_u)"""
    speed: np.ndarray
    """(n, n_rows)"""
    acceleration: np.ndarray
    """(n, n_rows)"""


@dataclass(frozen=True)
class CoordinateRow:
    """``coordinate = scale * function(arguments)``, or a function of time where there are no arguments.

    ``coordinate`` and ``arguments`` are positions in q.
    """

    name: str
    coordinate: int
    function: Function
    arguments: tuple[int, ...] = ()
    scale: float = 1.0

    def target(self, q: np.ndarray, time: np.ndarray) -> np.ndarray:
        """Return the value that the coordinate should have, (n,)."""
        return self.scale * self.function.value(*self._values(q, time))

    def _values(self, q: np.ndarray, time: np.ndarray) -> list[np.ndarray]:
        return [q[:, index] for index in self.arguments] if self.arguments else [time]

    def rows(self, compiled: CompiledModel, q: np.ndarray, u: np.ndarray, time: np.ndarray) -> Rows:
        """Return the one row of this constraint."""
        values = self._values(q, time)
        error = q[:, self.coordinate] - self.scale * self.function.value(*values)
        jacobian = self.jacobian(compiled, q, time)
        acceleration = -rate_bias(compiled, self.coordinate, q, u)
        if not self.arguments:
            speed = self.scale * self.function.derivative(time)
            acceleration = acceleration + self.scale * self.function.second_derivative(time)
            return Rows(error[:, None], jacobian[:, None], speed[:, None], acceleration[:, None])
        qdot = rates(compiled.mechanism, q, u)
        for k, argument in enumerate(self.arguments):
            slope = self.scale * self.function.derivative(*values, by=k)
            acceleration = acceleration + slope * rate_bias(compiled, argument, q, u)
            for l_, other in enumerate(self.arguments):
                curve = self.scale * self.function.second_derivative(*values, by=(k, l_))
                acceleration = acceleration + curve * qdot[:, argument] * qdot[:, other]
        still = np.zeros((len(q), 1))
        return Rows(error[:, None], jacobian[:, None], still, acceleration[:, None])

    def jacobian(self, compiled: CompiledModel, q: np.ndarray, time: np.ndarray) -> np.ndarray:
        """Return what multiplies the speeds, (n, n_u)."""
        row = rate_row(compiled, self.coordinate, q)
        values = self._values(q, time)
        for k, argument in enumerate(self.arguments):
            slope = self.scale * self.function.derivative(*values, by=k)
            row = row - slope[:, None] * rate_row(compiled, argument, q)
        return row


class LoopRows(NamedTuple):
    """A constraint between bodies: its rows as a function of the motion of frames."""

    constraint: Constraint
    names: tuple[str, ...]
    evaluate: Callable[[FrameMotion, bool], Rows]
    nonholonomic: int = 0
    """How many of its rows, the last ones, speak of speeds only."""


def loop_rows(compiled: CompiledModel, constraint: Constraint) -> LoopRows:
    """Prepare the rows of a constraint between bodies."""
    name = constraint.name
    if isinstance(constraint, PointConstraint):
        names = tuple(f"{name}:{axis}" for axis in "xyz")
        return LoopRows(constraint, names, _point(compiled, constraint))
    if isinstance(constraint, PointOnLineConstraint):
        return LoopRows(constraint, (f"{name}:1", f"{name}:2"), _point_on_line(compiled, constraint))
    if isinstance(constraint, WeldConstraint):
        names = tuple(f"{name}:{axis}" for axis in ("x", "y", "z", "rx", "ry", "rz"))
        return LoopRows(constraint, names, _weld(compiled, constraint))
    if isinstance(constraint, RollingConstraint):
        names = (f"{name}:height", f"{name}:1", f"{name}:2")
        return LoopRows(constraint, names, _rolling(compiled, constraint), nonholonomic=2)
    if not isinstance(constraint, ConstantDistanceConstraint):
        raise unhandled(constraint, "has no equations")
    return LoopRows(constraint, (name,), _constant_distance(compiled, constraint))


def _between(
    motion: FrameMotion, first: Attachment, second: Attachment, a: np.ndarray, b: np.ndarray, moving: bool
) -> Rows:
    """Rows of ``b - a = 0`` for points a of the first and b of the second frame."""
    jacobian = motion.point_jacobian(second, b) - motion.point_jacobian(first, a)
    zero = np.zeros((motion.n, 3))
    acceleration = motion.acceleration(first, a) - motion.acceleration(second, b) if moving else zero
    return Rows(b - a, jacobian, zero, acceleration)


def _point(compiled: CompiledModel, constraint: PointConstraint) -> Callable[[FrameMotion, bool], Rows]:
    first, second = compiled.attachment(constraint.first), compiled.attachment(constraint.second)

    def evaluate(motion: FrameMotion, moving: bool) -> Rows:
        a = motion.point(first, constraint.first_location)
        b = motion.point(second, constraint.second_location)
        return _between(motion, first, second, a, b, moving)

    return evaluate


def _weld(compiled: CompiledModel, constraint: WeldConstraint) -> Callable[[FrameMotion, bool], Rows]:
    first = compiled.attachment(constraint.first, constraint.first_placement)
    second = compiled.attachment(constraint.second, constraint.second_placement)

    def evaluate(motion: FrameMotion, moving: bool) -> Rows:
        place = _between(motion, first, second, motion.point(first), motion.point(second), moving)
        before, after = motion.rotation(first), motion.rotation(second)
        turn = np.einsum("nij,nkj->nik", after, before)
        zero = np.zeros((motion.n, 3))
        acceleration = zero
        if moving:
            acceleration = motion.angular_acceleration(first) - motion.angular_acceleration(second)
        return Rows(
            np.hstack([place.error, _rotation_vector(turn)]),
            np.hstack([place.jacobian, motion.angular_jacobian(second) - motion.angular_jacobian(first)]),
            np.hstack([place.speed, zero]),
            np.hstack([place.acceleration, acceleration]),
        )

    return evaluate


def _rotation_vector(matrix: np.ndarray) -> np.ndarray:
    """Axis times angle of rotations, (n, 3) rad."""
    q = attitude.from_matrix(matrix)
    sine = np.linalg.norm(q[:, 1:], axis=1)
    angle = 2 * np.arctan2(sine, q[:, 0])
    # The factor tends to 2 as the rotation vanishes.
    factor = np.divide(angle, sine, out=np.full(len(q), 2.0), where=sine > 0)
    return factor[:, None] * q[:, 1:]


def _point_on_line(
    compiled: CompiledModel, constraint: PointOnLineConstraint
) -> Callable[[FrameMotion, bool], Rows]:
    line, follower = compiled.attachment(constraint.line_frame), compiled.attachment(constraint.follower)
    across = two_normals(np.array(constraint.line_direction, dtype=float))

    def evaluate(motion: FrameMotion, moving: bool) -> Rows:
        a = motion.point(line, constraint.line_point)
        b = motion.point(follower, constraint.follower_location)
        normals = np.einsum("nij,kj->nki", motion.rotation(line), across)
        # Only the motion of the follower in the frame of the line counts, seen at the follower's place.
        relative = motion.point_jacobian(follower, b) - motion.point_jacobian(line, b)
        acceleration = np.zeros((motion.n, 2))
        if moving:
            slip = motion.velocity(follower, b) - motion.velocity(line, b)
            coriolis = 2 * cross_rows(motion.angular_velocity(line), slip)
            drift = motion.acceleration(follower, b) - motion.acceleration(line, b) - coriolis
            acceleration = -np.einsum("nki,ni->nk", normals, drift)
        return Rows(
            np.einsum("nki,ni->nk", normals, b - a),
            np.einsum("nki,nij->nkj", normals, relative),
            np.zeros((motion.n, 2)),
            acceleration,
        )

    return evaluate


def two_normals(direction: np.ndarray) -> np.ndarray:
    """Two unit vectors normal to a direction and to each other, (2, 3)."""
    unit = direction / np.linalg.norm(direction)
    helper = np.eye(3)[np.argmin(np.abs(unit))]
    first = np.cross(unit, helper)
    first /= np.linalg.norm(first)
    return np.stack([first, np.cross(unit, first)])


def _constant_distance(
    compiled: CompiledModel, constraint: ConstantDistanceConstraint
) -> Callable[[FrameMotion, bool], Rows]:
    first, second = compiled.attachment(constraint.first), compiled.attachment(constraint.second)

    def evaluate(motion: FrameMotion, moving: bool) -> Rows:
        a = motion.point(first, constraint.first_location)
        b = motion.point(second, constraint.second_location)
        ends = _between(motion, first, second, a, b, moving)
        length = np.linalg.norm(ends.error, axis=1, keepdims=True)
        along = ends.error / np.where(length > 0, length, 1.0)
        acceleration = (along * ends.acceleration).sum(axis=1, keepdims=True)
        if moving:
            apart = motion.velocity(second, b) - motion.velocity(first, a)
            sideways = apart - (along * apart).sum(axis=1, keepdims=True) * along
            acceleration = acceleration - (sideways**2).sum(axis=1, keepdims=True) / length
        jacobian = np.einsum("ni,nij->nj", along, ends.jacobian)[:, None]
        return Rows(length - constraint.distance, jacobian, np.zeros((motion.n, 1)), acceleration)

    return evaluate


def _rolling(compiled: CompiledModel, constraint: RollingConstraint) -> Callable[[FrameMotion, bool], Rows]:
    surface, roller = compiled.attachment(constraint.surface_frame), compiled.attachment(constraint.roller)
    normal = np.array(constraint.normal, dtype=float)
    axes = np.vstack([normal / np.linalg.norm(normal), two_normals(normal)])
    radius = float(constraint.radius)

    def evaluate(motion: FrameMotion, moving: bool) -> Rows:
        centre = motion.point(roller, constraint.centre)
        there = np.einsum("nij,kj->nki", motion.rotation(surface), axes)
        up = there[:, 0]
        touching = centre - radius * up
        # The normal part of the velocity where it touches is the rate of the height: the normal turns with the plane.
        relative = motion.point_jacobian(roller, touching) - motion.point_jacobian(surface, touching)
        height = (up * (touching - motion.point(surface, constraint.plane_point))).sum(axis=1)
        error = np.stack([height, np.zeros(motion.n), np.zeros(motion.n)], axis=1)
        acceleration = np.zeros((motion.n, 3))
        if moving:
            drift = _slip_rate(motion, surface, roller, centre, touching, radius * up)
            acceleration = -np.einsum("nki,ni->nk", there, drift)
        jacobian = np.einsum("nki,nij->nkj", there, relative)
        return Rows(error, jacobian, np.zeros((motion.n, 3)), acceleration)

    return evaluate


def _slip_rate(
    motion: FrameMotion,
    surface: Attachment,
    roller: Attachment,
    centre: np.ndarray,
    touching: np.ndarray,
    offset: np.ndarray,
) -> np.ndarray:
    """Rate, in the axes of the surface, of the slip where a ball touches, while the speeds u stay as they are.

    The place of touch moves over both bodies: w x (its velocity relative to a body) adds to that body's acceleration.
    """
    spin, turn = motion.angular_velocity(roller), motion.angular_velocity(surface)
    place = motion.velocity(roller, centre) - cross_rows(turn, offset)
    over_roller = place - motion.velocity(roller, touching)
    over_surface = place - motion.velocity(surface, touching)
    own = motion.acceleration(roller, touching) + cross_rows(spin, over_roller)
    other = motion.acceleration(surface, touching) + cross_rows(turn, over_surface)
    slip = over_surface - over_roller
    return own - other - cross_rows(turn, slip)
