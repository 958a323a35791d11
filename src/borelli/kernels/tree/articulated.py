"""Forward dynamics in O(n): the inverse of the mass matrix by articulated bodies [Featherstone 1983].

The velocity, gravity and load terms come from inverse dynamics with zero acceleration, so that what remains is
linear: udot = M^-1 (tau - tau_0). The articulated inertia of a node is what it seems to weigh when its distal
joints are free to move; it is a full symmetric 6 × 6 matrix.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from borelli.kernels.tree.algebra import (
    Matrix,
    Symmetric,
    Vector,
    add,
    add_symmetric,
    cross,
    dot,
    outer,
    scale,
    symmetric_times,
    times,
    transposed_times,
)
from borelli.kernels.tree.composite_inertia import composite_inertias, rotate_symmetric
from borelli.kernels.tree.mechanism import Mechanism, node_variables
from borelli.kernels.tree.motion_subspace import motion_subspaces, power
from borelli.kernels.tree.node import GROUND, Inertia, Node, NodeVariables
from borelli.kernels.tree.node_force import Wrench, wrench_in_parent
from borelli.kernels.tree.node_motion import (
    GROUND_VELOCITY,
    NodeVelocity,
    carried_velocity,
    reach,
    turn_back,
)
from borelli.kernels.tree.numbers import Number
from borelli.kernels.tree.passes import add_wrenches
from borelli.kernels.tree.small_systems import factorize, solve_factorized

LEAST_RESISTANCE = 1e-13
"""Share of :func:`rigid_resistance` that must be left of a speed's inertia when the joints beyond it yield.

