"""Checks that every planar input passes, and the messages when it does not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from borelli.arrays import FARTHEST, plain_numbers
from borelli.errors import DuplicateNameError, InvalidValueError, ShapeError

# Real or complex: a planar vector is one complex number inside (see pose).
Array = NDArray[Any]
_LARGEST = 1e75
"""Products of four such numbers are no numbers. Integrators try absurd steps, and take shorter ones: let them pass."""


def finite(value: ArrayLike, what: str, where: str) -> Array:
    """Return the value as floats, refusing text, NaN, infinity and numbers that no body has."""
    try:
        array = plain_numbers(value, what)
    except InvalidValueError as error:
        raise InvalidValueError(
            f"{what} is not a number or an array of numbers.", where=where, remedy="give numbers in SI units"
        ) from error
    if not np.all(np.isfinite(array)):
        place = tuple(int(index) for index in np.argwhere(~np.isfinite(array))[0])
        at = f", first at index {place}" if array.ndim else ""
        raise InvalidValueError(
            f"{what} holds NaN or infinity{at}.",
            where=where,
            remedy="remove the instant or fill the gap before the analysis",
        )
    return plausible(array, what, where, _LARGEST)


def scalar(
    value: Any, what: str, where: str, *, above: float | None = None, least: float | None = None
) -> float:
    """Return one finite number within its bounds."""
    array = finite(value, what, where)
    if array.ndim:
        raise ShapeError(
            f"{what} must be one number, not an array of shape {array.shape}.",
            where=where,
            remedy="give a number",
        )
    number = float(plausible(array, what, where))
    if above is not None and not number > above:
        raise InvalidValueError(f"{what} is {number:g}; it must be greater than {above:g}.", where=where)
    if least is not None and not number >= least:
        raise InvalidValueError(f"{what} is {number:g}; it must be at least {least:g}.", where=where)
    return number


def pair(value: ArrayLike, what: str, where: str) -> tuple[float, float]:
    """Return a planar vector (x, y)."""
    array = finite(value, what, where)
    if array.shape != (2,):
        raise ShapeError(
            f"{what} must be a planar vector (x, y), not of shape {array.shape}.",
            where=where,
            remedy="give two numbers",
        )
    plausible(array, what, where)
    return float(array[0]), float(array[1])


def plausible(array: Array, what: str, where: str, largest: float = FARTHEST) -> Array:
    """Return numbers that describe a body as they are, refusing those beyond any body's."""
    size = np.abs(array)
    if size.size and size.max() > largest:
        raise InvalidValueError(
            f"{what} reaches {array.flat[size.argmax()]:.1e}, which is not plausible for a body.",
            where=where,
            remedy="look for a damaged number or a wrong unit",
        )
    return array


def name(value: Any, kind: str) -> str:
    """Return a name: text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise InvalidValueError(
            f"A {kind} needs a name, not {value!r}.", remedy=f"give the {kind} a short text as name"
        )
    return value


def unique(names: Iterable[str], kind: str, where: str) -> None:
    """Refuse two things of one kind with one name."""
    seen: set[str] = set()
    for each in names:
        if each in seen:
            raise DuplicateNameError(
                f"Two {kind}s are named {each!r}.", where=where, remedy="give each its own name"
            )
        seen.add(each)


def series(value: ArrayLike, shape: Sequence[int], n_times: int, what: str, where: str) -> Array:
    """Return an array of shape (n_times, *shape), repeating a constant over the instants.

    A value of shape `shape` is taken as constant in time.
    """
    array = finite(value, what, where)
    wanted = (n_times, *shape)
    if array.shape == tuple(shape):
        return np.broadcast_to(array, wanted)
    if array.shape != wanted:
        constant = f"{tuple(shape)} (constant) or " if shape else "one number (constant) or "
        raise ShapeError(
            f"{what} has shape {array.shape}; it must be {constant}{wanted} (one row per instant).",
            where=where,
            remedy="give one row for each time of the motion",
        )
    return array
