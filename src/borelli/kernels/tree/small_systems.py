"""Small symmetric positive definite systems over abstract numbers: L D L^T without branching."""

from __future__ import annotations

from collections.abc import Sequence

from borelli.kernels.tree.numbers import Number


def factorize(matrix: Sequence[Sequence[Number]]) -> list[list[Number]]:
    """Factor A = L D L^T; row i holds L[i][:i], then D[i].

    The matrix must be positive definite: nothing is checked and nothing is exchanged.
    """
    rows: list[list[Number]] = []
    for i in range(len(matrix)):
        row: list[Number] = []
        scaled: list[Number] = []
        for j in range(i):
            value = matrix[i][j]
            for k in range(j):
                value = value - scaled[k] * rows[j][k]
            scaled.append(value)
            row.append(value / rows[j][j])
        pivot = matrix[i][i]
        for k in range(i):
            pivot = pivot - scaled[k] * row[k]
        rows.append([*row, pivot])
    return rows


def solve_factorized(factors: Sequence[Sequence[Number]], right: Sequence[Number]) -> list[Number]:
    """Solve A x = b from the factors of A."""
    size = len(factors)
    x = list(right)
    for i in range(size):
        for k in range(i):
            x[i] = x[i] - factors[i][k] * x[k]
    x = [value / factors[i][i] for i, value in enumerate(x)]
    for i in reversed(range(size)):
        for k in range(i + 1, size):
            x[i] = x[i] - factors[k][i] * x[k]
    return x
