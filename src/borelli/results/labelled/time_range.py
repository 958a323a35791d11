"""Part of a recording, from one time to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from borelli.arrays import plain_recording, two_numbers
from borelli.errors import InvalidValueError

if TYPE_CHECKING:
    import xarray as xr


def between(recording: xr.DataArray, first: float, last: float) -> xr.DataArray:
    """Return the instants of a recording from one time to another, both ends included.

    Parameters
    ----------
    recording : DataArray (time, ...)
        Markers or orientations.
    first, last : float
        s; each end is the instant nearest to it, as OpenSim's tools take it. May be infinite.

    Raises
    ------
    InvalidValueError
        If the range lies outside the recording.

    Examples
    --------
    >>> part = bo.between(bo.load_markers(walk.markers), 0.5, 1.0)  # s
    >>> part.sizes["time"]
    51
    """
    recording = plain_recording(recording, "the recording")
    ends = two_numbers((first, last), "the ends of the time range")
    return recording[rows_between(recording["time"].values, ends, "time range")]


def rows_between(time: np.ndarray, wanted: tuple[float, float], where: str) -> slice:
    """Return the rows of a time range as OpenSim takes them: nearest to its ends, of two the later.

    Raises
    ------
    InvalidValueError
        If the range lies outside the recording.
    """
    first, last = max(wanted[0], float(time[0])), min(wanted[1], float(time[-1]))
    if last < first:
        raise InvalidValueError(
            f"there is no data from {wanted[0]:g} s to {wanted[1]:g} s: the recording goes from {time[0]:g} s "
            f"to {time[-1]:g} s.",
            where=where,
            remedy="choose times within the recording",
        )

    def nearest(t: float) -> int:
        after = min(int(np.searchsorted(time, t)), len(time) - 1)
        before = max(after - 1, 0)
        return after if time[after] - t <= t - time[before] else before

    return slice(nearest(first), nearest(last) + 1)
