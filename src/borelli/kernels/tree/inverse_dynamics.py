"""Inverse dynamics: the generalized forces and joint wrenches that a motion and its loads require.

tau = M(q) udot + c(q, u) + g(q) - J^T (loads)       by the wrench recursion, O(n) [Luh, Walker & Paul 1980]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from borelli.kernels.tree.algebra import ZERO, Vector
from borelli.kernels.tree.mechanism import Mechanism, generalized_forces, node_variables
from borelli.kernels.tree.node_force import Wrench
from borelli.kernels.tree.numbers import Number
from borelli.kernels.tree.passes import tree_forces, tree_motions


class InverseDynamics(NamedTuple):
    """Answer of the recursion."""

    generalized: list[Number]
    """Conjugate to u (N m or N)."""
    wrenches: list[Wrench]
    """On each node by its parent, about the node's origin, in the node's axes."""


def inverse_dynamics(
    mechanism: Mechanism,
    q: Sequence[Number],
    u: Sequence[Number] | None,
    udot: Sequence[Number] | None,
    loads: Mapping[int, Wrench] | None = None,
    gravity: Vector | None = None,
) -> InverseDynamics:
    """Generalized forces and wrenches of all nodes.

    Parameters
    ----------
    q, u, udot : one number per coordinate or speed
        None for a mechanism at rest, or not accelerating.
    loads : node index -> Wrench
        External loads about the node's origin, in its axes.
    gravity : Vector, optional
        m/s^2 in ground, instead of the mechanism's own.
    """
    variables = node_variables(mechanism, q, u, udot)
    field = mechanism.gravity if gravity is None else gravity
    motions = tree_motions(mechanism.nodes, variables, field)
    forces = tree_forces(mechanism.nodes, variables, motions, loads or {})
    return InverseDynamics(generalized_forces(mechanism, q, forces.generalized), forces.wrenches)


def velocity_forces(mechanism: Mechanism, q: Sequence[Number], u: Sequence[Number]) -> list[Number]:
    """Generalized forces that the velocities alone require: Coriolis and centrifugal."""
    still = [0.0] * mechanism.n_speeds
    return inverse_dynamics(mechanism, q, u, still, gravity=ZERO).generalized


def gravity_forces(mechanism: Mechanism, q: Sequence[Number]) -> list[Number]:
    """Generalized forces that carry the weight at rest."""
    return inverse_dynamics(mechanism, q, None, None).generalized
