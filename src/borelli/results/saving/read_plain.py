"""Saved results read as arrays and labels, without xarray."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from borelli.errors import FileFormatError
from borelli.results.labelled.plain_result import PlainResult, PlainVariable
from borelli.results.saving.attributes import decoded
from borelli.results.saving.classic_netcdf import NetcdfFile, NetcdfVariable, NotClassicError, read_classic
from borelli.results.saving.gathered import scattered
from borelli.results.saving.manifest import DAMAGED, DATA, is_as_listed, load_manifest
from borelli.results.saving.write_netcdf import CODED, DTYPE, EMPTY, ENCODING, own_name

_OF_THE_FILE = ("coordinates", "_FillValue", "dtype", DTYPE, EMPTY, CODED, *ENCODING)
"""Attributes that belong to the file, not to the result."""


def read_plain(folder: str | os.PathLike[str]) -> PlainResult:
    """Read a result folder; the same as :func:`~borelli.results.saving.save.load_result` without the labels.

    Raises
    ------
    MissingInputError
        If there is no such folder, or it is not a result folder.
    FileFormatError
        If a file in it is damaged, or was written by another version of Borelli.
    """
    place = Path(folder)
    _check_data(place)
    # Of a shape that no result has: damaged, though its hash is that of the manifest.
    try:
        return _plain(read_classic(place / DATA), (place / DATA).stat().st_size)
    except NotClassicError as error:
        raise FileFormatError(
            f"{DATA!r} is HDF5, as an earlier Borelli wrote it; this one does not read that.",
            where=str(place),
            remedy="run the analysis again: the same command writes the result anew",
        ) from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError, MemoryError, RecursionError) as error:
        raise cannot_be_read(place, error) from error


def cannot_be_read(place: Path, error: Exception) -> FileFormatError:
    """Build the error of a folder whose data have the right hash, and are no result."""
    return FileFormatError(
        f"The result is damaged: {DATA!r} cannot be read ({error}).", where=str(place), remedy=DAMAGED
    )


def _check_data(place: Path) -> None:
    """Refuse a result folder whose data are not what was saved."""
    data, manifest = place / DATA, load_manifest(place)
    if not is_as_listed(data, manifest["files"].get(DATA, {})):
        state = "is not what was saved" if data.is_file() else "is missing"
        raise FileFormatError(f"The result is damaged: {DATA!r} {state}.", where=str(place), remedy=DAMAGED)


def _plain(file: NetcdfFile, n_bytes: int) -> PlainResult:
    stored = scattered(dict(file.variables), n_bytes)
    said = {name: each.attrs for name, each in stored.items()}
    variables = {name: _decoded(each) for name, each in stored.items()}
    for name, (dims, shape, kind, attributes) in json.loads(file.attrs.get(EMPTY, "{}")).items():
        dtype = np.dtype(kind)
        if math.prod(shape) != 0 or dtype.hasobject:
            raise ValueError(f"variable {name!r} is not empty")
        said[name] = attributes
        variables[name] = PlainVariable(tuple(dims), np.empty(shape, dtype), _own(attributes))
    coordinates = {
        name for each in (file.attrs, *said.values()) for name in str(each.get("coordinates", "")).split()
    }
    coordinates |= {dim for each in variables.values() for dim in each.dims}
    data = tuple(name for name in variables if name not in coordinates)
    return PlainResult(variables, data, {**_own(file.attrs), **({CODED: 1} if CODED in file.attrs else {})})


def _decoded(variable: NetcdfVariable) -> PlainVariable:
    """Return a variable as it was before it was written."""
    dims, values, said = variable
    if values.dtype.kind == "S":
        width = values.shape[-1]
        packed = np.ascontiguousarray(values).view(f"S{width}").reshape(values.shape[:-1])
        return PlainVariable(dims[:-1], np.char.decode(packed, "utf-8"), _own(said))
    if said.get("dtype") == "bool":
        values = values.astype(bool)
    elif DTYPE in said:
        values = values.astype(np.dtype(said[DTYPE]))
    return PlainVariable(dims, values, _own(said))


def _own(attributes: Mapping[str, Any]) -> dict[Hashable, Any]:
    return decoded({own_name(key): value for key, value in attributes.items() if key not in _OF_THE_FILE})
