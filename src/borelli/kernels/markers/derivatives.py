"""Gradient and second derivatives of the objective by all coordinates, from the moments of what joints carry.

Only the lower triangle of the second derivatives is filled; entries of coordinates of which neither carries the
other are zero.
"""

from __future__ import annotations

import numpy as np

from borelli.kernels.jit import inner
from borelli.kernels.markers.layout import Functions, Tree, Work


@inner
def add_gradient(tree: Tree, work: Work) -> None:
    """Set the gradient: what the misfit, as forces, does along each twist."""
    for k in range(len(work.gradient)):
        work.gradient[k] = 0.0
    for j in range(len(tree.joint_step)):
        own = work.moments[j]
        for k in range(tree.joint_coordinates[j, 0], tree.joint_coordinates[j, 1]):
            total = 0.0
            for i in range(3):
                total += work.twist[k, 3 + i] * (own[1 + i] - own[4 + i]) + work.twist[k, i] * own[7 + i]
            work.gradient[k] = total


@inner
def add_second_derivatives(
    tree: Tree, functions: Functions, work: Work, out: np.ndarray, curvature: float
) -> None:
    """Set the lower triangle of the second derivatives: exact with curvature 1, with 0 those of Gauss and Newton."""
    n = len(work.gradient)
    for k in range(n):
        for i in range(k + 1):
            out[k, i] = 0.0
    for j in range(len(tree.joint_step)):
        own = work.moments[j]
        for k in range(tree.joint_coordinates[j, 0], tree.joint_coordinates[j, 1]):
            _column(tree, work, own, j, k, out, curvature)
        if curvature > 0.0:
            _within(tree, functions, work, own, j, out)


@inner
def _column(
    tree: Tree, work: Work, own: np.ndarray, j: int, k: int, out: np.ndarray, curvature: float
) -> None:
    """Fill row k: with its own joint as Gauss and Newton have it, then with the joints that carry it."""
    a, b, c = work.twist[k, 0], work.twist[k, 1], work.twist[k, 2]
    x, y, z = work.twist[k, 3], work.twist[k, 4], work.twist[k, 5]
    force_x = own[0] * x + b * own[3] - c * own[2]
    force_y = own[0] * y + c * own[1] - a * own[3]
    force_z = own[0] * z + a * own[2] - b * own[1]
    turn_x = own[2] * z - own[3] * y + own[19] * a + own[20] * b + own[21] * c
    turn_y = own[3] * x - own[1] * z + own[22] * a + own[23] * b + own[24] * c
    turn_z = own[1] * y - own[2] * x + own[25] * a + own[26] * b + own[27] * c
    at, first, last = j, tree.joint_coordinates[j, 0], k + 1
    while True:
        for i in range(first, last):
            other = work.twist[i]
            out[k, i] = (
                other[3] * force_x
                + other[4] * force_y
                + other[5] * force_z
                + other[0] * turn_x
                + other[1] * turn_y
                + other[2] * turn_z
            )
        if at == j and curvature > 0.0:
            turn_x = own[5] * z - own[6] * y + own[10] * a + own[11] * b + own[12] * c
            turn_y = own[6] * x - own[4] * z + own[13] * a + own[14] * b + own[15] * c
            turn_z = own[4] * y - own[5] * x + own[16] * a + own[17] * b + own[18] * c
        at = tree.joint_parent[at]
        if at < 0:
            break
        first, last = tree.joint_coordinates[at, 0], tree.joint_coordinates[at, 1]


@inner
def _within(tree: Tree, functions: Functions, work: Work, own: np.ndarray, j: int, out: np.ndarray) -> None:
    """Add what the misfit's curvature is within a joint: by pairs of freedoms in their order, and by functions."""
    for m in range(tree.joint_freedoms[j, 0], tree.joint_freedoms[j, 1]):
        screw = work.screw[m]
        a, b, c, x, y, z = screw[0], screw[1], screw[2], screw[3], screw[4], screw[5]
        dx, dy, dz = own[4] - own[1], own[5] - own[2], own[6] - own[3]
        turn_x = dy * z - dz * y
        turn_y = dz * x - dx * z
        turn_z = dx * y - dy * x
        turn_x += (own[10] - own[19]) * a + (own[11] - own[20]) * b + (own[12] - own[21]) * c
        turn_y += (own[13] - own[22]) * a + (own[14] - own[23]) * b + (own[15] - own[24]) * c
        turn_z += (own[16] - own[25]) * a + (own[17] - own[26]) * b + (own[18] - own[27]) * c
        force = -(x * dx + y * dy + z * dz) + a * own[7] + b * own[8] + c * own[9]
        for n in range(tree.joint_freedoms[j, 0], m + 1):
            pair = work.screw[n, 0] * turn_x + work.screw[n, 1] * turn_y + work.screw[n, 2] * turn_z
            for p in range(functions.n_arguments[m]):
                k = functions.arguments[m, p]
                for r in range(functions.n_arguments[n]):
                    i = functions.arguments[n, r]
                    value = work.slope[m, p] * work.slope[n, r] * pair
                    if n == m:
                        value += force * work.curve[m, p, r]
                        if i <= k:
                            out[k, i] += value
                    elif i == k:
                        out[k, k] += 2.0 * value
                    elif i < k:
                        out[k, i] += value
                    else:
                        out[i, k] += value
