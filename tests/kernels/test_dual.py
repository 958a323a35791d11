"""Dual numbers carry exact derivatives through all arithmetic."""

from __future__ import annotations

import numpy as np
import pytest

from borelli.kernels.tree.dual import Dual, parameter, seeded, tangent_of
from borelli.kernels.tree.numbers import cos, sin, sqrt

X, Y = np.array([0.7, 1.9]), np.array([1.3, 0.4])
EXPRESSIONS = {
    "sum": (lambda x, y: x + y + 2.0, lambda x, y: (1.0, 1.0)),
    "difference": (lambda x, y: 3.0 - x - y - 1.0, lambda x, y: (-1.0, -1.0)),
    "product": (lambda x, y: x * y * 2.0, lambda x, y: (2 * y, 2 * x)),
    "quotient": (lambda x, y: x / y / 2.0, lambda x, y: (0.5 / y, -0.5 * x / y**2)),
    "reciprocal": (lambda x, y: 2.0 / (x * y), lambda x, y: (-2 / (x * x * y), -2 / (x * y * y))),
    "negative": (lambda x, y: -x, lambda x, y: (-1.0, 0.0)),
    "sine": (lambda x, y: sin(x * y), lambda x, y: (y * np.cos(x * y), x * np.cos(x * y))),
    "cosine": (lambda x, y: cos(x * y), lambda x, y: (-y * np.sin(x * y), -x * np.sin(x * y))),
    "root": (lambda x, y: sqrt(x * y), lambda x, y: (0.5 * np.sqrt(y / x), 0.5 * np.sqrt(x / y))),
}


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_value_and_derivatives_equal_calculus(name):
    function, gradient = EXPRESSIONS[name]
    x, y = seeded([X, Y], 0, 2)
    found = function(x, y)
    np.testing.assert_allclose(found.value, function(X, Y), rtol=1e-15)
    expected = np.stack([np.broadcast_to(g, 2) for g in gradient(X, Y)])
    np.testing.assert_allclose(tangent_of(found, 2, 2), expected, rtol=1e-14, atol=1e-15)


def test_arrays_on_the_left_leave_the_operator_to_the_dual():
    (x,) = seeded([X], 0, 1)
    for found in (Y + x, Y - x, Y * x, Y / x):
        assert isinstance(found, Dual)
    np.testing.assert_allclose((Y / x).tangent, [-Y / X**2])


def test_a_plain_number_has_no_derivatives():
    assert not tangent_of(3.0, 4, 2).any()


def test_a_parameter_is_a_constant_with_derivative_one():
    mass = parameter(2.0, 1, 3)
    np.testing.assert_array_equal((mass * X).tangent, [[0, 0], X, [0, 0]])
