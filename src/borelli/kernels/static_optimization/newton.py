"""Semismooth Newton method on the dual of a separable problem, for one instant.

The problem min Σ fⱼ(aⱼ) with A a = b and bounds has the convex, once differentiable dual

    φ(λ) = Σ max over aⱼ of [ (Aᵀλ)ⱼ aⱼ - fⱼ(aⱼ) ] - bᵀλ,        ∇φ = A a(λ) - b,

with as many unknowns as constraints [Qi & Sun 1993 for the method]. Its generalized second derivative is
A D Aᵀ, D the slopes of the actuators between their bounds. Steps are searched along exactly, which costs one
number per actuator. If φ falls without end along a step, no activation within the bounds balances b, and the
step proves it [Farkas 1902].
"""

from __future__ import annotations

import math

import numpy as np

from borelli.kernels.jit import jit
from borelli.kernels.static_optimization.cholesky import factorize, solve
from borelli.kernels.static_optimization.response import respond
from borelli.kernels.static_optimization.search_point import Actuators, Point
from borelli.kernels.static_optimization.status import INFEASIBLE, SOLVED, STALLED
from borelli.kernels.static_optimization.workspace import Workspace

TOLERANCE = 2e-13
"""Gap of a constraint that round-off allows, over what the actuators can do about it."""
# Least pivot over its diagonal: below it six of the sixteen digits of a step are left, and Newton's step is no step.
_SINGULAR = 1e-10
# Slope that an actuator at its bound is given, over that between the bounds, where the matrix is singular without:
# tenfold until it is one, which is the step as if nobody were at a bound.
_SOFTNESS = 1e-2
# Constraints are scaled so that the diagonal is one where every actuator is free. On a constraint that nobody moves
# this alone is left: nothing is divided by zero.
_ROUND_OFF = 1e-13


@jit
def solve_dual(
    work: Workspace,
    actuators: Actuators,
    power: float,
    slack: float,
    point: Point,
    tolerance: float,
    most: int,
) -> tuple[int, int]:
    """Solve the problem in ``work`` (columns, target, compliance, center); return status and iterations.

    Parameters
    ----------
    slack : float
        Compliance of the constraints: zero for equalities, else the gap left over is ``slack`` times the multiplier.
    point : Point
        Its multipliers are the start on entry; answer on return.
    tolerance : float
        Largest gap of a constraint, over what the actuators can do about it.
    most : int
        Iterations allowed.
    """
    multiplier, n, m = point.multiplier, len(actuators.lower), len(point.multiplier)
    size = 1.0
    for i in range(m):
        size = max(size, abs(work.target[i]))
    _set_drive(work, multiplier, work.drive)
    for iteration in range(most + 1):
        worst = _evaluate(work, actuators, power, slack, point)
        if worst <= tolerance * size:
            return SOLVED, iteration
        if iteration == most:
            break
        _newton_step(work, n, m, slack)
        _set_drive(work, work.step, work.drive_step)
        along, proven = _search(work, actuators, power, slack, multiplier)
        if proven:
            return INFEASIBLE, iteration + 1
        if along == 0.0:
            # Round-off forbids further progress: near enough, 2e-9 of the target, is as near as it gets. A tenth or ten
            # times as much pass the same tests.
            return (SOLVED if worst <= 1e4 * tolerance * size else STALLED), iteration + 1
        for i in range(m):
            multiplier[i] += along * work.step[i]
        _set_drive(work, multiplier, work.drive)
    return STALLED, most


@jit
def _set_drive(work: Workspace, multiplier: np.ndarray, drive: np.ndarray) -> None:
    """Drive = Aᵀ multiplier."""
    for j in range(len(drive)):
        total = 0.0
        for k in range(work.starts[j], work.starts[j + 1]):
            total += work.values[k] * multiplier[work.rows[k]]
        drive[j] = total


@jit
def _evaluate(work: Workspace, actuators: Actuators, power: float, slack: float, point: Point) -> float:
    """Fill activations, slopes and the gap of each constraint; return the largest gap."""
    multiplier, lower, upper = point.multiplier, actuators.lower, actuators.upper
    for i in range(len(multiplier)):
        work.gap[i] = slack * multiplier[i] - work.target[i]
    for j in range(len(lower)):
        value, slope = respond(work.drive[j], work.compliance[j], work.center[j], lower[j], upper[j], power)
        point.activation[j] = value
        work.slope[j] = slope
        if value != 0.0:
            for k in range(work.starts[j], work.starts[j + 1]):
                work.gap[work.rows[k]] += work.values[k] * value
    worst = 0.0
    for i in range(len(multiplier)):
        worst = max(worst, abs(work.gap[i]))
    return worst


