"""Trials in which the subject stands still, one or several."""

from __future__ import annotations

from collections.abc import Iterable

import xarray as xr

from borelli.arrays import plain_recording
from borelli.errors import MissingInputError


def static_trials(given: xr.DataArray | Iterable[xr.DataArray]) -> list[xr.DataArray]:
    """Return recordings of markers that were given, one or several, as a list; refuse none at all."""
    trials = [given] if isinstance(given, xr.DataArray) else list(given)
    if not trials:
        raise MissingInputError("No static trial was given.", remedy="give markers of a static trial")
    return [plain_recording(trial, "the static trial") for trial in trials]
