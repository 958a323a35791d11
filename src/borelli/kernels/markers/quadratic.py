"""The step that is best for a quadratic model of the objective, within bounds and along the constraints."""

from __future__ import annotations

import numpy as np

from borelli.kernels.jit import inner
from borelli.kernels.markers.factor import (
    AT_HIGH,
    AT_LOW,
    IN_PLAY,
    INDEFINITE,
    SOUND,
    factorize,
    solve_factored,
    solve_redundant,
)
from borelli.kernels.markers.layout import Ties, Work

_MOST_CHANGES = 40
"""Changes of the set of coordinates at their bounds, in one step."""


@inner
def best_step(ties: Ties, matrix: np.ndarray, q: np.ndarray, work: Work, damping: float, mark: float) -> int:
    """Fill ``work.step`` with the step to the least of g·d + d·A d / 2, from q, within the bounds.

    Coordinates that hit a bound are fixed there, and let go again where the model would rather have them inside.

    Parameters
    ----------
    matrix : (n_q, n_q) float
        A, its lower triangle.
    damping : float
        Added to the diagonal, as a part of it.
    mark : float
        As in :func:`~borelli.kernels.markers.factor.factorize`.
    """
    state, step, n = work.state, work.step, len(q)
    for _ in range(_MOST_CHANGES):
        if len(work.rows):
            outcome = _along_constraints(ties, matrix, q, work, damping, mark)
        else:
            _right_side(ties, matrix, q, work)
            _copy(matrix, work.factor, damping)
            outcome = factorize(work.factor, state, work.tried, mark)
            if outcome == SOUND:
                solve_factored(work.factor, state, step)
        # A step to the least needs one: the caller damps.
        if outcome == INDEFINITE:
            return INDEFINITE
        changed = False
        for k in range(n):
            if state[k] == AT_LOW:
                step[k] = ties.low[k] - q[k]
            elif state[k] == AT_HIGH:
                step[k] = ties.high[k] - q[k]
            elif state[k] == IN_PLAY and q[k] + step[k] < ties.low[k]:
                state[k] = AT_LOW
                changed = True
            elif state[k] == IN_PLAY and q[k] + step[k] > ties.high[k]:
                state[k] = AT_HIGH
                changed = True
        if not changed and not _let_go(matrix, work):
            return SOUND
    return SOUND


@inner
def _copy(matrix: np.ndarray, out: np.ndarray, damping: float) -> None:
    for k in range(len(matrix)):
        for i in range(k + 1):
            out[k, i] = matrix[k, i]
        out[k, k] *= 1.0 + damping


@inner
def _right_side(ties: Ties, matrix: np.ndarray, q: np.ndarray, work: Work) -> None:
    """Set the step to minus the gradient, after the way of those at bounds to them."""
    for k in range(len(q)):
        work.step[k] = -work.gradient[k]
    for k in range(len(q)):
        if work.state[k] == AT_LOW or work.state[k] == AT_HIGH:
            way = (ties.low[k] if work.state[k] == AT_LOW else ties.high[k]) - q[k]
            if way != 0.0:
                for i in range(len(q)):
                    work.step[i] -= way * (matrix[k, i] if i <= k else matrix[i, k])


@inner
def _let_go(matrix: np.ndarray, work: Work) -> bool:
    """Let the coordinate that is held most against its will leave its bound; tell whether there was one."""
    worst, which = 0.0, -1
    for k in range(len(matrix)):
        if work.state[k] != AT_LOW and work.state[k] != AT_HIGH:
            continue
        force = work.gradient[k]
        for i in range(len(matrix)):
            if work.step[i] != 0.0:
                force += work.step[i] * (matrix[k, i] if i <= k else matrix[i, k])
        for r in range(len(work.rows)):
            force += work.multiplier[r] * work.rows[r, k]
        if work.state[k] == AT_HIGH:
            force = -force
        if force < worst:
            worst, which = force, k
    # Round-off of forces of the size of the gradient; what is smaller cannot lower the objective.
    if which < 0 or worst > -1e-15:
        return False
    work.state[which] = IN_PLAY
    return True


@inner
def _along_constraints(
    ties: Ties, matrix: np.ndarray, q: np.ndarray, work: Work, damping: float, mark: float
) -> int:
    """Solve A d + Rᵀλ = -g, R d = -c for the coordinates in play.

    RᵀR is added to A, which changes nothing where R d = -c but makes A positive where only the constraints do.
    """
    rows, state, step, n, n_rows = work.rows, work.state, work.step, len(q), len(work.rows)
    _right_side(ties, matrix, q, work)
    _copy(matrix, work.factor, damping)
    for r in range(n_rows):
        work.column[r] = work.error[r]
        for k in range(n):
            if state[k] == AT_LOW:
                work.column[r] += rows[r, k] * (ties.low[k] - q[k])
            elif state[k] == AT_HIGH:
                work.column[r] += rows[r, k] * (ties.high[k] - q[k])
        for k in range(n):
            if rows[r, k] != 0.0:
                step[k] -= rows[r, k] * work.column[r]
                for i in range(k + 1):
                    work.factor[k, i] += rows[r, k] * rows[r, i]
    if factorize(work.factor, state, work.tried, mark) == INDEFINITE:
        return INDEFINITE
    solve_factored(work.factor, state, step)
    for r in range(n_rows):
        for k in range(n):
            work.scratch[r, k] = rows[r, k]
        solve_factored(work.factor, state, work.scratch[r, :n])
    for r in range(n_rows):
        for s in range(n_rows):
            work.square[r, s] = 0.0
            for k in range(n):
                if state[k] == IN_PLAY:
                    work.square[r, s] += rows[r, k] * work.scratch[s, k]
        for k in range(n):
            if state[k] == IN_PLAY:
                work.column[r] += rows[r, k] * step[k]
    solve_redundant(work.square, work.column)
    for r in range(n_rows):
        work.multiplier[r] = work.column[r]
        for k in range(n):
            step[k] -= work.column[r] * work.scratch[r, k]
    return SOUND
