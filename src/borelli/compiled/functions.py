"""Functions of a model become the tables that the kernels evaluate."""

from __future__ import annotations

import numpy as np

from borelli.errors import UnsupportedError
from borelli.kernels.tree import functions as kernel
from borelli.model.functions import function as described
from borelli.model.values import is_concrete


def compile_function(
    function: described.Function, arguments: tuple[int, ...], where: str
) -> kernel.CoordinateFunction:
    """Turn a described function into one over abstract numbers.

    Parameters
    ----------
    function : Function
    arguments : tuple of int
        Positions of its arguments among the coordinates of the joint.
    where : str
        Shown if the function cannot be compiled.
    """
    if isinstance(function, described.Constant):
        return kernel.Constant(function.number)
    if isinstance(function, described.Sine):
        return kernel.Sine(arguments, function.amplitude, function.omega, function.phase, function.offset)
    if len(arguments) > 1:
        return _terms(function, arguments, where)
    try:
        table = function.as_piecewise_polynomials()
    except UnsupportedError as error:
        raise UnsupportedError(error.what, where=where) from error
    if table.n_pieces == 1 and table.degree <= 1:
        intercept, slope = (*table.coefficients[0], 0.0)[:2]
        return _line(arguments, slope, intercept, float(table.origins[0]))
    return kernel.PiecewisePolynomial(arguments, table.breaks, table.origins, table.coefficients)


def _line(
    arguments: tuple[int, ...], slope: object, intercept: object, origin: float
) -> kernel.CoordinateFunction:
    slope, intercept = _plain(slope), _plain(intercept)
    if is_concrete(slope) and slope == 0.0:
        return kernel.Constant(intercept)
    if origin != 0.0:
        intercept = intercept - slope * origin  # type: ignore[operator]
    return kernel.Linear(arguments, slope, intercept)


def _plain(value: object) -> object:
    return float(value) if is_concrete(value) else value  # type: ignore[arg-type]


def _terms(function: described.Function, arguments: tuple[int, ...], where: str) -> kernel.CoordinateFunction:
    try:
        terms = function.as_polynomial_terms()
    except UnsupportedError as error:
        raise UnsupportedError(error.what, where=where) from error
    exponents = tuple(tuple(int(power) for power in row) for row in np.asarray(terms.exponents))
    return kernel.MultivariatePolynomial(arguments, exponents, tuple(terms.coefficients.tolist()))
