"""Passes over the whole tree: forward from the ground to the tips, backward from the tips to the ground.

The generic driver: a plain loop over nodes that calls the node functions. The numbers may be arrays of instants
(the NumPy back end), dual numbers or symbols. Nodes are ordered so that a parent precedes its children.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from borelli.kernels.tree.algebra import ZERO, Vector, add, cross, subtract, transposed_times
from borelli.kernels.tree.node import GROUND, Node, NodeVariables
from borelli.kernels.tree.node_force import (
    NodeForce,
    Wrench,
    inertial_wrench,
    node_generalized_force,
    wrench_in_parent,
)
from borelli.kernels.tree.node_motion import (
    GROUND_POSE,
    GROUND_VELOCITY,
    NodeMotion,
    NodePose,
    NodeVelocity,
    add_turn,
    ground_motion,
    node_motion,
    node_pose,
    node_velocity,
    turn_into,
)

Found = TypeVar("Found")


class TreeForces(NamedTuple):
    """Outcome of the backward pass, one entry per node."""

    generalized: list[NodeForce]
    wrenches: list[Wrench]
    """On the node by its parent, about the node's origin, in the node's axes."""


def _from_ground(
    nodes: Sequence[Node],
    variables: Sequence[NodeVariables],
    ground: Found,
    of_node: Callable[[Node, NodeVariables, Found], Found],
) -> list[Found]:
    """Find something of every node from the same of its parent."""
    found: list[Found] = []
    for node, variable in zip(nodes, variables, strict=True):
        found.append(of_node(node, variable, ground if node.parent == GROUND else found[node.parent]))
    return found


def tree_poses(nodes: Sequence[Node], variables: Sequence[NodeVariables]) -> list[NodePose]:
    """Place of every node in ground."""
    return _from_ground(nodes, variables, GROUND_POSE, node_pose)


def tree_velocities(nodes: Sequence[Node], variables: Sequence[NodeVariables]) -> list[NodeVelocity]:
    """Angular velocity and velocity of the origin of every node, in its own axes."""
    return _from_ground(nodes, variables, GROUND_VELOCITY, node_velocity)


def tree_motions(
    nodes: Sequence[Node], variables: Sequence[NodeVariables], gravity: Vector
) -> list[NodeMotion]:
    """Angular velocity, angular acceleration and acceleration (less gravity, in m/s^2) of every node."""
    return _from_ground(nodes, variables, ground_motion(gravity), node_motion)


def tree_turning(nodes: Sequence[Node], variables: Sequence[NodeVariables]) -> list[tuple[Vector, Vector]]:
    """Angular velocity (rad/s) and angular acceleration (rad/s^2) of every node, in its axes."""
    turning: list[tuple[Vector, Vector]] = []
    for node, variable in zip(nodes, variables, strict=True):
        omega, alpha = (ZERO, ZERO) if node.parent == GROUND else turning[node.parent]
        omega, alpha = (
            turn_into(node.kind, node.rotation, variable.turn, vector) for vector in (omega, alpha)
        )
        turning.append(add_turn(node.kind, omega, alpha, variable.turn_rate, variable.turn_acceleration))
    return turning


def tree_forces(
    nodes: Sequence[Node],
    variables: Sequence[NodeVariables],
    motions: Sequence[NodeMotion] | None,
    loads: Mapping[int, Wrench],
) -> TreeForces:
    """Wrenches and generalized forces that the motion and the loads require.

    Parameters
    ----------
    motions : one NodeMotion per node, or None
        None leaves inertia and weight out: the answer to the loads alone.
    loads : node index -> Wrench
        External load on the node, about its origin, in its axes.
    """
    pending: list[Wrench | None] = [None] * len(nodes)
    wrenches: list[Wrench] = [_NO_WRENCH] * len(nodes)
    generalized: list[NodeForce] = [NodeForce(None, ())] * len(nodes)
    # A parent precedes its children: backwards, all that a node carries is known before it.
    for index in reversed(range(len(nodes))):
        node, variable = nodes[index], variables[index]
        total = pending[index]
        if motions is not None and node.inertia is not None:
            total = _sum(total, inertial_wrench(node.inertia, motions[index]))
        if index in loads:
            moment, force = loads[index]
            moment = (-moment[0], -moment[1], -moment[2])
            total = _sum(total, Wrench(moment, (-force[0], -force[1], -force[2])))
        wrench = _NO_WRENCH if total is None else total
        in_parent = wrench_in_parent(node, variable, wrench)
        wrenches[index] = wrench
        generalized[index] = node_generalized_force(node, wrench, in_parent.force)
        if node.parent != GROUND and total is not None:
            pending[node.parent] = _sum(pending[node.parent], in_parent)
    return TreeForces(generalized, wrenches)


def load_on_node(pose: NodePose, force: Vector, point: Vector, moment: Vector) -> Wrench:
    """Return a load given in ground (force, its point, free moment) as a wrench on a node, in its axes."""
    about_origin = add(moment, cross(subtract(point, pose.origin), force))
    return Wrench(transposed_times(pose.rotation, about_origin), transposed_times(pose.rotation, force))


def loads_on_nodes(
    poses: Sequence[NodePose], loads: Iterable[tuple[int, Vector, Vector, Vector]]
) -> dict[int, Wrench]:
    """Gather loads (node, force, point, moment; in ground) as one wrench for each loaded node, in its axes."""
    wrenches: dict[int, Wrench] = {}
    for node, force, point, moment in loads:
        wrench = load_on_node(poses[node], force, point, moment)
        wrenches[node] = _sum(wrenches.get(node), wrench)
    return wrenches


def add_wrenches(a: Wrench, b: Wrench) -> Wrench:
    """Sum of two wrenches about the same point in the same axes."""
    return Wrench(add(a.moment, b.moment), add(a.force, b.force))


_NO_WRENCH = Wrench((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


def _sum(total: Wrench | None, more: Wrench) -> Wrench:
    # Nothing is added to nothing: numbers may be symbols, and zeros would stay in their formulas.
    return more if total is None else add_wrenches(total, more)
