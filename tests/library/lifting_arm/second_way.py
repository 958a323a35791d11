"""Where the wrench at every joint of a moving arm comes from: weights, angular accelerations, angular velocities.

In a tree whose joints only turn, the acceleration of a mass centre is a sum over the segments between it and the base,

    a_q = sum_j [ alpha_j x b_qj + w_j x (w_j x b_qj) ],

with b_qj the step from joint j to the next one on the way to q, or to the mass centre itself. No product of the
angular velocities of two segments occurs, so the split is exact. It is computed here with vectors from the motion
alone, and shares nothing with the spatial engine that is tested against it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from borelli import attitude
from borelli.library.lifting_arm.model import LiftingArm
from borelli.library.lifting_arm.segments import TreePose
from borelli.library.lifting_arm.values import Array
from borelli.library.lifting_arm.wrenches import gather
from borelli.model.motion import Motion


@dataclass(frozen=True, slots=True, eq=False)
class SegmentMotion:
    """Pose, angular velocity and angular acceleration of every segment, in world axes.

    Attributes
    ----------
    pose : TreePose
    omega, alpha : (n_times, n_segments, 3)
        rad/s, rad/s².
    """

    pose: TreePose
    omega: Array
    alpha: Array


def segment_motion(arm: LiftingArm, motion: Motion) -> SegmentMotion:
    """Add up the joints' rotations from the base outwards.

    w_i = w_p + R_i w, alpha_i = alpha_p + R_i wd + w_p x R_i w, with w relative to the parent in the child's axes.
    """
    tree, moving = arm.tree, [segment.name for segment in arm.moving]
    assert motion.u is not None and motion.udot is not None
    columns = [motion.coordinates.index(name) for name in arm.model.coordinate_names]
    q = np.asarray(motion.q)[:, columns]
    speeds = motion.speeds or motion.coordinates
    rows = [speeds.index(name) for name in arm.model.speed_names]
    u, udot = motion.u[:, rows], motion.udot[:, rows]
    shape = (motion.n_times, len(tree.segments), 3)
    omega, alpha = np.zeros(shape), np.zeros(shape)
    world: dict[str, Array] = {}
    identity = np.array([[1.0, 0.0, 0.0, 0.0]])
    for number, segment in enumerate(tree.segments):
        parent = tree.parent_index(number)
        carrier = identity if parent is None else world[segment.parent]
        below = np.zeros((motion.n_times, 3)) if parent is None else omega[:, parent]
        alpha[:, number] = 0.0 if parent is None else alpha[:, parent]
        omega[:, number] = below
        if segment.name in arm.fixed:
            world[segment.name] = attitude.multiply(carrier, np.atleast_2d(arm.fixed[segment.name]))
            continue
        k = moving.index(segment.name)
        world[segment.name] = attitude.multiply(carrier, q[:, 4 * k : 4 * k + 4])
        relative = attitude.rotate(world[segment.name], u[:, 3 * k : 3 * k + 3])
        omega[:, number] += relative
        alpha[:, number] += attitude.rotate(world[segment.name], udot[:, 3 * k : 3 * k + 3])
        alpha[:, number] += np.cross(below, relative)
    return SegmentMotion(tree.placed(world), omega, alpha)


@dataclass(frozen=True, slots=True, eq=False)
class WrenchShares:
    """Support wrench at every joint, split by source.

    Attributes
    ----------
    sources : tuple of str
        ``weight:<body>``, ``acceleration:<segment>``, ``velocity:<segment>``.
    force, moment : (n_times, n_joints, 3, n_sources)
        On the distal side, about the joint, in world axes (N, N m).
    """

    sources: tuple[str, ...]
    force: Array
    moment: Array


def wrench_shares(arm: LiftingArm, moved: SegmentMotion) -> WrenchShares:
    """Split the wrench that every joint must transmit.

    Returns
    -------
    WrenchShares
        Its sum over sources is the net resultant of ``joint_reactions``.
    """
    pieces = [
        *_weights(arm, moved.pose),
        *_turning(arm, moved, "acceleration"),
        *_turning(arm, moved, "velocity"),
    ]
    names = tuple(name for name, _, _ in pieces)
    summed = [gather(moved.pose, force, moment) for _, force, moment in pieces]
    return WrenchShares(
        names,
        np.stack([force for force, _ in summed], axis=-1),
        np.stack([moment for _, moment in summed], axis=-1),
    )


@dataclass(frozen=True, slots=True)
class _Mass:
    name: str
    segment: int
    mass: float
    com: Array
    inertia: Array


def _masses(arm: LiftingArm) -> list[_Mass]:
    own = [
        _Mass(part.name, number, part.mass, np.array(part.com), np.array(part.inertia))
        for number, part in enumerate(arm.tree.segments)
    ]
    carried = [
        _Mass(
            weight.name,
            arm.tree.index(weight.segment),
            weight.mass,
            np.array(weight.at),
            np.array(weight.inertia),
        )
        for weight in arm.weights
    ]
    return [*own, *carried]


def _weights(arm: LiftingArm, pose: TreePose) -> Iterator[tuple[str, Array, Array]]:
    up = np.array([0.0, 0.0, arm.gravity])
    for mass in _masses(arm):
        force, moment = np.zeros_like(pose.origin), np.zeros_like(pose.origin)
        lever = pose.rotation[:, mass.segment] @ mass.com
        force[:, mass.segment] = mass.mass * up
        moment[:, mass.segment] = np.cross(lever, mass.mass * up)
        yield f"weight:{mass.name}", force, moment


def _turning(arm: LiftingArm, moved: SegmentMotion, kind: str) -> Iterator[tuple[str, Array, Array]]:
    """Wrenches on all segments that the angular acceleration, or velocity, of each segment asks for."""
    pose, tree = moved.pose, arm.tree
    for j, segment in enumerate(tree.segments):
        force, moment = np.zeros_like(pose.origin), np.zeros_like(pose.origin)
        for mass in _masses(arm):
            step = _step(pose, j, mass)
            if step is None:
                continue
            push = mass.mass * _swing(moved, j, kind, step)
            lever = pose.rotation[:, mass.segment] @ mass.com
            force[:, mass.segment] += push
            moment[:, mass.segment] += np.cross(lever, push)
            if mass.segment == j:
                moment[:, j] += _spin(moved, j, kind, mass.inertia)
        yield f"{kind}:{segment.name}", force, moment


def _step(pose: TreePose, j: int, mass: _Mass) -> Array | None:
    """Vector from joint j to the next joint on the way to a mass, or to the mass itself; None off its way."""
    here, onward = mass.segment, None
    while here != j:
        onward, parent = here, pose.tree.parent_index(here)
        if parent is None:
            return None
        here = parent
    if onward is None:
        return pose.rotation[:, j] @ mass.com
    return pose.origin[:, onward] - pose.origin[:, j]


def _swing(moved: SegmentMotion, j: int, kind: str, step: Array) -> Array:
    if kind == "acceleration":
        return np.cross(moved.alpha[:, j], step)
    omega = moved.omega[:, j]
    return np.cross(omega, np.cross(omega, step))


def _spin(moved: SegmentMotion, j: int, kind: str, inertia: Array) -> Array:
    turned = attitude.inertia_in_world(np.diag(inertia), moved.pose.rotation[:, j])
    if kind == "acceleration":
        return np.einsum("tij,tj->ti", turned, moved.alpha[:, j])
    omega = moved.omega[:, j]
    return np.cross(omega, np.einsum("tij,tj->ti", turned, omega))
