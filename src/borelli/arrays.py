"""Arrays that users hand over: what looks like numbers to NumPy and is none, is not taken for numbers.

NumPy turns a duration into its count of nanoseconds, drops the mask of a masked array and the imaginary part of a
complex one, all without a word.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from borelli.errors import InvalidValueError, ShapeError, UnknownNameError

if TYPE_CHECKING:
    import xarray as xr


Choice = TypeVar("Choice", bound=Enum)
FARTHEST = 1e12
"""Beyond this nothing about a body is real, whatever its SI unit; products of such numbers soon are none."""
FARTHEST_COORDINATE = 1e9
"""The same for a coordinate: an angle beyond it is known to a ten-millionth of a radian at best."""
# So many numbers stay in a processor's cache from one look to the next, and are worth a call.
_AT_ONCE = 1 << 16


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
    found = _in_seconds(_array(values, what), what)
    if not all_plausible(found) and np.fmax.reduce(np.abs(found), axis=None, initial=0.0) > FARTHEST:
        raise InvalidValueError(
            f"{what} reaches {np.nanmax(np.abs(found)):.1e} s, thousands of years.",
            remedy="give seconds; look for a damaged number or a wrong unit, such as nanoseconds",
        )
    return found


def _in_seconds(array: np.ndarray, what: str) -> np.ndarray:
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


def plain_recording(recording: Any, what: str) -> xr.DataArray:
    """Return a recording, a DataArray over time, whose values are floats and whose times are seconds.

    Raises
    ------
    ShapeError
        If it is no DataArray over time.
    InvalidValueError
        If its values are no numbers, or its times dates.
    """
    if "time" not in getattr(recording, "dims", ()) or "time" not in recording.coords:
        raise ShapeError(
            f"{what} must be a DataArray with times along 'time', not {getattr(recording, 'dims', type(recording))}.",
            remedy="bo.load_markers reads .trc and .c3d files",
        )
    here: xr.DataArray = recording
    if here.dtype != float:
        here = here.copy(data=plain_numbers(here.values, what))
    if not all_plausible(here.values):
        here = _without_infinity(here, what)
    if here["time"].dtype != float:
        # The index, not its values: those of a time with a zone are plain counts.
        index = here.indexes["time"] if "time" in here.indexes else here["time"].values
        here = here.assign_coords(time=("time", seconds(index, f"the times of {what}")))
    return here


def all_plausible(values: np.ndarray, limit: float = FARTHEST) -> bool:
    """Whether all numbers are known and may be those of a body; quickly, as nearly always.

    Parameters
    ----------
    limit : float
        The largest magnitude that is plausible.
    """
    if not values.size:
        return True
    if values.ndim and values.strides[0] == 0:
        # One row that stands for all instants.
        values = values[:1]
    if values.flags.c_contiguous or values.flags.f_contiguous:
        flat = values.ravel(order="K")
        pieces = (flat[start : start + _AT_ONCE] for start in range(0, flat.size, _AT_ONCE))
        return all(_within(piece, limit) for piece in pieces)
    return _within(values, limit)


def _within(values: np.ndarray, limit: float) -> bool:
    # Two passes without a temporary array. NaN among them is the least and the largest, and nothing is below it.
    return bool(values.min() >= -limit and values.max() <= limit)


def _without_infinity(recording: xr.DataArray, what: str) -> xr.DataArray:
    """Return a recording in which infinity is as unknown as NaN; refuse what is not plausible."""
    size = np.abs(recording.values)
    beyond = (size > FARTHEST) & (size < np.inf)
    if beyond.any():
        raise InvalidValueError(
            f"{what} reach {recording.values[beyond][0]:.1e}, which is not plausible.",
            remedy="look for a damaged number or a wrong unit; NaN marks what is not known",
        )
    return recording.where(np.isfinite(recording.values)) if np.isinf(size).any() else recording


def curve_of(values: Any, n_times: int, what: str) -> np.ndarray:
    """Return one number for each instant, (n_times,); a single number stands for all."""
    curve = plain_numbers(values, what)
    if curve.shape not in ((), (n_times,)):
        raise ShapeError(
            f"{what} needs one number for each of the {n_times} instants, but has the shape {curve.shape}."
        )
    return np.broadcast_to(curve, (n_times,))


def one_number(value: Any, what: str) -> float:
    """Return a single finite number that a body can have."""
    found = plain_numbers(value, what)
    if isinstance(value, str | bytes) or found.shape != () or not np.isfinite(found):
        raise InvalidValueError(f"{what} must be a finite number, not {value!r}.")
    if abs(found) > FARTHEST:
        raise InvalidValueError(
            f"{what} is {float(found):.1e}, which is not plausible.",
            remedy="look for a damaged number or a wrong unit",
        )
    return float(found)


def listed(names: Iterable[str] | str | None) -> tuple[str, ...] | None:
    """Return one name or several as a tuple; None for all."""
    if names is None:
        return None
    return (names,) if isinstance(names, str) else tuple(names)


def chosen(value: Any, choices: type[Choice], what: str) -> Choice:
    """Return a choice that was given by itself or by its name.

    Raises
    ------
    UnknownNameError
        If there is no such choice.
    """
    names = [choice.value for choice in choices]
    if not isinstance(value, choices) and not (isinstance(value, str) and value in names):
        raise UnknownNameError.among(str(value)[:40], what, names, where=f"argument {what}")
    return choices(value)


def two_numbers(values: Any, what: str) -> tuple[float, float]:
    """Return a lower and an upper end, which may be infinite."""
    found = plain_numbers(values, what)
    if found.shape != (2,) or np.isnan(found).any():
        raise InvalidValueError(f"{what} must be two numbers, not {values!r}.")
    return float(found[0]), float(found[1])


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
    if array.dtype.kind == "c" or _first(array, complex):
        raise InvalidValueError(f"{what} must be real numbers, not complex ones.")
    if array.dtype.kind == "V":
        raise InvalidValueError(f"{what} must be an array of numbers, not of records.")
    try:
        return np.asarray(array, dtype=float)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidValueError(f"{what} must be an array of numbers: {error}.") from None


def unit_rows(vectors: np.ndarray) -> np.ndarray:
    """Directions of vectors, (n, n_axes); zero where they have none."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 0.0)
