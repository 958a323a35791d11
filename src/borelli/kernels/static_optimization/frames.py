"""All frames of a recording, each started from the one before."""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np

from borelli.kernels.jit import jit
from borelli.kernels.static_optimization.high_powers import largest, solve_high
from borelli.kernels.static_optimization.low_powers import solve_low
from borelli.kernels.static_optimization.response import cost_slope
from borelli.kernels.static_optimization.search_point import Actuators, Point
from borelli.kernels.static_optimization.status import SOLVED, STALLED
from borelli.kernels.static_optimization.workspace import Workspace, workspace

_LONGEST_PAUSE = 31
_LAYOUT: Final = ("C", "W")
"""One layout for all arrays: each other one, or one that must not be written to, would be compiled for anew."""


class Problem(NamedTuple):
    """Problems of all frames, f, with n actuators and m constraints."""

    arms: np.ndarray
    """(f, n, m)"""
    strength: np.ndarray
    """(f, n)"""
    target: np.ndarray
    """(f, m)"""
    actuators: Actuators


class Shares(NamedTuple):
    """Answer of all frames, f, with n actuators and m constraints."""

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
        Start each frame from the one before. The answer does not depend on it.
    """
    arms, strength, target, lower, upper, weight = (
        np.require(values, float, _LAYOUT) for values in (arms, strength, target, lower, upper, weight)
    )
    actuators, work, power = Actuators(lower, upper, weight), workspace(arms), float(power)
    shares = _no_shares(*arms.shape)
    solve_frames = _loop(power)
    solve_frames(Problem(arms, strength, target, actuators), power, warm, work, shares)
    stalled = np.flatnonzero(shares.status == STALLED)
    if power == 2.0 and stalled.size:
        # Balances that repeat each other at the limit of the bounds leave the dual without an answer.
        again = Shares(*(values[stalled] for values in shares))
        part = Problem(arms[stalled], strength[stalled], target[stalled], actuators)
        _share_high(part, power, False, work, again)
        solved = again.status == SOLVED
        for values, better in zip(shares, again, strict=True):
            values[stalled[solved]] = better[solved]
    return shares


def is_compiled(power: float) -> bool:
    """Whether costs of this power have been shared before in this process."""
    return bool(_loop(power).signatures)


def _loop(power: float) -> Any:
    return _share_high if power > 2.0 else _share_low


def _no_shares(f: int, n: int, m: int) -> Shares:
    counts = (np.zeros(f, dtype=np.int64), np.zeros(f, dtype=np.int64))
    return Shares(np.zeros((f, n)), np.zeros((f, m)), np.zeros((f, m)), np.zeros(f), *counts)


# The two loops are apart so that squares need not wait until the code for high powers is compiled.
@jit
def _share_low(problem: Problem, power: float, warm: bool, work: Workspace, shares: Shares) -> None:
    point, started = _nowhere(problem), False
    for frame in range(len(problem.arms)):
        _set_problem(work, problem, point, frame, started)
        found = solve_low(work, problem.actuators, power, point, started)
        started = _record(work, problem, power, point, found, shares, frame) and warm


@jit
def _share_high(problem: Problem, power: float, warm: bool, work: Workspace, shares: Shares) -> None:
    point, started, pause, left = _nowhere(problem), False, 0, 0
    for frame in range(len(problem.arms)):
        following = started and left == 0
        _set_problem(work, problem, point, frame, following)
        found = solve_high(work, problem.actuators, power, point, following)
        started = _record(work, problem, power, point, found, shares, frame) and warm
        left = max(left - 1, 0)
        if following:
            # Where frames are too far apart to lead from one to the next, it is tried less and less often.
            pause = 0 if found[2] < 0.0 else min(2 * pause + 1, _LONGEST_PAUSE)
            left = pause


@jit
def _nowhere(problem: Problem) -> Point:
    return Point(np.zeros(problem.arms.shape[2]), np.zeros(problem.arms.shape[1]))


@jit
def _set_problem(work: Workspace, problem: Problem, point: Point, frame: int, started: bool) -> None:
    """Fill the columns, and scale each constraint by what the actuators can do about it at unit cost."""
    arms, strength, weight = problem.arms, problem.strength, problem.actuators.weight
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
        work.target[i] = problem.target[frame, i] / work.scale[i]
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
    shares: Shares,
    frame: int,
) -> bool:
    """Write down the answer of a frame, multipliers in their own unit; tell whether it is one."""
    status, used, violation = found
    for i in range(len(point.multiplier)):
        point.multiplier[i] /= work.scale[i]
    computed = _judge(work, problem, power, point, shares, frame)
    shares.activation[frame] = point.activation
    shares.violation[frame] = violation if violation >= 0.0 else computed
    shares.status[frame], shares.iterations[frame] = status, used
    return status == SOLVED


@jit
def _judge(
    work: Workspace, problem: Problem, power: float, point: Point, shares: Shares, frame: int
) -> float:
    """Compute anew what is unmet and what it costs; return how far the optimality conditions are violated."""
    multiplier, activation = point.multiplier, point.activation
    lower, upper, weight = problem.actuators
    # High powers measure activations by the largest of them.
    unit = largest(activation) if power > 2.0 else 1.0
    for i in range(len(multiplier)):
        shares.unmet[frame, i] = problem.target[frame, i]
        shares.multiplier[frame, i] = power * multiplier[i] * unit ** (power - 2.0)
    worst, most = 0.0, 0.0
    for j in range(len(activation)):
        drive = 0.0
        for k in range(work.starts[j], work.starts[j + 1]):
            row = work.rows[k]
            value = work.values[k] * work.scale[row]
            shares.unmet[frame, row] -= value * activation[j]
            drive += value * multiplier[row] / unit
        most = max(most, abs(drive))
        excess = cost_slope(activation[j] / unit, weight[j], power) - drive
        if activation[j] <= lower[j]:
            excess = min(excess, 0.0)
        if activation[j] >= upper[j]:
            excess = max(excess, 0.0)
        worst = max(worst, abs(excess))
    return worst / most if most > 0.0 else worst
