"""Links in one posture and motion: bodies with their joints, in ground axes, over abstract numbers.

A joint of any kind moves the origin of its child frame, J, in its parent body: by functions of coordinates, on
an ellipsoid, freely or not at all. The motion of J relative to the parent is found from the joint's own nodes
alone, as if its parent stood still.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from borelli.kernels.tree.algebra import (
    IDENTITY,
    ZERO,
    Matrix,
    Symmetric,
    Vector,
    add,
    add_symmetric,
    cross,
    product,
    scale,
    subtract,
    symmetric_product,
    times,
    transpose,
)
from borelli.kernels.tree.composite_inertia import add_inertias
from borelli.kernels.tree.mechanism import Mechanism, Mobilizer, node_variables, take
from borelli.kernels.tree.node import GROUND, Inertia, NodeVariables
from borelli.kernels.tree.node_motion import (
    GROUND_POSE,
    GROUND_VELOCITY,
    NodePose,
    ground_motion,
    node_motion,
    node_pose,
    node_velocity,
)
from borelli.kernels.tree.numbers import Number
from borelli.kernels.tree.passes import tree_poses, tree_turning


class Link(NamedTuple):
    """Constants of a body with its joint."""

    parent: int
    """Link that carries it; GROUND for none."""
    nodes: tuple[int, ...]
    """Nodes of the joint, in turn; the last one carries the body."""
    base: int
    """Node that the first of them hangs on."""
    origin: Vector
    """J in the last node (m)."""
    inertia: Inertia
    """Of the body about J, in the axes of the last node."""
    mobilizers: tuple[Mobilizer, ...]
    slides: bool
    """Whether J moves in the parent."""


class Relative(NamedTuple):
    """Motion of a link in its parent: velocities per its speeds, J's own; in any one set of axes."""

    omega: Vector
    velocity: Vector
    acceleration: Vector
    """Of J in the parent (m/s^2)."""
    spin: Matrix
    """[alpha]x + [omega]x[omega]x, relative."""


class LinkState(NamedTuple):
    """A link in ground axes."""

    joint: Vector
    """J (m)"""
    base: Matrix
    """Axes of the node that the joint hangs on, as columns."""
    omega: Vector
    alpha: Vector
    slide_rate: Vector | None
    """Velocity of J in the parent (m/s); None where it is fixed there."""
    slide_acceleration: Vector | None
    own: Inertia
    """Of the body about J."""
    composite: Inertia
    """Of the body and all that hangs on it, about J."""


_STILL = ground_motion(ZERO)


def relative_motion(
    mechanism: Mechanism, link: Link, variables: Mapping[int, NodeVariables] | Sequence[NodeVariables]
) -> Relative:
    """Motion of a link's joint point in the axes of the node that the joint hangs on."""
    pose, velocity, motion = GROUND_POSE, GROUND_VELOCITY, _STILL
    for index in link.nodes:
        node, variable = mechanism.nodes[index], variables[index]
        # The joint's first node sits in its base as it would in a ground that stands still.
        pose, velocity = node_pose(node, variable, pose), node_velocity(node, variable, velocity)
        motion = node_motion(node, variable, motion)
    turn = pose.rotation
    point_velocity = add(velocity.velocity, cross(velocity.omega, link.origin))
    acceleration = add(motion.acceleration, times(motion.spin, link.origin))
    return Relative(
        times(turn, velocity.omega),
        times(turn, point_velocity),
        times(turn, acceleration),
        turned(turn, motion.spin),
    )


def turned(rotation: Matrix, matrix: Matrix) -> Matrix:
    """R M R^T."""
    return product(product(rotation, matrix), transpose(rotation))


