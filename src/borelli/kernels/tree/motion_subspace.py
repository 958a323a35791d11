"""Motion subspaces: how the last node of each mobilizer moves in its parent when one speed is one.

Columns of S (6 × k), found by running the velocity of the nodes themselves with the rates that belong to u = e_k:
coupled axes and functions of several coordinates need no special treatment.
"""

from __future__ import annotations

from collections.abc import Sequence

from borelli.kernels.tree.algebra import dot
from borelli.kernels.tree.mechanism import Mechanism, Mobilizer, take
from borelli.kernels.tree.node_force import Wrench
from borelli.kernels.tree.node_motion import GROUND_VELOCITY, NodeVelocity, node_velocity
from borelli.kernels.tree.numbers import Number


def motion_subspace(mechanism: Mechanism, mobilizer: Mobilizer, q: Sequence[Number]) -> list[NodeVelocity]:
    """Columns of one mobilizer's subspace, in the axes and at the origin of its last node."""
    own = take(q, mobilizer.coordinates)
    places = mobilizer.map.variables(own, None, None)
    columns = []
    for rates in mobilizer.map.unit_rates(own):
        velocity = GROUND_VELOCITY
        for index, place, rate in zip(mobilizer.nodes, places, rates, strict=True):
            variable = place._replace(turn_rate=rate.turn, shift_rate=rate.shift)
            velocity = node_velocity(mechanism.nodes[index], variable, velocity)
        columns.append(velocity)
    return columns


def motion_subspaces(mechanism: Mechanism, q: Sequence[Number]) -> dict[int, list[NodeVelocity]]:
    """Columns of all mobilizers, by the index of their last node."""
    return {m.nodes[-1]: motion_subspace(mechanism, m, q) for m in mechanism.mobilizers}


def power(motion: NodeVelocity, wrench: Wrench) -> Number:
    """Power of a wrench on a velocity, both about the same origin and in the same axes."""
    return dot(motion.omega, wrench.moment) + dot(motion.velocity, wrench.force)
