"""Functions of coordinates, with first and second derivatives, over abstract numbers.

A joint's hinge angles and translations are functions of its coordinates. Each kind below answers
``derivatives(coordinates) -> (value, gradient, second derivatives)``, where the second derivatives are the
upper triangle of the Hessian by rows. One-dimensional functions are tables of polynomials, one per interval.
"""

from __future__ import annotations

from typing import Protocol, TypeAlias

import numpy as np

from borelli.kernels.tree.numbers import Number, cos, look_up, sin
from borelli.records import dataclass

Numbers: TypeAlias = tuple[Number, ...]
Derivatives: TypeAlias = tuple[Number, Numbers, Numbers]

Rates: TypeAlias = tuple[Number, Number, Number]
"""Value of a quantity along a motion, and its first and second time derivatives."""


class CoordinateFunction(Protocol):
    """A smooth function of the coordinates of one joint."""

    @property
    def arguments(self) -> tuple[int, ...]:
        """Which coordinates of the joint it depends on, by position."""
        ...

    def derivatives(self, coordinates: tuple[Number, ...]) -> Derivatives:
        """Value, gradient (one per argument) and upper triangle of the Hessian by rows."""
        ...


@dataclass(frozen=True)
class Constant:
    """The same value whatever the coordinates."""

    value: Number
    arguments: tuple[int, ...] = ()

    def derivatives(self, coordinates: tuple[Number, ...]) -> Derivatives:
        """Return the value; there is nothing to differentiate."""
        return self.value, (), ()


@dataclass(frozen=True)
class Linear:
    """``slope`` times a coordinate plus ``intercept``."""

    arguments: tuple[int, ...]
    slope: Number = 1.0
    intercept: Number = 0.0

    @property
    def is_identity(self) -> bool:
        """Whether it is the coordinate itself."""
        plain = isinstance(self.slope, float) and isinstance(self.intercept, float)
        return plain and self.slope == 1.0 and self.intercept == 0.0

    def derivatives(self, coordinates: tuple[Number, ...]) -> Derivatives:
        """Return the straight line, its slope and zero."""
        x = coordinates[self.arguments[0]]
        if self.is_identity:
            return x, (1.0,), (0.0,)
        return self.slope * x + self.intercept, (self.slope,), (0.0,)


@dataclass(frozen=True)
class PiecewisePolynomial:
    """A table of polynomials, one per interval of a single coordinate.

    Parameters
    ----------
    arguments : (int,)
        Position of the coordinate.
    breaks : (n - 1,) float
        Ascending borders between the n intervals; the outer ones reach to infinity.
    origins : (n,) float
        Point about which each polynomial is written.
    coefficients : (n, degree + 1) float
        Ascending powers of (x - origin).
    """

    arguments: tuple[int, ...]
    breaks: np.ndarray
    origins: np.ndarray
    coefficients: np.ndarray

    def derivatives(self, coordinates: tuple[Number, ...]) -> Derivatives:
        """Evaluate by Horner's scheme the polynomial of the interval, its slope and its curvature."""
        x = coordinates[self.arguments[0]]
        table = np.column_stack([self.origins, self.coefficients])
        origin, *powers = look_up(x, self.breaks, table)
        return self.polynomial(x - origin, powers)

    @staticmethod
    def polynomial(step: Number, powers: list[Number]) -> Derivatives:
        """Value, slope and curvature of a polynomial given by ascending powers of a step."""
        value: Number = powers[-1]
        slope: Number = 0.0
        half_curvature: Number = 0.0
        for coefficient in reversed(powers[:-1]):
            # In this order each takes what the next one was in the step before.
            half_curvature = half_curvature * step + slope
            slope = slope * step + value
            value = value * step + coefficient
        return value, (slope,), (2.0 * half_curvature,)


