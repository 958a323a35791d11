"""Small symmetric systems over abstract numbers."""

from __future__ import annotations

import numpy as np
import pytest

from borelli.kernels.tree.small_systems import factorize, solve_factorized


@pytest.mark.parametrize("size", range(1, 7))
def test_solution_equals_numpys(size):
    rng = np.random.default_rng(size)
    half = rng.normal(size=(size, size))
    matrix, right = half @ half.T + np.eye(size), rng.normal(size=size)
    found = solve_factorized(factorize(matrix.tolist()), right.tolist())
    np.testing.assert_allclose(found, np.linalg.solve(matrix, right), rtol=1e-11)


def test_entries_may_be_arrays_of_instants():
    a = np.array([2.0, 3.0])
    found = solve_factorized(factorize([[a, 1.0], [1.0, a]]), [1.0, 0.0])
    np.testing.assert_allclose(found[0], a / (a * a - 1), rtol=1e-15)


def test_symbols_give_the_exact_inverse():
    sympy = pytest.importorskip("sympy")
    a, b = sympy.symbols("a b")
    found = solve_factorized(factorize([[a, b], [b, a]]), [1, 0])
    assert sympy.simplify(found[0] - a / (a**2 - b**2)) == 0
