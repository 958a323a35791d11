"""Constraints that close loops: their errors, and how each coordinate changes them."""

from __future__ import annotations

import math

import numpy as np

from borelli.kernels.jit import inner
from borelli.kernels.markers.functions import evaluate_functions
from borelli.kernels.markers.layout import (
    COORDINATE,
    DISTANCE,
    LINE,
    PLANE,
    POINT,
    Functions,
    Ties,
    Tree,
    Work,
)
from borelli.kernels.markers.ties import fold_vector

_RESULT = 3
"""Where in the scratch rows points and directions are kept."""


@inner
def loop_rows(
    tree: Tree, functions: Functions, ties: Ties, q: np.ndarray, centre: np.ndarray, work: Work
) -> None:
    """Fill errors and Jacobian of all loops; parts are placed and coordinates have their twists."""
    row = 0
    for r in range(len(work.rows)):
        for k in range(len(q)):
            work.rows[r, k] = 0.0
    for c in range(len(ties.kind)):
        kind = ties.kind[c]
        if kind == COORDINATE:
            _coordinate_row(functions, ties, c, row, q, work)
            row += 1
            continue
        first, second, scratch = ties.first[c], ties.second[c], work.scratch[-_RESULT:]
        _point(tree, first, ties.points[c, 0], centre, work, scratch[0])
        _point(tree, second, ties.points[c, 1], centre, work, scratch[1])
        if kind == DISTANCE:
            _distance_row(tree, ties, c, row, work, scratch)
            row += 1
        elif kind in (LINE, PLANE):
            for i in range(2 if kind == LINE else 1):
                _direction(tree, first, ties.axes[c, 0, i], work, scratch[2])
                error = -ties.size[c]
                for j in range(3):
                    error += scratch[2, j] * (scratch[1, j] - scratch[0, j])
                work.error[row] = error
                _add_point(tree, second, scratch[1], scratch[2], 1.0, work, row)
                _add_point(tree, first, scratch[1], scratch[2], -1.0, work, row)
                row += 1
        else:
            for i in range(3):
                for j in range(3):
                    scratch[2, j] = 1.0 if i == j else 0.0
                work.error[row] = scratch[1, i] - scratch[0, i]
                _add_point(tree, second, scratch[1], scratch[2], 1.0, work, row)
                _add_point(tree, first, scratch[0], scratch[2], -1.0, work, row)
                row += 1
            if kind != POINT:
                _weld_rows(tree, ties, c, row, work)
                row += 3
    for r in range(len(work.rows)):
        fold_vector(ties, functions, work, work.rows[r])


@inner
def _coordinate_row(functions: Functions, ties: Ties, c: int, row: int, q: np.ndarray, work: Work) -> None:
    """Set the row of a coordinate that should be a function of others."""
    d, f, scale = ties.first[c], ties.second[c], ties.points[c, 0, 0]
    evaluate_functions(functions, f, f + 1, q, work)
    work.error[row] = q[d] - scale * work.value[f]
    work.rows[row, d] += 1.0
    for a in range(functions.n_arguments[f]):
        work.rows[row, functions.arguments[f, a]] -= scale * work.slope[f, a]


@inner
def _point(tree: Tree, joint: int, own: np.ndarray, centre: np.ndarray, work: Work, out: np.ndarray) -> None:
    """Place a point of a part."""
    for i in range(3):
        if joint < 0:
            out[i] = own[i] - centre[i]
        else:
            s = tree.joint_step[joint]
            out[i] = work.origin[s, i]
            for j in range(3):
                out[i] += work.turned[s, i, j] * own[j]


@inner
def _direction(tree: Tree, joint: int, own: np.ndarray, work: Work, out: np.ndarray) -> None:
    """Turn a direction of a part into ground."""
    for i in range(3):
        if joint < 0:
            out[i] = own[i]
        else:
            out[i] = 0.0
            for j in range(3):
                out[i] += work.turned[tree.joint_step[joint], i, j] * own[j]


@inner
def _add_point(
    tree: Tree, joint: int, point: np.ndarray, along: np.ndarray, sign: float, work: Work, row: int
) -> None:
    """Add to a row how fast a point of a part moves along a direction."""
    while joint >= 0:
        for k in range(tree.joint_coordinates[joint, 0], tree.joint_coordinates[joint, 1]):
            w, total = work.twist[k], 0.0
            for i in range(3):
                j, m = (i + 1) % 3, (i + 2) % 3
                total += along[i] * (w[3 + i] + w[j] * point[m] - w[m] * point[j])
            work.rows[row, k] += sign * total
        joint = tree.joint_parent[joint]


@inner
def _distance_row(tree: Tree, ties: Ties, c: int, row: int, work: Work, scratch: np.ndarray) -> None:
    """Set the row of two points at a constant distance."""
    length = 0.0
    for i in range(3):
        scratch[2, i] = scratch[1, i] - scratch[0, i]
        length += scratch[2, i] * scratch[2, i]
    length = math.sqrt(length)
    for i in range(3):
        # Points that coincide have no direction: not divided by zero.
        scratch[2, i] /= max(length, 1e-300)
    work.error[row] = length - ties.size[c]
    _add_point(tree, ties.second[c], scratch[1], scratch[2], 1.0, work, row)
    _add_point(tree, ties.first[c], scratch[0], scratch[2], -1.0, work, row)


@inner
def _weld_rows(tree: Tree, ties: Ties, c: int, row: int, work: Work) -> None:
    """Set three rows for equal axes: the vector of the rotation from the first frame to the second."""
    first, second = ties.first[c], ties.second[c]
    one, two, scratch = ties.axes[c, 0], ties.axes[c, 1], work.scratch[-_RESULT:]
    trace = 0.0
    for i in range(3):
        work.error[row + i] = 0.0
    for k in range(3):
        # The k-th axis of both frames in ground; half the sum of their cross products is sin θ times the axis.
        _direction(tree, first, one[k], work, scratch[0])
        _direction(tree, second, two[k], work, scratch[1])
        for i in range(3):
            j, m = (i + 1) % 3, (i + 2) % 3
            trace += scratch[0, i] * scratch[1, i]
            work.error[row + i] += 0.5 * (scratch[0, j] * scratch[1, m] - scratch[0, m] * scratch[1, j])
    sine = 0.0
    for i in range(3):
        sine += work.error[row + i] * work.error[row + i]
    sine = math.sqrt(sine)
    angle = math.atan2(sine, 0.5 * (trace - 1.0))
    for i in range(3):
        # Below, angle over sine is one to the last digit, or the turn is a half one, whose axis the sine does not show.
        if sine > 1e-12:
            work.error[row + i] *= angle / sine
        _add_turn(tree, second, i, 1.0, work, row + i)
        _add_turn(tree, first, i, -1.0, work, row + i)


@inner
def _add_turn(tree: Tree, joint: int, axis: int, sign: float, work: Work, row: int) -> None:
    """Add to a row how fast a part turns about an axis of the ground."""
    while joint >= 0:
        for k in range(tree.joint_coordinates[joint, 0], tree.joint_coordinates[joint, 1]):
            work.rows[row, k] += sign * work.twist[k, axis]
        joint = tree.joint_parent[joint]
