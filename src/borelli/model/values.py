"""Numbers that describe a model: floats, or abstract numbers (symbols, dual numbers) in their place.

Masses, lengths and frame constants may be anything that adds and multiplies, so that the same model can
be differentiated or written out symbolically. Only plain numbers can be checked; the others pass.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np

from borelli.arrays import FARTHEST
from borelli.errors import InvalidValueError, ShapeError

Number: TypeAlias = Any
"""A float, or an abstract number that stands in for one."""

Vector: TypeAlias = tuple[Number, Number, Number]
Matrix: TypeAlias = tuple[Vector, Vector, Vector]

IDENTITY: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
ZERO: Vector = (0.0, 0.0, 0.0)
_PLAIN = (int, float, np.integer, np.floating)
# NumPy takes its durations for integers.
_NOT_PLAIN = (bool, np.timedelta64)


def is_concrete(value: Any) -> bool:
    """Tell whether a value is a plain number rather than a symbol or a dual number."""
    return type(value) is float or (isinstance(value, _PLAIN) and not isinstance(value, _NOT_PLAIN))


def number(value: Any, what: str) -> Number:
    """Return a plain number as a float and an abstract one as it is; refuse NaN and text."""
    if type(value) is float and value == value:
        return value
    if is_concrete(value):
        try:
            plain = float(value)
        except OverflowError:
            raise InvalidValueError(f"{what} is too large for a floating-point number.") from None
        if math.isnan(plain):
            raise InvalidValueError(f"{what} is not a number (NaN).", remedy="give a finite value")
        return plain
    if isinstance(value, bool | str | bytes | complex | np.generic | Iterable) or not _computes(value):
        raise InvalidValueError(f"{what} must be a number, not {value!r}.")
    return value


def _computes(value: Any) -> bool:
    """Whether a value behaves as a number among floats: dates, durations and what is missing do not."""
    try:
        return bool(value == value) and (1.0 * value + 1.0) is not NotImplemented
    except Exception:  # whatever a class of numbers of somebody else raises
        return False


def numbers(values: Any, what: str, length: int | None = None) -> tuple[Number, ...]:
    """Return a sequence of numbers as a tuple, with its length checked if one is given."""
    if isinstance(values, np.ndarray):
        # Not so dates and durations, which would become counts of nanoseconds.
        values = values.tolist() if values.dtype.kind not in "mM" else tuple(values)
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise ShapeError(f"{what} must be a sequence of numbers, not {values!r}.")
    items = tuple(number(value, what) for value in values)
    if length is not None and len(items) != length:
        raise ShapeError(f"{what} needs {length} numbers, but {len(items)} were given.")
    return items


def vector(values: Any, what: str) -> Vector:
    """Return three finite numbers as a tuple."""
    if type(values) is tuple and len(values) == 3:
        x, y, z = values
        # The usual case, told quickly: NaN and infinity are not between any two numbers.
        if type(x) is type(y) is type(z) is float and all(-FARTHEST <= item <= FARTHEST for item in values):
            return values
    x, y, z = numbers(values, what, 3)
    if any(is_concrete(item) and math.isinf(item) for item in (x, y, z)):
        raise InvalidValueError(f"{what} has an infinite component.")
    beyond = [item for item in (x, y, z) if is_concrete(item) and abs(item) > FARTHEST]
    if beyond:
        raise InvalidValueError(
            f"{what} has a component of {beyond[0]:g}, which is not plausible for a body."
        )
    return (x, y, z)


def matrix(values: Any, what: str) -> Matrix:
    """Return three rows of three numbers as nested tuples."""
    rows = values.tolist() if isinstance(values, np.ndarray) else values
    if isinstance(rows, str | bytes) or not isinstance(rows, Iterable):
        raise ShapeError(f"{what} must be three rows of three numbers, not {values!r}.")
    rows = tuple(rows)
    if len(rows) != 3:
        raise ShapeError(f"{what} needs three rows, but {len(rows)} were given.")
    return (vector(rows[0], what), vector(rows[1], what), vector(rows[2], what))


def multiply(a: Matrix, b: Matrix) -> Matrix:
    """Return the product of two 3 × 3 matrices."""
    rows = [
        tuple(sum((a[i][k] * b[k][j] for k in range(1, 3)), a[i][0] * b[0][j]) for j in range(3))
        for i in range(3)
    ]
    return (rows[0], rows[1], rows[2])


def transform(a: Matrix, x: Vector) -> Vector:
    """Return the product of a 3 × 3 matrix and a vector."""
    return (
        a[0][0] * x[0] + a[0][1] * x[1] + a[0][2] * x[2],
        a[1][0] * x[0] + a[1][1] * x[1] + a[1][2] * x[2],
        a[2][0] * x[0] + a[2][1] * x[1] + a[2][2] * x[2],
    )


def transpose(a: Matrix) -> Matrix:
    """Return the transpose of a 3 × 3 matrix."""
    return (
        (a[0][0], a[1][0], a[2][0]),
        (a[0][1], a[1][1], a[2][1]),
        (a[0][2], a[1][2], a[2][2]),
    )


def all_concrete(values: Iterable[Any]) -> bool:
    """Tell whether all values are plain numbers."""
    return all(is_concrete(value) for value in values)
