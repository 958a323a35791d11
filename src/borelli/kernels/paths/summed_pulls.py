"""Pull of all straight paths together on the nodes, a block of instants at a time."""

from __future__ import annotations

import numpy as np

from borelli.kernels.jit import jit, lean
from borelli.kernels.paths.block_pulls import add_pulls
from borelli.kernels.paths.columns import END_POINT, FIRST_POINT, POINT_NODE
from borelli.kernels.paths.lanes import WIDTH, load_rows


@lean
def _load_poses(rotation: np.ndarray, origin: np.ndarray, start: int, pose: np.ndarray) -> None:
    """Bring WIDTH instants of (n, n_nodes, 9) and (n, n_nodes, 3) into lanes; the last one is repeated."""
    for f in range(WIDTH):
        instant = min(start + f, len(rotation) - 1)
        for node in range(rotation.shape[1]):
            for k in range(9):
                pose[(12 * node + k) * WIDTH + f] = rotation[instant, node, k]
            for k in range(3):
                pose[(12 * node + 9 + k) * WIDTH + f] = origin[instant, node, k]


@jit
def summed_pulls(
    chosen: np.ndarray,
    paths: np.ndarray,
    points: np.ndarray,
    values: np.ndarray,
    q: np.ndarray,
    rotation: np.ndarray,
    origin: np.ndarray,
    moving: np.ndarray,
    tension: np.ndarray,
    out: np.ndarray,
) -> None:
    """Wrenches of all straight paths together on the nodes, under their tensions.

    Parameters are those of :func:`~borelli.kernels.paths.straight_pulls.straight_pulls`, but for

    moving : (3 * n_moving, n)
        Moving points in their nodes (m).
    out : (n, n_nodes, 6)
        Moment about the ground's origin (N m) and force (N) are added, in ground axes.
    """
    n, n_nodes = len(q), rotation.shape[1]
    most = 1
    for path in chosen:
        most = max(most, paths[path, END_POINT] - paths[path, FIRST_POINT])
    pose, total = np.empty(12 * n_nodes * WIDTH), np.empty(6 * n_nodes * WIDTH)
    shift, spot, scratch = np.empty(len(moving) * WIDTH), np.empty(3 * most * WIDTH), np.zeros(7 * WIDTH)
    amount, member, state = np.empty(WIDTH), np.empty(WIDTH, np.int64), np.empty(WIDTH, np.int64)
    listed = np.empty((WIDTH, most + 1), np.int64)
    for start in range(0, n, WIDTH):
        count = min(WIDTH, n - start)
        _load_poses(rotation, origin, start, pose)
        load_rows(moving, start, shift)
        total[:] = 0.0
        for path in chosen:
            add_pulls(
                points,
                values,
                paths[path],
                POINT_NODE,
                q,
                start,
                count,
                pose,
                shift,
                tension[:, path],
                spot,
                listed,
                state,
                member,
                amount,
                scratch,
                total,
            )
        for f in range(count):
            for node in range(n_nodes):
                for k in range(6):
                    out[start + f, node, k] += total[(6 * node + k) * WIDTH + f]
