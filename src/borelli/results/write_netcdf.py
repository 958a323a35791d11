"""A result as NetCDF, variable by variable: the same file as xarray's, in a third of the time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import xarray as xr

# Loaded where needed: netCDF4, which nobody else waits for.

_LARGE = 2**14
"""Numbers; smaller arrays are not worth compressing."""
_PLAIN = "fiubU"
"""Kinds of arrays that are written as they are: numbers, truth values and text."""
_OF_THE_FILE = ("coordinates", "_FillValue", "dtype", "missing_value", "scale_factor", "add_offset")
"""Attributes with a meaning of their own to xarray."""


def write_netcdf(result: xr.Dataset, path: Path) -> None:
    """Write a Dataset whose attributes are text and numbers alone.

    Dates and other arrays that NetCDF does not know are left to xarray, which translates or refuses them.
    """
    packed = _packing(result)
    if not _is_plain(result):
        result.to_netcdf(path, engine="netcdf4", encoding=packed)
        return
    # Loaded here: 0.1 s, which nobody waits for who writes no result.
    import netCDF4
    from xarray.backends.netCDF4_ import NETCDF4_PYTHON_LOCK

    named, alone = _coordinates(result)
    # The library is not safe in several threads; whoever reads or writes by xarray holds the same lock.
    with NETCDF4_PYTHON_LOCK, netCDF4.Dataset(path, "w", format="NETCDF4") as opened:
        file: Any = opened
        for dim, size in result.sizes.items():
            file.createDimension(dim, size)
        file.setncatts({**result.attrs, **({"coordinates": alone} if alone else {})})
        written = []
        for name, variable in result.variables.items():
            said = dict(variable.attrs)
            if name in named:
                said["coordinates"] = named[name]
            values = variable.values
            settings = packed.get(str(name), {})
            if values.dtype.kind == "f":
                settings["fill_value"] = np.nan
            elif values.dtype.kind == "b":
                said["dtype"], values = "bool", values.astype(np.int8)
            text = values.dtype.kind == "U"
            place = file.createVariable(name, str if text else values.dtype, variable.dims, **settings)
            place.set_auto_maskandscale(False)
            place.setncatts(said)
            written.append((place, values.astype(object) if text else values))
        for place, values in written:
            place[...] = values


def _is_plain(result: xr.Dataset) -> bool:
    """Whether nothing in a result has to be translated for NetCDF."""
    names = [*result.variables, *result.dims]
    return (
        all(isinstance(name, str) and name.isidentifier() for name in names)
        and all(each.dtype.kind in _PLAIN for each in result.variables.values())
        and not any(
            set(_OF_THE_FILE) & set(attributes)
            for attributes in (result.attrs, *(each.attrs for each in result.variables.values()))
        )
    )


def _coordinates(result: xr.Dataset) -> tuple[dict[Any, str], str]:
    """Names of the coordinates that are no dimensions: with each variable that has them, and those of none."""
    others = [name for name in result.coords if name not in result.dims]
    named = {}
    for name, variable in result.data_vars.items():
        own = [each for each in others if set(result.variables[each].dims) <= set(variable.dims)]
        if own:
            named[name] = " ".join(sorted(map(str, own)))
    told = {each for names in named.values() for each in names.split()}
    return named, " ".join(sorted(str(each) for each in others if each not in told))


def _packing(result: xr.Dataset) -> dict[str, dict[str, Any]]:
    """Compress large arrays, to the last bit: shares and moment arms are mostly zeros.

    Numbers that are no zeros pack better with their first bytes together, then the second ones; zeros do not.
    """
    return {
        str(name): {"zlib": True, "complevel": 1, "shuffle": bool(2 * np.count_nonzero(array) > array.size)}
        for name, array in result.variables.items()
        if array.size >= _LARGE and array.dtype.kind == "f"
    }
