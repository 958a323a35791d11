"""Points that move in their nodes: where coordinates take them, and how fast each speed does."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from borelli.kernels.jit import inner, lean


class MovingTables(NamedTuple):
    """The functions behind the components of all moving points, as polynomials between breaks."""

    coordinate: np.ndarray
    """(n_moving, 3) int: position in q of the coordinate behind a component, -1 for a constant one"""
    pieces: np.ndarray
    """(n_moving, 3, 2) int: first and last + 1 of its pieces; none of a function that is not made of such"""
    breaks: np.ndarray
    """(n_pieces,): where each piece ends; the last of a component has no end"""
    origins: np.ndarray
    """(n_pieces,)"""
    coefficients: np.ndarray
    """(n_pieces, highest degree + 1): ascending powers of the distance from the origin"""
    turn: np.ndarray
    """(n_moving, 3, 3): axes of the components in the node, as columns"""
    shift: np.ndarray
    """(n_moving, 3): their origin in the node (m)"""
    node: np.ndarray
    """(n_moving,) int: node, in the order of the path tables"""
    guides: np.ndarray
    """(n_guides, 5) int: a moving point, a speed, and which components (0 or 1) go with that speed one for one"""


@inner
def _component(
    tables: MovingTables, point: int, axis: int, q: np.ndarray, value: np.ndarray, slope: np.ndarray
) -> None:
    """Value and slope of one component in all instants."""
    piece, stop = tables.pieces[point, axis, 0], tables.pieces[point, axis, 1]
    first, last, degree = piece, stop - 1, tables.coefficients.shape[1] - 1
    coordinate = tables.coordinate[point, axis]
    for k in range(len(q)):
        x = q[k, coordinate] if coordinate >= 0 else 0.0
        # Motion is slow: the piece is that of the instant before, or close to it.
        while piece < last and x >= tables.breaks[piece]:
            piece += 1
        while piece > first and x < tables.breaks[piece - 1]:
            piece -= 1
        local = x - tables.origins[piece]
        total, rate = tables.coefficients[piece, degree], 0.0
        for power in range(degree - 1, -1, -1):
            rate = rate * local + total
            total = total * local + tables.coefficients[piece, power]
        value[k], slope[k] = total, rate


@lean
def place_moving_points(
    tables: MovingTables,
    q: np.ndarray,
    value: np.ndarray,
    slope: np.ndarray,
    place: np.ndarray,
    velocity: np.ndarray,
) -> None:
    """Place all moving points in their nodes; ``place`` and ``velocity`` are filled.

    Parameters
    ----------
    q : (n, n_q)
    value, slope : (n_moving, 3, n)
        Components and their slopes by their coordinates: filled, or given where a function is not made of polynomials.
    place : (n_moving, 3, n)
        In the node (m).
    velocity : (n_guides, 3, n)
        In the node, per unit of the guide's speed.
    """
    for point in range(len(tables.shift)):
        for axis in range(3):
            if tables.pieces[point, axis, 1] > tables.pieces[point, axis, 0]:
                _component(tables, point, axis, q, value[point, axis], slope[point, axis])
        for i in range(3):
            x, y, z = tables.turn[point, i, 0], tables.turn[point, i, 1], tables.turn[point, i, 2]
            for k in range(len(q)):
                own = x * value[point, 0, k] + y * value[point, 1, k] + z * value[point, 2, k]
                place[point, i, k] = tables.shift[point, i] + own
    for guide in range(len(tables.guides)):
        point = tables.guides[guide, 0]
        for i in range(3):
            for k in range(len(q)):
                velocity[guide, i, k] = 0.0
            for axis in range(3):
                if tables.guides[guide, 2 + axis]:
                    for k in range(len(q)):
                        velocity[guide, i, k] += tables.turn[point, i, axis] * slope[point, axis, k]


@lean
def work_of_guides(
    point: np.ndarray,
    node: np.ndarray,
    pose: np.ndarray,
    force: np.ndarray,
    velocity: np.ndarray,
    work: np.ndarray,
    at: int,
) -> None:
    """Work that unit tension does on moving points, per unit of the speeds that guide them.

    Parameters
    ----------
    point : (n_guides,) int
        Moving point of each guide.
    node : (n_moving,) int
    pose : (n_nodes, 12, n)
        Rotation row by row, origin (m).
    force : (n_moving, 3, n)
        Of unit tension on the moving points, in ground axes (N per N).
    velocity : (n_guides, 3, n)
        In the node.
    work : (n_guides, n_all)
        Filled for n instants.
    at : int
        The first of them.
    """
    n = force.shape[2]
    for guide in range(len(point)):
        p = point[guide]
        own = work[guide, at : at + n]
        for k in range(n):
            own[k] = 0.0
        # Three terms at a time: with all nine a compiler gives up on vectors.
        for i in range(3):
            for k in range(n):
                total = own[k]
                for j in range(3):
                    total += force[p, i, k] * pose[node[p], 3 * i + j, k] * velocity[guide, j, k]
                own[k] = total


@lean
def add_work_of_guides(
    node: np.ndarray,
    u: np.ndarray,
    speed: np.ndarray,
    force: np.ndarray,
    strides: tuple[int, int, int],
    farthest: float,
    point: np.ndarray,
    of_guide: np.ndarray,
    pose: np.ndarray,
    moving_force: np.ndarray,
    velocity: np.ndarray,
    offset: int,
    work: np.ndarray,
    at: int,
) -> bool:
    """Find the work on moving points; add it to what the speeds feel, and to lengthening speeds.

    Returns whether all that was changed are numbers of at most ``farthest``.

    Parameters
    ----------
    node, point, pose, moving_force, velocity, work, at
        As in :func:`work_of_guides`.
    u : (n_all, n_u)
        Speeds.
    speed : (n_all, n_paths)
    force : flat
    strides : (int, int, int)
        Distance in ``force`` from one path, speed and instant to the next.
    of_guide : (n_guides, 2) int
        Path and speed of each guide.
    offset : int
        Where these instants begin among all.
    """
    work_of_guides(point, node, pose, moving_force, velocity, work, at)
    near, n = True, moving_force.shape[2]
    for guide in range(len(of_guide)):
        path, driver = of_guide[guide, 0], of_guide[guide, 1]
        base = path * strides[0] + driver * strides[1] + offset * strides[2]
        for k in range(n):
            total = force[base + k * strides[2]] + work[guide, at + k]
            force[base + k * strides[2]] = total
            # NaN is not below anything.
            if not abs(total) <= farthest:
                near = False
    for k in range(n):
        for guide in range(len(of_guide)):
            path, driver = of_guide[guide, 0], of_guide[guide, 1]
            total = speed[offset + k, path] - work[guide, at + k] * u[offset + k, driver]
            speed[offset + k, path] = total
            if not abs(total) <= farthest:
                near = False
    return near
