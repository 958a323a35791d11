"""A path through its stops in a block of instants: its length, the lines along which it pulls, what each speed feels.

A straight piece between two nodes pulls both ends together: a unit force along a line. A speed that moves one end
but not the other feels it: f = Jᵀ F [Sherman, Seth & Delp 2013, eq. 16], one product for each line and speed.
"""

from __future__ import annotations

import math

import numpy as np

from borelli.kernels.jit import lean
from borelli.kernels.paths.columns import (
    END_POINT,
    END_SPEED,
    FIRST_POINT,
    FIRST_SPEED,
    FIRST_WRAP,
    POINT_LOCAL,
    POINT_MOVING,
    POINT_NODE,
    WRAP_LOCAL,
)
from borelli.kernels.paths.lanes import (
    WIDTH,
    add_all,
    add_number,
    add_power,
    add_product,
    clear,
    pull,
)


@lean
def next_group(listed: np.ndarray, member: np.ndarray, n: int) -> int:
    """Mark the instants that share the stops of the first one still to come; return that one, -1 if none is left."""
    leader = -1
    for lane in range(n):
        if member[lane] == 1:
            member[lane] = 2
    for lane in range(n):
        if member[lane] != 0:
            continue
        if leader < 0:
            leader = lane
        same = True
        for i in range(listed[leader, 0] + 1):
            if listed[lane, i] != listed[leader, i]:
                same = False
                break
        if same:
            member[lane] = 1
    return leader


@lean
def _local(points: np.ndarray, wraps: np.ndarray, first: int, n_points: int, start: int, stop: int) -> int:
    """Local node of a stop."""
    if stop < n_points:
        return int(points[first + stop, POINT_LOCAL])
    return int(wraps[start + (stop - n_points) // 2, WRAP_LOCAL])


@lean
def _fixed_distance(points: np.ndarray, values: np.ndarray, a: int, b: int) -> float:
    """Distance of two points that are fixed in the same node, else -1."""
    if (
        points[a, POINT_NODE] != points[b, POINT_NODE]
        or points[a, POINT_MOVING] >= 0
        or points[b, POINT_MOVING] >= 0
    ):
        return -1.0
    dx, dy, dz = values[b, 0] - values[a, 0], values[b, 1] - values[a, 1], values[b, 2] - values[a, 2]
    return math.sqrt(dx * dx + dy * dy + dz * dz)


@lean
def _add_to_moving(
    line: np.ndarray,
    sign: float,
    slot: int,
    start: int,
    n: int,
    member: np.ndarray,
    moving_force: np.ndarray,
) -> None:
    for lane in range(n):
        if member[lane] == 1:
            for k in range(3):
                moving_force[slot, k, start + lane] += sign * line[(3 + k) * WIDTH + lane]


@lean
def walk(
    points: np.ndarray,
    values: np.ndarray,
    wraps: np.ndarray,
    row: np.ndarray,
    stops: np.ndarray,
    start: int,
    n: int,
    spot: np.ndarray,
    way: np.ndarray,
    line: np.ndarray,
    length: np.ndarray,
    ends: np.ndarray,
    member: np.ndarray,
    moving_force: np.ndarray,
) -> int:
    """Follow a path from stop to stop: its length, and the lines along which it pulls; return their number."""
    first, n_points = row[FIRST_POINT], row[END_POINT] - row[FIRST_POINT]
    first_wrap, lines = row[FIRST_WRAP], 0
    clear(length)
    for i in range(1, stops[0]):
        a, b = stops[i], stops[i + 1]
        if b >= n_points and (b - n_points) % 2 == 1:
            own = (b - n_points) // 2
            add_all(way[own * WIDTH : (own + 1) * WIDTH], length)
            continue
        if a < n_points and b < n_points:
            # Two points of one node: a length that never changes, between ends that pull on nothing else.
            distance = _fixed_distance(points, values, first + a, first + b)
            if distance >= 0.0:
                add_number(distance, length)
                continue
        here = line[6 * lines * WIDTH : 6 * (lines + 1) * WIDTH]
        pull(
            spot[3 * a * WIDTH : 3 * (a + 1) * WIDTH], spot[3 * b * WIDTH : 3 * (b + 1) * WIDTH], length, here
        )
        if a < n_points and points[first + a, POINT_MOVING] >= 0:
            _add_to_moving(here, 1.0, points[first + a, POINT_MOVING], start, n, member, moving_force)
        if b < n_points and points[first + b, POINT_MOVING] >= 0:
            _add_to_moving(here, -1.0, points[first + b, POINT_MOVING], start, n, member, moving_force)
        ends[lines, 0] = _local(points, wraps, first, n_points, first_wrap, a)
        ends[lines, 1] = _local(points, wraps, first, n_points, first_wrap, b)
        # Both ends in one node: the line pulls on nothing else, and the next one takes its memory.
        if ends[lines, 0] != ends[lines, 1]:
            lines += 1
    return lines


@lean
def project(
    speeds: np.ndarray,
    moves: np.ndarray,
    row: np.ndarray,
    lines: int,
    n: int,
    screw: np.ndarray,
    rate: np.ndarray,
    line: np.ndarray,
    ends: np.ndarray,
    felt: np.ndarray,
    power: np.ndarray,
    member: np.ndarray,
    force: np.ndarray,
    base: int,
    of_speed: int,
    of_instant: int,
    farthest: float,
) -> bool:
    """Give each speed what it feels of the lines, and add up the power; tell whether all are within a limit."""
    clear(power)
    near = True
    for entry in range(row[FIRST_SPEED], row[END_SPEED]):
        which = speeds[entry]
        clear(felt)
        for k in range(lines):
            sign = moves[entry, ends[k, 0]] - moves[entry, ends[k, 1]]
            if sign != 0.0:
                add_power(
                    screw[6 * which * WIDTH : 6 * (which + 1) * WIDTH],
                    line[6 * k * WIDTH : 6 * (k + 1) * WIDTH],
                    sign,
                    felt,
                )
        add_product(felt, rate[which * WIDTH : (which + 1) * WIDTH], power)
        at = base + which * of_speed
        for lane in range(n):
            if member[lane] == 1:
                force[at + lane * of_instant] = felt[lane]
                # Looked at while it is at hand; NaN is not below anything.
                if not abs(felt[lane]) <= farthest:
                    near = False
    return near
