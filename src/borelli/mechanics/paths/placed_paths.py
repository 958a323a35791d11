"""Where the nodes and moving points of all paths are, and how each speed moves them: input of the path kernels."""

from __future__ import annotations

import numpy as np

from borelli.compiled.compile import CompiledModel
from borelli.compiled.paths import CompiledPaths
from borelli.kernels.paths.moving_points import work_of_guides
from borelli.kernels.paths.tables import Placed
from borelli.kernels.tree.jacobian import carrying_speeds
from borelli.kernels.tree.node import GROUND
from borelli.mechanics.engine import engine
from borelli.mechanics.memory import scratch
from borelli.mechanics.paths.moving_points import Guides, moving_points
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

    @property
    def guided(self) -> list[tuple[int, int]]:
        """Path and speed of each guide."""
        paths, guides = self.paths, self.guides
        owners = [paths.names.index(paths.moving[point].path) for point in guides.point]
        return list(zip(owners, guides.speed.tolist(), strict=True))

    def work_of_guides(self, force: np.ndarray) -> np.ndarray:
        """Work per unit of each guide's speed, (n_guides, n), of forces on the moving points, (n_moving, 3, n)."""
        work = np.empty((len(self.guides.point), force.shape[2]))
        node, pose = self.paths.guidance.node, self.placed.pose
        work_of_guides(self.guides.point, node, pose, force, self.guides.velocity, work)
        return work

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
    pose, twist = engine().speed_motions(
        compiled.mechanism, q, paths.nodes, scratch("motions", (rows * len(q),))
    )
    moving, guides = moving_points(compiled, paths, q)
    return PlacedPaths(compiled, paths, Placed(np.array(q), pose, moving), twist, guides)
