"""Exact shares of every source in the wrench of every joint, over abstract numbers, in ground axes.

A *link* is a body with the joint that carries it; its joint point J is the origin of the joint's child frame.
Whatever makes a set of bodies accelerate so that a point x from J gets a0 + L x needs

    f = m a0 + L S,        n = S x a0 + sum of x x m (L x)

on them, with m, S and the second moments of the set about J. Each source of acceleration gives such a field to
what it moves: rigidly to all that a coordinate carries, or rotating one body and translating what hangs on it
(Biscarini's augmented bodies, in space). No share is found as a difference of others, so that their sum can be
held against the wrench recursion.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from borelli.kernels.tree.algebra import (
    ZERO,
    Matrix,
    Vector,
    add,
    cross,
    moment_of_spin,
    scale,
    spin_matrix,
    subtract,
    times,
)
from borelli.kernels.tree.link_states import LinkState
from borelli.kernels.tree.node import GROUND, Inertia
from borelli.kernels.tree.node_force import Wrench
from borelli.kernels.tree.numbers import Number

WEIGHT, ACCELERATION, VELOCITY = "weight", "acceleration", "velocity"
SLIDE_ACCELERATION, SLIDE_VELOCITY = "slide acceleration", "slide velocity"


class Moved(NamedTuple):
    """A wrench about the joint point of another link."""

    wrench: Wrench
    link: int


class Pushed(NamedTuple):
    """What a link with all that hangs on it needs to be accelerated without turning."""

    acceleration: Vector


class Share(NamedTuple):
    """Part of one source in the wrench on a link by its parent, about the link's joint point.

    One wrench or acceleration is part of many links: :func:`settled` computes what it is on this one.
    """

    link: int
    source: tuple[str | int, ...]
    wrench: Wrench | Moved | Pushed


class Field(NamedTuple):
    """Accelerations about a joint point: a0 there, and a0 + L x at x from it."""

    at_joint: Vector
    spread: Matrix


class Tree(NamedTuple):
    """Which link hangs on which."""

    parents: tuple[int, ...]
    children: tuple[tuple[int, ...], ...]
    ancestors: tuple[tuple[int, ...], ...]
    """Of each link, nearest first, itself left out."""
    descendants: tuple[tuple[int, ...], ...]
    """Of each link, itself left out; each after the link that it hangs on."""

    def steps(self, link: int, top: int) -> int:
        """Return the link below ``top`` on the way to a link that descends from it."""
        beyond = len(self.ancestors[link]) - len(self.ancestors[top]) - 2
        return link if beyond < 0 else self.ancestors[link][beyond]


def tree_of(parents: Sequence[int]) -> Tree:
    """Find children, ancestors and descendants; a parent precedes its children."""
    ancestors: list[tuple[int, ...]] = []
    for parent in parents:
        ancestors.append(() if parent == GROUND else (parent, *ancestors[parent]))
    children: list[list[int]] = [[] for _ in parents]
    below: list[list[int]] = [[] for _ in parents]
    for link, parent in enumerate(parents):
        if parent != GROUND:
            children[parent].append(link)
        for ancestor in ancestors[link]:
            below[ancestor].append(link)
    return Tree(tuple(parents), tuple(map(tuple, children)), tuple(ancestors), tuple(map(tuple, below)))


def required(inertia: Inertia, field: Field) -> Wrench:
    """Wrench that a mass distribution needs for a field of accelerations, about the same point."""
    mass, first, second = inertia
    force = add(scale(mass, field.at_joint), times(field.spread, first))
    return Wrench(add(moment_of_spin(field.spread, second), cross(first, field.at_joint)), force)


def moved(wrench: Wrench, offset: Vector) -> Wrench:
    """Return the same wrench about a point from which its own lies at the offset."""
    return Wrench(add(wrench.moment, cross(offset, wrench.force)), wrench.force)


def settled(share: Share, states: Sequence[LinkState]) -> Wrench:
    """Wrench of a share about the joint point of its own link."""
    link, _, wrench = share
    if isinstance(wrench, Moved):
        return moved(wrench.wrench, subtract(states[wrench.link].joint, states[link].joint))
    if isinstance(wrench, Pushed):
        return _pushing(states[link], wrench.acceleration)
    return wrench


def carried_down(tree: Tree, link: int, source: tuple[str | int, ...], wrench: Wrench) -> Iterator[Share]:
    """Share of a wrench that is needed on a link, in the link's own joint and in all that carry it."""
    yield Share(link, source, wrench)
    for lower in tree.ancestors[link]:
        yield Share(lower, source, Moved(wrench, link))


