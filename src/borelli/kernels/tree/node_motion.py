"""Motion of one node from the motion of its parent: pose, velocity and acceleration.

Everything is expressed in the node's own axes, with *classical* accelerations (the second time derivative of
the origin's position) instead of spatial ones: the linear velocity then never appears in inverse dynamics.
Gravity enters as an acceleration of the ground, -g, so that ``acceleration`` is what an accelerometer feels.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from borelli.kernels.tree.algebra import (
    IDENTITY,
    ZERO,
    ZERO_MATRIX,
    Matrix,
    Vector,
    add,
    cross,
    negate,
    scale,
    spin_matrix,
    times,
    transposed_times,
)
from borelli.kernels.tree.node import BALL, HINGE, Node, NodeVariables
from borelli.kernels.tree.numbers import Number
from borelli.kernels.tree.rotation import ConstantRotation


class NodeMotion(NamedTuple):
    """Motion of a node, in its own axes."""

    omega: Vector
    """Angular velocity (rad/s)."""
    alpha: Vector
    """Angular acceleration (rad/s^2)."""
    acceleration: Vector
    """Acceleration of the origin less gravity (m/s^2)."""
    spin: Matrix
    """U = [alpha]x + [omega]x[omega]x."""


class NodePose(NamedTuple):
    """Place of a node in ground."""

    rotation: Matrix
    """Columns are the node's axes in ground."""
    origin: Vector
    """m, in ground."""


class NodeVelocity(NamedTuple):
    """Velocity of a node, in its own axes."""

    omega: Vector
    """Angular velocity (rad/s)."""
    velocity: Vector
    """Velocity of the origin (m/s)."""


def ground_motion(gravity: Vector) -> NodeMotion:
    """Motion of the ground: it accelerates against gravity (m/s^2) and does nothing else."""
    return NodeMotion(ZERO, ZERO, negate(gravity), ZERO_MATRIX)


GROUND_POSE = NodePose(IDENTITY, ZERO)
GROUND_VELOCITY = NodeVelocity(ZERO, ZERO)


def along_axes(axes: tuple[Vector, ...], amounts: tuple[Number, ...]) -> Vector:
    """Sum of axes times amounts; at least one axis."""
    total = scale(amounts[0], axes[0])
    for axis, amount in zip(axes[1:], amounts[1:], strict=True):
        total = add(total, scale(amount, axis))
    return total


def reach(offset: Vector, axes: tuple[Vector, ...], shift: tuple[Number, ...]) -> Vector:
    """Position of the node's origin in the parent node: constant offset plus variable translation."""
    if not axes:
        return offset
    return add(offset, along_axes(axes, shift))


def turn_into(kind: int, rotation: ConstantRotation, turn: Any, x: Vector) -> Vector:
    """Components in the node of a vector known in the parent node."""
    x = rotation.unrotate(x)
    if kind == HINGE:
        sine, cosine = turn
        return (cosine * x[0] + sine * x[1], cosine * x[1] - sine * x[0], x[2])
    if kind == BALL:
        return transposed_times(turn, x)
    return x


def turn_back(kind: int, rotation: ConstantRotation, turn: Any, x: Vector) -> Vector:
    """Components in the parent node of a vector known in the node."""
    if kind == HINGE:
        sine, cosine = turn
        x = (cosine * x[0] - sine * x[1], sine * x[0] + cosine * x[1], x[2])
    elif kind == BALL:
        x = times(turn, x)
    return rotation.rotate(x)


def origin_acceleration(
    parent: NodeMotion,
    place: Vector,
    axes: tuple[Vector, ...],
    shift_rate: tuple[Number, ...],
    shift_acceleration: tuple[Number, ...],
) -> Vector:
    """Acceleration of the point where the node sits: a + U r + 2 w x r' + r'', in the parent's axes."""
    acceleration = add(parent.acceleration, times(parent.spin, place))
    if not axes:
        return acceleration
    coriolis = cross(parent.omega, along_axes(axes, shift_rate))
    acceleration = add(acceleration, along_axes(axes, shift_acceleration))
    return add(acceleration, scale(2.0, coriolis))


def node_motion(node: Node, variables: NodeVariables, parent: NodeMotion) -> NodeMotion:
    """Angular velocity, angular acceleration and acceleration of a node from those of its parent."""
    kind, rotation, turn = node.kind, node.rotation, variables.turn
    place = reach(node.offset, node.axes, variables.shift)
    acceleration = origin_acceleration(
        parent, place, node.axes, variables.shift_rate, variables.shift_acceleration
    )
    omega = turn_into(kind, rotation, turn, parent.omega)
    alpha = turn_into(kind, rotation, turn, parent.alpha)
    acceleration = turn_into(kind, rotation, turn, acceleration)
    omega, alpha = add_turn(kind, omega, alpha, variables.turn_rate, variables.turn_acceleration)
    return NodeMotion(omega, alpha, acceleration, spin_matrix(omega, alpha))


def add_turn(kind: int, omega: Vector, alpha: Vector, rate: Any, rate_of_rate: Any) -> tuple[Vector, Vector]:
    """Add the node's own turning to the motion it shares with its parent, all in the node's axes.

    The parent's angular velocity carries the axis along, which adds omega_parent x (own rate) to alpha.
    """
    if kind == HINGE:
        alpha = (alpha[0] + omega[1] * rate, alpha[1] - omega[0] * rate, alpha[2] + rate_of_rate)
        return (omega[0], omega[1], omega[2] + rate), alpha
    if kind == BALL:
        alpha = add(add(alpha, rate_of_rate), cross(omega, rate))
        return add(omega, rate), alpha
    return omega, alpha


def node_rotation(node: Node, variables: NodeVariables, parent: Matrix) -> Matrix:
    """Axes of a node in ground, as columns, from those of its parent."""
    # The rows of a rotation matrix are vectors known in the parent: turn each of them.
    rows = [
        turn_into(node.kind, node.rotation, variables.turn, (parent[k], parent[k + 1], parent[k + 2]))
        for k in (0, 3, 6)
    ]
    return (*rows[0], *rows[1], *rows[2])


def node_pose(node: Node, variables: NodeVariables, parent: NodePose) -> NodePose:
    """Place of a node in ground from the place of its parent."""
    place = reach(node.offset, node.axes, variables.shift)
    origin = add(parent.origin, times(parent.rotation, place))
    return NodePose(node_rotation(node, variables, parent.rotation), origin)


def carried_velocity(node: Node, variables: NodeVariables, parent: NodeVelocity) -> NodeVelocity:
    """Velocity of a node that stands still in its parent."""
    place = reach(node.offset, node.axes, variables.shift)
    velocity = add(parent.velocity, cross(parent.omega, place))
    return NodeVelocity(
        turn_into(node.kind, node.rotation, variables.turn, parent.omega),
        turn_into(node.kind, node.rotation, variables.turn, velocity),
    )


def node_velocity(node: Node, variables: NodeVariables, parent: NodeVelocity) -> NodeVelocity:
    """Angular velocity and velocity of the origin of a node from those of its parent."""
    omega, velocity = carried_velocity(node, variables, parent)
    if node.axes:
        own = along_axes(node.axes, variables.shift_rate)
        velocity = add(velocity, turn_into(node.kind, node.rotation, variables.turn, own))
    if node.kind == HINGE:
        omega = (omega[0], omega[1], omega[2] + variables.turn_rate)
    elif node.kind == BALL:
        omega = add(omega, variables.turn_rate)
    return NodeVelocity(omega, velocity)
