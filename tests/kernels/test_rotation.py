"""Constant rotations in their cheapest forms."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from borelli.compiled.placements import constant_rotation
from borelli.kernels.tree.rotation import ExchangedAxes, MatrixRotation, SameAxes

X = (0.3, -1.7, 2.9)
EXCHANGES = [
    matrix
    for order in itertools.permutations(range(3))
    for signs in itertools.product((1.0, -1.0), repeat=3)
    if np.linalg.det(matrix := np.eye(3)[list(order)] * np.array(signs)) > 0
]


def rows(matrix):
    return tuple(tuple(map(float, row)) for row in matrix)


def test_there_are_twenty_four_ways_to_exchange_axes():
    assert len(EXCHANGES) == 24


@pytest.mark.parametrize("matrix", EXCHANGES, ids=range(24))
def test_exchanged_axes_equal_their_matrix_exactly(matrix):
    found = constant_rotation(rows(matrix))
    assert isinstance(found, SameAxes if np.array_equal(matrix, np.eye(3)) else ExchangedAxes)
    np.testing.assert_array_equal(found.rotate(X), matrix @ X)
    np.testing.assert_array_equal(found.unrotate(X), matrix.T @ X)


def test_other_rotations_keep_their_matrix():
    c, s = 0.6, 0.8
    matrix = np.array([(c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)])
    found = constant_rotation(rows(matrix))
    assert isinstance(found, MatrixRotation)
    np.testing.assert_allclose(found.rotate(X), matrix @ X, rtol=1e-15)
    np.testing.assert_allclose(found.unrotate(X), matrix.T @ X, rtol=1e-15)


def test_symbols_are_never_taken_for_plain_numbers():
    sympy = pytest.importorskip("sympy")
    one = sympy.Symbol("one")
    found = constant_rotation(((one, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
    assert isinstance(found, MatrixRotation)
