"""Costs of high powers, by Newton's method on activations that balance.

With power p a cost falls to 10^-p of another's where the activation falls to a tenth: multipliers of constraints and
costs of actuators then span more orders of magnitude than numbers have digits, and the dual cannot be solved as such.
The activations stay well determined. Each step minimizes the second-order model of the cost, for which the constraints
are solved in the cheapest basis (:mod:`.elimination`), with actuators at bounds held; bounds are taken up where a
step meets them, and let go one at a time where the cost falls away from them. The power is raised from two by
halves, from answer to answer.
"""

from __future__ import annotations

import math

import numpy as np

from borelli.kernels.jit import jit
from borelli.kernels.static_optimization.power_step import Part, Scratch, aim, let_fall, scratch_for
from borelli.kernels.static_optimization.response import cost_slope
from borelli.kernels.static_optimization.status import SOLVED, STALLED

# By halves: with half as much again in the exponent, the answer before is near enough to start from.
_RAISE = 1.5
# Relative change of activations at which a power is left. Those on the way are starts alone, and need not be exact.
_NEAR, _FINAL = 1e-2, 1e-10
# On the way to the last power a start need not be good; at the last one bounds are taken up and let go one at a time.
_MOST_NEAR, _MOST_FINAL = 8, 300
_STILL = 1e-9
"""Relative change of an activation that has arrived, and is left to Newton's own convergence."""
_CLOSE = 0.05
"""Relative change of an activation times the power, that is, of its cost: below it steps are not searched along."""
_WRONG = 1e-9
"""Part of the largest term of a multiplier that is more than round-off."""


@jit
def minimize_power(
    part: Part, power: float, activation: np.ndarray, multiplier: np.ndarray
) -> tuple[int, int, float]:
    """Minimize Σ weight |a|^power / power, from activations that balance or nearly do; power two or more.

    Status, steps and violation of the optimality conditions are returned; the last is that of each actuator over
    its own largest term.

    Parameters
    ----------
    activation : (n,) float
        Start on entry, answer on return.
    multiplier : (m,) float
        Filled: multipliers of the constraints for activations over the largest of them.
    """
    m, n = part.columns.shape
    scratch = scratch_for(m, n)
    for j in range(n):
        scratch.held[j] = int(activation[j] >= part.upper[j]) - int(activation[j] <= part.lower[j])
        for i in range(m):
            scratch.size[j] = max(scratch.size[j], abs(part.columns[i, j]))
    current, total = min(power, 2.0 * _RAISE), 0
    while current < power:
        total += _approach(part, current, activation, scratch, _NEAR, _MOST_NEAR)[1]
        current = min(power, _RAISE * current)
    arrived, used = _approach(part, power, activation, scratch, _FINAL, _MOST_FINAL)
    total += used
    for i in range(m):
        multiplier[i] = 0.0
        for k in range(m):
            multiplier[i] += scratch.table[k, n + i] * scratch.multiplier[k]
    return (SOLVED if arrived else STALLED), total, _violation(part, power, activation, scratch)


@jit
def _approach(
    part: Part, power: float, activation: np.ndarray, scratch: Scratch, accuracy: float, most: int
) -> tuple[bool, int]:
    """Step until nothing moves and no bound is better let go; return whether that was reached, and the steps."""
    for count in range(1, most + 1):
        unit = _unit(activation)
        aim(part, power, unit, activation, scratch)
        plain = scratch.step.copy()
        let_fall(part, power, unit, activation, scratch)
        if not _slope(part, power, unit, activation, scratch, 0.0) < 0.0:
            scratch.step[:] = plain
        way, met = _way(part, power, unit, activation, scratch)
        change = 0.0
        for j in range(len(activation)):
            activation[j] += way * scratch.step[j]
            # Relative, but for activations of next to nothing. 1e-8 and 1e-10 pass the same tests.
            change = max(change, abs(scratch.step[j]) / max(abs(activation[j]), 1e-9 * unit))
        if met >= 0:
            rising = scratch.step[met] > 0.0
            scratch.held[met] = 1 if rising else -1
            activation[met] = part.upper[met] if rising else part.lower[met]
        elif change <= accuracy and not _let_go(part, power, unit, activation, scratch):
            return True, count
    return False, most


