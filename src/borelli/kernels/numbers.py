"""Abstract numbers: the few functions that the kernels need beyond + - * /.

A kernel never asks what its numbers are. They may be floats, NumPy arrays of frames, dual numbers,
SymPy expressions or the lane values of a compiler: anything with the arithmetic operators, for which
:func:`sin`, :func:`cos` and :func:`sqrt` find the right implementation. A number type of our own offers
them as methods.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

Number: TypeAlias = Any
"""Float, array of frames, dual number, symbol or lane value."""

_PLAIN = (float, int, np.ndarray, np.generic)


def sin(x: Number) -> Number:
    """Sine of an angle in radians."""
    return _apply("sin", x)


def cos(x: Number) -> Number:
    """Cosine of an angle in radians."""
    return _apply("cos", x)


def sqrt(x: Number) -> Number:
    """Square root."""
    return _apply("sqrt", x)


def is_zero(x: Number) -> bool:
    """Tell whether a constant is exactly the plain number zero; arrays, duals and symbols never are."""
    return isinstance(x, (float, int)) and x == 0


def _apply(name: str, x: Number) -> Number:
    if isinstance(x, _PLAIN):
        return getattr(np, name)(x)
    method = getattr(x, name, None)
    if method is not None:
        return method()
    import sympy

    return getattr(sympy, name)(x)
