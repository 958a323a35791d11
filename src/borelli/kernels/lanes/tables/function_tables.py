"""Functions of coordinates as the constants that the emitted code reads."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from borelli.kernels.lanes.tables.record_types import DEGREES, SINE
from borelli.kernels.lanes.tables.variants import UnsupportedMechanism
from borelli.kernels.tree.functions import (
    Constant,
    CoordinateFunction,
    Linear,
    MultivariatePolynomial,
    PiecewisePolynomial,
    Sine,
)

Monomials: TypeAlias = list[tuple[float, tuple[int, ...]]]
"""Coefficient, and exponent of each argument, of every monomial."""


def monomials(function: CoordinateFunction) -> Monomials | None:
    """Return the terms of a polynomial that has no code of its own; None for other functions."""
    if isinstance(function, MultivariatePolynomial):
        terms = zip(function.coefficients, function.exponents, strict=True)
        return [(float(coefficient), exponents) for coefficient, exponents in terms if coefficient != 0.0]
    if isinstance(function, PiecewisePolynomial) and _is_steep_power_series(function):
        return [(float(c), (power,)) for power, c in enumerate(function.coefficients[0]) if c != 0.0]
    return None


def _is_steep_power_series(function: PiecewisePolynomial) -> bool:
    steep = function.coefficients.shape[1] - 1 > DEGREES[-1]
    return steep and len(function.origins) == 1 and function.origins[0] == 0.0


def function_data(function: CoordinateFunction) -> tuple[int, int, list[float]]:
    """Return a function of at most one coordinate as code, number of intervals and constants.

    The constants of a table of polynomials are the borders between the intervals, then for each interval the
    origin and the coefficients in ascending powers.
    """
    if isinstance(function, Sine):
        constants = (function.amplitude, function.frequency, function.phase, function.offset)
        return SINE, 1, [float(constant) for constant in constants]
    breaks, origins, coefficients = _polynomials(function)
    # The code for straight lines knows a single interval: a broken line is padded to a cubic.
    least = coefficients.shape[1] - 1 if len(origins) == 1 else 2
    degree = next(d for d in DEGREES if d >= max(least, coefficients.shape[1] - 1))
    padded = np.zeros((len(origins), degree + 1))
    padded[:, : coefficients.shape[1]] = coefficients
    return degree, len(origins), [*breaks, *np.column_stack([origins, padded]).ravel()]


def _polynomials(function: CoordinateFunction) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return breaks, origins and coefficients."""
    if isinstance(function, Constant):
        return np.empty(0), np.zeros(1), np.array([[float(function.value)]])
    if isinstance(function, Linear):
        return np.empty(0), np.zeros(1), np.array([[float(function.intercept), float(function.slope)]])
    if isinstance(function, PiecewisePolynomial):
        degree = function.coefficients.shape[1] - 1
        if degree <= DEGREES[-1]:
            return function.breaks, function.origins, function.coefficients
        raise UnsupportedMechanism(f"a function made of polynomials of degree {degree}")
    raise UnsupportedMechanism(f"a function of type {type(function).__name__}")
