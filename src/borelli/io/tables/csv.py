"""Delimited text (``.csv``, ``.tsv``) and Parquet tables.

One line of labels, one of them time, then numbers. A unit may stand behind a label in brackets:
``knee_angle_r [deg]``. Lines before the labels that begin with ``#`` are kept as the description.
"""

from __future__ import annotations

import io
import json
import os
import re

import numpy as np

from borelli.errors import FileFormatError, UnsupportedError, warn
from borelli.io.tables.labels import as_text_cell
from borelli.io.text.files import decode_text, read_bytes, refuse_binary
from borelli.io.text.numbers import Block, read_numbers
from borelli.io.text.write_numbers import write_rows
from borelli.results.labelled.table import Cell, Table
from borelli.results.on_disk.whole import atomic_writer

# Loaded where needed: pyarrow, which is slow to load, and most calls do without.

EXPECTED = "a delimited table (.csv, .tsv)"
EXPECTED_PARQUET = "a Parquet table"

_TIME = re.compile(r"^(time|t|time_s|timestamp|seconds)$", re.IGNORECASE)
# Half a billion numbers are 4 GB: no recording, but a header may claim it.
_MAX_NUMBERS = 500_000_000
# Zeros and repeated values compress without bound, recorded ones hardly to a tenth: beyond this a file is a bomb.
_MOST_NUMBERS_PER_BYTE = 16
# 80 MB, which a small file may hold however well it compresses.
_FEW_NUMBERS = 10_000_000
# Of a Parquet file, at a time.
_BATCH_ROWS = 65_536
# Comments before the labels; more are no table.
_MOST_COMMENTS = 10_000


def read_csv(path: str | os.PathLike[str]) -> Table:
    """Read a delimited table; the separator (comma, semicolon or tab) is the one its labels use."""
    return parse_csv(read_bytes(path, EXPECTED), os.fspath(path))


def parse_csv(data: bytes, source: str = "<bytes>") -> Table:
    """Parse the bytes of a delimited table; see :func:`read_csv`."""
    refuse_binary(data, source, EXPECTED)
    comments, line, start, line_number = _label_line(data, source)
    separator = max(",;\t", key=line.count)
    labels = [label.strip().strip('"').strip() for label in line.split(separator)]
    while labels and not labels[-1]:
        labels.pop()
    names, units = _split_units(labels)
    time_index = _time_index(names, f"{source}, line {line_number}")
    notes = []
    body = data
    if separator == ";" and b"," in data[start:]:
        body = data[:start] + data[start:].replace(b",", b".")
        notes.append("commas between digits were read as decimal points")
    numbers = read_numbers(Block(body, start, line_number + 1, len(labels), source, separator=separator))
    if notes:
        warn(f"{source}: " + "; ".join(notes) + ".")
    return _table(numbers, names, units, time_index, source, {"description": "\n".join(comments)}, notes)


def _label_line(data: bytes, source: str) -> tuple[list[str], str, int, int]:
    """Return comment lines, the line of labels, the offset of the first row and the labels' line number."""
    comments: list[str] = []
    offset, line_number = 0, 0
    while offset < len(data):
        end = data.find(b"\n", offset)
        end = len(data) if end < 0 else end
        line = decode_text(data[offset:end], source, EXPECTED).strip("\r\n")
        offset, line_number = end + 1, line_number + 1
        if line_number > _MOST_COMMENTS:
            break
        if line.lstrip().startswith("#"):
            comments.append(line.lstrip("# ").rstrip())
        elif line.strip():
            return comments, line, min(offset, len(data)), line_number
    what = (
        "ends before the line of labels"
        if offset >= len(data)
        else "has no line of labels near its beginning"
    )
    raise FileFormatError(f"The file {what}, expected {EXPECTED}.", where=f"{source}, line {line_number}")


def _split_units(labels: list[str]) -> tuple[list[str], list[str]]:
    pairs = [_split_unit(label) for label in labels]
    return [name for name, _ in pairs], [unit for _, unit in pairs]


def _split_unit(label: str) -> tuple[str, str]:
    """Name and unit of ``knee [deg]``; the bracket that opens last before the end, with nothing closed in between."""
    text = label.rstrip()
    if text[-1:] not in ("]", ")"):
        return label, ""
    inside = text[:-1]
    after = max(inside.rfind("]"), inside.rfind(")")) + 1
    opens = [place for place in (inside.find("[", after), inside.find("(", after)) if place >= 0]
    name = inside[: min(opens)].rstrip() if opens else ""
    return (name, inside[min(opens) + 1 :].strip()) if name else (label, "")


def _time_index(names: list[str], where: str) -> int:
    found = next((index for index, name in enumerate(names) if _TIME.match(name)), None)
    if found is None:
        shown = ", ".join(repr(name[:40]) for name in names[:6])
        raise FileFormatError(
            f"No column is labelled 'time'; the labels begin {shown}.",
            where=where,
            remedy="label the column of times (s) 'time'",
        )
    return found


def _table(
    numbers: np.ndarray,
    names: list[str],
    units: list[str],
    time_index: int,
    source: str,
    metadata: dict[str, str],
    notes: list[str],
) -> Table:
    time = numbers[:, time_index].copy()
    if not np.all(np.isfinite(time)):
        row = int(np.flatnonzero(~np.isfinite(time))[0])
        raise FileFormatError(f"The time of row {row + 1} is not a finite number.", where=source)
    if units[time_index] in ("ms", "milliseconds"):
        time /= 1000.0
    keep = [index for index in range(len(names)) if index != time_index]
    return Table(
        time=time,
        columns=tuple(names[index] for index in keep),
        values=numbers[:, keep],
        units=tuple(units[index] for index in keep),
        metadata={key: value for key, value in metadata.items() if value},
        source=source,
        notes=tuple(notes),
    )


