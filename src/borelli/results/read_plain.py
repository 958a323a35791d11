"""Saved results read as arrays and labels, without xarray."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from borelli.errors import FileFormatError
from borelli.results.attributes import decoded
from borelli.results.memory_bound import bounded_memory, to_open, to_read
from borelli.results.plain_result import PlainResult, PlainVariable
from borelli.results.record import DAMAGED, DATA, is_as_listed, load_record

# Loaded where needed: netCDF4, which nobody else waits for.

_OF_THE_FILE = ("coordinates", "_FillValue", "dtype")
"""Attributes that xarray writes for itself."""
_REFERENCE = 8
"""Bytes of a reference to a label"""


def read_plain(folder: str | os.PathLike[str]) -> PlainResult:
    """Read a result folder; the same as :func:`~borelli.results.save.load_result` without the labels.

    Raises
    ------
    MissingInputError
        If there is no such folder, or it is not a result folder.
    FileFormatError
        If a file in it is damaged, or was written by a newer Borelli.
    """
    place = Path(folder)
    check_data(place)
    # Refused by the library, or of a shape that no result has: damaged, though its hash is that of the record.
    try:
        return _read(place / DATA)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RuntimeError, MemoryError) as error:
        raise cannot_be_read(place, error) from error


def check_data(place: Path) -> None:
    """Refuse a result folder whose data are not what was saved."""
    data, record = place / DATA, load_record(place)
    # Nothing but what was saved goes to the HDF5 library, which damaged files can bring down.
    if not is_as_listed(data, record["files"].get(DATA, {})):
        state = "is not what was saved" if data.is_file() else "is missing"
        raise FileFormatError(f"The result is damaged: {DATA!r} {state}.", where=str(place), remedy=DAMAGED)


def cannot_be_read(place: Path, error: Exception) -> FileFormatError:
    """Build the error of a folder whose data have the right hash, and are no result."""
    return FileFormatError(
        f"The result is damaged: {DATA!r} cannot be read ({error}).", where=str(place), remedy=DAMAGED
    )


def _read(path: Path) -> PlainResult:
    import netCDF4

    with contextlib.ExitStack() as opened:
        with bounded_memory(to_open(path)):
            stored = opened.enter_context(netCDF4.Dataset(path))
        opened.enter_context(bounded_memory(to_read(path, _declared(stored))))
        stored.set_auto_maskandscale(False)
        said = {
            name: {key: each.getncattr(key) for key in each.ncattrs()}
            for name, each in stored.variables.items()
        }
        own = {key: stored.getncattr(key) for key in stored.ncattrs()}
        coordinates = {
            name for each in (own, *said.values()) for name in str(each.get("coordinates", "")).split()
        }
        coordinates |= set(stored.dimensions)
        variables = {
            name: PlainVariable(tuple(each.dimensions), _values(each, said[name]), _decoded(said[name]))
            for name, each in stored.variables.items()
        }
    return PlainResult(variables, tuple(name for name in variables if name not in coordinates), _decoded(own))


def _declared(stored: Any) -> int:
    """Return the bytes of all arrays, by the shapes that a file states; labels count as references."""
    return sum(
        math.prod(map(int, each.shape)) * getattr(each.dtype, "itemsize", _REFERENCE)
        for each in stored.variables.values()
    )


def _decoded(attributes: Mapping[str, Any]) -> dict[Hashable, Any]:
    return decoded({key: value for key, value in attributes.items() if key not in _OF_THE_FILE})


def _values(variable: Any, said: Mapping[str, Any]) -> np.ndarray:
    values = np.asarray(variable[...])
    return values.astype(bool) if said.get("dtype") == "bool" else values
