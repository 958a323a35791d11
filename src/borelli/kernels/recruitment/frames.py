"""All frames of a recording, each started from the one before."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from borelli.kernels.jit import jit
from borelli.kernels.recruitment.newton import TOLERANCE, solve_dual
from borelli.kernels.recruitment.powers import largest, solve_power
from borelli.kernels.recruitment.response import cost_slope
from borelli.kernels.recruitment.status import INFEASIBLE, SOLVED, STALLED
from borelli.kernels.recruitment.workspace import Workspace, workspace

_FIRST_COMPLIANCE, _LAST_COMPLIANCE, _CLOSED = 1e-1, 5e-9, 1e-6
_MOST = 200


class Shares(NamedTuple):
    """Answer of all frames, f, with n actuators and m balances."""

    activation: np.ndarray
    """(f, n)"""
    price: np.ndarray
    """(f, m): what one more unit of each balance would cost"""
    unmet: np.ndarray
    """(f, m): b - A a, in the unit of the balance"""
    violation: np.ndarray
    """(f,): largest violation of the optimality conditions, over the largest drive"""
    status: np.ndarray
    """(f,) int"""
    iterations: np.ndarray
    """(f,) int"""


def share(
    arms: np.ndarray,
    strength: np.ndarray,
    target: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
    weight: np.ndarray,
    power: float,
    warm: bool = True,
) -> Shares:
    """Minimize Σ weight |a|^power with Σ arms strength a = target and bounds, in every frame.

    Parameters
    ----------
    arms : (f, n, m) float
        Generalized force of each actuator on each balance per newton of its force.
    strength : (f, n) float
        Force at full activation.
    target : (f, m) float
        Generalized force that the actuators must give.
    lower, upper, weight : (n,) float
        Bounds of activation (infinite where there are none); weights more than zero.
    power : float
        More than one.
    warm : bool
        Start each frame from the one before. The answer does not depend on it.
    """
    arms = np.ascontiguousarray(arms, dtype=float)
    f, n, m = arms.shape
    shares = Shares(
        np.zeros((f, n)),
        np.zeros((f, m)),
        np.zeros((f, m)),
        np.zeros(f),
        np.zeros(f, dtype=np.int64),
        np.zeros(f, dtype=np.int64),
    )
    _share(
        arms,
        np.ascontiguousarray(strength, dtype=float),
        np.ascontiguousarray(target, dtype=float),
        np.ascontiguousarray(lower, dtype=float),
        np.ascontiguousarray(upper, dtype=float),
        np.ascontiguousarray(weight, dtype=float),
        float(power),
        warm,
        workspace(arms),
        shares,
    )
    return shares


@jit
def _share(
    arms: np.ndarray,
    strength: np.ndarray,
    target: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
    weight: np.ndarray,
    power: float,
    warm: bool,
    work: Workspace,
    shares: Shares,
) -> None:
    n, m = arms.shape[1], arms.shape[2]
    price, activation = np.zeros(m), np.zeros(n)
    started = False
    for frame in range(len(arms)):
        _set_problem(work, arms, strength, target, weight, frame)
        for i in range(m):
            price[i] = price[i] * work.scale[i] if started else 0.0
        status, used = _solve(work, lower, upper, weight, power, 0.0, price, activation, started)
        if status == STALLED and started:
            price[:] = 0.0
            status, more = _solve(work, lower, upper, weight, power, 0.0, price, activation, False)
            used += more
        if status != SOLVED:
            status, more = _relax(work, lower, upper, weight, power, price, activation)
            used += more
        for i in range(m):
            price[i] /= work.scale[i]
        for j in range(n):
            shares.activation[frame, j] = activation[j]
        _judge(work, lower, upper, weight, power, price, activation, shares, frame)
        shares.status[frame], shares.iterations[frame] = status, used
        started = warm and status == SOLVED


@jit
def _relax(
    work: Workspace,
    lower: np.ndarray,
    upper: np.ndarray,
    weight: np.ndarray,
    power: float,
    price: np.ndarray,
    activation: np.ndarray,
) -> tuple[int, int]:
    """Leave unmet what must be, and no more: balances that yield, less and less."""
    price[:] = 0.0
    compliance, reached, total = _FIRST_COMPLIANCE, 0.0, 0
    kept_price, kept = price.copy(), activation.copy()
    while compliance > _LAST_COMPLIANCE:
        status, used = _solve(work, lower, upper, weight, power, compliance, price, activation, reached > 0.0)
        total += used
        if status != SOLVED:
            break
        kept_price[:], kept[:], reached = price, activation, compliance
        compliance *= 0.1
    price[:], activation[:] = kept_price, kept
    for i in range(len(price)):
        if reached * abs(price[i]) > _CLOSED:
            return INFEASIBLE, total
    # What yields so little is closed, though the balances as such were not solved.
    return STALLED, total


@jit
def _solve(
    work: Workspace,
    lower: np.ndarray,
    upper: np.ndarray,
    weight: np.ndarray,
    power: float,
    slack: float,
    price: np.ndarray,
    activation: np.ndarray,
    warm: bool,
) -> tuple[int, int]:
    # Prices of what cannot be met grow as the balances stiffen, and their round-off with them.
    tolerance = TOLERANCE if slack == 0.0 else max(TOLERANCE, 1e-15 / slack)
    if power > 2.0:
        return solve_power(
            work, lower, upper, weight, power, slack, price, activation, warm, tolerance, _MOST
        )
    for j in range(len(weight)):
        work.compliance[j] = 1.0 / weight[j]
        work.center[j] = 0.0
    return solve_dual(work, lower, upper, power, slack, price, activation, tolerance, _MOST)


@jit
def _set_problem(
    work: Workspace,
    arms: np.ndarray,
    strength: np.ndarray,
    target: np.ndarray,
    weight: np.ndarray,
    frame: int,
) -> None:
    """Fill the columns, and scale each balance by what the actuators can do about it at unit cost."""
    n, m = arms.shape[1], arms.shape[2]
    rows, values = work.rows, work.values
    for i in range(m):
        work.scale[i] = 0.0
    for j in range(n):
        force, cheap = strength[frame, j], 1.0 / weight[j]
        for k in range(work.starts[j], work.starts[j + 1]):
            value = arms[frame, j, rows[k]] * force
            values[k] = value
            work.scale[rows[k]] += value * value * cheap
    for i in range(m):
        work.scale[i] = math.sqrt(work.scale[i]) if work.scale[i] > 0.0 else 1.0
        work.target[i] = target[frame, i] / work.scale[i]
    for k in range(work.starts[n]):
        values[k] /= work.scale[rows[k]]


@jit
def _judge(
    work: Workspace,
    lower: np.ndarray,
    upper: np.ndarray,
    weight: np.ndarray,
    power: float,
    price: np.ndarray,
    activation: np.ndarray,
    shares: Shares,
    frame: int,
) -> None:
    """Compute anew what is unmet, and how far the optimality conditions are violated."""
    m = len(price)
    # The sequence for high powers measures activations by the largest of them.
    unit = largest(activation) if power > 2.0 else 1.0
    for i in range(m):
        shares.unmet[frame, i] = work.target[i] * work.scale[i]
        shares.price[frame, i] = power * price[i] * unit ** (power - 2.0)
    worst, most = 0.0, 0.0
    for j in range(len(weight)):
        drive = 0.0
        for k in range(work.starts[j], work.starts[j + 1]):
            row = work.rows[k]
            value = work.values[k] * work.scale[row]
            shares.unmet[frame, row] -= value * activation[j]
            drive += value * price[row] / unit
        most = max(most, abs(drive))
        excess = cost_slope(activation[j] / unit, weight[j], power) - drive
        if activation[j] <= lower[j]:
            excess = min(excess, 0.0)
        if activation[j] >= upper[j]:
            excess = max(excess, 0.0)
        worst = max(worst, abs(excess))
    shares.violation[frame] = worst / most if most > 0.0 else worst