@dataclass(frozen=True)
class MultivariatePolynomial:
    """A sum of monomials in several coordinates.

    Parameters
    ----------
    arguments : tuple of int
        Positions of the coordinates.
    exponents : tuple of tuple of int
        One tuple per monomial, one exponent per argument.
    coefficients : tuple of numbers
        One per monomial.
    """

    arguments: tuple[int, ...]
    exponents: tuple[tuple[int, ...], ...]
    coefficients: tuple[Number, ...]

    def derivatives(self, coordinates: tuple[Number, ...]) -> Derivatives:
        """Differentiate each monomial by lowering its exponents."""
        x = tuple(coordinates[index] for index in self.arguments)
        count = len(x)
        value: Number = 0.0
        gradient: list[Number] = [0.0] * count
        pairs = [(i, j) for i in range(count) for j in range(i, count)]
        second: list[Number] = [0.0] * len(pairs)
        for exponents, coefficient in zip(self.exponents, self.coefficients, strict=True):
            value = value + _monomial(coefficient, exponents, x, ())
            for i in range(count):
                gradient[i] = gradient[i] + _monomial(coefficient, exponents, x, (i,))
            for position, pair in enumerate(pairs):
                second[position] = second[position] + _monomial(coefficient, exponents, x, pair)
        return value, tuple(gradient), tuple(second)


@dataclass(frozen=True)
class Sine:
    """``offset + amplitude sin(frequency x + phase)``."""

    arguments: tuple[int, ...]
    amplitude: Number
    frequency: Number
    phase: Number
    offset: Number

    def derivatives(self, coordinates: tuple[Number, ...]) -> Derivatives:
        """Differentiate the wave."""
        angle = self.frequency * coordinates[self.arguments[0]] + self.phase
        wave = self.amplitude * sin(angle)
        slope = self.amplitude * self.frequency * cos(angle)
        return wave + self.offset, (slope,), (-(self.frequency * self.frequency) * wave,)


def _monomial(
    coefficient: Number, exponents: tuple[int, ...], x: tuple[Number, ...], derive: tuple[int, ...]
) -> Number:
    """Return the derivative of one monomial by the listed arguments; exactly 0.0 where it vanishes."""
    powers = list(exponents)
    for index in derive:
        if powers[index] == 0:
            return 0.0
        coefficient = coefficient * powers[index]
        powers[index] -= 1
    # Products, not powers: every kind of number has them, and the tables of polynomials are of low degree.
    for base, power in zip(x, powers, strict=True):
        for _ in range(power):
            coefficient = coefficient * base
    return coefficient


def product_rates(a: Rates, b: Rates) -> Rates:
    """Product of two quantities along a motion (Leibniz), each a value and its two time derivatives."""
    return (
        a[0] * b[0],
        a[1] * b[0] + a[0] * b[1],
        a[2] * b[0] + 2.0 * (a[1] * b[1]) + a[0] * b[2],
    )


def total_rates(
    function: CoordinateFunction,
    coordinates: tuple[Number, ...],
    speeds: tuple[Number, ...] | None,
    accelerations: tuple[Number, ...] | None,
) -> Rates:
    """Value of a function along a motion, and its first and second time derivatives.

    f' = g . u,  f'' = g . udot + u . H u, with gradient g and Hessian H; zero where no rates are given.
    """
    own = None if speeds is None else tuple(speeds[index] for index in function.arguments)
    changes = None if accelerations is None else tuple(accelerations[index] for index in function.arguments)
    return rates_along(function.derivatives(coordinates), own, changes)


def rates_along(found: Derivatives, speeds: Numbers | None, accelerations: Numbers | None) -> Rates:
    """Value of a function with given derivatives, along a motion of its arguments; see :func:`total_rates`."""
    value, gradient, second = found
    rate: Number = 0.0
    rate_of_rate: Number = 0.0
    if speeds is None:
        return value, rate, rate_of_rate
    for slope, speed in zip(gradient, speeds, strict=True):
        rate = rate + slope * speed
    if accelerations is None:
        return value, rate, rate_of_rate
    for slope, acceleration in zip(gradient, accelerations, strict=True):
        rate_of_rate = rate_of_rate + slope * acceleration
    position = 0
    for i in range(len(speeds)):
        for j in range(i, len(speeds)):
            factor = 1.0 if i == j else 2.0
            rate_of_rate = rate_of_rate + second[position] * (factor * speeds[i] * speeds[j])
            position += 1
    return value, rate, rate_of_rate
