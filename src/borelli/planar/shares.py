"""The closed form: the share of each single variable in every joint torque and reaction.

Written from the side away from the base (distal data set, PHYSICS a.5), or from the base's side
(proximal data set, a.7). With augmented links — a link with everything beyond it lumped at its
distal joint — each coefficient costs a handful of operations, whatever the length of the chain.

Shares of reactions are of the force **on the distal link by the proximal one**.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from borelli.planar.chain import Chain
from borelli.planar.checks import Array
from borelli.planar.loads import LoadTable
from borelli.planar.muscles import MuscleAction
from borelli.planar.pose import Pose, cross, running_sum


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
    def of(cls, chain: Chain, loads: LoadTable, *, proximal: bool, moving_base: bool) -> Sources:
        """List the sources of an analysis."""
        links = chain.link_names
        groups = (
            [f"weight:{name}" for name in (("base", *links) if proximal else links)],
            [f"load:{name}" for name in loads.names],
            ["load:base_force", "load:base_moment"] if proximal else [],
            ["acceleration:base"] if moving_base else [],
            [f"acceleration:{name}" for name in links],
            [f"velocity:{name}" for name in links],
            [f"muscle:{name}" for name in chain.muscle_names],
        )
        ends = np.cumsum([len(group) for group in groups])
        slices = [slice(int(end) - len(group), int(end)) for group, end in zip(groups, ends, strict=True)]
        return cls(tuple(label for group in groups for label in group), *slices)


def distal_shares(
    pose: Pose, loads: LoadTable, action: MuscleAction, sources: Sources, torque: Array, reaction: Array
) -> None:
    """Fill the shares from what lies beyond each joint.

    Parameters
    ----------
    torque : (n_joints, n_sources, n_times)
        Filled with the shares of tau_k (N m); columns of muscles stay as they are.
    reaction : (n_joints, n_sources, n_times) complex
        Filled with the shares of the reaction (N).
    """
    n_links = len(pose.mass)
    mass_beyond = pose.mass_beyond
    augmented = pose.augmented
    first_moment = running_sum(augmented[::-1], 0.0)[::-1]  # S_k

    # Everything that does not depend on the joint k is computed once, with positions from the first joint.
    joint = pose.joint[:-1] - pose.base
    weight_moment = cross(joint + pose.arm, -pose.mass[:, None] * pose.gravity)
    gravity_at_joint = cross(joint, pose.gravity)
    own = pose.augmented_inertia[:, None] * pose.acceleration
    joint_conjugate, moment_conjugate = np.conj(joint), np.conj(first_moment)
    about_base = joint_conjugate * augmented
    about_base += moment_conjugate[1:] * pose.step
    centring = -(pose.velocity**2)
    turning, inward = np.zeros_like(augmented), centring.astype(complex)
    turning.imag = pose.acceleration
    push = {"step": turning * pose.step, "augmented": turning * augmented}
    pull = {"step": inward * pose.step, "augmented": inward * augmented}

    weight, accel, veloc = sources.weight.start, sources.acceleration.start, sources.velocity.start
    for k in range(n_links):
        place = slice(weight + k, weight + n_links)
        np.multiply(pose.mass[k:, None], gravity_at_joint[k], out=torque[k, place])
        torque[k, place] += weight_moment[k:]
        reaction[k, place] = -pose.mass[k:, None] * pose.gravity

        # j < k: the whole outer part is carried along by link j.
        inner = moment_conjugate[k] * pose.step[:k]
        np.multiply(inner.real, pose.acceleration[:k], out=torque[k, accel : accel + k])
        np.multiply(inner.imag, centring[:k], out=torque[k, veloc : veloc + k])
        np.multiply(push["step"][:k], mass_beyond[k], out=reaction[k, accel : accel + k])
        np.multiply(pull["step"][:k], mass_beyond[k], out=reaction[k, veloc : veloc + k])

        # j >= k: link j's own augmented motion.
        outer = about_base[k:] - joint_conjugate[k] * augmented[k:]
        np.multiply(outer.real, pose.acceleration[k:], out=torque[k, accel + k : accel + n_links])
        torque[k, accel + k : accel + n_links] += own[k:]
        np.multiply(outer.imag, centring[k:], out=torque[k, veloc + k : veloc + n_links])
        reaction[k, accel + k : accel + n_links] = push["augmented"][k:]
        reaction[k, veloc + k : veloc + n_links] = pull["augmented"][k:]

        if sources.base.stop > sources.base.start:
            torque[k, sources.base.start] = cross(first_moment[k], pose.base_acceleration)
            reaction[k, sources.base.start] = mass_beyond[k] * pose.base_acceleration
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
        reaction[k, place] = pull
        torque[k, support] = cross(pose.joint[0] - pose.joint[k], base_force)
        torque[k, support + 1] = base_moment
        reaction[k, support] = base_force

        # Links j+1..k-1 (counted from one), carried along by link j.
        mass_between = mass_before[k] - mass_before[1 : k + 1]
        moment_between = moment_before[k] - moment_before[1 : k + 1] - mass_between[:, None] * pose.joint[k]
        own = np.conj(pose.com[:k] - pose.joint[k]) * (pose.mass[:k, None] * pose.arm[:k])
        block = own + np.conj(moment_between) * pose.step[:k]
        path = pose.mass[:k, None] * pose.arm[:k] + mass_between[:, None] * pose.step[:k]
        torque[k, accel : accel + k] = -(pose.inertia[:k, None] + block.real) * pose.acceleration[:k]
        torque[k, veloc : veloc + k] = block.imag * squared[:k]
        reaction[k, accel : accel + k] = -1j * pose.acceleration[:k] * path
        reaction[k, veloc : veloc + k] = squared[:k] * path

        if sources.base.stop > sources.base.start:
            moment = moment_before[k] - mass_before[k] * pose.joint[k]
            torque[k, sources.base.start] = -cross(moment, pose.base_acceleration)
            reaction[k, sources.base.start] = -mass_before[k] * pose.base_acceleration
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
            reaction[k, column] = sign * world
    first_couple = sources.load.start + len(loads.contacts)
    for column, couple in enumerate(loads.couples, start=first_couple):
        for k in range(couple.link, n_links) if proximal else range(couple.link):
            torque[k, column] = sign * couple.moment


def _muscle_shares(loads: LoadTable, action: MuscleAction, sources: Sources, reaction: Array) -> None:
    """A muscle compresses the joints it spans, and no other."""
    if not len(loads.tension):
        return
    reaction[:, sources.muscle] = -action.pull * loads.tension
