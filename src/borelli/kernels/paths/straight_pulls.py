"""Pull of each path that touches no surface: straight from point to point, one pass, nothing stored between."""

from __future__ import annotations

import math

import numpy as np

from borelli.kernels.jit import lean
from borelli.kernels.paths.columns import (
    END_POINT,
    FIRST_POINT,
    POINT_COORDINATE,
    POINT_MOVING,
    POINT_NODE,
    RANGE_HIGH,
    RANGE_LOW,
)
from borelli.kernels.paths.stops import EDGE


@lean
def straight_pulls(
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
    """Wrenches of straight paths on the nodes under their tensions.

    Parameters
    ----------
    chosen : (…,) int
        Paths without surfaces.
    paths, points, values : arrays of :class:`~borelli.kernels.paths.tables.PathTables`
    q : (n, n_q)
    rotation, origin : (n, n_nodes, 9), (n, n_nodes, 3)
        Poses of the nodes; ground axes (m).
    moving : (n, n_moving, 3)
        Moving points in their nodes (m).
    tension : (n, n_paths)
        N.
    out : (n, n_paths, n_nodes, 6)
        Zeros on entry; moment about the ground's origin (N m) and force (N) are added, in ground axes.
    """
    for instant in range(len(q)):
        for path in chosen:
            pull = tension[instant, path]
            if pull == 0.0:
                continue
            before = -1
            ax = ay = az = 0.0
            for point in range(paths[path, FIRST_POINT], paths[path, END_POINT]):
                coordinate = points[point, POINT_COORDINATE]
                if coordinate >= 0:
                    angle = q[instant, coordinate]
                    if angle < values[point, RANGE_LOW] - EDGE or angle > values[point, RANGE_HIGH] + EDGE:
                        continue
                node, slot = points[point, POINT_NODE], points[point, POINT_MOVING]
                x, y, z = values[point, 0], values[point, 1], values[point, 2]
                if slot >= 0:
                    x, y, z = moving[instant, slot, 0], moving[instant, slot, 1], moving[instant, slot, 2]
                r = rotation[instant, node]
                bx = origin[instant, node, 0] + r[0] * x + r[1] * y + r[2] * z
                by = origin[instant, node, 1] + r[3] * x + r[4] * y + r[5] * z
                bz = origin[instant, node, 2] + r[6] * x + r[7] * y + r[8] * z
                if before >= 0 and before != node:
                    dx, dy, dz = bx - ax, by - ay, bz - az
                    distance = math.sqrt(dx * dx + dy * dy + dz * dz)
                    if distance > 0.0:
                        s = pull / distance
                        dx, dy, dz = s * dx, s * dy, s * dz
                        mx, my, mz = ay * dz - az * dy, az * dx - ax * dz, ax * dy - ay * dx
                        first, second = out[instant, path, before], out[instant, path, node]
                        first[0] += mx
                        first[1] += my
                        first[2] += mz
                        first[3] += dx
                        first[4] += dy
                        first[5] += dz
                        second[0] -= mx
                        second[1] -= my
                        second[2] -= mz
                        second[3] -= dx
                        second[4] -= dy
                        second[5] -= dz
                before, ax, ay, az = node, bx, by, bz
