"""Passes over all instants and paths, one after the other: speeds from velocities of points, wrenches, drawings.

``scratch``, (SCRATCH,), is where geodesics are followed; None where all surfaces are cylinders and spheres.
"""

from __future__ import annotations

import math

import numpy as np

from borelli.kernels.jit import inlined, lean
from borelli.kernels.paths.columns import END_LOCAL, FIRST_LOCAL, OBJECT_KIND, POINT_MOVING
from borelli.kernels.paths.object_frame import into, object_frame, out_of, place_objects
from borelli.kernels.paths.solve_path import solve_path
from borelli.kernels.paths.tables import LOCAL, NODE, POINT, WRAP, PathTables, Placed, Stops
from borelli.kernels.paths.wrap import over_surface


@inlined
def _pull(place: np.ndarray, marks: np.ndarray, count: int, wrench: np.ndarray) -> None:
    """Add the unit-tension wrenches of a path about the ground's origin to ``wrench``, (n_local, 6)."""
    for i in range(count - 1):
        first, second = marks[i, LOCAL], marks[i + 1, LOCAL]
        if first == second:
            continue
        ax, ay, az = place[i, 0], place[i, 1], place[i, 2]
        dx, dy, dz = place[i + 1, 0] - ax, place[i + 1, 1] - ay, place[i + 1, 2] - az
        distance = math.sqrt(dx * dx + dy * dy + dz * dz)
        if distance == 0.0:
            continue
        dx, dy, dz = dx / distance, dy / distance, dz / distance
        line = (ay * dz - az * dy, az * dx - ax * dz, ax * dy - ay * dx, dx, dy, dz)
        for k in range(6):
            wrench[first, k] += line[k]
            wrench[second, k] -= line[k]


@lean
def path_speeds(
    tables: PathTables,
    placed: Placed,
    velocity: np.ndarray,
    moving_rate: np.ndarray,
    stops: Stops,
    scratch: np.ndarray | None,
    length: np.ndarray,
    speed: np.ndarray,
    status: np.ndarray,
) -> None:
    """Length and lengthening speed of every path from the velocities of its points, for several motions at once.

    Parameters
    ----------
    velocity : (n, n_motions, n_nodes, 6)
        Angular velocity, and velocity of what is at the ground's origin; ground axes.
    moving_rate : (n, n_motions, n_moving, 3)
        Velocity of each moving point in its node, in the node's axes (m/s).
    length : (n, n_paths)
        Filled (m).
    speed : (n, n_motions, n_paths)
        Filled (m/s).
    status : (n, n_paths) int
        Filled: how the search for the path ended.
    """
    place, marks, over = stops.place, stops.marks, stops.over
    points, pose = tables.points, placed.pose
    for instant in range(len(placed.q)):
        place_objects(tables.objects, tables.object_values, placed.pose, instant, stops.axes)
        for path in range(len(tables.paths)):
            count, status[instant, path] = solve_path(tables, placed, instant, path, stops, scratch)
            length[instant, path] = _length(place, marks, over, count)
            for motion in range(velocity.shape[1]):
                total = 0.0
                for i in range(count - 1):
                    # The way is the shortest: to first order its length does not change with where it touches, so
                    # that the ends of a contact count as points of the surface, and the way over it as a constant.
                    if marks[i, WRAP] >= 0 and marks[i, WRAP] == marks[i + 1, WRAP]:
                        continue
                    distance, rate = 0.0, 0.0
                    for axis in range(3):
                        d = place[i + 1, axis] - place[i, axis]
                        distance += d * d
                        v = _velocity(
                            place, marks, points, pose, velocity, moving_rate, instant, motion, i + 1, axis
                        )
                        v -= _velocity(
                            place, marks, points, pose, velocity, moving_rate, instant, motion, i, axis
                        )
                        rate += d * v
                    if distance > 0.0:
                        total += rate / math.sqrt(distance)
                speed[instant, motion, path] = total


@lean
def _length(place: np.ndarray, marks: np.ndarray, over: np.ndarray, count: int) -> float:
    total = 0.0
    for i in range(count - 1):
        if marks[i, WRAP] >= 0 and marks[i, WRAP] == marks[i + 1, WRAP]:
            total += over[i + 1, 0]
        else:
            square = 0.0
            for axis in range(3):
                square += (place[i + 1, axis] - place[i, axis]) ** 2
            total += math.sqrt(square)
    return total


