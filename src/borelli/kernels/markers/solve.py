"""The posture that fits best, near a given one: Newton's method within bounds and along constraints.

The exact second derivatives converge fast also where the misfit is large; where they have no least, those of Gauss
and Newton, damped as Levenberg (1944) and Marquardt (1963) do, lead down safely.
"""

from __future__ import annotations

import numpy as np

from borelli.kernels.jit import inner
from borelli.kernels.markers.closing import bend, close, rows_at
from borelli.kernels.markers.factor import (
    AT_HIGH,
    AT_LOW,
    IN_PLAY,
    OUT,
    SOUND,
    UNSEEN,
    solve_factored,
    solve_redundant,
)
from borelli.kernels.markers.layout import FREE, Aim, Functions, Ties, Tree, Work
from borelli.kernels.markers.loops import loop_rows
from borelli.kernels.markers.objective import gauss_newton_at, gradient_at, newton_at, value_at
from borelli.kernels.markers.quadratic import best_step
from borelli.kernels.markers.ties import follow

SOLVED, NO_MARKERS, UNMET, STALLED = range(4)
"""Outcome of an instant; UNMET: the constraints cannot be met."""

WANTED = 1e-12
"""Newton's method stops where the residual of optimality is below this (m²/rad): the next step would be round-off."""
ENOUGH = 1e-10
"""Residual with which an instant counts as solved."""
_NOISE = 2e-15
"""Round-off of the objective (m²), a difference of squares of about a metre."""
_SHRINKS = 0.1
"""Factors are used again only where they shrink the residual to less than this part of it."""
_MOST_HALVINGS = 30
"""Of a step: along 2⁻³⁰ of it the objective, a square, bends by 1e-18 of it, less than its noise."""
_LEAST_DAMPING, _MOST_DAMPING = 1e-4, 1e8
"""Part of the diagonal that is added to it [Marquardt 1963], by tens. Both ends ten times further in or out pass the
same tests of inverse kinematics."""


@inner
def start(ties: Ties, functions: Functions, q: np.ndarray, work: Work) -> None:
    """Put q within the bounds and onto the couplers, and all unknowns in play."""
    for k in range(len(q)):
        if ties.role[k] == FREE:
            work.state[k] = IN_PLAY
            q[k] = min(max(q[k], ties.low[k]), ties.high[k])
            if ties.low[k] == ties.high[k]:
                work.state[k] = AT_LOW
        else:
            work.state[k] = OUT
    follow(ties, functions, q, work)


@inner
def residual(ties: Ties, q: np.ndarray, work: Work) -> float:
    """Largest component of the gradient that no bound and no constraint holds back: zero at an optimum.

    With constraints, their multipliers are those that leave least of the gradient.
    """
    n, rows = len(q), work.rows
    if len(rows):
        for r in range(len(rows)):
            work.column[r] = 0.0
            for s in range(len(rows)):
                work.square[r, s] = 0.0
            for k in range(n):
                if _unheld(ties, q, work, k):
                    work.column[r] -= rows[r, k] * work.gradient[k]
                    for s in range(len(rows)):
                        work.square[r, s] += rows[r, k] * rows[s, k]
        solve_redundant(work.square, work.column)
        for r in range(len(rows)):
            work.multiplier[r] = work.column[r]
    largest = 0.0
    for k in range(n):
        if work.state[k] == OUT:
            continue
        force = work.gradient[k]
        for r in range(len(rows)):
            force += work.multiplier[r] * rows[r, k]
        if (q[k] <= ties.low[k] and force > 0.0) or (q[k] >= ties.high[k] and force < 0.0):
            continue
        largest = max(largest, abs(force))
    return largest


@inner
def _unheld(ties: Ties, q: np.ndarray, work: Work, k: int) -> bool:
    """Whether no bound holds a coordinate."""
    if work.state[k] == OUT:
        return False
    return not (
        (work.state[k] == AT_LOW and q[k] <= ties.low[k])
        or (work.state[k] == AT_HIGH and q[k] >= ties.high[k])
    )


@inner
def _gradient(tree: Tree, functions: Functions, ties: Ties, aim: Aim, q: np.ndarray, work: Work) -> float:
    value = gradient_at(tree, functions, ties, aim, q, work)
    if len(work.rows):
        loop_rows(tree, functions, ties, q, aim.centre, work)
    return value


@inner
def _direction(
    tree: Tree,
    functions: Functions,
    ties: Ties,
    aim: Aim,
    q: np.ndarray,
    work: Work,
    damping: float,
) -> bool:
    """Fill ``work.step``: Newton's where there is one and no damping is asked for, else Levenberg's; tell which."""
    if damping == 0.0:
        newton_at(tree, functions, ties, aim, work)
        if len(work.rows):
            bend(tree, functions, ties, aim, q, work)
            rows_at(tree, functions, ties, q, aim.centre, work)
            for k in range(len(q)):
                for i in range(k + 1):
                    work.hessian[k, i] += work.bent[k, i]
        if best_step(ties, work.hessian, q, work, 0.0, 0.0) == SOUND:
            return True
    gauss_newton_at(tree, functions, ties, aim, work)
    for k in range(len(q)):
        if work.state[k] == UNSEEN:
            work.state[k] = IN_PLAY
    # What only others see is found without damping, which would hide it.
    best_step(ties, work.gauss_newton, q, work, 0.0, 1.0)
    if damping == 0.0 and best_step(ties, work.hessian, q, work, 0.0, 0.0) == SOUND:
        return True
    best_step(ties, work.gauss_newton, q, work, max(damping, _LEAST_DAMPING), 1.0)
    return False


