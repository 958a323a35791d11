"""Factors of symmetric matrices of trees: tips are eliminated first, so that branches do not touch each other."""

from __future__ import annotations

import numpy as np

from borelli.kernels.jit import inner

IN_PLAY, AT_LOW, AT_HIGH, UNSEEN, OUT = range(5)
"""State of a coordinate: solved for, held at a bound, seen by nothing, or no unknown at all."""

SOUND, INDEFINITE = range(2)

_NOTHING = 1e-11
"""A pivot below this part of its diagonal entry is round-off: what is left of the coordinate is nowhere seen."""
FLOOR = 1e-13
"""No diagonal entry of a coordinate that is seen is smaller: one marker of a hundred, 3 µm beside an axis."""


@inner
def factorize(matrix: np.ndarray, state: np.ndarray, diagonal: np.ndarray, mark: float) -> int:
    """Factor the lower triangle of a matrix in place, A = Lᵀ D L, over the coordinates in play.

    Parameters
    ----------
    matrix : (n, n) float
        On return the pivots D on the diagonal, and rows of L below it.
    state : (n,) int
        A coordinate that nothing depends on becomes UNSEEN.
    diagonal : (n,) float
        Filled with the diagonal as it was.
    mark : float
        If not zero, one that only others see becomes UNSEEN, too: its pivot is round-off. With zero this ends as
        INDEFINITE.
    """
    for k in range(len(matrix)):
        diagonal[k] = matrix[k, k]
    for k in range(len(matrix) - 1, -1, -1):
        if state[k] != IN_PLAY:
            continue
        pivot = matrix[k, k]
        if not pivot > max(_NOTHING * diagonal[k], FLOOR):
            if mark == 0.0 and not abs(diagonal[k]) <= FLOOR:
                return INDEFINITE
            state[k] = UNSEEN
            continue
        # From the tip inwards, so that the entries of this row are still there when they are needed.
        for i in range(k - 1, -1, -1):
            if matrix[k, i] != 0.0 and state[i] == IN_PLAY:
                part = matrix[k, i] / pivot
                for j in range(i + 1):
                    matrix[i, j] -= part * matrix[k, j]
                matrix[k, i] = part
    return SOUND


@inner
def solve_factored(matrix: np.ndarray, state: np.ndarray, vector: np.ndarray) -> None:
    """Solve for the coordinates in play, in place; zero elsewhere."""
    n = len(matrix)
    for k in range(n - 1, -1, -1):
        if state[k] != IN_PLAY:
            vector[k] = 0.0
        elif vector[k] != 0.0:
            for i in range(k):
                if state[i] == IN_PLAY:
                    vector[i] -= matrix[k, i] * vector[k]
    for k in range(n):
        if state[k] == IN_PLAY:
            total = vector[k] / matrix[k, k]
            for i in range(k):
                if state[i] == IN_PLAY:
                    total -= matrix[k, i] * vector[i]
            vector[k] = total


@inner
def solve_redundant(matrix: np.ndarray, vector: np.ndarray) -> None:
    """Solve a small positive semidefinite system in place; equations that repeat others get zero."""
    n = len(vector)
    largest = 0.0
    for k in range(n):
        largest = max(largest, matrix[k, k])
    for k in range(n):
        # A row that others imply leaves round-off.
        if matrix[k, k] <= 1e-12 * largest or largest == 0.0:
            for i in range(n):
                matrix[k, i] = 0.0
                matrix[i, k] = 0.0
            continue
        for i in range(k + 1, n):
            part = matrix[i, k] / matrix[k, k]
            if part != 0.0:
                for j in range(k + 1, n):
                    matrix[i, j] -= part * matrix[k, j]
                vector[i] -= part * vector[k]
    for k in range(n - 1, -1, -1):
        if matrix[k, k] == 0.0:
            vector[k] = 0.0
            continue
        total = vector[k]
        for j in range(k + 1, n):
            total -= matrix[k, j] * vector[j]
        vector[k] = total / matrix[k, k]
