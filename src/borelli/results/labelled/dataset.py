"""Building labelled results: every variable with its units, every vector with its axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from borelli.results.labelled.plain_result import PlainVariable

if TYPE_CHECKING:
    import xarray as xr

# Loaded where needed: xarray, which is slow to load.

AXES = ("x", "y", "z")


def labelled(
    dims: Sequence[str], values: np.ndarray, units: str, expressed_in: str | None = None, **attributes: Any
) -> PlainVariable:
    """Return an array with its dimensions, units and, for a vector, the axes it is expressed in."""
    attrs: dict[str, Any] = {"units": units}
    if expressed_in is not None:
        attrs["expressed_in"] = expressed_in
    return PlainVariable(tuple(dims), np.asarray(values), {**attrs, **attributes})


def time_axis(time: np.ndarray) -> PlainVariable:
    """Return time as a coordinate (s)."""
    return labelled(("time",), time, "s")


def dataset(
    data: Mapping[Any, Any], coordinates: Mapping[Any, Any], attrs: Mapping[Any, Any] | None = None
) -> xr.Dataset:
    """Return a Dataset that shows and plots itself."""
    import xarray as xr

    # Loaded here, because it needs xarray.
    import borelli.results.accessor  # noqa: F401 (results plot themselves)

    return xr.Dataset(data, coordinates, attrs)


def data_array(
    variable: PlainVariable, coordinates: Mapping[Any, Any], name: str | None = None
) -> xr.DataArray:
    """Return an array with its labels."""
    import xarray as xr

    return xr.DataArray(xr.Variable(*variable), coordinates, name=name)
