"""Gradient and second derivatives of the objective by all coordinates, from the moments of what joints carry.

Only the lower triangle of the second derivatives is filled; entries of coordinates of which neither carries the
other are zero.
"""

from __future__ import annotations

import numpy as np

from borelli.kernels.jit import inlined, inner
from borelli.kernels.markers.layout import Functions, Tree, Work

_EXACT_CENTRE, _EXACT_TURN = 4, 10
_PLAIN_CENTRE, _PLAIN_TURN = 1, 19
"""Where in the moments the second derivatives look: at μ and K, or at h and G, see fit.py."""


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
    for k in range(len(work.gradient)):
        for i in range(k + 1):
            out[k, i] = 0.0
    centre = _EXACT_CENTRE if curvature > 0.0 else _PLAIN_CENTRE
    turn = _EXACT_TURN if curvature > 0.0 else _PLAIN_TURN
    for j in range(len(tree.joint_step)):
        own = work.moments[j]
        for k in range(tree.joint_coordinates[j, 0], tree.joint_coordinates[j, 1]):
            _with_carriers(tree, work, own, j, k, out, centre, turn)
        _within(tree, functions, work, own, j, out, centre, turn, curvature)


@inlined
def _felt(
    own: np.ndarray,
    a: float,
    b: float,
    c: float,
    x: float,
    y: float,
    z: float,
    centre: int,
    turn: int,
) -> tuple[float, float, float, float, float, float]:
    """Force, then moment, that the markers of a joint set against its turn (a, b, c) and shift (x, y, z)."""
    force_x = own[0] * x + b * own[3] - c * own[2]
    force_y = own[0] * y + c * own[1] - a * own[3]
    force_z = own[0] * z + a * own[2] - b * own[1]
    p, q, r = own[centre], own[centre + 1], own[centre + 2]
    turn_x = q * z - r * y + own[turn] * a + own[turn + 1] * b + own[turn + 2] * c
    turn_y = r * x - p * z + own[turn + 3] * a + own[turn + 4] * b + own[turn + 5] * c
    turn_z = p * y - q * x + own[turn + 6] * a + own[turn + 7] * b + own[turn + 8] * c
    return force_x, force_y, force_z, turn_x, turn_y, turn_z


@inner
def _with_carriers(
    tree: Tree, work: Work, own: np.ndarray, j: int, k: int, out: np.ndarray, centre: int, turn: int
) -> None:
    """Fill row k with the coordinates of the joints that carry its own."""
    own_twist = work.twist[k]
    a, b, c, x, y, z = own_twist[0], own_twist[1], own_twist[2], own_twist[3], own_twist[4], own_twist[5]
    force_x, force_y, force_z, turn_x, turn_y, turn_z = _felt(own, a, b, c, x, y, z, centre, turn)
    at = tree.joint_parent[j]
    while at >= 0:
        for i in range(tree.joint_coordinates[at, 0], tree.joint_coordinates[at, 1]):
            other = work.twist[i]
            turning = other[0] * turn_x + other[1] * turn_y + other[2] * turn_z
            out[k, i] = other[3] * force_x + other[4] * force_y + other[5] * force_z + turning
        at = tree.joint_parent[at]


@inner
def _within(
    tree: Tree,
    functions: Functions,
    work: Work,
    own: np.ndarray,
    j: int,
    out: np.ndarray,
    centre: int,
    turn: int,
    curvature: float,
) -> None:
    """Add what is within a joint: by pairs of its freedoms in their order, and by the curves of its functions."""
    for m in range(tree.joint_freedoms[j, 0], tree.joint_freedoms[j, 1]):
        screw = work.screw[m]
        a, b, c, x, y, z = screw[0], screw[1], screw[2], screw[3], screw[4], screw[5]
        force_x, force_y, force_z, turn_x, turn_y, turn_z = _felt(own, a, b, c, x, y, z, centre, turn)
        slope = x * (own[1] - own[4]) + y * (own[2] - own[5]) + z * (own[3] - own[6])
        slope = curvature * (slope + a * own[7] + b * own[8] + c * own[9])
        for n in range(tree.joint_freedoms[j, 0], m + 1):
            other = work.screw[n]
            pair = other[0] * turn_x + other[1] * turn_y + other[2] * turn_z
            pair += other[3] * force_x + other[4] * force_y + other[5] * force_z
            for u in range(functions.n_arguments[m]):
                k = functions.arguments[m, u]
                for v in range(functions.n_arguments[n]):
                    i = functions.arguments[n, v]
                    value = work.slope[m, u] * work.slope[n, v] * pair
                    if n == m:
                        if i <= k:
                            out[k, i] += value + slope * work.curve[m, u, v]
                    # Two freedoms that follow one coordinate: their pair stands twice in the sum, and is met once.
                    elif i == k:
                        out[k, k] += 2.0 * value
                    elif i < k:
                        out[k, i] += value
                    else:
                        out[i, k] += value
