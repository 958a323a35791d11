"""Where the nodes and moving points of all paths are, and how each speed moves them: input of the path kernels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from borelli.analyses.coordinate_rates import rate_row
from borelli.compiled.compile import CompiledModel
from borelli.compiled.paths import CompiledPaths, MovingPoint
from borelli.kernels.frames import columns, fill
from borelli.kernels.jacobian import carrying_speeds, speed_motions
from borelli.kernels.node import GROUND
from borelli.kernels.paths.tables import Placed


@dataclass(frozen=True)
class PathFrames:
    """One block of frames.

    Parameters
    ----------
    placed : Placed
    twist : (n, n_u, 6) float
        Motion in ground per unit of each speed: angular velocity, velocity of what is at the origin.
    slope : (n, n_moving, 3, n_u) float
        Velocity of each moving point in its node per unit of each speed, in the node's axes.
    """

    compiled: CompiledModel
    paths: CompiledPaths
    placed: Placed
    twist: np.ndarray
    slope: np.ndarray

    def node_velocity(self, u: np.ndarray) -> np.ndarray:
        """Velocity of the nodes, (n, n_motions, n_nodes, 6), from speeds u (n, n_motions, n_u)."""
        out = np.zeros((*u.shape[:2], len(self.paths.nodes), 6))
        for index, node in enumerate(self.paths.nodes):
            if node != GROUND:
                carried = carrying_speeds(self.compiled.mechanism, node)
                out[:, :, index] = np.einsum("nmk,nkx->nmx", u[:, :, carried], self.twist[:, carried])
        return out

    def moving_rate(self, u: np.ndarray) -> np.ndarray:
        """Velocity of the moving points in their nodes, (n, n_motions, n_moving, 3)."""
        return np.einsum("npxk,nmk->nmpx", self.slope, u)


def path_frames(compiled: CompiledModel, paths: CompiledPaths, q: np.ndarray) -> PathFrames:
    """Place everything for a block of frames, q of shape (n, n_q)."""
    n = len(q)
    twists, poses = speed_motions(compiled.mechanism, columns(q))
    twist = np.empty((n, compiled.mechanism.n_speeds, 6))
    for speed, motion in enumerate(twists):
        angular, linear, origin = motion
        fill(twist[:, speed, :3], angular)
        # Velocity of the ground's origin, carried along: v - w x o.
        fill(
            twist[:, speed, 3:],
            [
                linear[k]
                - angular[(k + 1) % 3] * origin[(k + 2) % 3]
                + angular[(k + 2) % 3] * origin[(k + 1) % 3]
                for k in range(3)
            ],
        )
    rotation, place = np.empty((n, len(paths.nodes), 9)), np.zeros((n, len(paths.nodes), 3))
    rotation[:, 0] = np.eye(3).ravel()
    for index, node in enumerate(paths.nodes[1:], start=1):
        fill(rotation[:, index], poses[node].rotation)
        fill(place[:, index], poses[node].origin)
    moving = np.empty((n, len(paths.moving), 3))
    slope = np.zeros((n, len(paths.moving), 3, compiled.mechanism.n_speeds))
    for index, point in enumerate(paths.moving):
        moving[:, index], slope[:, index] = _moving_point(compiled, point, q)
    placed = Placed(np.ascontiguousarray(q), rotation, place, moving)
    return PathFrames(compiled, paths, placed, twist, slope)


def _moving_point(
    compiled: CompiledModel, moving: MovingPoint, q: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Place in the node (n, 3), and its change per unit of each speed (n, 3, n_u)."""
    value, slope = np.empty((len(q), 3)), np.zeros((len(q), 3, compiled.mechanism.n_speeds))
    for axis, (part, coordinate) in enumerate(zip(moving.point.components, moving.coordinates, strict=True)):
        argument = q[:, max(coordinate, 0)]
        value[:, axis] = part.function.value(argument)
        if coordinate >= 0:
            rate = part.function.derivative(argument)
            slope[:, axis] = rate[:, None] * rate_row(compiled, coordinate, q)
    turn = np.array(moving.frame.placement.rotation, dtype=float)
    shift = np.array(moving.frame.placement.translation, dtype=float)
    return shift + value @ turn.T, np.einsum("ij,njk->nik", turn, slope)
