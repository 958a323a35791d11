"""The tables of a result folder: shares in one long Parquet table, curves in one CSV table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import xarray as xr

from borelli.results.output import SOURCE, curves, outputs

# Loaded where needed: pyarrow, which is slow to load, and most calls do without.

DRAWING = "drawing"
"""Value of the attribute ``role`` of a variable that only a picture needs."""


def has_shares(result: xr.Dataset) -> bool:
    """Whether any variable is split by source."""
    return any({"time", SOURCE} <= set(variable.dims) for variable in result.data_vars.values())


def write_shares(result: xr.Dataset, path: Path) -> None:
    """Write every share as a row: ``time``, ``output``, ``source``, ``value``, ``unit``.

    One output at a time, so that memory does not grow with their number.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    label = pa.dictionary(pa.int32(), pa.string())
    schema = pa.schema(
        [
            ("time", pa.float64()),
            ("output", label),
            ("source", label),
            ("value", pa.float64()),
            ("unit", label),
        ]
    )
    times = np.asarray(result["time"].values, dtype=float)
    sources = [str(name) for name in result[SOURCE].values]
    rows = len(times) * len(sources)
    which_source = pa.DictionaryArray.from_arrays(
        np.tile(np.arange(len(sources), dtype=np.int32), len(times)), sources
    )
    repeated = np.zeros(rows, dtype=np.int32)
    with pq.ParquetWriter(path, schema) as writer:
        for output in outputs(result):
            columns = [
                np.repeat(times, len(sources)),
                pa.DictionaryArray.from_arrays(repeated, [output.name]),
                which_source,
                output.shares(result).ravel(),
                pa.DictionaryArray.from_arrays(repeated, [output.unit]),
            ]
            writer.write_table(pa.table(columns, schema=schema))


def write_totals(result: xr.Dataset, path: Path) -> None:
    """Write every curve over time that is not split by source, a column each: ``knee_torque [N m]``."""
    import pyarrow as pa
    from pyarrow import csv

    names, columns = ["time [s]"], [np.asarray(result["time"].values, dtype=float)]
    for name, curve in total_columns(result):
        names.append(name)
        columns.append(np.ascontiguousarray(curve))
    csv.write_csv(pa.table(columns, names=names), path)


def total_columns(result: xr.Dataset) -> Iterator[tuple[str, np.ndarray]]:
    """Yield name with unit, and values (n_times,), of every curve that is not split by source.

    What is there for a drawing alone (attribute ``role``) is left out, and so are curves that are zero throughout
    of a variable that is mostly zeros (attribute ``sparse``).
    """
    for variable in map(str, result.data_vars):
        array = result[variable]
        if "time" not in array.dims or SOURCE in array.dims or array.attrs.get("role") == DRAWING:
            continue
        values = array.transpose("time", ...).values
        flat = values.reshape(len(values), int(np.prod(values.shape[1:]))).T
        for curve, column in zip(curves(result, variable), flat, strict=True):
            if not array.attrs.get("sparse") or np.nan_to_num(column).any():
                yield f"{curve.name} [{curve.unit}]" if curve.unit else curve.name, column
