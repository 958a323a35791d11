"""Cholesky factors of small dense matrices, in place."""

from __future__ import annotations

import math

import numpy as np

from borelli.kernels.jit import jit


@jit
def factorize(matrix: np.ndarray, n: int) -> float:
    """Replace the lower triangle by L with L Lᵀ = matrix; return the smallest ratio of pivot to diagonal.

    Zero or less means that the matrix is not positive definite, and the factor is not to be used.

    Parameters
    ----------
    matrix : (≥ n, ≥ n) float
        Symmetric; only the lower triangle is read and written.
    """
    smallest = math.inf
    for j in range(n):
        diagonal = matrix[j, j]
        pivot = diagonal
        for k in range(j):
            pivot -= matrix[j, k] * matrix[j, k]
        if not pivot > 0.0:
            return 0.0
        smallest = min(smallest, pivot / diagonal)
        root = math.sqrt(pivot)
        matrix[j, j] = root
        for i in range(j + 1, n):
            value = matrix[i, j]
            for k in range(j):
                value -= matrix[i, k] * matrix[j, k]
            matrix[i, j] = value / root
    return smallest


@jit
def solve(factor: np.ndarray, n: int, x: np.ndarray) -> None:
    """Replace x by the solution of L Lᵀ y = x."""
    for i in range(n):
        value = x[i]
        for k in range(i):
            value -= factor[i, k] * x[k]
        x[i] = value / factor[i, i]
    for i in range(n - 1, -1, -1):
        value = x[i]
        for k in range(i + 1, n):
            value -= factor[k, i] * x[k]
        x[i] = value / factor[i, i]
