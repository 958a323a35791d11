"""Passes over all frames and paths: lengths and forces, speeds, wrenches, drawings.

A straight section between two nodes pulls both ends together: a unit force along a line. Summed over a path
these are its wrenches on the nodes for unit tension, and each speed feels the wrenches on what it carries:
f = Jᵀ F [Sherman, Seth & Delp 2013, eq. 16], one product per speed that can matter.
"""

from __future__ import annotations

import math

import numpy as np

from borelli.kernels.jit import inlined, jit
from borelli.kernels.paths.contact import CERTAIN, OPTIONAL
from borelli.kernels.paths.object_frame import into, object_frame, out_of
from borelli.kernels.paths.solve_path import SETTLED, lay_over_surfaces, solve_path
from borelli.kernels.paths.stops import is_there, list_points
from borelli.kernels.paths.tables import LOCAL, NODE, POINT, WRAP, PathTables, Placed, Stops
from borelli.kernels.paths.wrap import over_surface


@inlined
def _pull(
    place: np.ndarray,
    marks: np.ndarray,
    over: np.ndarray,
    count: int,
    points: np.ndarray,
    wrench: np.ndarray,
    moving_force: np.ndarray,
    frame: int,
) -> float:
    """Length of a path; its unit-tension wrenches about the ground's origin are added to ``wrench``.

    Parameters
    ----------
    wrench : (n_local, 6)
        Moment, then force.
    moving_force : (n, n_moving, 3)
        The force on each moving point is added in this frame, in ground axes.
    """
    length = 0.0
    for i in range(count - 1):
        if marks[i, WRAP] >= 0 and marks[i, WRAP] == marks[i + 1, WRAP]:
            length += over[i + 1, 0]
            continue
        ax, ay, az = place[i, 0], place[i, 1], place[i, 2]
        dx, dy, dz = place[i + 1, 0] - ax, place[i + 1, 1] - ay, place[i + 1, 2] - az
        distance = math.sqrt(dx * dx + dy * dy + dz * dz)
        length += distance
        if distance == 0.0:
            continue
        dx, dy, dz = dx / distance, dy / distance, dz / distance
        for end in range(2):
            point = marks[i + end, POINT]
            if point >= 0 and points[point, 2] >= 0:
                sign = 1.0 - 2.0 * end
                moving_force[frame, points[point, 2], 0] += sign * dx
                moving_force[frame, points[point, 2], 1] += sign * dy
                moving_force[frame, points[point, 2], 2] += sign * dz
        first, second = marks[i, LOCAL], marks[i + 1, LOCAL]
        if first == second:
            continue
        mx, my, mz = ay * dz - az * dy, az * dx - ax * dz, ax * dy - ay * dx
        wrench[first, 0] += mx
        wrench[first, 1] += my
        wrench[first, 2] += mz
        wrench[first, 3] += dx
        wrench[first, 4] += dy
        wrench[first, 5] += dz
        wrench[second, 0] -= mx
        wrench[second, 1] -= my
        wrench[second, 2] -= mz
        wrench[second, 3] -= dx
        wrench[second, 4] -= dy
        wrench[second, 5] -= dz
    return length


@jit
def _state(
    points: np.ndarray,
    values: np.ndarray,
    first: int,
    stop: int,
    q: np.ndarray,
    frame: int,
    outcome: np.ndarray,
    n_wraps: int,
) -> int:
    """One bit for each conditional point that is there and each wrap that is touched."""
    bits, bit = 0, 1
    for point in range(first, stop):
        if points[point, 3] < 0:
            continue
        if is_there(points, values, point, q, frame):
            bits |= bit
        bit <<= 1
    for own in range(n_wraps):
        if outcome[own] == OPTIONAL or outcome[own] == CERTAIN:
            bits |= bit
        bit <<= 1
    return bits


