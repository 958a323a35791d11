"""Checked numbers of the lifting arm: vectors over instants, lengths and masses, and how instants are named."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from borelli.errors import InvalidValueError, ShapeError

Array = NDArray[Any]


def instants_of(vectors: ArrayLike, what: str) -> Array:
    """Return vectors over instants, (n_instants, 3); one vector is one instant."""
    array = np.atleast_2d(np.asarray(vectors, dtype=float))
    if array.ndim != 2 or array.shape[1] != 3 or array.shape[0] == 0:
        raise ShapeError(f"{what} needs the shape (n_instants, 3) or (3,), but has {np.shape(vectors)}.")
    require_finite(array, what)
    return array


def require_finite(array: Array, what: str) -> None:
    """Refuse NaN and infinity, naming the first instant."""
    bad = np.asarray(~np.isfinite(array).all(axis=tuple(range(1, array.ndim))))
    if bad.any():
        raise InvalidValueError(f"{what} is not finite.", where=where_instants(bad))


def spread(array: Array, n_instants: int, what: str) -> Array:
    """Return values that were given for all instants, or once, as (n_instants, …)."""
    if array.shape[0] not in (1, n_instants):
        raise ShapeError(
            f"{what} is given for {array.shape[0]} instants, where there are {n_instants}.",
            remedy="give one for each instant, or one for all",
        )
    return np.broadcast_to(array, (n_instants, *array.shape[1:]))


def numbers_of(values: ArrayLike, n_instants: int, what: str) -> Array:
    """Return one finite number per instant, (n_instants,); a single one stands for all."""
    array = np.atleast_1d(np.asarray(values, dtype=float))
    if array.ndim != 1:
        raise ShapeError(f"{what} needs the shape (n_instants,), but has {array.shape}.")
    require_finite(array, what)
    return spread(array, n_instants, what)


def unit(vectors: ArrayLike, what: str) -> Array:
    """Return vectors over instants at unit length, (n_instants, 3)."""
    array = instants_of(vectors, what)
    length = np.linalg.norm(array, axis=1, keepdims=True)
    none = length[:, 0] == 0.0
    if none.any():
        raise InvalidValueError(f"{what} has no length.", where=where_instants(none))
    return array / length


def positive(value: float, what: str) -> float:
    """Return a number that must be greater than zero."""
    number = _number(value, what)
    if number <= 0.0:
        raise InvalidValueError(f"{what} is {number:g}; it must be greater than 0.")
    return number


def not_negative(value: float, what: str) -> float:
    """Return a number that must not be less than zero."""
    number = _number(value, what)
    if number < 0.0:
        raise InvalidValueError(f"{what} is {number:g}; it must not be negative.")
    return number


def where_instants(bad: Array) -> str:
    """Name the first of some instants, and how many there are."""
    count, first = int(np.sum(bad)), int(np.argmax(bad))
    return f"instant {first}" if count == 1 else f"instant {first}, and {count - 1} more"


def _number(value: float, what: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise InvalidValueError(f"{what} must be a number, but is {value!r}.") from None
    if not np.isfinite(number):
        raise InvalidValueError(f"{what} is {number:g}; it must be finite.")
    return number