def own_variables(
    link: Link, q: Sequence[Number], speeds: Mapping[int, float], accelerations: Mapping[int, float]
) -> dict[int, NodeVariables]:
    """Variables of a link's nodes with some of its speeds and accelerations, zero for all others."""
    found: dict[int, NodeVariables] = {}
    for mobilizer in link.mobilizers:
        u = tuple(speeds.get(index, 0.0) for index in mobilizer.speeds)
        udot = tuple(accelerations.get(index, 0.0) for index in mobilizer.speeds)
        own = mobilizer.map.variables(take(q, mobilizer.coordinates), u, udot)
        found.update(zip(mobilizer.nodes, own, strict=True))
    for index in link.nodes:
        found.setdefault(index, NodeVariables())
    return found


def link_states(
    mechanism: Mechanism,
    links: Sequence[Link],
    q: Sequence[Number],
    u: Sequence[Number],
    udot: Sequence[Number],
    extra_alpha: Mapping[int, Vector] | None = None,
) -> list[LinkState]:
    """Place and motion of all links.

    Parameters
    ----------
    extra_alpha : link -> Vector, optional
        Angular acceleration (rad/s^2, in ground) that a link and all that hangs on it have besides.
    """
    variables = node_variables(mechanism, q, u, udot)
    poses = tree_poses(mechanism.nodes, variables)
    turning = tree_turning(mechanism.nodes, variables)
    extra: list[Vector | None] = []
    states: list[LinkState] = []
    for index, link in enumerate(links):
        pose, (spin, spin_rate) = poses[link.nodes[-1]], turning[link.nodes[-1]]
        base = IDENTITY if link.base == GROUND else poses[link.base].rotation
        beyond = None if link.parent == GROUND else extra[link.parent]
        if extra_alpha is not None and index in extra_alpha:
            beyond = extra_alpha[index] if beyond is None else add(beyond, extra_alpha[index])
        extra.append(beyond)
        alpha = times(pose.rotation, spin_rate)
        rate = acceleration = None
        if link.slides:
            relative = relative_motion(mechanism, link, variables)
            rate, acceleration = times(base, relative.velocity), times(base, relative.acceleration)
        own = inertia_in_ground(pose.rotation, link.inertia)
        states.append(
            LinkState(
                _place(pose, link.origin),
                base,
                times(pose.rotation, spin),
                alpha if beyond is None else add(alpha, beyond),
                rate,
                acceleration,
                own,
                own,
            )
        )
    return _with_composites(links, states)


def _place(pose: NodePose, point: Vector) -> Vector:
    return add(pose.origin, times(pose.rotation, point))


def _with_composites(links: Sequence[Link], states: list[LinkState]) -> list[LinkState]:
    whole = [state.own for state in states]
    for index in reversed(range(len(states))):
        parent = links[index].parent
        if parent != GROUND:
            offset = subtract(states[index].joint, states[parent].joint)
            whole[parent] = add_inertias(whole[parent], shifted(whole[index], offset))
    return [state._replace(composite=inertia) for state, inertia in zip(states, whole, strict=True)]


def shifted(inertia: Inertia, offset: Vector) -> Inertia:
    """Return the same mass distribution about a point from which its own lies at the offset."""
    mass, first, second = inertia
    moved = scale(mass, offset)
    # sum m (r + p)(r + p)^T = J + h p^T + p h^T + m p p^T, where half of m p goes to each product.
    more = symmetric_product(add(first, scale(0.5, moved)), offset)
    return Inertia(mass, add(first, moved), add_symmetric(second, more))


def inertia_in_ground(rotation: Matrix, inertia: Inertia) -> Inertia:
    """Return a mass distribution in ground axes."""
    return Inertia(
        inertia.mass,
        times(rotation, inertia.first_moment),
        _turned_symmetric(rotation, inertia.second_moment),
    )


def _turned_symmetric(rotation: Matrix, s: Symmetric) -> Symmetric:
    xx, yy, zz, xy, xz, yz = s
    m = turned(rotation, (xx, xy, xz, xy, yy, yz, xz, yz, zz))
    return (m[0], m[4], m[8], m[1], m[2], m[5])