@jit
def path_forces(
    tables: PathTables,
    placed: Placed,
    twist: np.ndarray,
    stops: Stops,
    wrench: np.ndarray,
    u: np.ndarray,
    length: np.ndarray,
    speed: np.ndarray,
    force: np.ndarray,
    moving_force: np.ndarray,
    state: np.ndarray,
    status: np.ndarray,
) -> None:
    """Length of every path, and the generalized forces of unit tension, in every frame.

    Parameters
    ----------
    twist : (n_u, 6, n)
        Motion per unit of each speed: angular velocity, velocity of what is at the ground's origin.
    wrench : (most local nodes, 6)
        Room to work in.
    u : (n, n_u)
        Speeds.
    length, speed : (n, n_paths)
        Filled (m, m/s); the speed leaves out what moving points add.
    force : (n, n_paths, n_u)
        Zeros on entry; filled: conjugate to u, without the work of moving points.
    moving_force : (n, n_moving, 3)
        Zeros on entry; filled: force of unit tension on each moving point, in ground axes.
    state, status : (n, n_paths) int
        Filled: which conditional points and wraps take part; how the search for the path ended.
    """
    paths, points, values = tables.paths, tables.points, tables.point_values
    speeds, carried = tables.speeds, tables.carried
    wraps, objects, object_values = tables.wraps, tables.objects, tables.object_values
    place, marks, over, touch, outcome = stops.place, stops.marks, stops.over, stops.touch, stops.outcome
    q, rotation, origin, moving = placed.q, placed.rotation, placed.origin, placed.moving
    for frame in range(len(q)):
        for path in range(len(paths)):
            first, stop = paths[path, 0], paths[path, 1]
            # The whole of solve_path, in the open: most paths are done after this line.
            count = list_points(points, values, first, stop, q, rotation, origin, moving, frame, place, marks)
            status[frame, path] = SETTLED
            n_wraps = paths[path, 3] - paths[path, 2]
            if n_wraps > 0:
                count, status[frame, path] = lay_over_surfaces(
                    wraps,
                    objects,
                    object_values,
                    rotation,
                    origin,
                    frame,
                    place,
                    marks,
                    over,
                    touch,
                    outcome,
                    count,
                    first,
                    paths[path, 2],
                    paths[path, 3],
                )
            for local in range(paths[path, 7] - paths[path, 6]):
                wrench[local, 0] = 0.0
                wrench[local, 1] = 0.0
                wrench[local, 2] = 0.0
                wrench[local, 3] = 0.0
                wrench[local, 4] = 0.0
                wrench[local, 5] = 0.0
            length[frame, path] = _pull(place, marks, over, count, points, wrench, moving_force, frame)
            state[frame, path] = 0
            if n_wraps > 0 or paths[path, 8] > 0:
                state[frame, path] = _state(points, values, first, stop, q, frame, outcome, n_wraps)
            power = 0.0
            for entry in range(paths[path, 4], paths[path, 5]):
                which = speeds[entry, 0]
                total = 0.0
                for k in range(speeds[entry, 1], speeds[entry, 2]):
                    local = carried[k]
                    total += (
                        twist[which, 0, frame] * wrench[local, 0]
                        + twist[which, 1, frame] * wrench[local, 1]
                        + twist[which, 2, frame] * wrench[local, 2]
                        + twist[which, 3, frame] * wrench[local, 3]
                        + twist[which, 4, frame] * wrench[local, 4]
                        + twist[which, 5, frame] * wrench[local, 5]
                    )
                force[frame, path, which] = total
                power += total * u[frame, which]
            speed[frame, path] = -power


