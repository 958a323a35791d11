"""Cholesky factors of small symmetric matrices with an envelope, in place.

Row i of the matrix, and so of its factor, is zero before column ``first[i]``; only what lies between there and
the diagonal is read and written. Constraints of two legs have no muscle in common, and cost nothing together.
"""

from __future__ import annotations

import math

import numpy as np

from borelli.kernels.jit import jit


@jit
def factorize(matrix: np.ndarray, first: np.ndarray) -> float:
    """Replace the lower triangle by L with L Lᵀ = matrix; return the smallest ratio of pivot to diagonal.

    The diagonal of L is kept as its inverse.

    Zero or less means that the matrix is not positive definite, and the factor is not to be used.

    Parameters
    ----------
    matrix : (n, n) float
        Symmetric; only the envelope of the lower triangle is read and written.
    first : (n,) int
        First column of each row.
    """
    smallest = math.inf
    for i in range(len(first)):
        start = first[i]
        diagonal = matrix[i, i]
        pivot = diagonal
        for j in range(start, i):
            value = matrix[i, j]
            for k in range(max(start, first[j]), j):
                value -= matrix[i, k] * matrix[j, k]
            value *= matrix[j, j]
            matrix[i, j] = value
            pivot -= value * value
        if not pivot > 0.0:
            return 0.0
        smallest = min(smallest, pivot / diagonal)
        matrix[i, i] = 1.0 / math.sqrt(pivot)
    return smallest


@jit
def solve(factor: np.ndarray, first: np.ndarray, x: np.ndarray) -> None:
    """Replace x by the solution of L Lᵀ y = x."""
    n = len(first)
    for i in range(n):
        value = x[i]
        for k in range(first[i], i):
            value -= factor[i, k] * x[k]
        x[i] = value * factor[i, i]
    for i in range(n - 1, -1, -1):
        value = x[i] * factor[i, i]
        x[i] = value
        for k in range(first[i], i):
            x[k] -= factor[i, k] * value
