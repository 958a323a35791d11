"""The cheapest basis of a weighted problem: elimination with complete pivoting.

To minimize Σ dⱼ yⱼ² with A y = c where the dⱼ differ by a hundred orders of magnitude, the constraints are first solved
for the actuators that do it at the least cost. Each of the others then has, by the choice of pivots, entries T with
T² d(basis) ≤ d: the matrix I + E Eᵀ, E = d(basis)^½ T d^-½, is well conditioned whatever the costs, and what round-off
leaves where nothing should be can be told from what is there.
"""

from __future__ import annotations

import numpy as np

from borelli.kernels.jit import jit

_ROUND_OFF = 1e-11
"""Entries below this part of their column's largest are what cancellation has left of zero."""


@jit
def eliminate(
    table: np.ndarray, n: int, free: np.ndarray, ease: np.ndarray, size: np.ndarray, basis: np.ndarray
) -> None:
    """Make unit columns of the cheapest actuators, in place (Gauss and Jordan).

    Parameters
    ----------
    table : (m, ≥ n) float
        Columns of n actuators, then any others that are to be transformed alike.
    free : (n,) bool
        Actuators that may enter the basis.
    ease : (n,) float
        d^-½ of each, over the largest.
    size : (n,) float
        Largest entry of each column at the start.
    basis : (m,) int
        Filled: actuator of each row, -1 where the row is a combination of others.
    """
    m = len(table)
    taken = np.zeros(n, dtype=np.bool_)
    basis[:] = -1
    for _ in range(m):
        best, row, column = 0.0, -1, -1
        for i in range(m):
            if basis[i] >= 0:
                continue
            for j in range(n):
                if taken[j] or not free[j]:
                    continue
                entry = abs(table[i, j])
                if entry > _ROUND_OFF * size[j] and entry * ease[j] > best:
                    best, row, column = entry * ease[j], i, j
        if row < 0:
            break
        _pivot(table, row, column)
        basis[row], taken[column] = column, True
    for i in range(m):
        for j in range(n):
            if abs(table[i, j]) <= _ROUND_OFF * size[j]:
                table[i, j] = 0.0


@jit
def _pivot(table: np.ndarray, row: int, column: int) -> None:
    inverse = 1.0 / table[row, column]
    for k in range(table.shape[1]):
        table[row, k] *= inverse
    table[row, column] = 1.0
    for i in range(len(table)):
        factor = table[i, column]
        if i == row or factor == 0.0:
            continue
        for k in range(table.shape[1]):
            table[i, k] -= factor * table[row, k]
        table[i, column] = 0.0
