"""Jacobians: how points and bodies move in ground when each speed is one in turn."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from borelli.kernels.tree.algebra import ZERO, Vector, add, cross, scale, subtract, times
from borelli.kernels.tree.joint_maps import NodeRate
from borelli.kernels.tree.mechanism import Mechanism, node_variables, take
from borelli.kernels.tree.node import BALL, GROUND, HINGE, NONE, Node
from borelli.kernels.tree.node_motion import GROUND_POSE, NodePose, along_axes
from borelli.kernels.tree.numbers import Number
from borelli.kernels.tree.passes import tree_poses
from borelli.kernels.tree.rotation import SameAxes


class SpeedMotion(NamedTuple):
    """Motion that one speed gives to all that it carries: a twist in ground axes."""

    angular: Vector
    """Angular velocity per unit of speed."""
    linear: Vector
    """Velocity of ``origin`` per unit of speed."""
    origin: Vector
    """Reference point (m, in ground)."""


def speed_motions(
    mechanism: Mechanism, q: Sequence[Number], only: Collection[int] | None = None
) -> tuple[list[SpeedMotion], list[NodePose]]:
    """Twist of every speed in ground, and the poses of all nodes.

    Parameters
    ----------
    only : collection of int, optional
        Nodes of interest. What does not carry any of them is left out: such speeds have no twist, and such nodes the
        pose of the ground.
    """
    chosen = mechanism if only is None else _that_carry(mechanism, only)
    poses = tree_poses(chosen.nodes, node_variables(chosen, q))
    # A speed that no function of its joint depends on moves nothing.
    twists = [SpeedMotion(ZERO, ZERO, ZERO)] * mechanism.n_speeds
    for mobilizer in chosen.mobilizers:
        columns = mobilizer.map.unit_rates(take(q, mobilizer.coordinates))
        for speed, rates in zip(mobilizer.speeds, columns, strict=True):
            twists[speed] = _twist(mechanism, mobilizer.nodes, rates, poses)
    return twists, poses


def _that_carry(mechanism: Mechanism, nodes: Collection[int]) -> Mechanism:
    """The mechanism with all that carries none of some nodes at rest on the ground; nothing is renumbered."""
    carrying = {index for node in nodes for index in mechanism.path(node)}
    idle = Node(GROUND, NONE, ZERO, SameAxes())
    return replace(
        mechanism,
        nodes=tuple(node if k in carrying else idle for k, node in enumerate(mechanism.nodes)),
        mobilizers=tuple(m for m in mechanism.mobilizers if m.nodes[-1] in carrying),
    )


def _twist(
    mechanism: Mechanism, nodes: tuple[int, ...], rates: list[NodeRate], poses: list[NodePose]
) -> SpeedMotion:
    """Add up the turning and sliding of a mobilizer's nodes, each in ground already by its pose."""
    angular, linear = ZERO, ZERO
    for index, rate in zip(nodes, rates, strict=True):
        node = mechanism.nodes[index]
        if node.axes and any(map(_moves, rate.shift)):
            parent = GROUND_POSE if node.parent == GROUND else poses[node.parent]
            linear = add(linear, times(parent.rotation, along_axes(node.axes, rate.shift)))
        if node.kind == BALL and any(map(_moves, rate.turn)):
            own = times(poses[index].rotation, rate.turn)
        elif node.kind == HINGE and _moves(rate.turn):
            # The hinge's axis is its own z axis, the third column.
            own = scale(rate.turn, poses[index].rotation[2::3])
        else:
            continue
        angular = add(angular, own)
    # The nodes of a mobilizer share their origin: turning one does not move it.
    return SpeedMotion(angular, linear, poses[nodes[-1]].origin)


def _moves(rate: Number) -> bool:
    """Whether a rate is anything but the plain number zero."""
    return not (isinstance(rate, float) and rate == 0.0)


def carrying_speeds(mechanism: Mechanism, node: int) -> list[int]:
    """Speeds that move a node, ascending: those of the mobilizers between it and the ground."""
    last = {m.nodes[-1]: m.speeds for m in mechanism.mobilizers}
    return sorted(speed for index in mechanism.path(node) for speed in last.get(index, ()))


def point_motion(twist: SpeedMotion, point: Vector) -> Vector:
    """Velocity of a point (m, in ground) per unit of a speed that carries it."""
    return add(twist.linear, cross(twist.angular, subtract(point, twist.origin)))
