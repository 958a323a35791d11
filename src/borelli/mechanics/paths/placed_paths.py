"""Where the nodes and moving points of all paths are, and how each speed moves them: input of the path kernels."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass

import numpy as np

from borelli.compiled.compile import CompiledModel
from borelli.compiled.paths import CompiledPaths
from borelli.kernels.paths.tables import Placed
from borelli.kernels.tree.blocks import columns
from borelli.kernels.tree.jacobian import SpeedMotion, carrying_speeds, speed_motions
from borelli.kernels.tree.node import GROUND
from borelli.mechanics.paths.moving_points import Guide, moving_points

_kept = threading.local()


def _scratch(name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Memory that a thread keeps from block to block: fresh pages would cost as much as the work on them."""
    size = math.prod(shape)
    kept: np.ndarray | None = getattr(_kept, name, None)
    if kept is None or kept.size < size:
        kept = np.empty(size)
        setattr(_kept, name, kept)
    return kept[:size].reshape(shape)


@dataclass(frozen=True)
class PlacedPaths:
    """Everything that paths run over, in one block of instants.

    Parameters
    ----------
    placed : Placed
    twist : (n_u, 6, n) float
        Motion in ground per unit of each speed: angular velocity, velocity of what is at the origin.
    guides : tuple of Guide
        How speeds move the moving points.
    """

    compiled: CompiledModel
    paths: CompiledPaths
    placed: Placed
    twist: np.ndarray
    guides: tuple[Guide, ...]

    def node_velocity(self, u: np.ndarray) -> np.ndarray:
        """Velocity of the nodes, (n, n_motions, n_nodes, 6), from speeds u (n, n_motions, n_u)."""
        out = np.zeros((*u.shape[:2], len(self.paths.nodes), 6))
        for index, node in enumerate(self.paths.nodes):
            if node != GROUND:
                carried = carrying_speeds(self.compiled.mechanism, node)
                out[:, :, index] = np.einsum("nmk,kxn->nmx", u[:, :, carried], self.twist[carried])
        return out

    def moving_rate(self, u: np.ndarray) -> np.ndarray:
        """Velocity of the moving points in their nodes, (n, n_motions, n_moving, 3)."""
        out = np.zeros((*u.shape[:2], len(self.paths.moving), 3))
        for guide in self.guides:
            out[:, :, guide.point] += u[:, :, guide.speed, None] * guide.velocity.T[:, None]
        return out


def place_paths(compiled: CompiledModel, paths: CompiledPaths, q: np.ndarray) -> PlacedPaths:
    """Place everything for a block of instants, q of shape (n, n_q); it holds until the thread's next call."""
    n = len(q)
    twists, poses = speed_motions(compiled.mechanism, columns(q), paths.nodes)
    twist = _scratch("twist", (compiled.mechanism.n_speeds, 6, n))
    for speed, motion in enumerate(twists):
        _about_ground(motion, twist[speed])
    pose = _scratch("pose", (len(paths.nodes), 12, n))
    pose[0] = 0.0
    pose[0, (0, 4, 8)] = 1.0
    for index, node in enumerate(paths.nodes[1:], start=1):
        for k in range(9):
            pose[index, k] = poses[node].rotation[k]
        for k in range(3):
            pose[index, 9 + k] = poses[node].origin[k]
    moving, guides = moving_points(compiled, paths, q)
    return PlacedPaths(compiled, paths, Placed(np.array(q), pose, moving), twist, guides)


def _about_ground(motion: SpeedMotion, out: np.ndarray) -> None:
    """Angular velocity, and velocity v - w × o of what is at the ground's origin, (6, n)."""
    angular, linear, origin = motion
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        out[k] = angular[k]
        own = out[3 + k]
        np.multiply(angular[j], origin[i], out=own)
        own -= angular[i] * origin[j]
        own += linear[k]
