"""Arrays that users hand over: what looks like numbers to NumPy and is none, is not taken for numbers.

NumPy turns a duration into its count of nanoseconds, drops the mask of a masked array and the imaginary part of a
complex one, all without a word.
"""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np

from borelli.errors import InvalidValueError


def plain_numbers(values: Any, what: str) -> np.ndarray:
    """Return numbers as an array of floats; NaN where a masked array has none.

    Parameters
    ----------
    values : array_like
    what : str
        What they are, for messages: ``"q of a motion"``.

    Raises
    ------
    InvalidValueError
        If they are dates, durations, complex, or no numbers at all.
    """
    array = _array(values, what)
    if array.dtype.kind in "mM" or _first(array, datetime.timedelta | datetime.date):
        raise InvalidValueError(
            f"{what} must be an array of numbers, not of dates or durations.",
            remedy="give numbers in SI units",
        )
    return _as_floats(array, what)


def seconds(values: Any, what: str) -> np.ndarray:
    """Return times as floats (s); durations, such as those of pandas, become seconds, dates are refused."""
    array = _array(values, what)
    if array.dtype.kind == "M" or _first(array, datetime.date):
        raise InvalidValueError(
            f"{what} must be in seconds, not dates.",
            remedy="subtract the first instant, which gives durations: time - time[0]",
        )
    if array.dtype.kind == "m":
        missing = np.isnat(array)
        return np.where(missing, np.nan, array / np.timedelta64(1, "s"))
    if _first(array, datetime.timedelta):
        return np.array([_duration(value, what) for value in array.ravel()]).reshape(array.shape)
    return _as_floats(array, what)


def _array(values: Any, what: str) -> np.ndarray:
    try:
        if isinstance(values, np.ma.MaskedArray) and values.dtype.kind in "fiu":
            return np.ma.filled(values.astype(float), np.nan)
        return np.asarray(values)
    except (TypeError, ValueError) as error:
        raise InvalidValueError(f"{what} must be an array of numbers: {error}.") from None


def _first(array: np.ndarray, kind: Any) -> bool:
    """Whether an array of objects begins with one of this kind; a list of them has such an array."""
    return array.dtype.kind == "O" and array.size > 0 and isinstance(array.flat[0], kind)


def _duration(value: Any, what: str) -> float:
    if not isinstance(value, datetime.timedelta):
        raise InvalidValueError(f"{what} mixes durations and other things: {value!r}.")
    return value.total_seconds()


def _as_floats(array: np.ndarray, what: str) -> np.ndarray:
    if array.dtype.kind == "c":
        raise InvalidValueError(f"{what} must be real numbers, not complex ones.")
    try:
        return np.asarray(array, dtype=float)
    except (TypeError, ValueError) as error:
        raise InvalidValueError(f"{what} must be an array of numbers: {error}.") from None


def unit_rows(vectors: np.ndarray) -> np.ndarray:
    """Directions of vectors, (n, n_axes); zero where they have none."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 0.0)
