"""The closed form: the share of each single variable in every joint torque and reaction.

Written from the side away from the base (distal data set), or from the base's side
(proximal data set, a.7).

Shares of reactions are of the force **on the distal link by the proximal one**.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Literal

import numpy as np

from borelli.planar.chain import Chain
from borelli.planar.checks import Array
from borelli.planar.closed_form import link_shares
from borelli.planar.every_instant import Way, in_numpy
from borelli.planar.loads import LoadTable
from borelli.planar.muscles import MuscleAction
from borelli.planar.pose import Pose, cross, put_vectors, running_sum
from borelli.records import dataclass

Space = Literal["segment", "joint"]
"""Absolute angles of the links, or relative angles of the joints, as the variables of the motion."""


def products(n_joints: int) -> tuple[tuple[int, int], ...]:
    """Pairs i ≤ j of joints whose velocities are multiplied, counted from 0."""
    return tuple(combinations_with_replacement(range(n_joints), 2))


@dataclass(frozen=True, slots=True)
class Sources:
    """Which source stands in which column, and its label."""

    labels: tuple[str, ...]
    weight: slice  # base first in the proximal set; links 1..n in both
    load: slice  # contacts, then couples
    support: slice  # base force and moment: proximal set only
    base: slice  # acceleration of the base, where the motion has one
    acceleration: slice
    velocity: slice
    muscle: slice

    @classmethod
    def of(
        cls,
        chain: Chain,
        loads: LoadTable,
        *,
        proximal: bool,
        moving_base: bool,
        space: Space = "segment",
    ) -> Sources:
        """List the sources of an analysis."""
        links, joints = chain.link_names, chain.joint_names
        swings = (
            links if space == "segment" else [f"{joints[i]}*{joints[j]}" for i, j in products(len(joints))]
        )
        groups = (
            [f"weight:{name}" for name in (("base", *links) if proximal else links)],
            [f"load:{name}" for name in loads.names],
            ["load:base_force", "load:base_moment"] if proximal else [],
            ["acceleration:base"] if moving_base else [],
            [f"acceleration:{name}" for name in (links if space == "segment" else joints)],
            [f"velocity:{name}" for name in swings],
            [f"muscle:{name}" for name in chain.muscle_names],
        )
        ends = np.cumsum([len(group) for group in groups])
        slices = [slice(int(end) - len(group), int(end)) for group, end in zip(groups, ends, strict=True)]
        return cls(tuple(label for group in groups for label in group), *slices)


def distal_shares(
    pose: Pose,
    loads: LoadTable,
    action: MuscleAction,
    sources: Sources,
    torque: Array,
    reaction: Array,
    way: Way = in_numpy,
) -> None:
    """Fill the shares from what lies beyond each joint; places of what has no share stay as they are.

    Parameters
    ----------
    torque : (n_joints, n_sources, n_times)
        Filled with the shares of tau_k (N m).
    reaction : (2, n_joints, n_sources, n_times)
        Filled with the shares of the reaction (N).
    way : Way
        How to run the closed form.
    """
    columns = (sources.weight.start, sources.acceleration.start, sources.velocity.start)
    motion = (pose.turn, pose.velocity, pose.acceleration)
    way(link_shares)(pose.links, pose.gravity, *motion, columns, torque, reaction)
    for column in range(sources.base.start, sources.base.stop):
        first_moment = running_sum(pose.augmented[::-1], 0.0)[:0:-1]  # S_k
        torque[:, column] = cross(first_moment, pose.base_acceleration)
        put_vectors(reaction[:, :, column], pose.mass_beyond[:-1, None] * pose.base_acceleration)
    _load_shares(pose, loads, sources, torque, reaction, proximal=False)
    _muscle_shares(loads, action, sources, reaction)


def proximal_shares(
    pose: Pose,
    loads: LoadTable,
    action: MuscleAction,
    sources: Sources,
    base_force: Array,
    base_moment: Array,
    torque: Array,
    reaction: Array,
) -> None:
    """Fill the shares from what lies between the base's support and each joint; as :func:`distal_shares`."""
    n_links = len(pose.mass)
    base = pose.chain.base
    squared = pose.velocity**2
    base_com = np.broadcast_to(np.asarray(complex(*base.com)), (1, pose.n_times))
    mass = np.concatenate([[base.mass], pose.mass])
    com = np.concatenate([base_com, pose.com])
    mass_before = np.cumsum(mass)  # masses of links 0..i
    moment_before = np.cumsum(mass[:, None] * com, axis=0)

    weight, accel, veloc = sources.weight.start, sources.acceleration.start, sources.velocity.start
    support = sources.support.start
    for k in range(n_links):
        place = slice(weight, weight + k + 1)
        pull = mass[: k + 1, None] * pose.gravity
        torque[k, place] = cross(com[: k + 1] - pose.joint[k], pull)
        put_vectors(reaction[:, k, place], pull)
        torque[k, support] = cross(pose.joint[0] - pose.joint[k], base_force)
        torque[k, support + 1] = base_moment
        put_vectors(reaction[:, k, support], base_force)

        # Links j+1..k-1 (counted from one), carried along by link j.
        mass_between = mass_before[k] - mass_before[1 : k + 1]
        moment_between = moment_before[k] - moment_before[1 : k + 1] - mass_between[:, None] * pose.joint[k]
        own = np.conj(pose.com[:k] - pose.joint[k]) * (pose.mass[:k, None] * pose.arm[:k])
        block = own + np.conj(moment_between) * pose.step[:k]
        path = pose.mass[:k, None] * pose.arm[:k] + mass_between[:, None] * pose.step[:k]
        torque[k, accel : accel + k] = -(pose.inertia[:k, None] + block.real) * pose.acceleration[:k]
        torque[k, veloc : veloc + k] = block.imag * squared[:k]
        put_vectors(reaction[:, k, accel : accel + k], -1j * pose.acceleration[:k] * path)
        put_vectors(reaction[:, k, veloc : veloc + k], squared[:k] * path)

        if sources.base.stop > sources.base.start:
            moment = moment_before[k] - mass_before[k] * pose.joint[k]
            torque[k, sources.base.start] = -cross(moment, pose.base_acceleration)
            put_vectors(reaction[:, k, sources.base.start], -mass_before[k] * pose.base_acceleration)
    _load_shares(pose, loads, sources, torque, reaction, proximal=True)
    _muscle_shares(loads, action, sources, reaction)


def _load_shares(
    pose: Pose, loads: LoadTable, sources: Sources, torque: Array, reaction: Array, *, proximal: bool
) -> None:
    """Shares of contacts and couples: on the far side they are carried, on the near side they support."""
    sign = 1.0 if proximal else -1.0
    n_links = len(pose.mass)
    for column, contact in enumerate(loads.contacts, start=sources.load.start):
        world = contact.force * pose.turn[contact.link - 1] if contact.turns else contact.force
        place = pose.point(contact.link, contact.point)
        for k in range(contact.link, n_links) if proximal else range(contact.link):
            torque[k, column] = sign * cross(place - pose.joint[k], world)
            put_vectors(reaction[:, k, column], sign * world)
    first_couple = sources.load.start + len(loads.contacts)
    for column, couple in enumerate(loads.couples, start=first_couple):
        for k in range(couple.link, n_links) if proximal else range(couple.link):
            torque[k, column] = sign * couple.moment


def _muscle_shares(loads: LoadTable, action: MuscleAction, sources: Sources, reaction: Array) -> None:
    """A muscle compresses the joints it spans, and no other."""
    put_vectors(reaction[:, :, sources.muscle], -action.pull * loads.tension)
