"""The tables of a result folder: shares in one long Parquet table, curves in one CSV table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from borelli.results.arrow_arrays import numbers, texts
from borelli.results.output import SOURCE, curves, outputs
from borelli.results.plain_result import PlainResult, Result, labels

# Loaded where needed: pyarrow, which is slow to load, and most calls do without.

_ROWS_AT_ONCE = 2**17
DRAWING = "drawing"
"""Value of the attribute ``role`` of a variable that only a picture needs."""


def has_shares(result: Result) -> bool:
    """Whether any variable is split by source."""
    return any({"time", SOURCE} <= set(result.variables[str(name)].dims) for name in result.data_vars)


def write_shares(result: Result, path: Path) -> None:
    """Write every share as a row: ``time``, ``output``, ``source``, ``value``, ``unit``.

    A few outputs at a time, so that memory does not grow with their number.
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
    times = np.asarray(result.variables["time"].values, dtype=float)
    sources = labels(result, SOURCE).names
    rows = len(times) * len(sources)
    known = outputs(result)
    units = list(dict.fromkeys(output.unit for output in known))
    named = [name for name in schema.names if name != "value"]
    # Hardly two shares are the same: no list of their values; nobody looks for a range of them either.
    with pq.ParquetWriter(path, schema, use_dictionary=named, write_statistics=["time", "output"]) as writer:
        step = max(1, _ROWS_AT_ONCE // max(rows, 1))
        for part in (known[start : start + step] for start in range(0, len(known), step)):
            of = np.repeat(np.arange(len(part), dtype=np.int32), rows)
            unit = np.array([units.index(output.unit) for output in part], dtype=np.int32)
            own = np.tile(np.arange(len(sources), dtype=np.int32), len(times) * len(part))
            columns = [
                numbers(np.tile(np.repeat(times, len(sources)), len(part))),
                pa.DictionaryArray.from_arrays(numbers(of), texts([output.name for output in part])),
                pa.DictionaryArray.from_arrays(numbers(own), texts(sources)),
                numbers(np.concatenate([output.shares(result).ravel() for output in part])),
                pa.DictionaryArray.from_arrays(numbers(unit[of]), texts(units)),
            ]
            writer.write_table(pa.table(columns, schema=schema))


def write_totals(result: Result, path: Path) -> None:
    """Write every curve over time that is not split by source, a column each: ``knee_torque [N m]``."""
    import pyarrow as pa
    from pyarrow import csv

    names, columns = ["time [s]"], [numbers(np.asarray(result.variables["time"].values, dtype=float))]
    for name, curve in total_columns(result):
        names.append(name)
        columns.append(numbers(curve))
    csv.write_csv(pa.table(columns, names=names), path)


def total_columns(result: Result) -> list[tuple[str, np.ndarray]]:
    """Return name with unit, and values (n_times,), of every curve that is not split by source.

    What is there for a drawing alone (attribute ``role``) is left out, and so are curves that are zero throughout
    of a variable that is mostly zeros (attribute ``sparse``).
    """
    if not isinstance(result, PlainResult):
        return list(_total_columns(result))
    if "total columns" not in result.found:
        result.found["total columns"] = list(_total_columns(result))
    return list(result.found["total columns"])


def _total_columns(result: Result) -> Iterator[tuple[str, np.ndarray]]:
    for variable in map(str, result.data_vars):
        array = result.variables[variable]
        if "time" not in array.dims or SOURCE in array.dims or array.attrs.get("role") == DRAWING:
            continue
        values = np.moveaxis(array.values, array.dims.index("time"), 0)
        flat = values.reshape(len(values), int(np.prod(values.shape[1:]))).T
        told = np.ones(len(flat), dtype=bool)
        if array.attrs.get("sparse"):
            told = ((flat != 0.0) & ~np.isnan(flat)).any(axis=1)
        for curve, column, is_told in zip(curves(result, variable), flat, told, strict=True):
            if is_told:
                yield f"{curve.name} [{curve.unit}]" if curve.unit else curve.name, column
