"""Stops of one path in a block of instants: where its points are, and which points and contacts each instant has.

A stop is a number: the points of the path come first, then two for each of its wraps, touch-down and lift-off.
Arrays are those of :class:`PathTables`, :class:`Stops` and :class:`InstantBlock`, one by one: taking them out of the
tuples here would cost more than the work itself.
"""

from __future__ import annotations

import numpy as np

from borelli.kernels.jit import lean
from borelli.kernels.paths.columns import (
    END_POINT,
    FIRST_POINT,
    N_CONDITIONAL,
    POINT_COORDINATE,
    POINT_MOVING,
    POINT_NODE,
    RANGE_HIGH,
    RANGE_LOW,
)
from borelli.kernels.paths.lanes import WIDTH, out_of_frame, place_point
from borelli.kernels.paths.stops import EDGE


@lean
def place_points(
    points: np.ndarray,
    values: np.ndarray,
    first: int,
    stop: int,
    pose: np.ndarray,
    moving: np.ndarray,
    spot: np.ndarray,
) -> None:
    """Bring all points of a path to ground, those that are not there too."""
    for point in range(first, stop):
        node, slot, own = points[point, POINT_NODE], points[point, POINT_MOVING], point - first
        carrier = pose[12 * node * WIDTH : 12 * (node + 1) * WIDTH]
        out = spot[3 * own * WIDTH : 3 * (own + 1) * WIDTH]
        if slot >= 0:
            out_of_frame(carrier, moving[3 * slot * WIDTH : 3 * (slot + 1) * WIDTH], out)
        else:
            place_point(carrier, values[point, 0], values[point, 1], values[point, 2], out)


@lean
def list_present(
    points: np.ndarray,
    values: np.ndarray,
    row: np.ndarray,
    q: np.ndarray,
    start: int,
    n: int,
    listed: np.ndarray,
    state: np.ndarray,
    at: int,
) -> None:
    """List the points that are there at each of n instants; the state has a bit for each conditional one that is.

    The state of a path without such points is not even read: it may be memory that nothing has touched yet.
    """
    first, stop, bit = row[FIRST_POINT], row[END_POINT], 1
    changes = row[N_CONDITIONAL] > 0
    for point in range(first, stop):
        coordinate = points[point, POINT_COORDINATE]
        if coordinate >= 0:
            low, high = values[point, RANGE_LOW] - EDGE, values[point, RANGE_HIGH] + EDGE
            for lane in range(n):
                if low <= q[start + lane, coordinate] <= high:
                    state[at + lane] |= bit
            bit <<= 1
    for lane in range(n):
        bits = state[at + lane] if changes else 0
        if lane > 0 and (not changes or bits == state[at + lane - 1]):
            for i in range(listed[lane - 1, 0] + 1):
                listed[lane, i] = listed[lane - 1, i]
            continue
        bit, count = 1, 0
        for point in range(first, stop):
            conditional = points[point, POINT_COORDINATE] >= 0
            if not conditional or bits & bit:
                count += 1
                listed[lane, count] = point - first
            if conditional:
                bit <<= 1
        listed[lane, 0] = count