def _labelled(table: Table) -> list[str]:
    pairs = zip(table.columns, table.units, strict=True)
    return [f"{name} [{unit}]" if unit else name for name, unit in pairs]


def write_csv(table: Table, path: str | os.PathLike[str], *, for_spreadsheet: bool = False) -> None:
    """Write a table as comma-separated text (tabs for ``.tsv``), units in brackets behind the labels.

    Parameters
    ----------
    for_spreadsheet : bool
        Put an apostrophe before labels that a spreadsheet would take for formulas and compute.
    """
    flat = table.flat()
    separator = "\t" if os.fspath(path).endswith(".tsv") else ","
    labels = ["time [s]", *_labelled(flat)]
    if for_spreadsheet:
        labels = list(map(as_text_cell, labels))
    for label in labels:
        if separator in label or re.search(r'["\r\n]', label):
            raise UnsupportedError(
                f"The label {label!r} contains a separator, quote or line break.",
                where=os.fspath(path),
                remedy="rename the column, or write .parquet",
            )
    with atomic_writer(path) as stream:
        stream.write((separator.join(labels) + "\n").encode("utf-8"))
        write_rows(stream, flat.time, flat.values, separator)


def read_parquet(path: str | os.PathLike[str]) -> Table:
    """Read a Parquet table with one column of times (s) and columns of numbers."""
    return parse_parquet(read_bytes(path, EXPECTED_PARQUET), os.fspath(path))


def parse_parquet(data: bytes, source: str = "<bytes>") -> Table:
    """Parse the bytes of a Parquet file; see :func:`read_parquet`."""
    import pyarrow as pa
    from pyarrow import parquet

    if data[:4] != b"PAR1":
        raise FileFormatError(
            f"The file does not begin with 'PAR1', expected {EXPECTED_PARQUET}.", where=f"{source}, byte 0"
        )
    try:
        file = parquet.ParquetFile(pa.BufferReader(data))
        size = file.metadata.num_rows * file.metadata.num_columns
        most = min(_MAX_NUMBERS, max(_FEW_NUMBERS, _MOST_NUMBERS_PER_BYTE * len(data)))
        if size > most or file.metadata.num_rows < 0:
            raise FileFormatError(
                f"The file of {len(data):,} bytes claims to hold {size:,} numbers, and is not unpacked.",
                where=source,
                remedy="write it as .csv or .sto if that is right",
            )
        # Before anything is unpacked: texts may be as long as they like.
        schema = file.schema_arrow
        bad = [f.name for f in schema if not (pa.types.is_floating(f.type) or pa.types.is_integer(f.type))]
        if bad:
            raise FileFormatError(
                f"The column {bad[0]!r} does not hold numbers.",
                where=source,
                remedy="every column of a table must be numeric",
            )
        numbers = np.empty((file.metadata.num_rows, len(schema)))
        first = 0
        # Some rows at a time: all of them unpacked at once would take twice the memory.
        for batch in file.iter_batches(_BATCH_ROWS):
            for index, column in enumerate(batch.columns):
                numbers[first : first + batch.num_rows, index] = column.to_numpy(zero_copy_only=False)
            first += batch.num_rows
        if first != len(numbers):
            raise FileFormatError(f"The file claims {len(numbers)} rows and has {first}.", where=source)
        extra = json.loads((schema.metadata or {}).get(b"borelli", b"{}"))
    except (pa.ArrowException, OSError, ValueError, MemoryError, OverflowError, RuntimeError) as error:
        raise FileFormatError(
            f"The Parquet data are broken: {str(error).splitlines()[0][:120] if str(error) else 'unreadable'}.",
            where=source,
        ) from None
    names, units = _split_units([str(name) for name in schema.names])
    table = _table(numbers, names, units, _time_index(names, source), source, {}, [])
    return _restore(table, extra)


def _restore(table: Table, extra: object) -> Table:
    """Put back what :func:`write_parquet` stored beside the columns, as far as it makes sense."""
    if not isinstance(extra, dict):
        return table
    in_degrees = extra.get("in_degrees")
    table = table.replace(
        name=str(extra.get("name", "")), in_degrees=in_degrees if isinstance(in_degrees, bool) else None
    )
    cells = next((cell for cell in Cell if cell.value == extra.get("cells")), Cell.SCALAR)
    names = extra.get("columns")
    if cells is Cell.SCALAR or not isinstance(names, list) or len(names) * cells.size != table.n_columns:
        return table
    return table.replace(
        columns=tuple(map(str, names)),
        values=table.values.reshape(table.n_times, len(names), cells.size),
        units=table.units[:: cells.size],
        cells=cells,
    )


def write_parquet(table: Table, path: str | os.PathLike[str]) -> None:
    """Write a table as Parquet; name, units, degrees and vector columns are kept."""
    import pyarrow as pa
    from pyarrow import parquet

    flat = table.flat()
    arrays = [pa.array(flat.time), *(pa.array(np.ascontiguousarray(column)) for column in flat.values.T)]
    extra = {
        "name": table.name,
        "in_degrees": table.in_degrees,
        "cells": table.cells.value,
        "columns": list(table.columns),
    }
    arrow = pa.table(arrays, names=["time [s]", *_labelled(flat)])
    buffer = io.BytesIO()
    parquet.write_table(arrow.replace_schema_metadata({"borelli": json.dumps(extra)}), buffer)
    with atomic_writer(path) as stream:
        stream.write(buffer.getbuffer())
