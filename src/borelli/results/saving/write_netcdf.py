"""A result as NetCDF: texts become bytes, truth values and counts small integers, as xarray would write them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from borelli.errors import InvalidValueError
from borelli.results.labelled.plain_result import PlainResult, PlainVariable
from borelli.results.saving.classic_netcdf import NetcdfFile, NetcdfVariable, write_classic
from borelli.results.saving.gathered import gathered

EMPTY = "borelli_empty_variables"
"""Attribute with all variables that have no values: the format has no dimension of length zero."""
CODED = "borelli_coded_by_xarray"
"""Attribute of a file with dates or other arrays that xarray has translated into numbers."""
DTYPE = "borelli_dtype"
"""Attribute of integers that were of another size."""
ENCODING = {"_Encoding": "utf-8"}
"""What xarray writes beside texts, and looks for."""
_PREFIX = "borelli_"
_TAKEN = ("variables", "dimensions", "filename", "mode", "fp", "use_mmap", "version_byte", "maskandscale")
_TAKEN_OF_ARRAYS = ("data", "dimensions", "shape", "itemsize", "typecode", "isrec", "maskandscale")
"""Attributes that SciPy's reader takes for its own: they get a prefix in the file."""
_PLAIN = "fiubU"
"""Kinds of arrays that need no translation: numbers, truth values and text."""
_OF_THE_FILE = (
    "coordinates",
    "_FillValue",
    "dtype",
    "missing_value",
    "scale_factor",
    "add_offset",
    "_Encoding",
)
"""Attributes with a meaning of their own to xarray."""


def write_netcdf(result: PlainResult, path: Path) -> None:
    """Write a result whose attributes are text and numbers alone."""
    said = dict(result.attrs)
    variables = result.variables
    if not _is_plain(result):
        variables, said = _translated(variables, said)
        said[CODED] = 1
    named, alone = _coordinates(result)
    if alone:
        said["coordinates"] = alone
    written: dict[str, NetcdfVariable] = {}
    empty: dict[str, Any] = {}
    for name, variable in variables.items():
        attributes = _renamed(variable.attrs, _TAKEN_OF_ARRAYS)
        if name in named:
            attributes["coordinates"] = named[name]
        coded, values = _coded(name, variable.dims, variable.values, attributes), variable.values
        if coded.values.size:
            written |= gathered(name, coded) or {name: coded}
        else:
            empty[name] = [list(variable.dims), values.shape, values.dtype.str, attributes]
    if empty:
        said[EMPTY] = json.dumps(empty)
    write_classic(NetcdfFile(written, _renamed(said, _TAKEN)), path)


def _translated(
    variables: Mapping[str, PlainVariable], said: dict[str, Any]
) -> tuple[dict[str, PlainVariable], dict[str, Any]]:
    """Return variables and attributes with dates, and what else NetCDF does not have, as xarray writes them."""
    # Loaded here: few results have dates.
    import xarray as xr
    from xarray.conventions import cf_encoder

    coded, attributes = cf_encoder({name: xr.Variable(*each) for name, each in variables.items()}, said)
    return {
        name: PlainVariable(each.dims, each.values, each.attrs) for name, each in coded.items()
    }, attributes


def _renamed(attributes: Mapping[Any, Any], taken: tuple[str, ...]) -> dict[str, Any]:
    return {f"{_PREFIX}{key}" if key in taken else str(key): value for key, value in attributes.items()}


def own_name(attribute: str) -> str:
    """Return the name that an attribute has in a result, by its name in the file."""
    bare = attribute.removeprefix(_PREFIX)
    return bare if bare in _TAKEN + _TAKEN_OF_ARRAYS else attribute


def _coded(name: str, dims: tuple[str, ...], values: np.ndarray, said: dict[str, Any]) -> NetcdfVariable:
    """Return a variable of a type that the format has."""
    kind = values.dtype.kind
    if kind == "b":
        return NetcdfVariable(dims, values.astype(np.int8), {**said, "dtype": "bool"})
    if kind in "iu":
        small = np.can_cast(values.dtype, np.int32) or (
            values.size and abs(int(values.min())) < 2**31 and int(values.max()) < 2**31
        )
        if values.dtype == np.int32 or not small:
            return NetcdfVariable(dims, values, said)
        return NetcdfVariable(dims, values.astype(np.int32), {**said, DTYPE: values.dtype.str})
    if kind == "f" and values.dtype.itemsize in (4, 8):
        return NetcdfVariable(dims, values, {"_FillValue": values.dtype.type(np.nan), **said})
    if kind in "UO" and all(isinstance(each, str) for each in values.ravel().tolist()):
        return _as_bytes(dims, values, said)
    raise InvalidValueError(
        f"Variable {name!r} is of type {values.dtype}, which NetCDF does not have.",
        remedy="give numbers of 32 or 64 bits, texts, truth values or dates",
    )


def _as_bytes(dims: tuple[str, ...], texts: np.ndarray, said: dict[str, Any]) -> NetcdfVariable:
    """Return texts as single bytes, with the place in the text as one more dimension."""
    coded = np.char.encode(texts.astype(str), "utf-8") if texts.size else np.empty(texts.shape, "S1")
    width = max(1, coded.dtype.itemsize)
    letters = np.ascontiguousarray(coded.astype(f"S{width}")).view("S1").reshape(*texts.shape, width)
    return NetcdfVariable((*dims, f"string{width}"), letters, {**said, **ENCODING})


def _is_plain(result: PlainResult) -> bool:
    """Whether nothing in a result has to be translated for NetCDF."""
    return all(each.values.dtype.kind in _PLAIN for each in result.variables.values()) and not any(
        set(_OF_THE_FILE) & set(attributes)
        for attributes in (result.attrs, *(each.attrs for each in result.variables.values()))
    )


def _coordinates(result: PlainResult) -> tuple[dict[str, str], str]:
    """Names of the coordinates that are no dimensions: with each variable that has them, and those of none."""
    others = [name for name in result.variables if name not in (*result.data_vars, *result.sizes)]
    named = {}
    for name in result.data_vars:
        dims = set(result[name].dims)
        own = [each for each in others if set(result[each].dims) <= dims]
        if own:
            named[name] = " ".join(sorted(own))
    told = {each for names in named.values() for each in names.split()}
    return named, " ".join(sorted(each for each in others if each not in told))
