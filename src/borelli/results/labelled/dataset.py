"""Building labelled results: every variable with its units, every vector with its axes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from borelli.results.labelled.plain_result import PlainVariable
from borelli.results.labelled.plausible import refuse_absurd

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
    data: Mapping[Any, Any],
    coordinates: Mapping[Any, Any],
    attrs: Mapping[Any, Any] | None = None,
    *,
    looked_at: Collection[str] = (),
) -> xr.Dataset:
    """Return a Dataset that shows and plots itself.

    Numbers that no body has are refused, but in the variables that were ``looked_at`` before.
    """
    refuse_absurd({name: each for name, each in data.items() if name not in looked_at}, coordinates)
    return unchecked_dataset(data, coordinates, attrs)


def unchecked_dataset(
    data: Mapping[Any, Any], coordinates: Mapping[Any, Any], attrs: Mapping[Any, Any] | None = None
) -> xr.Dataset:
    """Return a Dataset of numbers that were looked at before."""
    import xarray as xr

    # Loaded here, because it needs xarray.
    import borelli.results.accessor  # noqa: F401 (results plot themselves)

    return xr.Dataset(data, coordinates, attrs)


def data_array(
    variable: PlainVariable,
    coordinates: Mapping[Any, Any],
    name: str | None = None,
    *,
    looked_at: bool = False,
) -> xr.DataArray:
    """Return an array with its labels; numbers that no body has are refused, unless they were ``looked_at`` before."""
    if not looked_at:
        refuse_absurd({name or "the answer": variable}, coordinates)
    import xarray as xr

    return xr.DataArray(xr.Variable(*variable), coordinates, name=name)
