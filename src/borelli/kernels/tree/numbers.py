"""Abstract numbers: the few functions that the kernels need beyond + - * /.

A kernel never asks what its numbers are. They may be floats, NumPy arrays of instants, dual numbers,
SymPy expressions or the lane values of a compiler: anything with the arithmetic operators, for which
:func:`sin`, :func:`cos` and :func:`sqrt` find the right implementation. A number type of our own offers
them as methods.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

# Loaded where needed: sympy, which is optional and slow to load.

Number: TypeAlias = Any
"""Float, array of instants, dual number, symbol or lane value."""

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


def look_up(x: Number, breaks: np.ndarray, rows: np.ndarray) -> tuple[Number, ...]:
    """Find the table row that belongs to the interval in which a number lies.

    Parameters
    ----------
    x : number
        Where to look; of a dual number its value decides.
    breaks : (n_rows - 1,) float
        Ascending borders between the intervals.
    rows : (n_rows, n_columns) float

    Returns
    -------
    columns : tuple of n_columns numbers
        Floats for a single row or a float x, arrays of instants otherwise; piecewise expressions for a symbol.
    """
    if len(rows) == 1:
        return tuple(rows[0].tolist())
    value = getattr(x, "value", x)
    if isinstance(value, _PLAIN):
        found = rows[np.searchsorted(breaks, value, side="right")]
        return tuple(found[..., column] for column in range(rows.shape[1]))
    import sympy

    conditions = [x < border for border in breaks] + [True]
    return tuple(sympy.Piecewise(*zip(column, conditions, strict=True)) for column in rows.T.tolist())


def _apply(name: str, x: Number) -> Number:
    if isinstance(x, _PLAIN):
        return getattr(np, name)(x)
    method = getattr(x, name, None)
    if method is not None:
        return method()
    import sympy

    return getattr(sympy, name)(x)
