"""The functions and operators of expressions in models, with those of Lepton's names and meanings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

# Loaded where needed: scipy, whose parts are slow to load and seldom needed.

Array = np.ndarray[Any, Any]


def _step(x: Array) -> Array:
    return np.where(x >= 0.0, 1.0, 0.0)


def _delta(x: Array) -> Array:
    return np.where(x == 0.0, 1.0, 0.0)


def _select(which: Array, where_not_zero: Array, where_zero: Array) -> Array:
    return np.where(which != 0.0, where_not_zero, where_zero)


def _erf(x: Array) -> Array:
    from scipy.special import erf

    return np.asarray(erf(x))


def _erfc(x: Array) -> Array:
    from scipy.special import erfc

    return np.asarray(erfc(x))


OPERATORS: dict[str, Callable[..., Array]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "^": np.power,
}
FUNCTIONS: dict[str, tuple[Callable[..., Array], int]] = {
    "sqrt": (np.sqrt, 1),
    "exp": (np.exp, 1),
    "log": (np.log, 1),
    "sin": (np.sin, 1),
    "cos": (np.cos, 1),
    "tan": (np.tan, 1),
    "sec": (lambda x: 1.0 / np.cos(x), 1),
    "csc": (lambda x: 1.0 / np.sin(x), 1),
    "cot": (lambda x: 1.0 / np.tan(x), 1),
    "asin": (np.arcsin, 1),
    "acos": (np.arccos, 1),
    "atan": (np.arctan, 1),
    "sinh": (np.sinh, 1),
    "cosh": (np.cosh, 1),
    "tanh": (np.tanh, 1),
    "erf": (_erf, 1),
    "erfc": (_erfc, 1),
    "step": (_step, 1),
    "delta": (_delta, 1),
    "square": (np.square, 1),
    "cube": (lambda x: x * x * x, 1),
    "recip": (lambda x: 1.0 / x, 1),
    "abs": (np.abs, 1),
    "floor": (np.floor, 1),
    "ceil": (np.ceil, 1),
    "min": (np.minimum, 2),
    "max": (np.maximum, 2),
    "select": (_select, 3),
}
"""Name -> the function and how many values it takes."""
