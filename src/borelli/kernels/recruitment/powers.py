"""Costs of a power above two.

Started from the frame before, they are solved on their own dual where that converges; otherwise from the quadratic
cost, part by part: balances that have no actuator in common are shared independently, each measured by its own
largest activation.
"""

from __future__ import annotations

import numpy as np

from borelli.kernels.jit import jit
from borelli.kernels.recruitment.newton import solve_dual
from borelli.kernels.recruitment.power_step import Part
from borelli.kernels.recruitment.primal import minimize_power
from borelli.kernels.recruitment.status import SOLVED
from borelli.kernels.recruitment.workspace import Workspace

SMALLEST_UNIT = 1e-12
"""Activations are measured by the largest of them, but never by less than this."""
_MOST_TO_FINISH = 25
_BALANCED = 1e-11


@jit
def largest(activation: np.ndarray) -> float:
    """Unit by which activations are measured, so that high powers neither vanish nor overflow."""
    unit = SMALLEST_UNIT
    for j in range(len(activation)):
        unit = max(unit, abs(activation[j]))
    return unit


@jit
def follow(
    work: Workspace,
    lower: np.ndarray,
    upper: np.ndarray,
    weight: np.ndarray,
    power: float,
    price: np.ndarray,
    activation: np.ndarray,
    exact: float,
) -> tuple[int, int]:
    """Improve prices and activations by Newton's method on the dual of the true cost, if they are near enough.

    Otherwise they stay as they are. Status and iterations are returned.
    """
    unit, size = largest(activation), 1.0
    for j in range(len(weight)):
        work.compliance[j] = unit ** (power - 2.0) / weight[j]
    kept = price.copy()
    status, used = solve_dual(work, lower, upper, power, 0.0, price, work.trial, exact, _MOST_TO_FINISH)
    for i in range(len(price)):
        size = max(size, abs(work.target[i]))
    if status == SOLVED and np.abs(work.gap).max() <= _BALANCED * size:
        after = largest(work.trial)
        for i in range(len(price)):
            price[i] *= (after / unit) ** (2.0 - power)
        activation[:] = work.trial
        return status, used
    price[:] = kept
    return max(status, 1), used


@jit
def raise_power(
    work: Workspace,
    lower: np.ndarray,
    upper: np.ndarray,
    weight: np.ndarray,
    power: float,
    price: np.ndarray,
    activation: np.ndarray,
) -> tuple[int, int, float]:
    """Go from activations that balance to those of the least cost; return status, steps and violation."""
    n, m = len(weight), len(price)
    label = _parts(work, n, m)
    status, total, violation, unit = SOLVED, 0, 0.0, np.zeros(m)
    for own in range(m):
        if label[own] != own:
            continue
        rows = np.flatnonzero(label == own)
        place = np.zeros(m, dtype=np.int64)
        place[rows] = np.arange(len(rows))
        chosen = np.zeros(n, dtype=np.bool_)
        for j in range(n):
            start = work.starts[j]
            chosen[j] = work.starts[j + 1] > start and label[work.rows[start]] == own
        actuators = np.flatnonzero(chosen)
        columns = np.zeros((len(rows), len(actuators)))
        for index in range(len(actuators)):
            start, stop = work.starts[actuators[index]], work.starts[actuators[index] + 1]
            for k in range(start, stop):
                columns[place[work.rows[k]], index] = work.values[k]
        part = Part(columns, work.target[rows], lower[actuators], upper[actuators], weight[actuators])
        answer, worth = activation[actuators], np.zeros(len(rows))
        ended, used, wrong = minimize_power(part, power, answer, worth)
        activation[actuators], price[rows], unit[rows] = answer, worth, largest(answer)
        status, total, violation = max(status, ended), total + used, max(violation, wrong)
    whole = largest(activation)
    for i in range(m):
        price[i] *= (unit[i] / whole) ** (power - 2.0) if unit[i] > 0.0 else 0.0
    return status, total, violation


@jit
def _parts(work: Workspace, n: int, m: int) -> np.ndarray:
    """Label each balance with the first one that it is connected to by actuators."""
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
