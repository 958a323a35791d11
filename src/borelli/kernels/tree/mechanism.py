"""A mechanism: nodes, and the mobilizers that drive them from coordinates.

Plain data, without names: what a compiled model hands to the kernels. ``coordinates`` and ``speeds`` of a
mobilizer are positions in the whole q and u. Only the last node of a mobilizer carries inertia or children, and
all its nodes share one origin: only the first may have an offset or translation axes.
"""

from __future__ import annotations

from collections.abc import Sequence

from borelli.kernels.tree.algebra import Vector
from borelli.kernels.tree.functions import Numbers
from borelli.kernels.tree.joint_maps import JointMap
from borelli.kernels.tree.node import GROUND, Node, NodeVariables
from borelli.kernels.tree.node_force import NodeForce
from borelli.kernels.tree.numbers import Number
from borelli.records import dataclass


@dataclass(frozen=True)
class Mobilizer:
    """A joint map, the nodes it drives and the coordinates and speeds it reads."""

    nodes: tuple[int, ...]
    coordinates: tuple[int, ...]
    speeds: tuple[int, ...]
    map: JointMap


@dataclass(frozen=True)
class Mechanism:
    """A tree of nodes; those that no mobilizer drives are rigidly attached to their parents."""

    nodes: tuple[Node, ...]
    mobilizers: tuple[Mobilizer, ...]
    n_coordinates: int
    n_speeds: int
    gravity: Vector
    """m/s^2, in ground"""

    def path(self, node: int) -> list[int]:
        """Nodes from a node down to the ground, itself first."""
        found = []
        while node != GROUND:
            found.append(node)
            node = self.nodes[node].parent
        return found

    def idle_speeds(self) -> list[int]:
        """Speeds that no mobilizer reads: those of joints whose functions are all constant."""
        moving = {speed for mobilizer in self.mobilizers for speed in mobilizer.speeds}
        return [speed for speed in range(self.n_speeds) if speed not in moving]


def node_variables(
    mechanism: Mechanism,
    q: Sequence[Number],
    u: Sequence[Number] | None = None,
    udot: Sequence[Number] | None = None,
) -> list[NodeVariables]:
    """Variables of all nodes from all coordinates, speeds and accelerations."""
    variables = [NodeVariables()] * len(mechanism.nodes)
    for mobilizer in mechanism.mobilizers:
        own = mobilizer.map.variables(
            take(q, mobilizer.coordinates),
            None if u is None else take(u, mobilizer.speeds),
            None if udot is None else take(udot, mobilizer.speeds),
        )
        for index, variable in zip(mobilizer.nodes, own, strict=True):
            variables[index] = variable
    return variables


def generalized_forces(
    mechanism: Mechanism, q: Sequence[Number], forces: Sequence[NodeForce]
) -> list[Number]:
    """Generalized forces conjugate to u from those of the nodes."""
    tau: list[Number] = [0.0] * mechanism.n_speeds
    for mobilizer in mechanism.mobilizers:
        own = mobilizer.map.generalized_force(
            take(q, mobilizer.coordinates), [forces[index] for index in mobilizer.nodes]
        )
        for index, value in zip(mobilizer.speeds, own, strict=True):
            tau[index] = value
    return tau


def coordinate_rates(mechanism: Mechanism, q: Sequence[Number], u: Sequence[Number]) -> list[Number]:
    """Rates of all coordinates, qdot = N(q) u."""
    qdot: list[Number] = [0.0] * mechanism.n_coordinates
    for mobilizer in mechanism.mobilizers:
        own = mobilizer.map.coordinate_rates(take(q, mobilizer.coordinates), take(u, mobilizer.speeds))
        for index, value in zip(mobilizer.coordinates, own, strict=True):
            qdot[index] = value
    return qdot


def speeds_from_rates(
    mechanism: Mechanism, q: Sequence[Number], qdot: Sequence[Number], qddot: Sequence[Number]
) -> tuple[list[Number], list[Number]]:
    """Speeds u and accelerations udot from the time derivatives of the coordinates."""
    u: list[Number] = [0.0] * mechanism.n_speeds
    udot: list[Number] = [0.0] * mechanism.n_speeds
    for mobilizer in mechanism.mobilizers:
        own = (take(x, mobilizer.coordinates) for x in (q, qdot, qddot))
        speeds, accelerations = mobilizer.map.speeds(*own)
        for index, speed, acceleration in zip(mobilizer.speeds, speeds, accelerations, strict=True):
            u[index], udot[index] = speed, acceleration
    return u, udot


def take(values: Sequence[Number], indices: tuple[int, ...]) -> Numbers:
    """Values at some positions."""
    return tuple(values[index] for index in indices)
