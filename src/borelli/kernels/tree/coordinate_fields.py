"""Fields of acceleration that each udot_k and each product u_j u_k causes, for joints of any kind.

A speed k of a joint moves all that the joint carries with a twist (omega_k, v_k). Its acceleration udot_k does
the same with accelerations. A product of two speeds acts

* through the joint of k alone, if j belongs to a joint that carries it: the twist of k is turned along,
  2 omega_j x v_k at every point;
* through the curvature of the joint, if both belong to it: found by running the joint's own kinematics with
  these two speeds and taking the mixed part, exact because it is a quadratic form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from borelli.kernels.tree.algebra import (
    ZERO,
    Matrix,
    Vector,
    cross,
    scale,
    spin_matrix,
    subtract,
    times,
)
from borelli.kernels.tree.functions import Linear
from borelli.kernels.tree.joint_maps import AxesMap, BallMap
from borelli.kernels.tree.link_states import (
    Link,
    LinkState,
    Relative,
    own_variables,
    relative_motion,
    turned,
)
from borelli.kernels.tree.mechanism import Mechanism, Mobilizer
from borelli.kernels.tree.numbers import Number
from borelli.kernels.tree.shares import ACCELERATION, VELOCITY, Field, Share, Tree, field_shares


class Twist(NamedTuple):
    """Motion of what a joint carries, relative to the parent, per unit of one speed; ground axes."""

    omega: Vector
    velocity: Vector
    """Of the joint point."""


Excess = Callable[[int, int], Vector | None]
"""Angular acceleration in ground that a product of two speeds causes besides, per unit; None for none."""


def twists(
    mechanism: Mechanism, links: Sequence[Link], states: Sequence[LinkState], q: Sequence[Number]
) -> dict[int, Twist]:
    """Twist of every speed, by its position in u."""
    found = {}
    for link, state in zip(links, states, strict=True):
        for speed in link_speeds(link):
            own = relative_motion(mechanism, link, own_variables(link, q, {speed: 1.0}, {}))
            found[speed] = Twist(times(state.base, own.omega), times(state.base, own.velocity))
    return found


def link_speeds(link: Link) -> tuple[int, ...]:
    """Speeds of a link's joint."""
    return tuple(speed for mobilizer in link.mobilizers for speed in mobilizer.speeds)


def turning_speeds(link: Link) -> frozenset[int]:
    """Speeds that turn the link in its parent; the others slide it only."""
    found: set[int] = set()
    for mobilizer in link.mobilizers:
        mapping = mobilizer.map
        if isinstance(mapping, AxesMap):
            turning = {index for function in mapping.hinges for index in function.arguments}
        elif isinstance(mapping, BallMap):
            turning = {0, 1, 2}
        else:
            # Of a map that is not known here every speed may turn: this costs time, and is right.
            turning = set(range(mapping.n_speeds))
        found.update(mobilizer.speeds[index] for index in turning)
    return frozenset(found)


def own_pairs(link: Link) -> list[tuple[int, int]]:
    """Pairs of speeds of one joint whose product accelerates what it carries."""
    speeds, turning = link_speeds(link), turning_speeds(link)
    curved = {pair for mobilizer in link.mobilizers for pair in _curved(mobilizer)}
    return [
        (a, b)
        for position, a in enumerate(speeds)
        for b in speeds[position:]
        if {a, b} <= turning or (a, b) in curved or (b, a) in curved
    ]


def _curved(mobilizer: Mobilizer) -> Iterator[tuple[int, int]]:
    """Pairs of speeds that enter one function that is not a straight line."""
    if not isinstance(mobilizer.map, AxesMap):
        return
    for function in (*mobilizer.map.hinges, *mobilizer.map.shifts):
        if not isinstance(function, Linear):
            for a in function.arguments:
                for b in function.arguments:
                    yield mobilizer.speeds[a], mobilizer.speeds[b]


def speed_pairs(tree: Tree, links: Sequence[Link]) -> list[tuple[int, int, int]]:
    """Every product that acts: (speed, speed, link through whose joint it acts), the nearer to ground first."""
    found = []
    for index, link in enumerate(links):
        for lower in reversed(tree.ancestors[index]):
            turning = turning_speeds(links[lower])
            carrying = [speed for speed in link_speeds(links[lower]) if speed in turning]
            found += [(a, b, index) for a in carrying for b in link_speeds(link)]
        found += [(a, b, index) for a, b in own_pairs(link)]
    return found


def acceleration_shares(
    tree: Tree,
    links: Sequence[Link],
    states: Sequence[LinkState],
    moving: dict[int, Twist],
    udot: Sequence[Number],
) -> Iterator[Share]:
    """Shares of every udot_k."""
    for index, link in enumerate(links):
        for speed in link_speeds(link):
            twist, amount = moving[speed], udot[speed]
            field = Field(scale(amount, twist.velocity), spin_matrix(ZERO, scale(amount, twist.omega)))
            yield from field_shares(tree, states, index, (ACCELERATION, speed), field)


def velocity_shares(
    mechanism: Mechanism,
    tree: Tree,
    links: Sequence[Link],
    states: Sequence[LinkState],
    moving: dict[int, Twist],
    q: Sequence[Number],
    u: Sequence[Number],
    excess: Excess,
) -> Iterator[Share]:
    """Shares of every product u_j u_k that acts; the off-diagonal ones hold both orders."""
    for a, b, index in speed_pairs(tree, links):
        if a in link_speeds(links[index]):
            field = _own_product(mechanism, links[index], states[index], q, a, b, excess(a, b))
        else:
            field = _carried_product(moving[a], moving[b])
        amount = u[a] * u[b]
        spread: Matrix = tuple(amount * x for x in field.spread)
        whole = Field(scale(amount, field.at_joint), spread)
        yield from field_shares(tree, states, index, (VELOCITY, a, b), whole)


def _carried_product(lower: Twist, upper: Twist) -> Field:
    """2 omega_j x (v_k + omega_k x r)."""
    doubled = scale(2.0, lower.omega)
    return Field(cross(doubled, upper.velocity), _two_crosses(doubled, upper.omega))


def _two_crosses(a: Vector, b: Vector) -> Matrix:
    """[a]x [b]x = b a^T - (a.b) E."""
    inner = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    return (
        b[0] * a[0] - inner,
        b[0] * a[1],
        b[0] * a[2],
        b[1] * a[0],
        b[1] * a[1] - inner,
        b[1] * a[2],
        b[2] * a[0],
        b[2] * a[1],
        b[2] * a[2] - inner,
    )


def _own_product(
    mechanism: Mechanism,
    link: Link,
    state: LinkState,
    q: Sequence[Number],
    a: int,
    b: int,
    beyond: Vector | None,
) -> Field:
    def run(*speeds: int) -> Relative:
        return relative_motion(mechanism, link, own_variables(link, q, dict.fromkeys(speeds, 1.0), {}))

    both = run(a, b)
    acceleration, spin = both.acceleration, both.spin
    if a != b:
        first, second = run(a), run(b)
        acceleration = subtract(subtract(acceleration, first.acceleration), second.acceleration)
        mixed = (x - y - z for x, y, z in zip(spin, first.spin, second.spin, strict=True))
        spin = tuple(mixed)
    spread = turned(state.base, spin)
    if beyond is not None:
        more = spin_matrix(ZERO, beyond)
        spread = tuple(x + y for x, y in zip(spread, more, strict=True))
    return Field(times(state.base, acceleration), spread)
