"""Costs of a power above two.

Started from the instant before, they are solved on their own dual where that converges; otherwise from the quadratic
cost, part by part: constraints that have no actuator in common are solved independently, each measured by its own
largest activation.
"""

from __future__ import annotations

import numpy as np

from borelli.kernels.jit import jit
from borelli.kernels.static_optimization.low_powers import solve_low
from borelli.kernels.static_optimization.newton import TOLERANCE, solve_dual
from borelli.kernels.static_optimization.power_step import Part
from borelli.kernels.static_optimization.primal import minimize_power
from borelli.kernels.static_optimization.search_point import Actuators, Point
from borelli.kernels.static_optimization.status import INFEASIBLE, SOLVED, STALLED
from borelli.kernels.static_optimization.workspace import Workspace

_SMALLEST_UNIT = 1e-12
"""Activations are measured by the largest of them, but never by less than this."""
# From a near start Newton's method takes a few steps; more say that the start was far, and the power is raised instead.
_MOST_TO_FINISH = 25
# Gap of a constraint over the largest target: fifty times what the dual was solved to, for round-off in steep powers.
_BALANCED = 1e-11


@jit
def largest(activation: np.ndarray) -> float:
    """Unit by which activations are measured, so that high powers neither vanish nor overflow."""
    unit = _SMALLEST_UNIT
    for j in range(len(activation)):
        unit = max(unit, abs(activation[j]))
    return unit


@jit
def solve_high(
    work: Workspace, actuators: Actuators, power: float, point: Point, started: bool
) -> tuple[int, int, float]:
    """Solve one instant; status, iterations, violation (-1: not known).

    Parameters
    ----------
    power : float
        Two or more.
    point : Point
        Start on entry, answer on return.
    started : bool
        Whether the start is the instant before; otherwise squares are solved first.
    """
    total = 0
    if started:
        status, total = _follow(work, actuators, power, point)
        if status == SOLVED:
            return status, total, -1.0
    point.multiplier[:] = 0.0
    status, used, _ = solve_low(work, actuators, 2.0, point, False)
    if status == INFEASIBLE:
        # What cannot be met is known by now; the rest is balanced at the least cost.
        work.target[:] = 0.0
        for j in range(len(actuators.weight)):
            for k in range(work.starts[j], work.starts[j + 1]):
                work.target[work.rows[k]] += work.values[k] * point.activation[j]
    ended, more, violation = _raise_power(work, actuators, power, point)
    return (status if status == INFEASIBLE else ended), total + used + more, violation


@jit
def _follow(work: Workspace, actuators: Actuators, power: float, point: Point) -> tuple[int, int]:
    """Improve multipliers and activations by Newton's method on the dual of the true cost, if they are near enough.

    Otherwise they stay as they are. Status and iterations are returned.
    """
    unit, size = largest(point.activation), 1.0
    for j in range(len(actuators.weight)):
        work.compliance[j] = unit ** (power - 2.0) / actuators.weight[j]
    multiplier, tried = point.multiplier, Point(point.multiplier.copy(), work.tried)
    status, used = solve_dual(work, actuators, power, 0.0, tried, TOLERANCE, _MOST_TO_FINISH)
    if status != SOLVED:
        return status, used
    for i in range(len(multiplier)):
        size = max(size, abs(work.target[i]))
    if np.abs(work.gap).max() > _BALANCED * size:
        return STALLED, used
    after = largest(tried.activation)
    for i in range(len(multiplier)):
        multiplier[i] = tried.multiplier[i] * (after / unit) ** (2.0 - power)
    point.activation[:] = tried.activation
    return SOLVED, used


@jit
def _raise_power(work: Workspace, actuators: Actuators, power: float, point: Point) -> tuple[int, int, float]:
    """Go from activations that balance to those of the least cost; return status, steps and violation."""
    multiplier, activation = point.multiplier, point.activation
    label = _parts(work, len(activation), len(multiplier))
    status, total, violation, unit = SOLVED, 0, 0.0, np.zeros(len(multiplier))
    for own in range(len(multiplier)):
        if label[own] != own:
            continue
        rows = np.flatnonzero(label == own)
        involved = _taking_part(work, label, own, len(activation))
        part = Part(
            _columns(work, rows, involved, len(multiplier)),
            work.target[rows],
            actuators.lower[involved],
            actuators.upper[involved],
            actuators.weight[involved],
        )
        answer, worth = activation[involved], np.zeros(len(rows))
        ended, used, wrong = minimize_power(part, power, answer, worth)
        activation[involved], multiplier[rows], unit[rows] = answer, worth, largest(answer)
        status, total, violation = max(status, ended), total + used, max(violation, wrong)
    whole = largest(activation)
    for i in range(len(multiplier)):
        multiplier[i] *= (unit[i] / whole) ** (power - 2.0) if unit[i] > 0.0 else 0.0
    return status, total, violation


@jit
def _taking_part(work: Workspace, label: np.ndarray, own: int, n: int) -> np.ndarray:
    """Actuators of the part with this label."""
    chosen = np.zeros(n, dtype=np.bool_)
    for j in range(n):
        start = work.starts[j]
        chosen[j] = work.starts[j + 1] > start and label[work.rows[start]] == own
    return np.flatnonzero(chosen)


@jit
def _columns(work: Workspace, rows: np.ndarray, actuators: np.ndarray, m: int) -> np.ndarray:
    """Columns of some actuators in some of the m constraints, the others' entries left out."""
    place = np.zeros(m, dtype=np.int64)
    place[rows] = np.arange(len(rows))
    columns = np.zeros((len(rows), len(actuators)))
    for index in range(len(actuators)):
        start, stop = work.starts[actuators[index]], work.starts[actuators[index] + 1]
        for k in range(start, stop):
            columns[place[work.rows[k]], index] = work.values[k]
    return columns


@jit
def _parts(work: Workspace, n: int, m: int) -> np.ndarray:
    """Label each constraint with the first one that it is connected to by actuators."""
    label = np.arange(m)
    changed = True
    while changed:
        changed = False
        for j in range(n):
            least = m
            for k in range(work.starts[j], work.starts[j + 1]):
                if work.values[k] != 0.0:
                    least = min(least, label[work.rows[k]])
            for k in range(work.starts[j], work.starts[j + 1]):
                if work.values[k] != 0.0 and label[work.rows[k]] > least:
                    label[work.rows[k]] = least
                    changed = True
    return label
