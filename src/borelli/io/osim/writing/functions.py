"""Functions as OpenSim writes them."""

from __future__ import annotations

import numpy as np

from borelli.errors import UnsupportedError
from borelli.io.text.markup import Lines, block, number, numbers, tag
from borelli.model import (
    Constant,
    Function,
    GCVSpline,
    Linear,
    Multiplier,
    MultivariatePolynomial,
    NaturalCubicSpline,
    PiecewiseConstant,
    PiecewiseLinear,
    Polynomial,
    SimmSpline,
    Sine,
    Step,
)

_TABLES: tuple[tuple[type, str], ...] = (
    (SimmSpline, "SimmSpline"),
    (PiecewiseLinear, "PiecewiseLinearFunction"),
    (PiecewiseConstant, "PiecewiseConstantFunction"),
)


def write_function(function: Function, called: str | None = None) -> Lines:
    """Write a function element.

    Parameters
    ----------
    called : str, optional
        Value of its ``name`` attribute.
    """
    for kind, name in _TABLES:
        if isinstance(function, kind):
            return block(name, *_points(function.x, function.y), called=called)  # type: ignore[attr-defined]
    if isinstance(function, Constant):
        return block("Constant", tag("value", number(function.number)), called=called)
    if isinstance(function, Linear):
        text = numbers((*function.slopes, function.intercept))
        return block("LinearFunction", tag("coefficients", text), called=called)
    if isinstance(function, Polynomial):
        text = numbers(reversed(function.coefficients))
        return block("PolynomialFunction", tag("coefficients", text), called=called)
    if isinstance(function, Multiplier):
        inner = block("function", write_function(function.function))
        return block("MultiplierFunction", inner, tag("scale", number(function.factor)), called=called)
    return _rarer(function, called)


def _rarer(function: Function, called: str | None) -> Lines:
    if isinstance(function, GCVSpline):
        return _gcv((function.degree + 1) // 2, function.x, function.y, called)
    if isinstance(function, NaturalCubicSpline):
        return _gcv(2, *_at_least_four_points(function), called)
    if isinstance(function, MultivariatePolynomial):
        return block(
            "MultivariatePolynomialFunction",
            tag("coefficients", numbers(function.coefficients)),
            tag("dimension", str(function.dimension)),
            tag("order", str(function.order)),
            called=called,
        )
    if isinstance(function, Sine):
        names = ("amplitude", "omega", "phase", "offset")
        return block("Sine", *(tag(n, number(getattr(function, n))) for n in names), called=called)
    if isinstance(function, Step):
        return block(
            "StepFunction",
            tag("transition_start_time", number(function.start)),
            tag("transition_end_time", number(function.end)),
            tag("start_value", number(function.start_value)),
            tag("end_value", number(function.end_value)),
            called=called,
        )
    raise UnsupportedError(f"functions of type {type(function).__name__} have no counterpart in OpenSim.")


def _points(x: tuple[float, ...], y: tuple[float, ...]) -> tuple[Lines, Lines]:
    return tag("x", numbers(x)), tag("y", numbers(y))


def _gcv(half_order: int, x: tuple[float, ...], y: tuple[float, ...], called: str | None) -> Lines:
    return block(
        "GCVSpline",
        tag("half_order", str(half_order)),
        tag("error_variance", "0"),
        *_points(x, y),
        tag("weights", numbers([1.0] * len(x))),
        called=called,
    )


def _at_least_four_points(spline: NaturalCubicSpline) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return points on a natural spline; more points on the same curve do not change it."""
    x = np.array(spline.x)
    while len(x) < 4:
        x = np.sort(np.concatenate([x, 0.5 * (x[:-1] + x[1:])]))
    return tuple(x.tolist()), tuple(spline.value(x).tolist())
