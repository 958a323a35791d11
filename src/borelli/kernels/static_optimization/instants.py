"""All instants of a recording, each started from the one before."""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np

from borelli.kernels.jit import jit
from borelli.kernels.static_optimization.columns import Columns, columns_of
from borelli.kernels.static_optimization.high_powers import largest, solve_high
from borelli.kernels.static_optimization.low_powers import solve_low
from borelli.kernels.static_optimization.response import cost_slope
from borelli.kernels.static_optimization.search_point import Actuators, Point
from borelli.kernels.static_optimization.status import SOLVED, STALLED
from borelli.kernels.static_optimization.workspace import Workspace, workspace

_LONGEST_PAUSE = 31
"""Instants without a try to follow the one before. Pauses double, so that vain tries cost little, and a block of 512
instants still has sixteen."""
_LAYOUT: Final = ("C", "W")
"""One layout for all arrays: each other one, or one that must not be written to, would be compiled for anew."""


class Problem(NamedTuple):
    """Problems of all instants, f, with n actuators and m constraints."""

    arms: np.ndarray
    """(f, n_entries): in the order of the columns"""
    strength: np.ndarray
    """(f, n)"""
    target: np.ndarray
    """(f, m)"""
    actuators: Actuators


class Solutions(NamedTuple):
    """Solutions of all instants, f, with n actuators and m constraints."""

    activation: np.ndarray
    """(f, n)"""
    multiplier: np.ndarray
    """(f, m): what one more unit of each constraint would cost"""
    unmet: np.ndarray
    """(f, m): b - A a, in the unit of the constraint"""
    violation: np.ndarray
    """(f,): largest violation of the optimality conditions, over the largest drive"""
    status: np.ndarray
    """(f,) int"""
    iterations: np.ndarray
    """(f,) int"""


def solve_instants(
    arms: np.ndarray,
    strength: np.ndarray,
    target: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
    weight: np.ndarray,
    power: float,
    warm: bool = True,
) -> Solutions:
    """Minimize Σ weight |a|^power with Σ arms strength a = target and bounds, at every instant.

    Parameters
    ----------
    arms : (f, n, m) float
        Generalized force of each actuator on each constraint per newton of its force.
    strength : (f, n) float
        Force at full activation.
    target : (f, m) float
        Generalized force that the actuators must give.
    lower, upper, weight : (n,) float
        Bounds of activation (infinite where there are none); weights more than zero.
    power : float
        More than one.
    warm : bool
        Start each instant from the one before. The answer does not depend on it.
    """
    return solve_columns(columns_of(arms), strength, target, lower, upper, weight, power, warm)


def solve_columns(
    columns: Columns,
    strength: np.ndarray,
    target: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
    weight: np.ndarray,
    power: float,
    warm: bool = True,
) -> Solutions:
    """As :func:`solve_instants`, for arms that are listed."""
    arms, strength, target, lower, upper, weight = (
        np.require(values, float, _LAYOUT)
        for values in (columns.arms, strength, target, lower, upper, weight)
    )
    actuators, work, power = (
        Actuators(lower, upper, weight),
        workspace(columns, target.shape[1]),
        float(power),
    )
    solutions = _no_solutions(strength.shape[0], strength.shape[1], target.shape[1])
    _loop(power)(Problem(arms, strength, target, actuators), power, warm, work, solutions)
    stalled = np.flatnonzero(solutions.status == STALLED)
    if power == 2.0 and stalled.size:
        # Constraints that repeat each other at the limit of the bounds leave the dual without an answer.
        again = Solutions(*(values[stalled] for values in solutions))
        part = Problem(arms[stalled], strength[stalled], target[stalled], actuators)
        _solve_high_powers(part, power, False, work, again)
        solved = again.status == SOLVED
        for values, better in zip(solutions, again, strict=True):
            values[stalled[solved]] = better[solved]
    return solutions


def _loop(power: float) -> Any:
    return _solve_high_powers if power > 2.0 else _solve_low_powers


def _no_solutions(f: int, n: int, m: int) -> Solutions:
    counts = (np.zeros(f, dtype=np.int64), np.zeros(f, dtype=np.int64))
    return Solutions(np.zeros((f, n)), np.zeros((f, m)), np.zeros((f, m)), np.zeros(f), *counts)