At gimbal lock nothing is left but round-off: a few 1e-16 of what was subtracted. An acceleration divided by so little
has no right digit; at this part, reached 3e-7 rad from the lock of a hand or a head, it still has two or three.
"""


class Spread(NamedTuple):
    """How much mass there is, and how far from a point: the sum of m r² over all of it."""

    mass: Number
    """kg"""
    square: Number
    """kg m²"""


def spread(inertia: Inertia) -> Spread:
    """Return how mass is spread about the point that its inertia refers to."""
    mass, _, j = inertia
    return Spread(mass, j[0] + j[1] + j[2])


def rigid_resistance(carried: Spread, velocity: NodeVelocity) -> Number:
    """Bound of the inertia that a speed moves while all joints beyond it are rigid: kg m² or kg.

    Parameters
    ----------
    carried : Spread
        Of all that the speed carries.
    velocity : NodeVelocity
        Per unit of the speed, of the same point.
    """
    omega, linear = velocity
    return 2.0 * carried.square * dot(omega, omega) + carried.mass * dot(linear, linear)


class ArticulatedInertia(NamedTuple):
    """Symmetric 6 × 6 matrix in blocks: moment = A w + B v, force = B^T w + D v."""

    angular: Symmetric
    coupling: Matrix
    linear: Symmetric


class _Joint(NamedTuple):
    """What the backward pass keeps for the forward pass of one mobilizer."""

    subspace: list[NodeVelocity]
    momenta: list[Wrench]
    factors: list[list[Number]]
    speeds: tuple[int, ...]


def rigid_inertia(inertia: Inertia) -> ArticulatedInertia:
    """Six by six matrix of a rigid body."""
    mass, h, j = inertia
    angular = (j[1] + j[2], j[0] + j[2], j[0] + j[1], -j[3], -j[4], -j[5])
    coupling = (0.0, -h[2], h[1], h[2], 0.0, -h[0], -h[1], h[0], 0.0)
    return ArticulatedInertia(angular, coupling, (mass, mass, mass, 0.0, 0.0, 0.0))


def apply_inertia(inertia: ArticulatedInertia, velocity: NodeVelocity) -> Wrench:
    """Product of the matrix with an angular and a linear velocity (or acceleration)."""
    a, b, d = inertia
    omega, linear = velocity
    return Wrench(
        add(symmetric_times(a, omega), times(b, linear)),
        add(transposed_times(b, omega), symmetric_times(d, linear)),
    )


def articulated_in_parent(
    node: Node, variables: NodeVariables, inertia: ArticulatedInertia
) -> ArticulatedInertia:
    """Return the same matrix about the origin of the parent node, in its axes."""

    def turned(x: Vector) -> Vector:
        return turn_back(node.kind, node.rotation, variables.turn, x)

    r = reach(node.offset, node.axes, variables.shift)
    a = rotate_symmetric(node, variables, inertia.angular)
    d = rotate_symmetric(node, variables, inertia.linear)
    b = inertia.coupling
    # Columns of B turned, then the rows of the outcome: R B R^T.
    x, y, z = turned((b[0], b[3], b[6])), turned((b[1], b[4], b[7])), turned((b[2], b[5], b[8]))
    rows = [turned((x[k], y[k], z[k])) for k in range(3)]
    # With v_child = v + w x r: B' = B + [r]x D and A' = A + [r]x B^T - B' [r]x.
    columns = [cross(r, column) for column in ((d[0], d[3], d[4]), (d[3], d[1], d[5]), (d[4], d[5], d[2]))]
    shifted = [
        (rows[k][0] + columns[0][k], rows[k][1] + columns[1][k], rows[k][2] + columns[2][k]) for k in range(3)
    ]
    left = [cross(r, row) for row in rows]
    # Row k of -B' [r]x is r x (row k of B').
    right = [cross(r, row) for row in shifted]
    extra = (
        left[0][0] + right[0][0],
        left[1][1] + right[1][1],
        left[2][2] + right[2][2],
        left[1][0] + right[0][1],
        left[2][0] + right[0][2],
        left[2][1] + right[1][2],
    )
    return ArticulatedInertia(add_symmetric(a, extra), (*shifted[0], *shifted[1], *shifted[2]), d)


def released(inertia: ArticulatedInertia, momenta: list[Wrench], solved: list[Wrench]) -> ArticulatedInertia:
    """Take out what a free joint does not resist: I - U D^-1 U^T, given U and U D^-1."""
    a, b, d = inertia
    for u, v in zip(momenta, solved, strict=True):
        # The sum over a joint's columns is symmetric.
        a = add_symmetric(a, outer(scale(-1.0, u.moment), v.moment))
        d = add_symmetric(d, outer(scale(-1.0, u.force), v.force))
        b = (
            b[0] - u.moment[0] * v.force[0],
            b[1] - u.moment[0] * v.force[1],
            b[2] - u.moment[0] * v.force[2],
            b[3] - u.moment[1] * v.force[0],
            b[4] - u.moment[1] * v.force[1],
            b[5] - u.moment[1] * v.force[2],
            b[6] - u.moment[2] * v.force[0],
            b[7] - u.moment[2] * v.force[1],
            b[8] - u.moment[2] * v.force[2],
        )
    return ArticulatedInertia(a, b, d)


class Accelerations(NamedTuple):
    """What forces cause, one number for each speed."""

    udot: list[Number]
    left: list[Number]
    """Inertia that each speed moves when all joints beyond it yield: kg m² or kg"""
    rigid: list[Number]
    """The same if they were rigid, as :func:`rigid_resistance` bounds it; 0 where there is no mass"""


def solve_mass_matrix(mechanism: Mechanism, q: Sequence[Number], force: Sequence[Number]) -> Accelerations:
    """Accelerations M^-1 force, without building the mass matrix.

    Parameters
    ----------
    q : one number per coordinate
    force : one number per speed
        Generalized forces in excess of what zero acceleration requires (N m or N).

    Returns
    -------
    Accelerations
        Without meaning where what is left is round-off of what was there: below :data:`LEAST_RESISTANCE`.
    """
    variables = node_variables(mechanism, q)
    joints = _release_joints(mechanism, variables, q, force)
    composites = composite_inertias(mechanism, variables)
    udot, left, rigid = ([0.0] * mechanism.n_speeds for _ in range(3))
    accelerations: list[NodeVelocity] = []
    for index, node in enumerate(mechanism.nodes):
        parent = GROUND_VELOCITY if node.parent == GROUND else accelerations[node.parent]
        own = carried_velocity(node, variables[index], parent)
        if index in joints:
            joint, rest = joints[index]
            right = [r - power(own, u) for r, u in zip(rest, joint.momenta, strict=True)]
            carried = composites[index]
            assert carried is not None
            for k, speed in enumerate(joint.speeds):
                left[speed] = joint.factors[k][k]
                rigid[speed] = rigid_resistance(spread(carried), joint.subspace[k])
            for speed, column, value in zip(
                joint.speeds, joint.subspace, solve_factorized(joint.factors, right), strict=True
            ):
                udot[speed] = value
                own = NodeVelocity(
                    add(own.omega, scale(value, column.omega)),
                    add(own.velocity, scale(value, column.velocity)),
                )
        accelerations.append(own)
    return Accelerations(udot, left, rigid)


def _release_joints(
    mechanism: Mechanism,
    variables: Sequence[NodeVariables],
    q: Sequence[Number],
    force: Sequence[Number],
) -> dict[int, tuple[_Joint, list[Number]]]:
    """Backward pass: factorize each joint and carry what is left to its parent."""
    subspaces = motion_subspaces(mechanism, q)
    speeds = {m.nodes[-1]: m.speeds for m in mechanism.mobilizers}
    inertias = [None if n.inertia is None else rigid_inertia(n.inertia) for n in mechanism.nodes]
    pending: list[Wrench | None] = [None] * len(mechanism.nodes)
    joints: dict[int, tuple[_Joint, list[Number]]] = {}
    for index in reversed(range(len(mechanism.nodes))):
        node, inertia, wrench = mechanism.nodes[index], inertias[index], pending[index]
        if inertia is None:
            continue
        if index in subspaces:
            joint = _factorize_joint(inertia, subspaces[index], speeds[index])
            rest = [
                force[k] if wrench is None else force[k] - power(column, wrench)
                for k, column in zip(joint.speeds, joint.subspace, strict=True)
            ]
            joints[index] = (joint, rest)
            inertia, wrench = _release(inertia, wrench, joint, rest)
        if node.parent != GROUND:
            moved = articulated_in_parent(node, variables[index], inertia)
            inertias[node.parent] = _add(inertias[node.parent], moved)
            if wrench is not None:
                carried = wrench_in_parent(node, variables[index], wrench)
                before = pending[node.parent]
                pending[node.parent] = carried if before is None else add_wrenches(before, carried)
    return joints


def _factorize_joint(
    inertia: ArticulatedInertia, subspace: list[NodeVelocity], speeds: tuple[int, ...]
) -> _Joint:
    momenta = [apply_inertia(inertia, column) for column in subspace]
    block = [[power(row, u) for u in momenta] for row in subspace]
    return _Joint(subspace, momenta, factorize(block), speeds)


def _release(
    inertia: ArticulatedInertia, wrench: Wrench | None, joint: _Joint, rest: list[Number]
) -> tuple[ArticulatedInertia, Wrench]:
    """Inertia and wrench that the parent feels through a joint which yields to them."""
    size = len(joint.speeds)
    columns = [solve_factorized(joint.factors, [float(i == k) for i in range(size)]) for k in range(size)]
    solved = [_combine(column, joint.momenta) for column in columns]
    felt = _combine(rest, solved)
    return released(inertia, joint.momenta, solved), felt if wrench is None else add_wrenches(wrench, felt)


def _combine(weights: Sequence[Number], wrenches: Sequence[Wrench]) -> Wrench:
    total: Wrench | None = None
    for weight, wrench in zip(weights, wrenches, strict=True):
        part = Wrench(scale(weight, wrench.moment), scale(weight, wrench.force))
        total = part if total is None else add_wrenches(total, part)
    assert total is not None
    return total


def _add(a: ArticulatedInertia | None, b: ArticulatedInertia) -> ArticulatedInertia:
    if a is None:
        return b
    coupling = tuple(x + y for x, y in zip(a.coupling, b.coupling, strict=True))
    return ArticulatedInertia(
        add_symmetric(a.angular, b.angular),
        coupling,
        add_symmetric(a.linear, b.linear),
    )