@jit
def _unit(activation: np.ndarray) -> float:
    # Not zero, which is divided by where nobody acts.
    unit = 1e-300
    for j in range(len(activation)):
        unit = max(unit, abs(activation[j]))
    return unit


@jit
def _way(
    part: Part, power: float, unit: float, activation: np.ndarray, scratch: Scratch
) -> tuple[float, int]:
    """How far to go along the step: to the least cost, no further than a bound; which bound is met, or -1."""
    limit, met, change = math.inf, -1, 0.0
    for j in range(len(activation)):
        step = scratch.step[j]
        change = max(change, abs(step) / max(abs(activation[j]), 1e-9 * unit))
        if step == 0.0:
            continue
        left = (part.upper[j] if step > 0.0 else part.lower[j]) - activation[j]
        if left / step < limit:
            limit, met = max(left / step, 0.0), j
    way = min(1.0, limit)
    # Close by, costs change by a few percent, and Newton's step is as good as it gets.
    if change * power > _CLOSE and _slope(part, power, unit, activation, scratch, 0.0) < 0.0:
        # Where cost still falls at the end of the step, activations have far to go: Newton's step is too short.
        far = min(limit, power - 1.0)
        while way < far and _slope(part, power, unit, activation, scratch, way) < 0.0:
            way = min(2.0 * way, far)
        if _slope(part, power, unit, activation, scratch, way) > 0.0:
            low, high = 0.0, way
            # Where the lower end of the bracket stays zero, to 3e-8 of the step.
            for _ in range(25):
                way = 0.5 * (low + high)
                if _slope(part, power, unit, activation, scratch, way) > 0.0:
                    high = way
                else:
                    low = way
                # The next step is searched along again: 0.5 and 0.005 pass the same tests.
                if low > 0.0 and high - low < 0.05 * low:
                    break
            way = low if low > 0.0 else high
    return way, (met if way == limit else -1)


@jit
def _slope(
    part: Part, power: float, unit: float, activation: np.ndarray, scratch: Scratch, way: float
) -> float:
    """Slope of the cost along the step, zero within round-off.

    A step keeps the constraints, so that drives do no work along it; with them taken off, actuators that have arrived
    add nothing, whose costs would outweigh by their round-off all that cost less.
    """
    total, size = 0.0, 0.0
    for j in range(len(activation)):
        step = scratch.step[j]
        if abs(step) > _STILL * abs(activation[j]):
            slope = unit * cost_slope((activation[j] + way * step) / unit, part.weight[j], power)
            total += step * (slope - scratch.drive[j])
            size += abs(step) * max(abs(slope), scratch.term[j])
    # Of some tens of terms; 1e-13 and 1e-15 pass the same tests.
    return total if abs(total) > 1e-14 * size else 0.0


@jit
def _excess(
    part: Part, power: float, unit: float, activation: np.ndarray, scratch: Scratch, j: int
) -> tuple[float, float]:
    """Slope of the cost of an actuator less its drive, and the largest term of both."""
    slope = unit * cost_slope(activation[j] / unit, part.weight[j], power)
    return slope - scratch.drive[j], max(abs(slope), scratch.term[j])


@jit
def _let_go(part: Part, power: float, unit: float, activation: np.ndarray, scratch: Scratch) -> bool:
    """Release the bound from which the cost falls away most; tell whether there was one."""
    worst, chosen = 0.0, -1
    for j in range(len(activation)):
        if scratch.held[j] == 0:
            continue
        excess, size = _excess(part, power, unit, activation, scratch, j)
        # At the lower bound more activation must cost more; at the upper, less activation must.
        wrong = excess * scratch.held[j]
        if wrong > _WRONG * size and wrong > worst and part.upper[j] > part.lower[j]:
            worst, chosen = wrong, j
    if chosen >= 0:
        scratch.held[chosen] = 0
    return chosen >= 0


@jit
def _violation(part: Part, power: float, activation: np.ndarray, scratch: Scratch) -> float:
    """Largest violation of the optimality conditions, each over its own largest term."""
    unit, worst = _unit(activation), 0.0
    for j in range(len(activation)):
        excess, size = _excess(part, power, unit, activation, scratch, j)
        if scratch.held[j] != 0:
            excess = max(excess * scratch.held[j], 0.0)
        if size > 0.0:
            worst = max(worst, abs(excess) / size)
    return worst
