"""Back onto the constraints: the nearest posture that closes all loops; and how they bend."""

from __future__ import annotations

import numpy as np

from borelli.kernels.jit import inner
from borelli.kernels.markers.factor import IN_PLAY, OUT, UNSEEN, solve_redundant
from borelli.kernels.markers.layout import Aim, Functions, Ties, Tree, Work
from borelli.kernels.markers.loops import loop_rows
from borelli.kernels.markers.pose import move_coordinates, place_parts
from borelli.kernels.markers.ties import follow

CLOSED = 1e-13
"""Largest error of a closed loop (m or rad): some round-offs of a body's size."""
_MOST_STEPS = 40
_LONGEST_STEP = 0.5
"""No coordinate moves further in one step (rad or m): from afar a linear step says little. Forty of these cross any
range of a joint, and near the end Newton's method takes a handful."""
_AWAY = 1e6
"""Errors beyond this (m) say that the steps run away."""
_DIFFERENCE = 1e-6
"""Step of the differences that give the bending of constraints: the error is 1e-12 of it."""


@inner
def rows_at(
    tree: Tree, functions: Functions, ties: Ties, q: np.ndarray, centre: np.ndarray, work: Work
) -> None:
    """Fill errors and Jacobian of the loops at q, which is made to obey the couplers."""
    follow(ties, functions, q, work)
    place_parts(tree, functions, q, centre, work)
    move_coordinates(tree, functions, work)
    loop_rows(tree, functions, ties, q, centre, work)


@inner
def close(
    tree: Tree, functions: Functions, ties: Ties, q: np.ndarray, centre: np.ndarray, work: Work
) -> bool:
    """Move q onto the constraints by shortest steps that leave no bound; tell whether it got there."""
    n, rows = len(q), work.rows
    before = np.inf
    for _ in range(_MOST_STEPS):
        rows_at(tree, functions, ties, q, centre, work)
        worst = 0.0
        for r in range(len(rows)):
            worst = max(worst, abs(work.error[r]))
        # Near the end the error falls with its square: where it does not any more it is round-off.
        if worst <= 1e-15 or (worst <= CLOSED and worst >= 0.5 * before):
            return True
        if not worst < _AWAY:
            return False
        before = worst
        for r in range(len(rows)):
            work.column[r] = work.error[r]
            for s in range(len(rows)):
                work.square[r, s] = 0.0
                for k in range(n):
                    if _moves(ties, work, q, k):
                        work.square[r, s] += rows[r, k] * rows[s, k]
        solve_redundant(work.square, work.column)
        for k in range(n):
            if _moves(ties, work, q, k):
                change = 0.0
                for r in range(len(rows)):
                    change -= rows[r, k] * work.column[r]
                change = min(max(change, -_LONGEST_STEP), _LONGEST_STEP)
                q[k] = min(max(q[k] + change, ties.low[k]), ties.high[k])
    return before <= CLOSED


@inner
def _moves(ties: Ties, work: Work, q: np.ndarray, k: int) -> bool:
    """Whether a coordinate may move: not one at a bound, where it would have to turn back."""
    if work.state[k] == OUT:
        return False
    return work.state[k] == IN_PLAY or work.state[k] == UNSEEN or ties.low[k] < q[k] < ties.high[k]


@inner
def bend(tree: Tree, functions: Functions, ties: Ties, aim: Aim, q: np.ndarray, work: Work) -> None:
    """Fill ``work.bent``: second derivatives of the constraints times their multipliers, by differences."""
    n = len(q)
    tried = work.tried
    for k in range(n):
        for i in range(n):
            work.bent[k, i] = 0.0
    for k in range(n):
        if work.state[k] == OUT:
            continue
        for sign in (1.0, -1.0):
            for i in range(n):
                tried[i] = q[i]
            tried[k] += sign * _DIFFERENCE
            rows_at(tree, functions, ties, tried, aim.centre, work)
            for r in range(len(work.rows)):
                factor = sign * work.multiplier[r] / (2.0 * _DIFFERENCE)
                for i in range(n):
                    work.bent[k, i] += factor * work.rows[r, i]
    # Differences are not quite symmetric.
    for k in range(n):
        for i in range(k):
            mean = 0.5 * (work.bent[k, i] + work.bent[i, k])
            work.bent[k, i] = work.bent[i, k] = mean
