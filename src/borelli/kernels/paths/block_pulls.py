"""Pull of one straight path on nodes, in a block of instants."""

from __future__ import annotations

import numpy as np

from borelli.kernels.jit import lean
from borelli.kernels.paths.block_stops import list_present, place_points
from borelli.kernels.paths.columns import END_POINT, FIRST_POINT, N_CONDITIONAL
from borelli.kernels.paths.lanes import WIDTH, pull
from borelli.kernels.paths.lines_of_pull import next_group


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
    counted_by: int,
    first: int,
    stops: np.ndarray,
    spot: np.ndarray,
    tension: np.ndarray,
    scratch: np.ndarray,
    wrench: np.ndarray,
) -> None:
    """Add the pull of a path through its stops to the wrenches of the nodes."""
    line, length = scratch[: 6 * WIDTH], scratch[6 * WIDTH :]
    for i in range(1, stops[0]):
        a, b = stops[i], stops[i + 1]
        one, other = points[first + a, counted_by], points[first + b, counted_by]
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
                wrench[6 * one * WIDTH : 6 * (one + 1) * WIDTH],
                wrench[6 * other * WIDTH : 6 * (other + 1) * WIDTH],
            )


@lean
def add_pulls(
    points: np.ndarray,
    values: np.ndarray,
    row: np.ndarray,
    counted_by: int,
    q: np.ndarray,
    start: int,
    n: int,
    pose: np.ndarray,
    moving: np.ndarray,
    tension: np.ndarray,
    spot: np.ndarray,
    listed: np.ndarray,
    state: np.ndarray,
    member: np.ndarray,
    amount: np.ndarray,
    scratch: np.ndarray,
    wrench: np.ndarray,
) -> None:
    """Add the pull of a path at n instants from ``start`` to the wrenches of its nodes.

    Parameters
    ----------
    points, values, row : arrays of :class:`~borelli.kernels.paths.tables.PathTables`, and the path's row in ``paths``
    counted_by : int
        Column of ``points`` that numbers the nodes: all those of the model, or those of the path.
    q : (n_instants, n_q)
    pose, moving : (12 * n_nodes * WIDTH,), (3 * n_moving * WIDTH,)
        Poses and moving points of the block, in lanes.
    tension : (n_instants,)
        N.
    spot, listed, state, member, amount, scratch : arrays
        Scratch: places of points, stops of each instant, then one number, 7 for ``scratch``, a lane.
    wrench : (6 * number of nodes * WIDTH,)
        Moment about the ground's origin (N m) and force (N) are added, in ground axes.
    """
    # Where no point comes and goes, the points of the first instant are those of all.
    alike = row[N_CONDITIONAL] == 0
    state[:] = 0
    member[:] = 1 if alike else 0
    place_points(points, values, row[FIRST_POINT], row[END_POINT], pose, moving, spot)
    list_present(points, values, row, q, start, 1 if alike else n, listed, state, 0)
    leader = 0 if alike else next_group(listed, member, n)
    while leader >= 0:
        for f in range(WIDTH):
            amount[f] = tension[start + f] if f < n and member[f] == 1 else 0.0
        _follow(points, counted_by, row[FIRST_POINT], listed[leader], spot, amount, scratch, wrench)
        leader = -1 if alike else next_group(listed, member, n)
