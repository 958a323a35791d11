"""The tables of a result folder: shares in one long Parquet table, curves in one CSV table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from borelli.results.labelled.plain_result import Result, labels
from borelli.results.outputs.output import SOURCE, outputs
from borelli.results.outputs.totals import total_columns
from borelli.results.saving.arrow_arrays import LINE_END, number_rows, numbers, texts

# Loaded where needed: pyarrow, which is slow to load, and most calls do without.

# Rows of 28 bytes: two megabytes at a time, so that memory does not grow with the number of outputs.
_ROWS_AT_ONCE = 2**16
# As many as Parquet puts into a page: it then looks once for each whether the page is full.
_ROWS_OF_A_PAGE = 20_000
# Of longer columns, Arrow writes a table as quickly as a single column of all its numbers.
_SHORT_COLUMNS = 500


def write_shares(result: Result, path: Path) -> None:
    """Write every share as a row: ``time``, ``output``, ``source``, ``value``, ``unit``.

    What a source has no part in throughout is left out: most muscles do nothing for most outputs. A few outputs at a
    time, so that memory does not grow with their number.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    label = pa.dictionary(pa.int32(), pa.string())
    kinds = {"time": pa.float64(), "output": label, "source": label, "value": pa.float64(), "unit": label}
    # Never without a value: a quarter of the time goes into looking which rows have one.
    schema = pa.schema([pa.field(name, kind, nullable=False) for name, kind in kinds.items()])
    named = [name for name in schema.names if name != "value"]
    # Hardly two shares are the same: no list of their values. Readers skip parts by the outputs in them; of times
    # each part has all, and nobody looks for a range of shares.
    with pq.ParquetWriter(
        path,
        schema,
        use_dictionary=named,
        write_statistics=["output"],
        write_batch_size=_ROWS_OF_A_PAGE,
    ) as writer:
        for part in _share_parts(result):
            writer.write_table(pa.table(part, schema=schema))


def _share_parts(result: Result) -> Iterator[list[Any]]:
    """Yield the columns of some outputs after the others, each some ten thousand rows or those of one output."""
    import pyarrow as pa

    times = np.asarray(result.variables["time"].values, dtype=float)
    sources = texts(labels(result, SOURCE).names)
    known = outputs(result)
    heard = [output.heard(result).astype(np.int32) for output in known]
    units = list(dict.fromkeys(output.unit for output in known))
    for part in _spans([len(own) * len(times) for own in heard]):
        counts = [len(own) * len(times) for own in heard[part]]
        own_units = [units.index(output.unit) for output in known[part]]
        values = [output.shares(result)[:, own] for output, own in zip(known[part], heard[part], strict=True)]
        columns = [
            [np.repeat(times, len(own)) for own in heard[part]],
            [np.repeat(np.arange(len(counts), dtype=np.int32), counts)],
            [np.tile(own, len(times)) for own in heard[part]],
            [own.ravel() for own in values],
            [np.repeat(np.array(own_units, dtype=np.int32), counts)],
        ]
        time, output, source, value, unit = (numbers(np.concatenate(each)) for each in columns)
        yield [
            time,
            pa.DictionaryArray.from_arrays(output, texts([each.name for each in known[part]])),
            pa.DictionaryArray.from_arrays(source, sources),
            value,
            pa.DictionaryArray.from_arrays(unit, texts(units)),
        ]


def _spans(counts: list[int]) -> Iterator[slice]:
    """Yield outputs that have about as many rows together as are written at once."""
    start, rows = 0, 0
    for place, count in enumerate(counts):
        if rows and rows + count > _ROWS_AT_ONCE:
            yield slice(start, place)
            start, rows = place, 0
        rows += count
    if rows:
        yield slice(start, len(counts))


def write_totals(result: Result, path: Path) -> None:
    """Write every curve over time that is not split by source, a column each: ``knee_torque [N m]``."""
    import pyarrow as pa
    from pyarrow import csv

    found = [("time [s]", np.asarray(result.variables["time"].values, dtype=float)), *total_columns(result)]
    names, columns = [name for name, _ in found], [curve for _, curve in found]
    # Whole numbers and truth values are written as such, which takes a table of many columns.
    if len(columns[0]) > _SHORT_COLUMNS or any(curve.dtype != np.float64 for curve in columns):
        csv.write_csv(pa.table([numbers(curve) for curve in columns], names=names), path)
        return
    separators = np.full(len(names), ord(","), dtype=np.uint8)
    separators[-1] = LINE_END
    with path.open("wb") as stream:
        stream.write((",".join(_quoted(name) for name in names) + "\n").encode("utf-8"))
        stream.write(number_rows(np.column_stack(columns), separators))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
