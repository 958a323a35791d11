"""Functions equal OpenSim's own, inside the data and outside, with first and second derivatives.

OpenSim has no second derivatives of polynomials in several arguments; those are checked as closed forms.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from borelli import model as bm

opensim = pytest.importorskip("opensim", reason="OpenSim is not installed")

X = (0.0, 1.0, 2.5, 3.0, 4.2, 5.0, 6.1, 6.5, 7.7, 9.0)
Y = (0.0, 1.0, -1.0, 2.0, 1.0, 0.5, 3.0, 1.0, 4.0, 2.0)
# Inside the data and outside on both sides, never exactly on a point, where derivatives may jump.
PROBES = np.linspace(-2.0, 11.0, 57) + 0.00123


# Published muscle curves repeat points; a step is written so, too.
REPEATED = (0.0, 1.0, 2.5, 2.5, 4.2, 5.0, 5.0, 6.5, 7.7, 9.0)
REPEATED_Y = (0.0, 1.0, -1.0, -1.0, 1.0, 0.5, 0.5, 1.0, 4.0, 2.0)


def through_points(
    name: str,
    n: int = len(X),
    degree: int | None = None,
    *,
    at: tuple[float, ...] = X,
    y: tuple[float, ...] = Y,
) -> Any:
    function = getattr(opensim, name)()
    if degree is not None:
        function.setDegree(degree)
    for place, value in zip(at[:n], y[:n], strict=True):
        function.addPoint(place, value)
    return function


def multiplied(function: Any, factor: float) -> Any:
    product = opensim.MultiplierFunction()
    # The product owns the function from here on; Python must not free it a second time.
    function.thisown = False
    product.setFunction(function)
    product.setScale(factor)
    return product


def vector(values: Any) -> Any:
    return opensim.Vector(np.array(values, dtype=float))


def of_opensim(function: Any, arguments: np.ndarray, by: tuple[int, ...]) -> np.ndarray:
    def one(row: np.ndarray) -> float:
        if not by:
            return float(function.calcValue(vector(row)))
        components = opensim.StdVectorInt()
        for argument in by:
            components.append(argument)
        return float(function.calcDerivative(components, vector(row)))

    return np.array([one(row) for row in arguments])


# Tolerances are relative to the largest value. OpenSim finds a GCV spline of high degree by Woltring's banded
# elimination on B-splines; its own round-off grows with the degree, which is all that is allowed for here.
ONE_ARGUMENT = {
    "constant": (bm.Constant(2.5), lambda: opensim.Constant(2.5), 1e-15),
    "linear": (bm.Linear((2.0,), 3.0), lambda: opensim.LinearFunction(2.0, 3.0), 1e-15),
    "polynomial": (
        bm.Polynomial((3.0, 2.0, 1.0)),
        lambda: opensim.PolynomialFunction(vector([1, 2, 3])),
        1e-15,
    ),
    "simm 2": (bm.SimmSpline(X[:2], Y[:2]), lambda: through_points("SimmSpline", 2), 1e-14),
    "simm 3": (bm.SimmSpline(X[:3], Y[:3]), lambda: through_points("SimmSpline", 3), 1e-14),
    "simm 4": (bm.SimmSpline(X[:4], Y[:4]), lambda: through_points("SimmSpline", 4), 1e-14),
    "simm": (bm.SimmSpline(X, Y), lambda: through_points("SimmSpline"), 1e-14),
    "gcv 1": (bm.GCVSpline(X, Y, 1), lambda: through_points("GCVSpline", degree=1), 1e-13),
    "gcv 3": (bm.GCVSpline(X, Y, 3), lambda: through_points("GCVSpline", degree=3), 1e-13),
    "gcv 5": (bm.GCVSpline(X, Y, 5), lambda: through_points("GCVSpline", degree=5), 1e-12),
    "gcv 7": (bm.GCVSpline(X, Y, 7), lambda: through_points("GCVSpline", degree=7), 1e-11),
    "linear pieces": (
        bm.PiecewiseLinear(X, Y),
        lambda: through_points("PiecewiseLinearFunction"),
        1e-14,
    ),
    "constant pieces": (
        bm.PiecewiseConstant(X, Y),
        lambda: through_points("PiecewiseConstantFunction"),
        1e-15,
    ),
    "simm, repeated": (
        bm.SimmSpline(REPEATED, REPEATED_Y),
        lambda: through_points("SimmSpline", at=REPEATED, y=REPEATED_Y),
        # The gap of 1e-7 stands in the equations beside gaps of 1.
        1e-9,
    ),
    "linear pieces, repeated": (
        bm.PiecewiseLinear(REPEATED, Y),
        lambda: through_points("PiecewiseLinearFunction", at=REPEATED),
        1e-14,
    ),
    "constant pieces, repeated": (
        bm.PiecewiseConstant(REPEATED, Y),
        lambda: through_points("PiecewiseConstantFunction", at=REPEATED),
        1e-15,
    ),
    "step": (bm.Step(1, 4, 2, 5), lambda: opensim.StepFunction(1.0, 4.0, 2.0, 5.0), 1e-14),
    "sine": (bm.Sine(2, 3, 0.5, 0.1), lambda: opensim.Sine(2.0, 3.0, 0.5, 0.1), 1e-14),
    "multiplier": (
        bm.Multiplier(bm.SimmSpline(X, Y), -1.7),
        lambda: multiplied(through_points("SimmSpline"), -1.7),
        1e-14,
    ),
}


@pytest.mark.parametrize("name", ONE_ARGUMENT)
@pytest.mark.parametrize("order", [0, 1, 2])
def test_one_argument_equals_opensim(name: str, order: int) -> None:
    ours, make, tolerance = ONE_ARGUMENT[name]
    expected = of_opensim(make(), PROBES[:, None], (0,) * order)
    got = ours.evaluate(PROBES, by=(0,) * order)
    np.testing.assert_allclose(got, expected, atol=tolerance * max(1.0, np.abs(expected).max()))


@pytest.mark.parametrize("by", [(), (0,), (1,), (2,)])
def test_several_arguments_equal_opensim(by: tuple[int, ...]) -> None:
    random = np.random.default_rng(4)
    coefficients = random.normal(size=20)
    theirs = opensim.MultivariatePolynomialFunction(vector(coefficients), 3, 3)
    ours = bm.MultivariatePolynomial(3, 3, tuple(coefficients))
    arguments = random.normal(size=(10, 3))
    np.testing.assert_allclose(
        ours.evaluate(*arguments.T, by=by), of_opensim(theirs, arguments, by), rtol=1e-12
    )
