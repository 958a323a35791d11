"""Mass matrix by composite bodies [Walker & Orin 1982].

Everything distal to a joint is one rigid body: its momentum under a unit speed, carried down to the ground,
gives a column of the mass matrix.
"""

from __future__ import annotations

from collections.abc import Sequence

from borelli.kernels.tree.algebra import (
    ZERO,
    Symmetric,
    Vector,
    add,
    add_symmetric,
    cross,
    inertia_times,
    outer,
    scale,
    symmetric_product,
)
from borelli.kernels.tree.mechanism import Mechanism, node_variables
from borelli.kernels.tree.motion_subspace import motion_subspaces, power
from borelli.kernels.tree.node import GROUND, Inertia, Node, NodeVariables
from borelli.kernels.tree.node_force import Wrench, wrench_in_parent
from borelli.kernels.tree.node_motion import NodeVelocity, reach, turn_back
from borelli.kernels.tree.numbers import Number


def momentum(inertia: Inertia, velocity: NodeVelocity) -> Wrench:
    """Angular momentum about the node's origin and linear momentum, in the node's axes."""
    mass, h, j = inertia
    linear = add(scale(mass, velocity.velocity), cross(velocity.omega, h))
    angular = add(inertia_times(j, velocity.omega), cross(h, velocity.velocity))
    return Wrench(angular, linear)


def rotate_symmetric(node: Node, variables: NodeVariables, s: Symmetric) -> Symmetric:
    """Components in the parent's axes of a symmetric matrix known in the node's: R S R^T."""

    def turned(x: Vector) -> Vector:
        return turn_back(node.kind, node.rotation, variables.turn, x)

    # R S has the turned columns of S; the rows of R S, turned, are the columns of R (R S)^T = R S R^T.
    x, y, z = turned((s[0], s[3], s[4])), turned((s[3], s[1], s[5])), turned((s[4], s[5], s[2]))
    a, b, c = turned((x[0], y[0], z[0])), turned((x[1], y[1], z[1])), turned((x[2], y[2], z[2]))
    return (a[0], b[1], c[2], a[1], a[2], b[2])


def inertia_in_parent(node: Node, variables: NodeVariables, inertia: Inertia) -> Inertia:
    """Return the same mass distribution about the origin of the parent node, in its axes."""
    mass, h, j = inertia
    place = reach(node.offset, node.axes, variables.shift)
    turned = turn_back(node.kind, node.rotation, variables.turn, h)
    shifted = scale(mass, place)
    # sum m (r + p)(r + p)^T = J + h p^T + p h^T + m p p^T, where half of m p goes to each product.
    moved = symmetric_product(add(turned, scale(0.5, shifted)), place)
    second = add_symmetric(rotate_symmetric(node, variables, j), moved)
    return Inertia(mass, add(turned, shifted), second)


def about_mass_centre(inertia: Inertia) -> tuple[Vector, Symmetric]:
    """Return the mass centre, and the second moments about it."""
    mass, h, j = inertia
    if mass == 0.0:
        return ZERO, j
    centre = scale(1.0 / mass, h)
    return centre, add_symmetric(j, outer(scale(-1.0, h), centre))


def displaced(mass: Number, centre: Vector, central: Symmetric) -> Inertia:
    """Mass distribution about the point from which the mass centre is seen at ``centre``."""
    first = scale(mass, centre)
    return Inertia(mass, first, add_symmetric(central, outer(first, centre)))


def add_inertias(a: Inertia, b: Inertia) -> Inertia:
    """Two mass distributions about the same origin, together."""
    first = add(a.first_moment, b.first_moment)
    return Inertia(a.mass + b.mass, first, add_symmetric(a.second_moment, b.second_moment))


def composite_inertias(mechanism: Mechanism, variables: Sequence[NodeVariables]) -> list[Inertia | None]:
    """Mass distribution of every node together with all that it carries; None where there is no mass."""
    total: list[Inertia | None] = [node.inertia for node in mechanism.nodes]
    for index in reversed(range(len(total))):
        own, parent = total[index], mechanism.nodes[index].parent
        if own is None or parent == GROUND:
            continue
        moved = inertia_in_parent(mechanism.nodes[index], variables[index], own)
        carried = total[parent]
        total[parent] = moved if carried is None else add_inertias(carried, moved)
    return total


def mass_matrix(mechanism: Mechanism, q: Sequence[Number]) -> list[list[Number]]:
    """Mass matrix conjugate to u: M[i][j], symmetric, exactly 0.0 where two speeds share no mass.

    Parameters
    ----------
    q : one number per coordinate

    Returns
    -------
    n_speeds lists of n_speeds numbers
    """
    variables = node_variables(mechanism, q)
    composites = composite_inertias(mechanism, variables)
    subspaces = motion_subspaces(mechanism, q)
    speeds = {m.nodes[-1]: m.speeds for m in mechanism.mobilizers}
    matrix: list[list[Number]] = [[0.0] * mechanism.n_speeds for _ in range(mechanism.n_speeds)]
    for last, columns in subspaces.items():
        inertia = composites[last]
        if inertia is None:
            continue
        for j, column in zip(speeds[last], columns, strict=True):
            wrench = momentum(inertia, column)
            for node in mechanism.path(last):
                for i, row in zip(speeds.get(node, ()), subspaces.get(node, ()), strict=True):
                    matrix[i][j] = matrix[j][i] = power(row, wrench)
                wrench = wrench_in_parent(mechanism.nodes[node], variables[node], wrench)
    return matrix
