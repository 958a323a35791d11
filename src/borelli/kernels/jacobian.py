"""Jacobians: how points and bodies move in ground when each speed is one in turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from borelli.kernels.algebra import ZERO, Vector, add, cross, subtract, times
from borelli.kernels.mechanism import Mechanism, node_variables
from borelli.kernels.motion_subspace import motion_subspaces
from borelli.kernels.node_motion import NodePose
from borelli.kernels.numbers import Number
from borelli.kernels.tree import tree_poses


class SpeedMotion(NamedTuple):
    """Motion that one speed gives to all that it carries: a twist in ground axes."""

    angular: Vector
    """Angular velocity per unit of speed."""
    linear: Vector
    """Velocity of ``origin`` per unit of speed."""
    origin: Vector
    """Reference point (m, in ground)."""


def speed_motions(mechanism: Mechanism, q: Sequence[Number]) -> tuple[list[SpeedMotion], list[NodePose]]:
    """Twist of every speed in ground, and the poses of all nodes."""
    poses = tree_poses(mechanism.nodes, node_variables(mechanism, q))
    subspaces = motion_subspaces(mechanism, q)
    twists: dict[int, SpeedMotion] = {}
    for mobilizer in mechanism.mobilizers:
        pose = poses[mobilizer.nodes[-1]]
        for speed, column in zip(mobilizer.speeds, subspaces[mobilizer.nodes[-1]], strict=True):
            angular, linear = times(pose.rotation, column.omega), times(pose.rotation, column.velocity)
            twists[speed] = SpeedMotion(angular, linear, pose.origin)
    # A speed that no function of its joint depends on moves nothing.
    still = SpeedMotion(ZERO, ZERO, ZERO)
    return [twists.get(speed, still) for speed in range(mechanism.n_speeds)], poses


def carrying_speeds(mechanism: Mechanism, node: int) -> list[int]:
    """Speeds that move a node, ascending: those of the mobilizers between it and the ground."""
    last = {m.nodes[-1]: m.speeds for m in mechanism.mobilizers}
    return sorted(speed for index in mechanism.path(node) for speed in last.get(index, ()))


def point_motion(twist: SpeedMotion, point: Vector) -> Vector:
    """Velocity of a point (m, in ground) per unit of a speed that carries it."""
    return add(twist.linear, cross(twist.angular, subtract(point, twist.origin)))
