"""Costs of a power up to two: Newton's method on the dual, and what to do where it stalls or nothing balances."""

from __future__ import annotations

import numpy as np

from borelli.kernels.jit import jit
from borelli.kernels.static_optimization.newton import TOLERANCE, solve_dual
from borelli.kernels.static_optimization.search_point import Actuators, Point
from borelli.kernels.static_optimization.status import INFEASIBLE, SOLVED, STALLED
from borelli.kernels.static_optimization.workspace import Workspace

# Constraints are scaled by what all actuators can do about them, so compliances are plain numbers. They fall by tenths
# from the first to 1e-8; the bound lies at half of that, so that the round-off of the tenths decides nothing.
_FIRST_COMPLIANCE, _LAST_COMPLIANCE = 1e-1, 5e-9
# A multiplier is gap over compliance: with each tenth it grows tenfold where the gap stays, and not at all where the
# constraint is met. This is about the square root of ten, midway between the two.
_GROWING = 3.0
# A solved instant takes a handful of iterations: this many mean that it never ends.
_MOST = 200
# Of the power less one, from answer to answer: the exponent 1 / (p - 1) of the responses grows by a sixth at a time.
_LOWER = 0.85


@jit
def solve_low(
    work: Workspace, actuators: Actuators, power: float, point: Point, started: bool
) -> tuple[int, int, float]:
    """Solve one instant; status, iterations, violation (-1: not known).

    Parameters
    ----------
    power : float
        More than one, and no more than two.
    point : Point
        Start on entry (its multipliers), answer on return.
    started : bool
        Whether the start is the instant before.
    """
    status, used = _solve(work, actuators, power, 0.0, point)
    if status == STALLED and (started or power < 2.0):
        # Anew from squares: the closer the power is to one, the closer must the start be.
        point.multiplier[:] = 0.0
        current, status = 2.0, SOLVED
        while status == SOLVED:
            status, more = _solve(work, actuators, current, 0.0, point)
            used += more
            if current == power:
                break
            current = max(power, 1.0 + _LOWER * (current - 1.0))
    if status != SOLVED:
        status, more = _relax(work, actuators, power, point, status == INFEASIBLE)
        used += more
    return status, used, -1.0


@jit
def _relax(
    work: Workspace, actuators: Actuators, power: float, point: Point, proven: bool
) -> tuple[int, int]:
    """Leave unmet what must be, and no more: constraints that yield, less and less."""
    point.multiplier[:] = 0.0
    compliance, total, last, before = _FIRST_COMPLIANCE, 0, 0.0, 0.0
    kept_multiplier, kept = point.multiplier.copy(), point.activation.copy()
    while compliance > _LAST_COMPLIANCE:
        status, used = _solve(work, actuators, power, compliance, point)
        total += used
        if status != SOLVED:
            break
        before, last = last, np.abs(point.multiplier).max()
        kept_multiplier[:], kept[:] = point.multiplier, point.activation
        # Halves, and hundredths, pass the same tests.
        compliance *= 0.1
    point.multiplier[:], point.activation[:] = kept_multiplier, kept
    # Multipliers of what cannot be met grow as the constraints stiffen; those of what can be met come to rest.
    # Constraints that would not stiffen prove nothing.
    growing = compliance <= _LAST_COMPLIANCE and last > _GROWING * before
    return (INFEASIBLE if proven or growing else STALLED), total


@jit
def _solve(
    work: Workspace, actuators: Actuators, power: float, slack: float, point: Point
) -> tuple[int, int]:
    # Multipliers of what cannot be met grow as the constraints stiffen, and their round-off with them.
    tolerance = TOLERANCE if slack == 0.0 else max(TOLERANCE, 1e-15 / slack)
    weight = actuators.weight
    for j in range(len(weight)):
        work.compliance[j] = 1.0 / weight[j]
        work.center[j] = 0.0
    return solve_dual(work, actuators, power, slack, point, tolerance, _MOST)
