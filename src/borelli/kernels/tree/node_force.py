"""Forces on one node: what its mass needs, what its joint transmits, what its coordinates feel.

The wrench of a node is the force and the moment about the node's origin, in the node's axes, that the parent
exerts on it. It is the sum of what the own mass needs, less external loads, plus the wrenches of the children
(Newton–Euler in the body's own axes with J the second-moment matrix about the origin).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from borelli.kernels.tree.algebra import Vector, add, cross, dot, moment_of_spin, scale, times
from borelli.kernels.tree.node import BALL, HINGE, Inertia, Node, NodeVariables
from borelli.kernels.tree.node_motion import NodeMotion, reach, turn_back
from borelli.kernels.tree.numbers import Number


class Wrench(NamedTuple):
    """Moment (N m) about an origin, and force (N)."""

    moment: Vector
    force: Vector


class NodeForce(NamedTuple):
    """Generalized forces of one node, conjugate to its rates."""

    turn: Any
    """None, a number (hinge, N m) or a vector in the node's axes (ball, N m)."""
    shift: tuple[Number, ...]
    """Force along each translation axis (N)."""


def inertial_wrench(inertia: Inertia, motion: NodeMotion) -> Wrench:
    """Wrench that the mass needs for its motion: f = m a + U h, n = axial(U J - (U J)^T) + h x a."""
    mass, h, j = inertia
    force = add(scale(mass, motion.acceleration), times(motion.spin, h))
    moment = add(moment_of_spin(motion.spin, j), cross(h, motion.acceleration))
    return Wrench(moment, force)


def wrench_in_parent(node: Node, variables: NodeVariables, wrench: Wrench) -> Wrench:
    """Return the same wrench about the origin of the parent node, in its axes."""
    force = turn_back(node.kind, node.rotation, variables.turn, wrench.force)
    moment = turn_back(node.kind, node.rotation, variables.turn, wrench.moment)
    place = reach(node.offset, node.axes, variables.shift)
    return Wrench(add(moment, cross(place, force)), force)


def node_generalized_force(node: Node, wrench: Wrench, force_in_parent: Vector) -> NodeForce:
    """Part of a node's wrench that works on its own variables.

    Parameters
    ----------
    wrench : Wrench
        Of the node, in its axes.
    force_in_parent : Vector
        Its force in the axes of the parent node, where the translation axes are constant.
    """
    turn: Any = None
    if node.kind == HINGE:
        turn = wrench.moment[2]
    elif node.kind == BALL:
        turn = wrench.moment
    return NodeForce(turn, tuple(dot(axis, force_in_parent) for axis in node.axes))
