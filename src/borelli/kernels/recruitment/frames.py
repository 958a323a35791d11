"""All frames of a recording, each started from the one before."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from borelli.kernels.jit import jit
from borelli.kernels.recruitment.newton import TOLERANCE, solve_dual
from borelli.kernels.recruitment.powers import follow, largest, raise_power
from borelli.kernels.recruitment.response import cost_slope
from borelli.kernels.recruitment.status import INFEASIBLE, SOLVED, STALLED
from borelli.kernels.recruitment.workspace import Workspace, workspace

_FIRST_COMPLIANCE, _LAST_COMPLIANCE, _GROWING = 1e-1, 5e-9, 3.0
_MOST = 200
_LOWER = 0.85
_LAYOUT: Final = ("C", "W")
"""One layout for all arrays: each other one, or one that must not be written to, would be compiled for anew."""


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
    arms = np.require(arms, float, _LAYOUT)
    f, n, m = arms.shape
    shares = Shares(
        np.zeros((f, n)),
        np.zeros((f, m)),
        np.zeros((f, m)),
        np.zeros(f),
        np.zeros(f, dtype=np.int64),
        np.zeros(f, dtype=np.int64),
    )
    strength, target, lower, upper, weight = (
        np.require(values, float, _LAYOUT) for values in (strength, target, lower, upper, weight)
    )
    power, work = float(power), workspace(arms)
    solve_frames = _share_high if power > 2.0 else _share_low
    solve_frames(arms, strength, target, lower, upper, weight, power, warm, work, shares)
    stalled = np.flatnonzero(shares.status == STALLED)
    if power == 2.0 and stalled.size:
        # Balances that repeat each other at the limit of the bounds leave the dual without an answer.
        again = Shares(*(values[stalled] for values in shares))
        arms, strength, target = arms[stalled], strength[stalled], target[stalled]
        _share_high(arms, strength, target, lower, upper, weight, power, False, work, again)
        solved = again.status == SOLVED
        for values, better in zip(shares, again, strict=True):
            values[stalled[solved]] = better[solved]
    return shares


# The two loops are apart so that squares need not wait until the code for high powers is compiled.
@jit
def _share_low(
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
    price, activation, started = np.zeros(arms.shape[2]), np.zeros(arms.shape[1]), False
    for frame in range(len(arms)):
        _set_problem(work, arms, strength, target, weight, frame)
        _rescale(work, price, started)
        status, used = _solve_low(work, lower, upper, weight, power, price, activation, started)
        price /= work.scale
        _judge(work, lower, upper, weight, power, price, activation, shares, frame)
        shares.status[frame], shares.iterations[frame] = status, used
        started = warm and status == SOLVED


@jit
def _share_high(
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
    price, activation, started = np.zeros(arms.shape[2]), np.zeros(arms.shape[1]), False
    for frame in range(len(arms)):
        _set_problem(work, arms, strength, target, weight, frame)
        _rescale(work, price, started)
        found = _solve_high(work, lower, upper, weight, power, price, activation, started)
        status, used, violation = found
        price /= work.scale
        work.target[:] = target[frame] / work.scale
        _judge(work, lower, upper, weight, power, price, activation, shares, frame)
        if violation >= 0.0:
            shares.violation[frame] = violation
        shares.status[frame], shares.iterations[frame] = status, used
        started = warm and status == SOLVED


@jit
def _rescale(work: Workspace, price: np.ndarray, started: bool) -> None:
    for i in range(len(price)):
        price[i] = price[i] * work.scale[i] if started else 0.0


@jit
def _solve_low(
    work: Workspace,
    lower: np.ndarray,
    upper: np.ndarray,
    weight: np.ndarray,
    power: float,
    price: np.ndarray,
    activation: np.ndarray,
    started: bool,
) -> tuple[int, int]:
    """Powers up to two, on the dual; status and iterations."""
    status, used = _solve(work, lower, upper, weight, power, 0.0, price, activation)
    if status == STALLED and (started or power < 2.0):
        # Anew from squares: the closer the power is to one, the closer must the start be.
        price[:] = 0.0
        current, status = 2.0, SOLVED
        while status == SOLVED:
            status, more = _solve(work, lower, upper, weight, current, 0.0, price, activation)
            used += more
            if current == power:
                break
            current = max(power, 1.0 + _LOWER * (current - 1.0))
    if status != SOLVED:
        status, more = _relax(work, lower, upper, weight, power, price, activation, status == INFEASIBLE)
        used += more
    return status, used


@jit
def _solve_high(
    work: Workspace,
    lower: np.ndarray,
    upper: np.ndarray,
    weight: np.ndarray,
    power: float,
    price: np.ndarray,
    activation: np.ndarray,
    started: bool,
) -> tuple[int, int, float]:
    """Powers above two, from the frame before or from squares; status, iterations, violation (-1: not known)."""
    total = 0
    if started:
        status, total = follow(work, lower, upper, weight, power, price, activation, TOLERANCE)
        if status == SOLVED:
            return status, total, -1.0
    price[:] = 0.0
    status, used = _solve_low(work, lower, upper, weight, 2.0, price, activation, False)
    if status == INFEASIBLE:
        # What cannot be met is known by now; the rest is shared at the least cost.
        work.target[:] = 0.0
        for j in range(len(weight)):
            for k in range(work.starts[j], work.starts[j + 1]):
                work.target[work.rows[k]] += work.values[k] * activation[j]
    ended, more, violation = raise_power(work, lower, upper, weight, power, price, activation)
    return (status if status == INFEASIBLE else ended), total + used + more, violation


@jit
def _relax(
    work: Workspace,
    lower: np.ndarray,
    upper: np.ndarray,
    weight: np.ndarray,
    power: float,
    price: np.ndarray,
    activation: np.ndarray,
    proven: bool,
) -> tuple[int, int]:
    """Leave unmet what must be, and no more: balances that yield, less and less."""
    price[:] = 0.0
    compliance, total, last, before = _FIRST_COMPLIANCE, 0, 0.0, 0.0
    kept_price, kept = price.copy(), activation.copy()
    while compliance > _LAST_COMPLIANCE:
        status, used = _solve(work, lower, upper, weight, power, compliance, price, activation)
        total += used
        if status != SOLVED:
            break
        before, last = last, np.abs(price).max()
        kept_price[:], kept[:] = price, activation
        compliance *= 0.1
    price[:], activation[:] = kept_price, kept
    # Prices of what cannot be met grow as the balances stiffen; those of what can be met come to rest. Balances that
    # would not stiffen prove nothing.
    growing = compliance <= _LAST_COMPLIANCE and last > _GROWING * before
    return (INFEASIBLE if proven or growing else STALLED), total


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
) -> tuple[int, int]:
    # Prices of what cannot be met grow as the balances stiffen, and their round-off with them.
    tolerance = TOLERANCE if slack == 0.0 else max(TOLERANCE, 1e-15 / slack)
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
    shares.activation[frame] = activation
    # High powers measure activations by the largest of them.
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