@jit
def path_speeds(
    tables: PathTables,
    placed: Placed,
    velocity: np.ndarray,
    moving_rate: np.ndarray,
    stops: Stops,
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
    points, rotation = tables.points, placed.rotation
    for frame in range(len(placed.q)):
        for path in range(len(tables.paths)):
            count, status[frame, path] = solve_path(tables, placed, frame, path, stops)
            length[frame, path] = _length(place, marks, over, count)
            for motion in range(velocity.shape[1]):
                total = 0.0
                for i in range(count - 1):
                    if marks[i, WRAP] >= 0 and marks[i, WRAP] == marks[i + 1, WRAP]:
                        continue
                    distance, rate = 0.0, 0.0
                    for axis in range(3):
                        d = place[i + 1, axis] - place[i, axis]
                        distance += d * d
                        v = _velocity(
                            place, marks, points, rotation, velocity, moving_rate, frame, motion, i + 1, axis
                        )
                        v -= _velocity(
                            place, marks, points, rotation, velocity, moving_rate, frame, motion, i, axis
                        )
                        rate += d * v
                    if distance > 0.0:
                        total += rate / math.sqrt(distance)
                speed[frame, motion, path] = total


@jit
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


@jit
def _velocity(
    place: np.ndarray,
    marks: np.ndarray,
    points: np.ndarray,
    rotation: np.ndarray,
    velocity: np.ndarray,
    moving_rate: np.ndarray,
    frame: int,
    motion: int,
    i: int,
    axis: int,
) -> float:
    """One component of the velocity of a stop as a point of its node, or of a moving point."""
    node, point = marks[i, NODE], marks[i, POINT]
    j, k = (axis + 1) % 3, (axis + 2) % 3
    value = velocity[frame, motion, node, 3 + axis]
    value += velocity[frame, motion, node, j] * place[i, k] - velocity[frame, motion, node, k] * place[i, j]
    if point >= 0 and points[point, 2] >= 0:
        for column in range(3):
            own = moving_rate[frame, motion, points[point, 2], column]
            value += rotation[node, 3 * axis + column, frame] * own
    return value


@jit
def path_wrenches(
    tables: PathTables,
    placed: Placed,
    stops: Stops,
    wrench: np.ndarray,
    tension: np.ndarray,
    apart: bool,
    out: np.ndarray,
) -> None:
    """Wrenches of the paths on the nodes under their tensions.

    Parameters
    ----------
    wrench : (most local nodes, 6)
        Room to work in.
    tension : (n, n_paths)
        N.
    apart : bool
        Whether the paths are kept apart.
    out : (n, n_paths or 1, n_nodes, 6)
        Zeros on entry; the moment about the ground's origin (N m) and the force (N) are added, in ground axes.
    """
    paths, points, nodes = tables.paths, tables.points, tables.locals
    unused = np.zeros((1, placed.moving.shape[1], 3))
    for frame in range(len(placed.q)):
        for path in range(len(paths)):
            if tension[frame, path] == 0.0:
                continue
            count, _ = solve_path(tables, placed, frame, path, stops)
            wrench[:] = 0.0
            _pull(stops.place, stops.marks, stops.over, count, points, wrench, unused, 0)
            row = path if apart else 0
            for local in range(paths[path, 7] - paths[path, 6]):
                node = nodes[paths[path, 6] + local]
                for axis in range(6):
                    out[frame, row, node, axis] += tension[frame, path] * wrench[local, axis]


@jit
def path_drawings(
    tables: PathTables, placed: Placed, stops: Stops, n_arc: int, out: np.ndarray, number: np.ndarray
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
    for frame in range(len(placed.q)):
        for path in range(len(tables.paths)):
            count, _ = solve_path(tables, placed, frame, path, stops)
            filled = 0
            for i in range(count):
                if i > 0 and marks[i, WRAP] >= 0 and marks[i, WRAP] == marks[i - 1, WRAP]:
                    thing = tables.wraps[marks[i, WRAP], 0]
                    kind, size = (
                        tables.objects[thing, 0],
                        (values[thing, 0], values[thing, 1], values[thing, 2]),
                    )
                    axes = object_frame(values, thing, placed.rotation, placed.origin, frame, marks[i, NODE])
                    start = into(axes, place[i - 1, 0], place[i - 1, 1], place[i - 1, 2])
                    direction = (over[i, 1], over[i, 2], over[i, 3])
                    for k in range(n_arc):
                        way = over[i, 0] * (k + 1.0) / (n_arc + 1.0)
                        spot = out_of(axes, over_surface(kind, size, start, direction, way))
                        for axis in range(3):
                            out[frame, path, filled, axis] = spot[axis]
                        filled += 1
                for axis in range(3):
                    out[frame, path, filled, axis] = place[i, axis]
                filled += 1
            number[frame, path] = filled