# The two loops are apart so that squares need not wait until the code for high powers is compiled.
@jit
def _solve_low_powers(
    problem: Problem, power: float, warm: bool, work: Workspace, solutions: Solutions
) -> None:
    point, started = _nowhere(problem), False
    for instant in range(len(problem.arms)):
        _set_problem(work, problem, point, instant, started)
        found = solve_low(work, problem.actuators, power, point, started)
        started = _record(work, problem, power, point, found, solutions, instant) and warm


@jit
def _solve_high_powers(
    problem: Problem, power: float, warm: bool, work: Workspace, solutions: Solutions
) -> None:
    point, started, pause, left = _nowhere(problem), False, 0, 0
    for instant in range(len(problem.arms)):
        following = started and left == 0
        _set_problem(work, problem, point, instant, following)
        found = solve_high(work, problem.actuators, power, point, following)
        started = _record(work, problem, power, point, found, solutions, instant) and warm
        left = max(left - 1, 0)
        if following:
            # Where instants are too far apart to lead from one to the next, it is tried less and less often.
            pause = 0 if found[2] < 0.0 else min(2 * pause + 1, _LONGEST_PAUSE)
            left = pause


@jit
def _nowhere(problem: Problem) -> Point:
    return Point(np.zeros(problem.target.shape[1]), np.zeros(problem.strength.shape[1]))


@jit
def _set_problem(work: Workspace, problem: Problem, point: Point, instant: int, started: bool) -> None:
    """Fill the columns, and scale each constraint by what the actuators can do about it at unit cost."""
    arms, strength, weight = problem.arms, problem.strength, problem.actuators.weight
    n, m = strength.shape[1], problem.target.shape[1]
    rows, values = work.rows, work.values
    for i in range(m):
        work.scale[i] = 0.0
    for j in range(n):
        force, cheap = strength[instant, j], 1.0 / weight[j]
        for k in range(work.starts[j], work.starts[j + 1]):
            value = arms[instant, k] * force
            values[k] = value
            work.scale[rows[k]] += value * value * cheap
    for i in range(m):
        work.scale[i] = math.sqrt(work.scale[i]) if work.scale[i] > 0.0 else 1.0
        work.target[i] = problem.target[instant, i] / work.scale[i]
        point.multiplier[i] = point.multiplier[i] * work.scale[i] if started else 0.0
    for k in range(work.starts[n]):
        values[k] /= work.scale[rows[k]]


@jit
def _record(
    work: Workspace,
    problem: Problem,
    power: float,
    point: Point,
    found: tuple[int, int, float],
    solutions: Solutions,
    instant: int,
) -> bool:
    """Write down the answer of an instant, multipliers in their own unit; tell whether it is one."""
    status, used, violation = found
    for i in range(len(point.multiplier)):
        point.multiplier[i] /= work.scale[i]
    computed = _judge(work, problem, power, point, solutions, instant)
    solutions.activation[instant] = point.activation
    solutions.violation[instant] = violation if violation >= 0.0 else computed
    solutions.status[instant], solutions.iterations[instant] = status, used
    return status == SOLVED


@jit
def _judge(
    work: Workspace, problem: Problem, power: float, point: Point, solutions: Solutions, instant: int
) -> float:
    """Compute anew what is unmet and what it costs; return how far the optimality conditions are violated."""
    multiplier, activation = point.multiplier, point.activation
    lower, upper, weight = problem.actuators
    # High powers measure activations by the largest of them.
    unit = largest(activation) if power > 2.0 else 1.0
    for i in range(len(multiplier)):
        solutions.unmet[instant, i] = problem.target[instant, i]
        solutions.multiplier[instant, i] = power * multiplier[i] * unit ** (power - 2.0)
    worst, most = 0.0, 0.0
    for j in range(len(activation)):
        drive = 0.0
        for k in range(work.starts[j], work.starts[j + 1]):
            row = work.rows[k]
            value = work.values[k] * work.scale[row]
            solutions.unmet[instant, row] -= value * activation[j]
            drive += value * multiplier[row] / unit
        most = max(most, abs(drive))
        excess = cost_slope(activation[j] / unit, weight[j], power) - drive
        if activation[j] <= lower[j]:
            excess = min(excess, 0.0)
        if activation[j] >= upper[j]:
            excess = max(excess, 0.0)
        worst = max(worst, abs(excess))
    return worst / most if most > 0.0 else worst
