"""Energy and momentum of a mechanism."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from borelli.kernels.tree.algebra import ZERO, Vector, add, cross, dot, scale, times
from borelli.kernels.tree.composite_inertia import momentum
from borelli.kernels.tree.mechanism import Mechanism, node_variables
from borelli.kernels.tree.motion_subspace import power
from borelli.kernels.tree.numbers import Number
from borelli.kernels.tree.passes import tree_poses, tree_velocities


class Energy(NamedTuple):
    """Energy (J) and momentum of the whole mechanism, in ground."""

    kinetic: Number
    potential: Number
    """Zero where the mass centre is level with the origin."""
    linear_momentum: Vector
    """kg m/s"""
    angular_momentum: Vector
    """About the origin of the ground (kg m^2/s)."""
    mass: Number
    first_moment: Vector
    """Mass times the position of the mass centre (kg m)."""


def energy(mechanism: Mechanism, q: Sequence[Number], u: Sequence[Number]) -> Energy:
    """Add up energy and momentum over all nodes that have mass."""
    variables = node_variables(mechanism, q, u)
    poses = tree_poses(mechanism.nodes, variables)
    velocities = tree_velocities(mechanism.nodes, variables)
    kinetic: Number = 0.0
    mass: Number = 0.0
    first, linear, angular = ZERO, ZERO, ZERO
    for node, pose, velocity in zip(mechanism.nodes, poses, velocities, strict=True):
        if node.inertia is None:
            continue
        own = momentum(node.inertia, velocity)
        kinetic = kinetic + 0.5 * power(velocity, own)
        force, moment = times(pose.rotation, own.force), times(pose.rotation, own.moment)
        linear = add(linear, force)
        angular = add(angular, add(moment, cross(pose.origin, force)))
        mass = mass + node.inertia.mass
        place = add(times(pose.rotation, node.inertia.first_moment), scale(node.inertia.mass, pose.origin))
        first = add(first, place)
    potential = -dot(mechanism.gravity, first)
    return Energy(kinetic, potential, linear, angular, mass, first)
