"""How the tensions of paths pull on the bodies: straight paths by a quick pass, the others over surfaces."""

from __future__ import annotations

import numpy as np

from borelli.compiled.compile import CompiledModel
from borelli.compiled.paths import CompiledPaths
from borelli.kernels.backend import NodeLoad
from borelli.kernels.paths.straight_pulls import straight_pulls
from borelli.kernels.paths.summed_pulls import summed_pulls
from borelli.kernels.tree.node import GROUND
from borelli.mechanics.engine import engine
from borelli.mechanics.paths.moving_points import moving_points
from borelli.mechanics.paths.path_pass import path_wrenches, paths_of


def pulls(
    compiled: CompiledModel, paths: CompiledPaths, q: np.ndarray, tension: np.ndarray, apart: bool
) -> np.ndarray:
    """Wrenches of paths on the nodes: moment about the ground's origin (N m), force (N); ground axes.

    Parameters
    ----------
    q : (n, n_q)
    tension : (n, n_paths)
        N.
    apart : bool
        Keep the paths apart, or add them up.

    Returns
    -------
    (n, n_paths or 1, n_nodes, 6) float
        Nodes in the order of ``paths.nodes``.
    """
    straight = np.flatnonzero(paths.straight)
    tension = np.ascontiguousarray(tension, dtype=float)
    if len(straight) < len(paths.names):
        others = tension.copy()
        others[:, straight] = 0.0
        out = path_wrenches(compiled, paths, q, others, apart)
    else:
        out = np.zeros((len(q), len(paths.names) if apart else 1, len(paths.nodes), 6))
    rotation, origin = np.zeros((len(q), len(paths.nodes), 9)), np.zeros((len(q), len(paths.nodes), 3))
    own = list(paths.nodes[1:])
    turned, placed = engine().poses(compiled.mechanism, q, own)
    rotation[:, 1:], origin[:, 1:] = turned.reshape(len(q), len(own), 9), placed
    rotation[:, 0, [0, 4, 8]] = 1.0
    tables, moving = paths.tables, moving_points(compiled, paths, q)[0]
    table = (straight, tables.paths, tables.points, tables.point_values, np.ascontiguousarray(q))
    if apart:
        place = np.ascontiguousarray(moving.transpose(2, 0, 1))
        straight_pulls(*table, rotation, origin, place, tension, out)
    else:
        place = moving.reshape(moving.shape[0] * moving.shape[1], len(q))
        summed_pulls(*table, rotation, origin, place, tension, out[:, 0])
    return out


def as_loads(paths: CompiledPaths, pull: np.ndarray) -> tuple[NodeLoad, ...]:
    """Loads on the nodes from wrenches about the ground's origin, (n, n_nodes, 6)."""
    at_origin = np.zeros((len(pull), 3))
    return tuple(
        NodeLoad(node, pull[:, index, 3:], at_origin, pull[:, index, :3])
        for index, node in enumerate(paths.nodes)
        if node != GROUND
    )


def pull_loads(
    compiled: CompiledModel, q: np.ndarray, names: tuple[str, ...], tension: np.ndarray
) -> tuple[NodeLoad, ...]:
    """Pull of some paths as loads on the nodes; both ends of every piece act, so that they add up to nothing."""
    paths = paths_of(compiled, names)
    return as_loads(paths, pulls(compiled, paths, q, tension, apart=False)[:, 0])
