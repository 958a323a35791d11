"""Costs of a power above two, by a sequence of quadratic ones.

Each quadratic cost touches the true one to second order where the last answer was (Newton's method with
bounds and balances kept); along the way from one answer to the next every point balances, and the true cost is
minimized on it. High powers are reached by doubling, from answer to answer.
"""

from __future__ import annotations

import numpy as np

from borelli.kernels.jit import jit
from borelli.kernels.recruitment.newton import solve_dual
from borelli.kernels.recruitment.response import cost_slope
from borelli.kernels.recruitment.status import SOLVED, STALLED
from borelli.kernels.recruitment.workspace import Workspace

SMALLEST_UNIT = 1e-12
"""Activations are measured by the largest of them, but never by less than this."""
_FIRST_FLOOR, _LAST_FLOOR, _FALL = 1e-1, 1e-8, 0.1
_STILL = 1e-10
_MOST_SEQUENCE = 300
_LARGEST_LEAP = 2.0
_MOST_TO_FINISH = 25


@jit
def solve_power(
    work: Workspace,
    lower: np.ndarray,
    upper: np.ndarray,
    weight: np.ndarray,
    power: float,
    slack: float,
    price: np.ndarray,
    activation: np.ndarray,
    warm: bool,
    exact: float,
    most: int,
) -> tuple[int, int]:
    """Minimize Σ weight |a|^power / power; return status and Newton iterations.

    ``activation`` is where the sequence starts if ``warm``; otherwise it starts from the quadratic cost.
    ``exact`` is the gap of the balances that is asked for.
    """
    total, current, balanced = 0, power, not warm
    if warm:
        status, total = _finish(work, lower, upper, weight, power, slack, price, activation, exact)
        if status == SOLVED:
            return status, total
    else:
        for j in range(len(weight)):
            work.compliance[j] = 1.0 / weight[j]
            work.center[j] = 0.0
        status, total = solve_dual(work, lower, upper, 2.0, slack, price, activation, exact, most)
        if status != SOLVED:
            return status, total
        current = min(power, 2.0 * _LARGEST_LEAP)
    while True:
        status, used = _one_power(
            work, lower, upper, weight, current, slack, price, activation, balanced, exact, most
        )
        total += used
        balanced = True
        if status != SOLVED:
            return status, total
        if current == power:
            break
        current = min(power, _LARGEST_LEAP * current)
    status, used = _finish(work, lower, upper, weight, power, slack, price, activation, exact)
    if status != SOLVED and slack == 0.0:
        status, more = _balance(work, lower, upper, weight, activation, exact, most)
        used += more
    return (SOLVED if slack > 0.0 else status), total + used


@jit
def _balance(
    work: Workspace,
    lower: np.ndarray,
    upper: np.ndarray,
    weight: np.ndarray,
    activation: np.ndarray,
    exact: float,
    most: int,
) -> tuple[int, int]:
    """Close what round-off has left of the balances by the smallest change of the activations."""
    for j in range(len(weight)):
        work.compliance[j] = 1.0 / weight[j]
        work.center[j] = activation[j]
    price = np.zeros(len(work.scale))
    status, used = solve_dual(work, lower, upper, 2.0, 0.0, price, work.trial, exact, most)
    if status == SOLVED:
        for j in range(len(weight)):
            activation[j] = work.trial[j]
    return status, used


@jit
def largest(activation: np.ndarray) -> float:
    """Unit by which activations are measured, so that high powers neither vanish nor overflow."""
    unit = SMALLEST_UNIT
    for j in range(len(activation)):
        unit = max(unit, abs(activation[j]))
    return unit


@jit
def _finish(
    work: Workspace,
    lower: np.ndarray,
    upper: np.ndarray,
    weight: np.ndarray,
    power: float,
    slack: float,
    price: np.ndarray,
    activation: np.ndarray,
    exact: float,
) -> tuple[int, int]:
    """Improve prices and activations by Newton's method on the dual of the true cost, if they are near enough.

    Otherwise they stay as they are.
    """
    unit = largest(activation)
    for j in range(len(weight)):
        work.compliance[j] = unit ** (power - 2.0) / weight[j]
    kept = price.copy()
    status, used = solve_dual(work, lower, upper, power, slack, price, work.trial, exact, _MOST_TO_FINISH)
    if status == SOLVED:
        after = largest(work.trial)
        for i in range(len(price)):
            price[i] *= (after / unit) ** (2.0 - power)
        for j in range(len(weight)):
            activation[j] = work.trial[j]
    else:
        for i in range(len(price)):
            price[i] = kept[i]
    return status, used


@jit
def _one_power(
    work: Workspace,
    lower: np.ndarray,
    upper: np.ndarray,
    weight: np.ndarray,
    power: float,
    slack: float,
    price: np.ndarray,
    activation: np.ndarray,
    balanced: bool,
    exact: float,
    most: int,
) -> tuple[int, int]:
    """Run the sequence for one power, from the activations given, which need not be ``balanced``."""
    n, total = len(weight), 0
    floor = _FIRST_FLOOR
    for _ in range(_MOST_SEQUENCE):
        unit = largest(activation)
        for j in range(n):
            size = abs(activation[j]) / unit
            stiffness = weight[j] * max((power - 1.0) * size ** (power - 2.0), floor)
            work.compliance[j] = 1.0 / stiffness
            work.center[j] = (
                activation[j] - unit * cost_slope(activation[j] / unit, weight[j], power) / stiffness
            )
        tolerance = max(exact, 1e-15 / floor)
        status, used = solve_dual(work, lower, upper, 2.0, slack, price, work.trial, tolerance, most)
        total += used
        if status != SOLVED:
            return status, total
        change = _advance(work, weight, power, unit, activation, balanced)
        balanced = True
        if floor == _LAST_FLOOR and change <= _STILL * unit:
            return SOLVED, total
        floor = max(_LAST_FLOOR, _FALL * floor)
    return STALLED, total


@jit
def _advance(
    work: Workspace, weight: np.ndarray, power: float, unit: float, activation: np.ndarray, balanced: bool
) -> float:
    """Move towards the trial as far as the true cost falls; return the largest change of an activation.

    From activations that do not balance, go all the way: the trial does.
    """
    n = len(weight)
    low, high, way = 0.0, 1.0, 1.0
    if balanced and _cost_slope_along(work, weight, power, unit, activation, 1.0) > 0.0:
        for _ in range(30):
            way = 0.5 * (low + high)
            if _cost_slope_along(work, weight, power, unit, activation, way) > 0.0:
                high = way
            else:
                low = way
        way = low if low > 0.0 else high
    largest = 0.0
    for j in range(n):
        change = way * (work.trial[j] - activation[j])
        activation[j] = work.trial[j] if way == 1.0 else activation[j] + change
        largest = max(largest, abs(change))
    return largest


@jit
def _cost_slope_along(
    work: Workspace, weight: np.ndarray, power: float, unit: float, activation: np.ndarray, way: float
) -> float:
    total = 0.0
    for j in range(len(weight)):
        change = work.trial[j] - activation[j]
        total += change * cost_slope((activation[j] + way * change) / unit, weight[j], power)
    return total
