"""Functions agree with their closed forms, with their own derivatives and with OpenSim's numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from borelli import model as bm
from borelli.errors import InvalidValueError, ShapeError, UnsupportedError

X = (0.0, 1.0, 2.5, 3.0, 4.2, 5.0, 6.1, 6.5, 7.7, 9.0)
Y = (0.0, 1.0, -1.0, 2.0, 1.0, 0.5, 3.0, 1.0, 4.0, 2.0)
# Inside the data and outside on both sides, never exactly on a point, where derivatives may jump.
PROBES = np.linspace(-2.0, 11.0, 57) + 0.00123

ONE_ARGUMENT = {
    "constant": bm.Constant(2.5),
    "linear": bm.Linear((2.0,), 3.0),
    "polynomial": bm.Polynomial((1.0, -2.0, 0.5, 0.1)),
    "simm": bm.SimmSpline(X, Y),
    "simm of two points": bm.SimmSpline(X[:2], Y[:2]),
    "simm of three points": bm.SimmSpline(X[:3], Y[:3]),
    "simm of four points": bm.SimmSpline(X[:4], Y[:4]),
    "natural cubic": bm.NaturalCubicSpline(X, Y),
    "gcv 1": bm.GCVSpline(X, Y, 1),
    "gcv 3": bm.GCVSpline(X, Y, 3),
    "gcv 5": bm.GCVSpline(X, Y, 5),
    "gcv 7": bm.GCVSpline(X, Y, 7),
    "piecewise linear": bm.PiecewiseLinear(X, Y),
    "piecewise constant": bm.PiecewiseConstant(X, Y),
    "step": bm.Step(1.0, 4.0, 2.0, 5.0),
    "multiplier": bm.Multiplier(bm.SimmSpline(X, Y), -1.7),
    "multivariate of one": bm.MultivariatePolynomial(1, 3, (1.0, 2.0, 3.0, 4.0)),
}
each = pytest.mark.parametrize("function", ONE_ARGUMENT.values(), ids=ONE_ARGUMENT.keys())


@each
def test_pieces_evaluate_like_the_function(function: bm.Function) -> None:
    pieces = function.as_piecewise_polynomials()
    for order in range(3):
        expected = function.evaluate(PROBES, by=(0,) * order)
        np.testing.assert_allclose(pieces.evaluate(PROBES, order), expected, rtol=1e-13, atol=1e-13)


@each
def test_derivatives_are_limits_of_differences(function: bm.Function) -> None:
    step = 1e-5
    slope = (function.value(PROBES + step) - function.value(PROBES - step)) / (2 * step)
    # Third derivatives up to 1e3 times h² and round-off 1e-14/h: both below 1e-6.
    np.testing.assert_allclose(function.derivative(PROBES), slope, atol=1e-6)
    curve = (function.derivative(PROBES + step) - function.derivative(PROBES - step)) / (2 * step)
    np.testing.assert_allclose(function.second_derivative(PROBES), curve, atol=1e-5)


@pytest.mark.parametrize("name", [n for n in ONE_ARGUMENT if "simm" in n or "gcv" in n or "natural" in n])
def test_splines_meet_their_points(name: str) -> None:
    function = ONE_ARGUMENT[name]
    np.testing.assert_allclose(function.value(np.array(function.x)), function.y, atol=1e-12)


def test_splines_of_straight_data_are_straight_everywhere() -> None:
    line = tuple(2 * x - 1 for x in X)
    for kind in (bm.SimmSpline, bm.NaturalCubicSpline, bm.GCVSpline, bm.PiecewiseLinear):
        np.testing.assert_allclose(kind(X, line).value(PROBES), 2 * PROBES - 1, atol=1e-12)


def test_simm_spline_reproduces_a_cubic_between_its_points() -> None:
    # Its end condition takes third derivatives from the data, which is exact for a cubic.
    inside = PROBES[np.abs(PROBES - 4.5) < 4.5]
    cubic = bm.Polynomial((1.0, -2.0, 0.5, 0.1))
    spline = bm.SimmSpline(X, tuple(cubic.value(np.array(X))))
    np.testing.assert_allclose(spline.value(inside), cubic.value(inside), atol=1e-12)


def test_natural_cubic_spline_has_no_curvature_at_its_ends() -> None:
    ends = np.array([X[0], X[-1]])
    np.testing.assert_allclose(bm.NaturalCubicSpline(X, Y).second_derivative(ends), 0, atol=1e-13)
    # A negative control: the SIMM spline through the same points is curved there.
    assert abs(bm.SimmSpline(X, Y).second_derivative(ends[:1])[0]) > 1


def test_natural_cubic_spline_is_the_gcv_spline_of_degree_three() -> None:
    natural, gcv = bm.NaturalCubicSpline(X, Y), bm.GCVSpline(X, Y, 3)
    np.testing.assert_allclose(natural.value(PROBES), gcv.value(PROBES), atol=1e-12)


def test_a_sine_and_its_derivatives_are_closed_forms() -> None:
    sine = bm.Sine(2.0, 3.0, 0.5, 0.1)
    phase = 3 * PROBES + 0.5
    np.testing.assert_allclose(sine.value(PROBES), 0.1 + 2 * np.sin(phase))
    np.testing.assert_allclose(sine.derivative(PROBES), 6 * np.cos(phase), atol=1e-13)
    np.testing.assert_allclose(sine.second_derivative(PROBES), -18 * np.sin(phase), atol=1e-13)


def test_polynomials_of_several_arguments_count_the_last_exponent_fastest() -> None:
    function = bm.MultivariatePolynomial(2, 2, (1.0, 2.0, 3.0, 4.0, 5.0, 6.0))
    x, y = np.array([2.0, -1.0]), np.array([3.0, 0.5])
    np.testing.assert_allclose(function.value(x, y), 1 + 2 * y + 3 * y**2 + 4 * x + 5 * x * y + 6 * x**2)
    np.testing.assert_allclose(function.derivative(x, y, by=0), 4 + 5 * y + 12 * x)
    np.testing.assert_allclose(function.derivative(x, y, by=1), 2 + 6 * y + 5 * x)
    np.testing.assert_allclose(function.second_derivative(x, y, by=(0, 1)), [5, 5])
    np.testing.assert_allclose(function.second_derivative(x, y, by=(0, 0)), [12, 12])


def test_linear_functions_take_several_arguments() -> None:
    function = bm.Multiplier(bm.Linear((2.0, -3.0), 1.0), 2.0)
    assert function.value(np.array([1.0]), np.array([2.0])) == pytest.approx([-6.0])
    assert function.derivative(np.array([1.0]), np.array([2.0]), by=1) == pytest.approx([-6.0])
    terms = function.as_polynomial_terms()
    assert terms.evaluate((np.array([1.0]), np.array([2.0]))) == pytest.approx([-6.0])


def test_a_constant_takes_any_arguments() -> None:
    assert bm.Constant(2.0).value(np.zeros((3, 2)), np.zeros((3, 2))).shape == (3, 2)
    assert bm.Constant(2.0).as_polynomial_terms().coefficients.tolist() == [2.0]


def test_abstract_coefficients_survive_in_the_tables() -> None:
    sympy = pytest.importorskip("sympy")
    length = sympy.Symbol("length")
    assert bm.Linear((length,), 0.0).as_piecewise_polynomials().coefficients[0, 1] == length


def test_functions_that_are_no_such_thing_say_so() -> None:
    with pytest.raises(UnsupportedError, match="Sine is not made of polynomials of one argument"):
        bm.Sine().as_piecewise_polynomials()
    with pytest.raises(UnsupportedError, match="Linear is not made of polynomials of one argument"):
        bm.Linear((1.0, 2.0)).as_piecewise_polynomials()
    with pytest.raises(
        UnsupportedError, match="MultivariatePolynomial is not made of polynomials of one arg"
    ):
        bm.MultivariatePolynomial(2, 0, (1.0,)).as_piecewise_polynomials()
    with pytest.raises(UnsupportedError, match="SimmSpline is not one polynomial"):
        bm.SimmSpline(X, Y).as_polynomial_terms()


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: bm.SimmSpline(X, Y[:-1]), ShapeError, "has 10 x and 9 y"),
        (
            lambda: bm.SimmSpline((1.0,), (1.0,)),
            ShapeError,
            "a SimmSpline needs at least 2 points, but has 1",
        ),
        (lambda: bm.GCVSpline(X[:5], Y[:5], 5), ShapeError, "a GCVSpline needs at least 6 points, but has 5"),
        (lambda: bm.GCVSpline(X, Y, 4), InvalidValueError, "a GCVSpline has degree 1, 3, 5 or 7, not 4"),
        (lambda: bm.SimmSpline((0, 1, 0), (0, 0, 0)), InvalidValueError, r"value 3 \(0\) is below"),
        (
            lambda: bm.NaturalCubicSpline((0, 1, 1), (0, 0, 0)),
            InvalidValueError,
            r"value 3 \(1\) does not exceed",
        ),
        (
            lambda: bm.SimmSpline((0, np.inf), (0, 0)),
            InvalidValueError,
            "x values of a SimmSpline must be finite",
        ),
        (lambda: bm.Step(1.0, 1.0), InvalidValueError, "a step must end after it starts"),
        (lambda: bm.Polynomial(()), ShapeError, "a polynomial needs at least one coefficient"),
        (lambda: bm.Polynomial("abc"), ShapeError, "must be a sequence of numbers"),
        (lambda: bm.Linear(()), ShapeError, "a linear function needs at least one slope"),
        (lambda: bm.Constant(np.nan), InvalidValueError, r"a constant function is not a number \(NaN\)"),
        (lambda: bm.Constant("1"), InvalidValueError, "a constant function must be a number, not '1'"),
        (lambda: bm.MultivariatePolynomial(2, 2, (1.0,)), ShapeError, "has 6 coefficients, but 1 were given"),
        (
            lambda: bm.MultivariatePolynomial(0, 2, ()),
            InvalidValueError,
            "of 0 arguments and order 2 cannot be",
        ),
        (
            lambda: bm.MultivariatePolynomial(10**9, 10**9, ()),
            InvalidValueError,
            "give a dimension from 1 to 30",
        ),
        (lambda: bm.Linear((1.0, 2.0)).value(PROBES), ShapeError, "is a function of 2 arguments, but 1 were"),
    ],
)
def test_impossible_functions_are_refused(make: Callable, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()


@pytest.mark.parametrize("low", [-np.inf, -3.0, -1.0, -0.3, 0.0])
@pytest.mark.parametrize("high", [0.5, 1.0, 1.7, 4.0, np.inf])
def test_pieces_that_are_held_beyond_two_places_are_the_function_between_them(
    low: float, high: float
) -> None:
    """Places beyond all breaks, on them, and between them."""
    pieces = bm.SimmSpline((-1.0, 0.0, 0.5, 1.0), (0.0, 2.0, 1.0, 5.0)).as_piecewise_polynomials()
    held, x = pieces.held_beyond(low, high), np.linspace(-5.0, 5.0, 401)
    np.testing.assert_allclose(
        held.evaluate(x), pieces.evaluate(np.clip(x, low, high)), rtol=1e-13, atol=1e-13
    )
    between = (x > low) & (x < high)
    np.testing.assert_allclose(held.evaluate(x, 1)[between], pieces.evaluate(x, 1)[between], rtol=1e-12)
    assert not held.evaluate(x[(x < low) | (x > high)], 1).any()
    for end in (low, high):
        if np.isfinite(end):
            np.testing.assert_allclose(held.evaluate(end, 1), pieces.evaluate(end, 1))
