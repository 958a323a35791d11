"""Costs of a power up to two: Newton's method on the dual, and what to do where it stalls or nothing balances."""

from __future__ import annotations

import numpy as np

from borelli.kernels.jit import jit
from borelli.kernels.static_optimization.newton import TOLERANCE, solve_dual
from borelli.kernels.static_optimization.search_point import Crew, Point
from borelli.kernels.static_optimization.status import INFEASIBLE, SOLVED, STALLED
from borelli.kernels.static_optimization.workspace import Workspace

_FIRST_COMPLIANCE, _LAST_COMPLIANCE, _GROWING = 1e-1, 5e-9, 3.0
_MOST = 200
_LOWER = 0.85


@jit
def solve_low(
    work: Workspace, crew: Crew, power: float, point: Point, started: bool
) -> tuple[int, int, float]:
    """Solve one frame; status, iterations, violation (-1: not known).

    Parameters
    ----------
    power : float
        More than one, and no more than two.
    point : Point
        Start on entry (its prices), answer on return.
    started : bool
        Whether the start is the frame before.
    """
    status, used = _solve(work, crew, power, 0.0, point)
    if status == STALLED and (started or power < 2.0):
        # Anew from squares: the closer the power is to one, the closer must the start be.
        point.price[:] = 0.0
        current, status = 2.0, SOLVED
        while status == SOLVED:
            status, more = _solve(work, crew, current, 0.0, point)
            used += more
            if current == power:
                break
            current = max(power, 1.0 + _LOWER * (current - 1.0))
    if status != SOLVED:
        status, more = _relax(work, crew, power, point, status == INFEASIBLE)
        used += more
    return status, used, -1.0


@jit
def _relax(work: Workspace, crew: Crew, power: float, point: Point, proven: bool) -> tuple[int, int]:
    """Leave unmet what must be, and no more: balances that yield, less and less."""
    point.price[:] = 0.0
    compliance, total, last, before = _FIRST_COMPLIANCE, 0, 0.0, 0.0
    kept_price, kept = point.price.copy(), point.activation.copy()
    while compliance > _LAST_COMPLIANCE:
        status, used = _solve(work, crew, power, compliance, point)
        total += used
        if status != SOLVED:
            break
        before, last = last, np.abs(point.price).max()
        kept_price[:], kept[:] = point.price, point.activation
        compliance *= 0.1
    point.price[:], point.activation[:] = kept_price, kept
    # Prices of what cannot be met grow as the balances stiffen; those of what can be met come to rest. Balances that
    # would not stiffen prove nothing.
    growing = compliance <= _LAST_COMPLIANCE and last > _GROWING * before
    return (INFEASIBLE if proven or growing else STALLED), total


@jit
def _solve(work: Workspace, crew: Crew, power: float, slack: float, point: Point) -> tuple[int, int]:
    # Prices of what cannot be met grow as the balances stiffen, and their round-off with them.
    tolerance = TOLERANCE if slack == 0.0 else max(TOLERANCE, 1e-15 / slack)
    weight = crew.weight
    for j in range(len(weight)):
        work.compliance[j] = 1.0 / weight[j]
        work.center[j] = 0.0
    return solve_dual(work, crew, power, slack, point, tolerance, _MOST)