@inner
def _step_again(ties: Ties, q: np.ndarray, work: Work) -> bool:
    """Fill ``work.step`` with the factors of the step before; tell whether it leaves all bounds as they are."""
    for k in range(len(q)):
        work.step[k] = -work.gradient[k]
        if (work.state[k] == AT_LOW and work.gradient[k] < 0.0) or (
            work.state[k] == AT_HIGH and work.gradient[k] > 0.0
        ):
            return False
    solve_factored(work.factor, work.state, work.step)
    for k in range(len(q)):
        if work.state[k] == IN_PLAY and not ties.low[k] <= q[k] + work.step[k] <= ties.high[k]:
            return False
    return True


@inner
def _moved(
    tree: Tree,
    functions: Functions,
    ties: Ties,
    aim: Aim,
    q: np.ndarray,
    part: float,
    out: np.ndarray,
    work: Work,
) -> bool:
    """Go part of the step from q, within the bounds and onto the constraints; tell whether that can be done."""
    for k in range(len(q)):
        out[k] = q[k]
        if work.state[k] == OUT:
            continue
        if part == 1.0 and work.state[k] == AT_LOW:
            out[k] = ties.low[k]
        elif part == 1.0 and work.state[k] == AT_HIGH:
            out[k] = ties.high[k]
        else:
            out[k] = min(max(q[k] + part * work.step[k], ties.low[k]), ties.high[k])
    follow(ties, functions, out, work)
    if len(work.rows):
        return close(tree, functions, ties, out, aim.centre, work)
    return True


@inner
def _longest_part(longest: np.ndarray, work: Work) -> float:
    """How much of the step may be gone: no coordinate further than its longest way."""
    part = 1.0
    for k in range(len(longest)):
        if work.state[k] != OUT and abs(work.step[k]) * part > longest[k]:
            part = longest[k] / abs(work.step[k])
    return part


@inner
def solve(
    tree: Tree,
    functions: Functions,
    ties: Ties,
    aim: Aim,
    q: np.ndarray,
    longest: np.ndarray,
    most: int,
    wanted: float,
    other: np.ndarray,
    work: Work,
) -> tuple[int, int, float, float]:
    """Improve q in place until it is the best near by.

    Parameters
    ----------
    q : (n_q,) float
        Started from; fixed coordinates have their values.
    longest : (n_q,) float
        Longest way of each coordinate in one step.
    most : int
        Steps allowed.
    wanted : float
        Residual of optimality to stop at (m²/rad or m).
    other : (n_q,) float
        Scratch memory.

    Returns
    -------
    status, steps, objective, residual
    """
    start(ties, functions, q, work)
    if len(work.rows) and not close(tree, functions, ties, q, aim.centre, work):
        return UNMET, 0, np.nan, np.nan
    value = _gradient(tree, functions, ties, aim, q, work)
    left = residual(ties, q, work)
    damping, shrunk, factored = 0.0, 1.0, False
    for step in range(most):
        if left <= wanted:
            if step == 0:
                # Only a step tells what nothing determines.
                _direction(tree, functions, ties, aim, q, work, damping)
            return SOLVED, step, value, left
        # Newton's next step shrinks the residual by the square of what the last one did, one with the old factors by as
        # much as the last: two of these cost less than one of Newton's, and get as far.
        again = factored and left * shrunk * shrunk <= wanted and _step_again(ties, q, work)
        if not again:
            factored = _direction(tree, functions, ties, aim, q, work, damping) and not len(work.rows)
        part, now, fresh = _longest_part(longest, work), np.inf, False
        for _ in range(_MOST_HALVINGS):
            if _moved(tree, functions, ties, aim, q, part, other, work):
                # Most first steps are good: their gradient is needed next.
                fresh = now == np.inf
                if fresh:
                    now = _gradient(tree, functions, ties, aim, other, work)
                else:
                    now = value_at(tree, functions, aim, other, work)
                if now <= value + _NOISE:
                    break
            part *= 0.5
            # So short a part of it says that Newton's step is the wrong one: damped ones are tried. 0.5 and 0.005
            # pass the same tests.
            if damping == 0.0 and part < 0.05:
                break
        if not now <= value + _NOISE:
            if damping >= _MOST_DAMPING:
                break
            if not again:
                damping = max(10.0 * damping, _LEAST_DAMPING)
            factored = False
            value = _gradient(tree, functions, ties, aim, q, work)
            residual(ties, q, work)
            continue
        before = value
        for k in range(len(q)):
            q[k], other[k] = other[k], q[k]
        value = now if fresh else _gradient(tree, functions, ties, aim, q, work)
        was, left = left, residual(ties, q, work)
        shrunk = left / was
        factored = factored and part == 1.0 and shrunk < _SHRINKS
        damping = 0.0 if damping <= _LEAST_DAMPING else 0.1 * damping
        if not again and before - value <= _NOISE and left >= 0.5 * was and left <= ENOUGH:
            # Nothing is gained any more: of two equally good postures the one with less residual.
            if left > was:
                for k in range(len(q)):
                    q[k] = other[k]
                left = was
            return SOLVED, step + 1, value, left
    return (SOLVED if left <= ENOUGH else STALLED), most, value, left
