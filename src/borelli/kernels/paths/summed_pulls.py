"""Pull of all straight paths together on the nodes, a block of instants at a time."""

from __future__ import annotations

import numpy as np

from borelli.kernels.jit import jit, lean
from borelli.kernels.paths.block_stops import list_present, place_points
from borelli.kernels.paths.columns import END_POINT, FIRST_POINT, N_CONDITIONAL, POINT_NODE
from borelli.kernels.paths.lanes import WIDTH, load_rows, pull
from borelli.kernels.paths.lines_of_pull import next_group


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


@lean
def _pull_together(line: np.ndarray, tension: np.ndarray, first: np.ndarray, second: np.ndarray) -> None:
    """Add a tension along a line to the node of its first end, and take it from that of its second."""
    for f in range(WIDTH):
        for k in range(6):
            amount = tension[f] * line[k * WIDTH + f]
            first[k * WIDTH + f] += amount
            second[k * WIDTH + f] -= amount


@lean
def _follow(
    points: np.ndarray,
    first: int,
    stops: np.ndarray,
    spot: np.ndarray,
    tension: np.ndarray,
    scratch: np.ndarray,
    total: np.ndarray,
) -> None:
    """Add the pull of a path through its stops to the wrenches of the nodes."""
    line, length = scratch[: 6 * WIDTH], scratch[6 * WIDTH :]
    for i in range(1, stops[0]):
        a, b = stops[i], stops[i + 1]
        one, other = points[first + a, POINT_NODE], points[first + b, POINT_NODE]
        if one != other:
            pull(
                spot[3 * a * WIDTH : 3 * (a + 1) * WIDTH],
                spot[3 * b * WIDTH : 3 * (b + 1) * WIDTH],
                length,
                line,
            )
            _pull_together(
                line,
                tension,
                total[6 * one * WIDTH : 6 * (one + 1) * WIDTH],
                total[6 * other * WIDTH : 6 * (other + 1) * WIDTH],
            )


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
            row = paths[path]
            # Where no point comes and goes, the points of the first instant are those of all.
            alike = row[N_CONDITIONAL] == 0
            state[:] = 0
            member[:] = 1 if alike else 0
            place_points(points, values, row[FIRST_POINT], row[END_POINT], pose, shift, spot)
            list_present(points, values, row, q, start, 1 if alike else count, listed, state, 0)
            leader = 0 if alike else next_group(listed, member, count)
            while leader >= 0:
                for f in range(WIDTH):
                    amount[f] = tension[start + f, path] if f < count and member[f] == 1 else 0.0
                _follow(points, row[FIRST_POINT], listed[leader], spot, amount, scratch, total)
                leader = -1 if alike else next_group(listed, member, count)
        for f in range(count):
            for node in range(n_nodes):
                for k in range(6):
                    out[start + f, node, k] += total[(6 * node + k) * WIDTH + f]