@lean
def _velocity(
    place: np.ndarray,
    marks: np.ndarray,
    points: np.ndarray,
    pose: np.ndarray,
    velocity: np.ndarray,
    moving_rate: np.ndarray,
    instant: int,
    motion: int,
    i: int,
    axis: int,
) -> float:
    """One component of the velocity of a stop as a point of its node, or of a moving point."""
    node, point = marks[i, NODE], marks[i, POINT]
    j, k = (axis + 1) % 3, (axis + 2) % 3
    value = velocity[instant, motion, node, 3 + axis]
    value += (
        velocity[instant, motion, node, j] * place[i, k] - velocity[instant, motion, node, k] * place[i, j]
    )
    if point >= 0 and points[point, POINT_MOVING] >= 0:
        for column in range(3):
            own = moving_rate[instant, motion, points[point, POINT_MOVING], column]
            value += pose[node, 3 * axis + column, instant] * own
    return value


@lean
def path_wrenches(
    tables: PathTables,
    placed: Placed,
    stops: Stops,
    scratch: np.ndarray | None,
    wrench: np.ndarray,
    tension: np.ndarray,
    apart: bool,
    out: np.ndarray,
) -> None:
    """Wrenches of the paths on the nodes under their tensions.

    Parameters
    ----------
    wrench : (most local nodes, 6)
        Scratch memory.
    tension : (n, n_paths)
        N.
    apart : bool
        Whether the paths are kept apart.
    out : (n, n_paths or 1, n_nodes, 6)
        Zeros on entry; the moment about the ground's origin (N m) and the force (N) are added, in ground axes.
    """
    paths, nodes = tables.paths, tables.locals
    for instant in range(len(placed.q)):
        place_objects(tables.objects, tables.object_values, placed.pose, instant, stops.axes)
        for path in range(len(paths)):
            # To find the path is most of the work.
            if tension[instant, path] == 0.0:
                continue
            count, _ = solve_path(tables, placed, instant, path, stops, scratch)
            wrench[:] = 0.0
            _pull(stops.place, stops.marks, count, wrench)
            row = path if apart else 0
            for local in range(paths[path, END_LOCAL] - paths[path, FIRST_LOCAL]):
                node = nodes[paths[path, FIRST_LOCAL] + local]
                for axis in range(6):
                    out[instant, row, node, axis] += tension[instant, path] * wrench[local, axis]


@lean
def path_drawings(
    tables: PathTables,
    placed: Placed,
    stops: Stops,
    scratch: np.ndarray | None,
    n_arc: int,
    out: np.ndarray,
    number: np.ndarray,
) -> None:
    """Polylines of all paths, with points along the ways over surfaces.

    Parameters
    ----------
    n_arc : int
        Points within each contact, besides its ends.
    out : (n, n_paths, most, 3)
        NaN on entry; places in ground (m) are filled in.
    number : (n, n_paths)
        Filled: how many there are.
    """
    place, marks, over, values = stops.place, stops.marks, stops.over, tables.object_values
    for instant in range(len(placed.q)):
        place_objects(tables.objects, tables.object_values, placed.pose, instant, stops.axes)
        for path in range(len(tables.paths)):
            count, _ = solve_path(tables, placed, instant, path, stops, scratch)
            filled = 0
            for i in range(count):
                if i > 0 and marks[i, WRAP] >= 0 and marks[i, WRAP] == marks[i - 1, WRAP]:
                    thing = tables.wraps[marks[i, WRAP], 0]
                    kind, size = (
                        tables.objects[thing, OBJECT_KIND],
                        (values[thing, 0], values[thing, 1], values[thing, 2]),
                    )
                    axes = object_frame(stops.axes, thing)
                    start = into(axes, place[i - 1, 0], place[i - 1, 1], place[i - 1, 2])
                    direction = (over[i, 1], over[i, 2], over[i, 3])
                    for k in range(n_arc):
                        way = over[i, 0] * (k + 1.0) / (n_arc + 1.0)
                        spot = out_of(axes, over_surface(kind, size, start, direction, way, scratch))
                        for axis in range(3):
                            out[instant, path, filled, axis] = spot[axis]
                        filled += 1
                for axis in range(3):
                    out[instant, path, filled, axis] = place[i, axis]
                filled += 1
            number[instant, path] = filled