@jit
def _newton_step(work: Workspace, n: int, m: int, slack: float) -> None:
    """Fill ``step`` with -(A D Aᵀ)⁻¹ gap; where that is singular, actuators at bounds count a little."""
    softness = 0.0
    while True:
        _fill_matrix(work, n, m, slack, softness)
        if factorize(work.matrix, work.first) > _SINGULAR or softness >= 1.0:
            break
        softness = max(_SOFTNESS, 10.0 * softness)
    for i in range(m):
        work.step[i] = -work.gap[i]
    solve(work.matrix, work.first, work.step)


@jit
def _fill_matrix(work: Workspace, n: int, m: int, slack: float, softness: float) -> None:
    """Lower triangle of A D Aᵀ; ``softness`` is the slope at bounds over the slope between them."""
    matrix = work.matrix
    for i in range(m):
        for k in range(work.first[i], i):
            matrix[i, k] = 0.0
        # Rows that depend on each other stay singular with softness alone. A tenth and a thousandth of it pass the
        # same tests.
        matrix[i, i] = slack + _ROUND_OFF + 1e-2 * softness
    for j in range(n):
        slope = work.slope[j]
        if slope == 0.0:
            slope = softness * work.compliance[j]
            if slope == 0.0:
                continue
        start = work.starts[j]
        for k in range(start, work.starts[j + 1]):
            row, value = work.rows[k], slope * work.values[k]
            # Rows of a column are in rising order: this stays in the lower triangle.
            for other in range(start, k + 1):
                matrix[row, work.rows[other]] += value * work.values[other]


@jit
def _search(
    work: Workspace, actuators: Actuators, power: float, slack: float, multiplier: np.ndarray
) -> tuple[float, bool]:
    """Find where φ stops falling along the step; return the way, and whether it falls without end."""
    start = 0.0
    for i in range(len(multiplier)):
        start += work.step[i] * work.gap[i]
    if not start < 0.0:
        return 0.0, False
    low, high, way = 0.0, math.inf, 1.0
    # Sixty halvings use up all digits of a bracket.
    for _ in range(60):
        value, curvature = _slope_along(work, actuators, power, slack, multiplier, way)
        # Nearly at the bottom: with half of the slope left powers close to one are not solved, with a hundredth the
        # same tests pass.
        if abs(value) <= 0.1 * abs(start):
            return way, False
        if value < 0.0:
            low = way
            if slack == 0.0 and high == math.inf and _falls_for_ever(work, actuators):
                return way, True
        else:
            high = way
        ahead = way - value / curvature if curvature > 0.0 else math.inf
        if high < math.inf:
            # Stay inside the bracket, and leave neither end too close; 1e-4 and 1e-2 pass the same tests.
            margin = 1e-3 * (high - low)
            way = ahead if low + margin < ahead < high - margin else 0.5 * (low + high)
        else:
            # At least doubled, so that it ends, and no longer than a slope that is nearly flat makes believe.
            way = min(max(ahead, 2.0 * way), 1e6 * way)
    return low, False


@jit
def _slope_along(
    work: Workspace, actuators: Actuators, power: float, slack: float, multiplier: np.ndarray, way: float
) -> tuple[float, float]:
    """First and second derivative of φ along the step."""
    lower, upper = actuators.lower, actuators.upper
    value, curvature = 0.0, 0.0
    for i in range(len(multiplier)):
        value += work.step[i] * (slack * (multiplier[i] + way * work.step[i]) - work.target[i])
        curvature += slack * work.step[i] * work.step[i]
    for j in range(len(lower)):
        change = work.drive_step[j]
        if change == 0.0:
            continue
        drive = work.drive[j] + way * change
        activation, slope = respond(drive, work.compliance[j], work.center[j], lower[j], upper[j], power)
        value += change * activation
        curvature += change * change * slope
    return value, curvature


@jit
def _falls_for_ever(work: Workspace, actuators: Actuators) -> bool:
    """Tell whether the step proves that no activations balance the target: φ falls along it without end."""
    value, size = 0.0, 0.0
    for i in range(len(work.step)):
        value -= work.step[i] * work.target[i]
        size += abs(work.step[i] * work.target[i])
    for j in range(len(actuators.lower)):
        change = work.drive_step[j]
        noise = 0.0
        for k in range(work.starts[j], work.starts[j + 1]):
            noise += abs(work.values[k] * work.step[work.rows[k]])
        # What cancellation leaves of terms that add up to nothing.
        if abs(change) <= 1e-12 * noise:
            continue
        bound = actuators.upper[j] if change > 0.0 else actuators.lower[j]
        if math.isinf(bound):
            return False
        value += change * bound
        size += abs(change * bound)
    # Well beyond the round-off of the sum; 1e-11 and 1e-9 pass the same tests.
    return value < -1e-10 * size
