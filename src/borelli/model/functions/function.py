"""Functions of coordinates or of time, described so that they can be tabulated.

Every function evaluates itself on NumPy arrays and gives its first and second derivatives. Functions of one
argument also come as :class:`~borelli.model.functions.piecewise.PiecewisePolynomial`, polynomials in any number of
arguments as :class:`PolynomialTerms`; compiled models use these tables. Functions of data points are in
:mod:`borelli.model.functions.tabulated`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from borelli.errors import InvalidValueError, ShapeError, UnsupportedError
from borelli.model.functions.piecewise import PiecewisePolynomial, single
from borelli.model.values import Number, number, numbers
from borelli.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class PolynomialTerms:
    """A polynomial in several arguments: ``sum_t coefficients[t] * prod_a x_a ** exponents[t, a]``.

    Parameters
    ----------
    exponents : (n_terms, n_arguments) int
    coefficients : (n_terms,) float

    Examples
    --------
    >>> terms = bm.PolynomialTerms(exponents=np.array([[2], [0]]), coefficients=np.array([2.0, 1.0]))
    >>> terms.evaluate(np.array([3.0]))
    np.float64(19.0)
    """

    exponents: np.ndarray
    coefficients: np.ndarray

    def evaluate(self, arguments: tuple[Any, ...], by: tuple[int, ...] = ()) -> np.ndarray:
        """Return the value, or the derivative by the listed arguments in turn."""
        x = [np.asarray(argument, dtype=float) for argument in arguments]
        total: np.ndarray = np.zeros(np.broadcast_shapes(*(a.shape for a in x)))
        for powers, coefficient in zip(self.exponents, self.coefficients, strict=True):
            remaining = list(powers)
            factor = coefficient
            for argument in by:
                factor = factor * remaining[argument]
                remaining[argument] = max(remaining[argument] - 1, 0)
            term = factor
            for base, power in zip(x, remaining, strict=True):
                term = term * base**power
            total = total + term
        return total


class Function(ABC):
    """A smooth function of one or several arguments.

    ``n_arguments`` is the number of arguments, or None where any number will do.

    Examples
    --------
    >>> [function.evaluate([2.0]) for function in (bm.Linear((3.0,), 1.0), bm.Sine(omega=0.0), bm.Constant(5.0))]
    [array([7.]), array([0.]), array([5.])]
    """

    __slots__ = ()

    @property
    def n_arguments(self) -> int | None:
        """Number of arguments; None if the function does not care."""
        return 1

    @abstractmethod
    def evaluate(self, *arguments: Any, by: tuple[int, ...] = ()) -> np.ndarray:
        """Return the value, or the derivative by the listed arguments in turn.

        Parameters
        ----------
        *arguments : arrays of one shape
            One per argument of the function.
        by : tuple of int
            Arguments to differentiate by, at most two: ``()`` value, ``(0,)`` slope, ``(0, 1)`` mixed.
        """

    def value(self, *arguments: Any) -> np.ndarray:
        """Return the value."""
        return self.evaluate(*arguments)

    def derivative(self, *arguments: Any, by: int = 0) -> np.ndarray:
        """Return the first derivative by one argument."""
        return self.evaluate(*arguments, by=(by,))

    def second_derivative(self, *arguments: Any, by: tuple[int, int] = (0, 0)) -> np.ndarray:
        """Return a second derivative."""
        return self.evaluate(*arguments, by=by)

    def as_piecewise_polynomials(self) -> PiecewisePolynomial:
        """Return the function of one argument as polynomials between breaks."""
        raise UnsupportedError(f"{type(self).__name__} is not made of polynomials of one argument.")

    def as_polynomial_terms(self) -> PolynomialTerms:
        """Return the function as one polynomial in all its arguments."""
        raise UnsupportedError(f"{type(self).__name__} is not one polynomial.")


class PolynomialFunction(Function):
    """Base of the functions that are one polynomial."""

    __slots__ = ()

    def evaluate(self, *arguments: Any, by: tuple[int, ...] = ()) -> np.ndarray:
        """Return the value, or the derivative by the listed arguments in turn."""
        expected = self.n_arguments
        if expected is not None and len(arguments) != expected:
            raise ShapeError(
                f"{type(self).__name__} is a function of {expected} arguments, but {len(arguments)} were given."
            )
        return self.as_polynomial_terms().evaluate(arguments, by)


@dataclass(frozen=True, slots=True)
class Constant(PolynomialFunction):
    """The same value everywhere, for any arguments.

    Examples
    --------
    >>> bm.Constant(0.3).evaluate([1.0]), bm.Constant(0.3).derivative([1.0])
    (array([0.3]), array([0.]))
    """

    number: Number = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "number", number(self.number, "a constant function"))

    @property
    def n_arguments(self) -> int | None:
        """None: any number of arguments."""
        return None

    def evaluate(self, *arguments: Any, by: tuple[int, ...] = ()) -> np.ndarray:
        """Return the constant, or zero for a derivative."""
        shape = np.broadcast_shapes(*(np.shape(argument) for argument in arguments))
        return np.full(shape, 0.0 if by else self.number)

    def as_piecewise_polynomials(self) -> PiecewisePolynomial:
        """Return one polynomial of degree zero."""
        return single([self.number])

    def as_polynomial_terms(self) -> PolynomialTerms:
        """Return one term without arguments."""
        return PolynomialTerms(np.zeros((1, 0), dtype=int), np.array([self.number]))


@dataclass(frozen=True, slots=True)
class Linear(PolynomialFunction):
    """``intercept + sum_a slopes[a] * x_a``.

    Examples
    --------
    >>> line = bm.Linear(slopes=(2.0,), intercept=1.0)
    >>> line.evaluate([0.5]), line.derivative([0.5])
    (array([2.]), array([2.]))
    """

    slopes: tuple[Number, ...] = (1.0,)
    intercept: Number = 0.0

    def __post_init__(self) -> None:
        slopes = self.slopes if np.ndim(self.slopes) else (self.slopes,)
        object.__setattr__(self, "slopes", numbers(slopes, "the slopes of a linear function"))
        object.__setattr__(self, "intercept", number(self.intercept, "the intercept of a linear function"))
        if not self.slopes:
            raise ShapeError("a linear function needs at least one slope.")

    @property
    def n_arguments(self) -> int | None:
        """One argument for every slope."""
        return len(self.slopes)

    def as_piecewise_polynomials(self) -> PiecewisePolynomial:
        """Return one polynomial of degree one."""
        if len(self.slopes) != 1:
            return Function.as_piecewise_polynomials(self)
        return single([self.intercept, self.slopes[0]])

    def as_polynomial_terms(self) -> PolynomialTerms:
        """Return the constant and one term for each argument."""
        n = len(self.slopes)
        exponents = np.vstack([np.zeros((1, n), dtype=int), np.eye(n, dtype=int)])
        return PolynomialTerms(exponents, np.array([self.intercept, *self.slopes]))


@dataclass(frozen=True, slots=True)
class Polynomial(PolynomialFunction):
    """``sum_j coefficients[j] * x**j``: ascending powers.

    Examples
    --------
    >>> parabola = bm.Polynomial((2.0, 0.0, 1.0))  # lowest power first: 2 + x²
    >>> parabola.evaluate([3.0]), parabola.derivative([3.0])
    (array([11.]), array([6.]))
    """

    coefficients: tuple[Number, ...]

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "coefficients", numbers(self.coefficients, "the coefficients of a polynomial")
        )
        if not self.coefficients:
            raise ShapeError("a polynomial needs at least one coefficient.")

    def as_piecewise_polynomials(self) -> PiecewisePolynomial:
        """Return the polynomial itself."""
        return single(self.coefficients)

    def as_polynomial_terms(self) -> PolynomialTerms:
        """Return one term for each power."""
        return PolynomialTerms(np.arange(len(self.coefficients))[:, None], np.array(self.coefficients))


# Beyond this the coefficients of a polynomial in several arguments could not be listed.
_MOST = 30


@dataclass(frozen=True, slots=True)
class MultivariatePolynomial(PolynomialFunction):
    """All monomials up to a total degree, the exponent of the last argument counting fastest.

    Two arguments and order 2, for instance: 1, y, y², x, xy, x². This is OpenSim's order.

    Parameters
    ----------
    dimension, order : int
        Number of arguments and highest total degree.
    coefficients : tuple of float
        One for each monomial.

    Examples
    --------
    >>> plane = bm.MultivariatePolynomial(dimension=2, order=1, coefficients=(1.0, 2.0, 3.0))
    >>> plane.n_arguments, plane.evaluate([1.0], [0.0]) - plane.evaluate([0.0], [0.0])
    (2, array([3.]))
    """

    dimension: int
    order: int
    coefficients: tuple[Number, ...]

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "coefficients", numbers(self.coefficients, "the coefficients of a polynomial")
        )
        if not (1 <= self.dimension <= _MOST and 0 <= self.order <= _MOST):
            raise InvalidValueError(
                f"a polynomial of {self.dimension} arguments and order {self.order} cannot be.",
                remedy=f"give a dimension from 1 to {_MOST} and an order from 0 to {_MOST}",
            )
        expected = math.comb(self.dimension + self.order, self.order)
        if len(self.coefficients) != expected:
            raise ShapeError(
                f"a polynomial of {self.dimension} arguments and order {self.order} has {expected} coefficients, "
                f"but {len(self.coefficients)} were given."
            )

    @property
    def n_arguments(self) -> int | None:
        """The dimension."""
        return self.dimension

    def as_piecewise_polynomials(self) -> PiecewisePolynomial:
        """Return the polynomial itself if it has one argument."""
        if self.dimension != 1:
            return Function.as_piecewise_polynomials(self)
        return single(self.coefficients)

    def as_polynomial_terms(self) -> PolynomialTerms:
        """Return one term for each monomial."""
        return PolynomialTerms(
            np.array(_exponents(self.dimension, self.order), dtype=int), np.array(self.coefficients)
        )


def _exponents(dimension: int, order: int) -> list[tuple[int, ...]]:
    """List the exponents up to a total degree, the last one counting fastest."""
    if dimension == 0:
        return [()]
    return [(first, *rest) for first in range(order + 1) for rest in _exponents(dimension - 1, order - first)]


@dataclass(frozen=True, slots=True)
class Multiplier(Function):
    """Another function times a factor.

    Examples
    --------
    >>> bm.Multiplier(bm.Linear((1.0,)), factor=0.01).evaluate([3.0])
    array([0.03])
    """

    function: Function
    factor: Number = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "factor", number(self.factor, "the factor of a multiplied function"))

    @property
    def n_arguments(self) -> int | None:
        """As many as the inner function has."""
        return self.function.n_arguments

    def evaluate(self, *arguments: Any, by: tuple[int, ...] = ()) -> np.ndarray:
        """Return the inner function, or its derivative, times the factor."""
        return self.factor * self.function.evaluate(*arguments, by=by)

    def as_piecewise_polynomials(self) -> PiecewisePolynomial:
        """Return the inner pieces times the factor."""
        return self.function.as_piecewise_polynomials().scaled(self.factor)

    def as_polynomial_terms(self) -> PolynomialTerms:
        """Return the inner terms times the factor."""
        inner = self.function.as_polynomial_terms()
        return PolynomialTerms(inner.exponents, inner.coefficients * self.factor)


@dataclass(frozen=True, slots=True)
class Sine(Function):
    """``offset + amplitude * sin(omega * x + phase)``.

    Examples
    --------
    >>> wave = bm.Sine(amplitude=2.0, omega=np.pi, offset=1.0)
    >>> wave.evaluate([0.5]).round(12)
    array([3.])
    """

    amplitude: float = 1.0
    omega: float = 1.0
    phase: float = 0.0
    offset: float = 0.0

    def __post_init__(self) -> None:
        for name in ("amplitude", "omega", "phase", "offset"):
            object.__setattr__(self, name, number(getattr(self, name), f"the {name} of a sine"))

    def evaluate(self, *arguments: Any, by: tuple[int, ...] = ()) -> np.ndarray:
        """Return the value or a derivative of any order."""
        (x,) = arguments
        order = len(by)
        # Each differentiation advances the sine by a quarter turn and multiplies by omega.
        wave = np.sin(self.omega * np.asarray(x, dtype=float) + self.phase + order * (np.pi / 2))
        return self.amplitude * self.omega**order * wave + (0.0 if order else self.offset)
