"""Functions of coordinates with their derivatives."""

from __future__ import annotations

import numpy as np
import pytest

from borelli.kernels.tree.dual import seeded
from borelli.kernels.tree.functions import (
    Constant,
    Linear,
    MultivariatePolynomial,
    PiecewisePolynomial,
    Sine,
    total_rates,
)

TABLE = PiecewisePolynomial(
    (0,),
    np.array([-1.0, 0.5]),
    np.array([-1.0, -1.0, 0.5]),
    np.array([[1.0, 2.0, 0.0, 0.0], [1.0, 2.0, -0.5, 0.3], [3.8875, 2.525, 0.0, 0.0]]),
)
FUNCTIONS = {
    "constant": Constant(0.3),
    "line": Linear((1,), 0.7, 0.2),
    "table": TABLE,
    "sine": Sine((1,), 0.4, 2.0, 0.1, 0.5),
    "polynomial": MultivariatePolynomial((0, 1), ((0, 0), (2, 1), (1, 3)), (0.5, 0.3, -0.2)),
}
Q = (np.array([-2.0, -0.3, 0.2, 1.4]), np.array([0.4, 0.9, -1.2, 0.1]))


def value(function, q):
    return function.derivatives(q)[0] + np.zeros(4)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradient_and_curvature_equal_finite_differences(name):
    function = FUNCTIONS[name]
    _, gradient, second = function.derivatives(Q)
    h, position = 1e-4, 0
    for i, a in enumerate(function.arguments):

        def moved(*steps):
            q = list(Q)
            for index, step in steps:
                q[index] = q[index] + step
            return value(function, tuple(q))

        slope = (moved((a, h)) - moved((a, -h))) / (2 * h)
        # Central differences of step 1e-4 on numbers of order one: 1e-8 for slopes and curvatures alike.
        np.testing.assert_allclose(gradient[i] + np.zeros(4), slope, atol=1e-7)
        for b in function.arguments[i:]:
            mixed = moved((a, h), (b, h)) - moved((a, h), (b, -h)) - moved((a, -h), (b, h))
            mixed = (mixed + moved((a, -h), (b, -h))) / (4 * h * h)
            np.testing.assert_allclose(second[position] + np.zeros(4), mixed, atol=1e-6)
            position += 1


def test_pieces_are_chosen_by_interval_and_reach_to_infinity():
    found = TABLE.derivatives((np.array([-10.0, -1.0, 0.49, 100.0]),))[0]
    expected = [1 + 2 * -9, 1.0, 1 + 2 * 1.49 - 0.5 * 1.49**2 + 0.3 * 1.49**3, 3.8875 + 2.525 * 99.5]
    np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_the_value_of_a_dual_number_chooses_the_piece():
    x = np.array([-2.0, 0.1, 1.0])
    (dual,) = seeded([x], 0, 1)
    found = TABLE.derivatives((dual,))
    value, gradient, second = TABLE.derivatives((x,))
    np.testing.assert_array_equal(found[0].value, value)
    np.testing.assert_allclose(found[0].tangent[0], gradient[0], rtol=1e-14)
    np.testing.assert_allclose(np.broadcast_to(found[1][0].tangent[0], 3), second[0], rtol=1e-14)


def test_a_symbol_gives_a_piecewise_expression():
    sympy = pytest.importorskip("sympy")
    x = sympy.Symbol("x", real=True)
    expression = TABLE.derivatives((x,))[0]
    for number in (-3.0, 0.2, 2.0):
        expected = TABLE.derivatives((number,))[0]
        assert float(expression.subs(x, number)) == pytest.approx(float(expected), rel=1e-14)


def test_rates_follow_the_chain_rule():
    function = FUNCTIONS["polynomial"]
    u, udot = (0.7, -1.1), (0.3, 0.9)
    h = 1e-4

    def along(t):
        return value(function, tuple(q + t * a + 0.5 * t * t * b for q, a, b in zip(Q, u, udot, strict=True)))

    _, rate, acceleration = total_rates(function, Q, u, udot)
    np.testing.assert_allclose(rate, (along(h) - along(-h)) / (2 * h), atol=1e-7)
    np.testing.assert_allclose(acceleration, (along(h) - 2 * along(0) + along(-h)) / h**2, atol=1e-6)


def test_without_speeds_nothing_moves():
    assert total_rates(FUNCTIONS["line"], Q, None, None)[1:] == (0.0, 0.0)
