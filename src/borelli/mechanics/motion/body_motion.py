"""How points of bodies move: position, velocity and acceleration in ground, and the turning of their bodies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from borelli.kernels.tree.algebra import Vector, add, cross, times
from borelli.kernels.tree.blocks import blocks, columns, fill
from borelli.kernels.tree.mechanism import node_variables
from borelli.kernels.tree.node import GROUND
from borelli.kernels.tree.passes import tree_motions, tree_poses, tree_velocities
from borelli.mechanics.motion.axis_rates import added_turns
from borelli.mechanics.motion.frame_motion import cross_rows
from borelli.mechanics.motion.ordered_motion import Motion
from borelli.mechanics.motion.prepare import prepare
from borelli.model.model import Model


class PointMotion(NamedTuple):
    """Motion of one point and of the frame that it is fixed to; ground axes, (n_times, 3) but the rotation."""

    position: np.ndarray
    velocity: np.ndarray
    acceleration: np.ndarray
    rotation: np.ndarray
    """(n_times, 3, 3): axes of the frame as columns"""
    angular_velocity: np.ndarray
    angular_acceleration: np.ndarray


def point_motions(
    model: Model, motion: Motion, points: Mapping[str, tuple[str, Vector]]
) -> dict[str, PointMotion]:
    """Motion of points that are fixed to bodies or frames.

    In joints with OpenSim's rates the accelerations are OpenSim's, which belong to its forces.

    Parameters
    ----------
    points : mapping of name to (body or frame, place in it in m)
    """
    prepared = prepare(model, motion)
    mechanism, n = prepared.compiled.mechanism, len(prepared.q)
    found = {name: np.zeros((n, 24)) for name in points}
    places = {name: prepared.compiled.attachment(frame) for name, (frame, _) in points.items()}
    for block in blocks(n):
        q, u, udot = (columns(x[block]) for x in (prepared.q, prepared.u, prepared.udot))
        variables = node_variables(mechanism, q, u, udot)
        poses = tree_poses(mechanism.nodes, variables)
        velocities = tree_velocities(mechanism.nodes, variables)
        motions = tree_motions(mechanism.nodes, variables, (0.0, 0.0, 0.0))
        turns = added_turns(prepared.compiled, prepared.q[block], prepared.u[block])
        for name, (_, point) in points.items():
            node, out = places[name].node, found[name][block]
            inner = places[name].placement
            local = inner.of_point(point)
            if node == GROUND:
                out[:, :3], out[:, 9:18] = local, np.array(inner.rotation, float).ravel()
                continue
            pose, velocity, moving = poses[node], velocities[node], motions[node]
            turn = pose.rotation
            fill(out[:, :3], add(pose.origin, times(turn, local)))
            fill(out[:, 3:6], times(turn, add(velocity.velocity, cross(velocity.omega, local))))
            fill(out[:, 6:9], times(turn, add(moving.acceleration, times(moving.spin, local))))
            outer = np.empty((len(out), 9))
            fill(outer, turn)
            out[:, 9:18] = (outer.reshape(-1, 3, 3) @ np.array(inner.rotation, float)).reshape(-1, 9)
            fill(out[:, 18:21], times(turn, velocity.omega))
            fill(out[:, 21:24], times(turn, moving.alpha))
            for nodes, alpha, centre in turns:
                if node in nodes:
                    out[:, 6:9] += cross_rows(alpha, out[:, :3] - centre)
                    out[:, 21:24] += alpha
    return {name: _point_motion(prepared.whole(table)) for name, table in found.items()}


def _point_motion(table: np.ndarray) -> PointMotion:
    rotation = table[:, 9:18].reshape(-1, 3, 3)
    return PointMotion(table[:, :3], table[:, 3:6], table[:, 6:9], rotation, table[:, 18:21], table[:, 21:24])
