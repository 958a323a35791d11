"""Functions of coordinates or of time, as OpenSim writes them."""

from __future__ import annotations

from collections.abc import Callable
from math import comb

from borelli.errors import FileFormatError, UnsupportedError
from borelli.io.osim.document import Document, located
from borelli.io.text.xml import Element
from borelli.model import (
    Constant,
    Function,
    GCVSpline,
    Linear,
    Multiplier,
    MultivariatePolynomial,
    PiecewiseConstant,
    PiecewiseLinear,
    Polynomial,
    SimmSpline,
    Sine,
    Step,
)

# All monomials are listed before the unwanted ones are dropped: beyond this the list costs memory.
_MOST_MONOMIALS = 1_000_000


def read_function(document: Document, element: Element) -> Function:
    """Read a function element such as ``<SimmSpline>``.

    Raises
    ------
    UnsupportedError
        If it is of a kind that has no counterpart, such as an expression.
    """
    reader = _READERS.get(element.tag)
    if reader is None:
        raise UnsupportedError(
            f"functions of type {element.tag} cannot be used.",
            where=element.where,
            remedy=f"describe the function by one of: {', '.join(FUNCTION_TAGS[:9])}",
        )
    with located(element):
        return reader(document, element)


def function_property(document: Document, owner: Element, *names: str) -> Function | None:
    """Find a function that is a property: ``<x_location><Constant>…`` or ``<Constant name="x_location">…``."""
    wrapper = document.child(owner, *names)
    if wrapper is not None and wrapper.tag not in _READERS:
        return read_function(document, wrapper.children[0]) if wrapper.children else None
    for child in owner:
        if child.name in names:
            return read_function(document, child)
    return None


def axis_function(document: Document, axis: Element) -> Function | None:
    """Find the function of a transform axis, whatever the version calls it."""
    found = function_property(document, axis, "function")
    if found is not None:
        return found
    for child in axis:
        if child.tag in _READERS or child.tag.endswith(("Function", "Spline")):
            return read_function(document, child)
    return None


def _numbers(document: Document, element: Element, tag: str) -> tuple[float, ...]:
    found = document.child(element, tag)
    if found is None:
        raise FileFormatError(f"a {element.tag} has no <{tag}>.", where=element.where)
    return found.numbers()


def _constant(document: Document, element: Element) -> Function:
    return Constant(document.number(element, "value", default=0.0))


def _linear(document: Document, element: Element) -> Function:
    coefficients = _numbers(document, element, "coefficients")
    if len(coefficients) < 2:
        raise FileFormatError(
            f"a LinearFunction needs slopes and an intercept, but has {len(coefficients)} coefficients.",
            where=element.where,
        )
    return Linear(coefficients[:-1], coefficients[-1])


def _polynomial(document: Document, element: Element) -> Function:
    # OpenSim lists the highest power first.
    return Polynomial(_numbers(document, element, "coefficients")[::-1])


def _table(kind: type[SimmSpline] | type[PiecewiseLinear] | type[PiecewiseConstant]) -> _Reader:
    def read(document: Document, element: Element) -> Function:
        return kind(_numbers(document, element, "x"), _numbers(document, element, "y"))

    return read


def _gcv(document: Document, element: Element) -> Function:
    variance = document.number(element, "error_variance", default=0.0)
    if variance != 0.0:
        raise UnsupportedError(
            f"a smoothing GCVSpline (error_variance {variance:g}) cannot be used.",
            where=element.where,
            remedy="set error_variance to 0 and smooth the points themselves",
        )
    half_order = document.number(element, "half_order", default=3.0)
    if half_order not in (1.0, 2.0, 3.0, 4.0):
        raise FileFormatError(
            f"the half order of a GCVSpline is 1, 2, 3 or 4, not {half_order:g}.", where=element.where
        )
    x, y = _numbers(document, element, "x"), _numbers(document, element, "y")
    return GCVSpline(x, y, 2 * int(half_order) - 1)


def _multiplier(document: Document, element: Element) -> Function:
    inner = function_property(document, element, "function")
    if inner is None:
        raise FileFormatError("a MultiplierFunction has no function inside.", where=element.where)
    return Multiplier(inner, document.number(element, "scale", default=1.0))


def _multivariate(document: Document, element: Element) -> Function:
    dimension = document.number(element, "dimension", default=0.0)
    order = document.number(element, "order", default=0.0)
    coefficients = _numbers(document, element, "coefficients")
    whole = dimension.is_integer() and order.is_integer()
    # Coefficients grow as a binomial of both: the bounds keep a damaged number from asking for all memory.
    if not whole or not 1 <= dimension <= 20 or not 0 <= order <= 100:
        raise FileFormatError(
            f"a polynomial of {dimension:g} arguments and order {order:g} cannot be read.",
            where=element.where,
        )
    n_arguments, degree = int(dimension), int(order)
    expected = comb(n_arguments + degree, degree)
    if len(coefficients) != expected:
        raise FileFormatError(
            f"a polynomial of {n_arguments} arguments and order {degree} has {expected} coefficients, "
            f"but {len(coefficients)} are given.",
            where=element.where,
        )
    if (degree + 1) ** n_arguments > _MOST_MONOMIALS:
        raise UnsupportedError(
            f"a polynomial of {n_arguments} arguments and order {degree} is too large.", where=element.where
        )
    return MultivariatePolynomial(n_arguments, degree, coefficients)


def _sine(document: Document, element: Element) -> Function:
    return Sine(
        document.number(element, "amplitude", default=1.0),
        document.number(element, "omega", default=1.0),
        document.number(element, "phase", default=0.0),
        document.number(element, "offset", default=0.0),
    )


def _step(document: Document, element: Element) -> Function:
    return Step(
        document.number(element, "transition_start_time", default=0.99),
        document.number(element, "transition_end_time", default=1.01),
        document.number(element, "start_value", default=0.0),
        document.number(element, "end_value", default=1.0),
    )


_Reader = Callable[[Document, Element], Function]

_READERS: dict[str, _Reader] = {
    "Constant": _constant,
    "LinearFunction": _linear,
    "PolynomialFunction": _polynomial,
    "SimmSpline": _table(SimmSpline),
    "GCVSpline": _gcv,
    "PiecewiseLinearFunction": _table(PiecewiseLinear),
    "PiecewiseConstantFunction": _table(PiecewiseConstant),
    "MultiplierFunction": _multiplier,
    "MultivariatePolynomialFunction": _multivariate,
    "Sine": _sine,
    "StepFunction": _step,
    # Earlier names of the SIMM spline; OpenSim reads all three as the same function.
    "NaturalCubicSpline": _table(SimmSpline),
    "natCubicSpline": _table(SimmSpline),
    "NatCubicSpline": _table(SimmSpline),
}
FUNCTION_TAGS = tuple(_READERS)
