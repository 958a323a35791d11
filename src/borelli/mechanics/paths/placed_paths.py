"""Where the nodes and moving points of all paths are, and how each speed moves them: input of the path kernels."""

from __future__ import annotations

import numpy as np

from borelli.compiled.compile import CompiledModel
from borelli.compiled.paths import CompiledPaths
from borelli.kernels.paths.tables import Placed
from borelli.kernels.tree.jacobian import carrying_speeds
from borelli.kernels.tree.node import GROUND
from borelli.mechanics.engine import engine
from borelli.mechanics.memory import scratch
from borelli.mechanics.paths.moving_points import Guides, moving_points, rows_for_moving_points
from borelli.records import dataclass


@dataclass(frozen=True)
class PlacedPaths:
    """Everything that paths run over, in one block of instants.

    Parameters
    ----------
    placed : Placed
    twist : (n_u, 6, n) float
        Motion in ground per unit of each speed: angular velocity, velocity of what is at the origin.
    guides : Guides
        How speeds move the moving points.
    """

    compiled: CompiledModel
    paths: CompiledPaths
    placed: Placed
    twist: np.ndarray
    guides: Guides

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
        guides = self.guides
        for point, speed, velocity in zip(guides.point, guides.speed, guides.velocity, strict=True):
            out[:, :, point] += u[:, :, speed, None] * velocity.T[:, None]
        return out


def place_paths(compiled: CompiledModel, paths: CompiledPaths, q: np.ndarray) -> PlacedPaths:
    """Place everything for a block of instants, q of shape (n, n_q); it holds until the thread's next call."""
    rows = 12 * len(paths.nodes) + 6 * compiled.mechanism.n_speeds
    # Twists and poses first, so that these begin with a line of memory.
    memory = scratch("motions", ((rows + rows_for_moving_points(paths)) * len(q),))
    pose, twist = engine().speed_motions(compiled.mechanism, q, paths.nodes, memory)
    moving, guides = moving_points(compiled, paths, q, memory[rows * len(q) :])
    return PlacedPaths(compiled, paths, Placed(np.array(q), pose, moving), twist, guides)