def weight_shares(tree: Tree, states: Sequence[LinkState], gravity: Vector) -> Iterator[Share]:
    """Shares of the weight of every link."""
    for link, state in enumerate(states):
        force = scale(-1.0 * state.own.mass, gravity)
        moment = scale(-1.0, cross(state.own.first_moment, gravity))
        yield from carried_down(tree, link, (WEIGHT, link), Wrench(moment, force))


def load_shares(
    tree: Tree,
    states: Sequence[LinkState],
    link: int,
    source: tuple[str | int, ...],
    force: Vector,
    point: Vector,
    moment: Vector,
) -> Iterator[Share]:
    """Shares of an external load on a link: what bears it is its opposite."""
    about_joint = add(moment, cross(subtract(point, states[link].joint), force))
    needed = Wrench(scale(-1.0, about_joint), scale(-1.0, force))
    yield from carried_down(tree, link, source, needed)


def body_shares(tree: Tree, states: Sequence[LinkState]) -> Iterator[Share]:
    """Shares of the motion in body variables.

    Angular acceleration and angular velocity of every link, and for every link that slides in its parent the
    acceleration of the slide and its Coriolis acceleration 2 w x r'.
    """
    for link, state in enumerate(states):
        yield from _turning(tree, states, link, (ACCELERATION, link), spin_matrix(ZERO, state.alpha))
        yield from _turning(tree, states, link, (VELOCITY, link), spin_matrix(state.omega, ZERO))
        if state.slide_acceleration is not None:
            source = (SLIDE_ACCELERATION, link)
            yield from _translating(tree, states, link, source, state.slide_acceleration)
        if state.slide_rate is not None and tree.parents[link] != GROUND:
            coriolis = scale(2.0, cross(states[tree.parents[link]].omega, state.slide_rate))
            yield from _translating(tree, states, link, (SLIDE_VELOCITY, link), coriolis)


def _turning(
    tree: Tree, states: Sequence[LinkState], link: int, source: tuple[str | int, ...], spread: Matrix
) -> Iterator[Share]:
    """One body turns, what hangs on it is carried along without turning."""
    state = states[link]
    force = times(spread, state.own.first_moment)
    moment = moment_of_spin(spread, state.own.second_moment)
    carried: dict[int, Vector] = {}
    for child in tree.children[link]:
        offset = subtract(states[child].joint, state.joint)
        carried[child] = acceleration = times(spread, offset)
        mass, first, _ = states[child].composite
        push = scale(mass, acceleration)
        force = add(force, push)
        moment = add(moment, add(cross(offset, push), cross(first, acceleration)))
    yield from carried_down(tree, link, source, Wrench(moment, force))
    for upper in tree.descendants[link]:
        yield Share(upper, source, Pushed(carried[tree.steps(upper, link)]))


def _translating(
    tree: Tree, states: Sequence[LinkState], link: int, source: tuple[str | int, ...], acceleration: Vector
) -> Iterator[Share]:
    """A link and all that hangs on it are accelerated without turning."""
    yield from carried_down(tree, link, source, _pushing(states[link], acceleration))
    for upper in tree.descendants[link]:
        yield Share(upper, source, Pushed(acceleration))


def _pushing(state: LinkState, acceleration: Vector) -> Wrench:
    mass, first, _ = state.composite
    return Wrench(cross(first, acceleration), scale(mass, acceleration))


def field_shares(
    tree: Tree, states: Sequence[LinkState], link: int, source: tuple[str | int, ...], field: Field
) -> Iterator[Share]:
    """Shares of a field of accelerations that moves a link and all that hangs on it as one rigid body."""
    wrench = required(states[link].composite, field)
    yield from carried_down(tree, link, source, wrench)
    for upper in tree.descendants[link]:
        offset = subtract(states[upper].joint, states[link].joint)
        there = Field(add(field.at_joint, times(field.spread, offset)), field.spread)
        yield Share(upper, source, required(states[upper].composite, there))


def work_on(twist: tuple[Vector, Vector], wrench: Wrench) -> Number:
    """Generalized force of a wrench on a speed: its twist is (angular velocity, velocity of J) per unit."""
    (a, b, c), (x, y, z) = twist
    moment, force = wrench
    turning = a * moment[0] + b * moment[1] + c * moment[2]
    return turning + (x * force[0] + y * force[1] + z * force[2])
