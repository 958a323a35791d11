"""Building labelled results: every variable with its units, every vector with its axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr

import borelli.results.accessor  # noqa: F401 (results plot themselves)

AXES = ("x", "y", "z")


def labelled(
    dims: Sequence[str], values: np.ndarray, units: str, expressed_in: str | None = None, **attributes: Any
) -> xr.Variable:
    """Return an array with its dimensions, units and, for a vector, the axes it is expressed in."""
    attrs: dict[str, Any] = {"units": units}
    if expressed_in is not None:
        attrs["expressed_in"] = expressed_in
    return xr.Variable(tuple(dims), values, {**attrs, **attributes})


def time_axis(time: np.ndarray) -> xr.Variable:
    """Return time as a coordinate (s)."""
    return labelled(("time",), time, "s")
