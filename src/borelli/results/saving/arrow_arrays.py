"""Columns for the tables of Arrow, made of memory and not of objects: ``pyarrow.array`` would load pandas first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Loaded where needed: pyarrow, which is slow to load.

LINE_END = ord("\n")
# Of Arrow when it writes text: with its own 1024, a tenth of the time goes into beginnings.
_NUMBERS_AT_ONCE = 2**14


def numbers(values: np.ndarray) -> Any:
    """Return numbers, or truth values, as an array of Arrow of the same type."""
    import pyarrow as pa

    if values.dtype.kind not in "iuf":
        # Truth values are single bits in Arrow; few curves are of these.
        return pa.array(values)
    own = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("="))
    return pa.Array.from_buffers(pa.from_numpy_dtype(own.dtype), len(own), [None, pa.py_buffer(own)])


def from_numbers(column: Any) -> NDArray[np.float64]:
    """Return a column of Arrow that has doubles, NaN where it has none."""
    parts = [np.empty(0)]
    for chunk in column.chunks:
        some, (known, data) = slice(chunk.offset, chunk.offset + len(chunk)), chunk.buffers()
        values = np.frombuffer(data, dtype=np.float64)[some]
        if chunk.null_count:
            is_known = np.unpackbits(np.frombuffer(known, dtype=np.uint8), bitorder="little")[some]
            values = np.where(is_known, values, np.nan)
        parts.append(values)
    return np.concatenate(parts)


def number_rows(rows: NDArray[np.float64], separators: NDArray[np.uint8]) -> bytes:
    """Return rows of numbers as text, with the fewest digits that read back, and after each number its separator.

    Arrow writes one column of all numbers, a line each, which takes it a fraction of the time of a table of many short
    columns; what stands after each number is then set.

    Parameters
    ----------
    rows : (n_rows, n_columns) float
    separators : (n_columns,) uint8
        Codes of the letters that stand after the numbers of a row; the last one ends its line.
    """
    import pyarrow as pa
    from pyarrow import csv

    options = csv.WriteOptions(include_header=False, quoting_style="none", batch_size=_NUMBERS_AT_ONCE)
    buffer = pa.BufferOutputStream()
    csv.write_csv(pa.table([numbers(rows.ravel())], names=["numbers"]), buffer, options)
    text = np.frombuffer(buffer.getvalue(), dtype=np.uint8).copy()
    np.place(text, text == LINE_END, np.tile(separators, len(rows)))
    return text.tobytes()


def texts(values: Sequence[str]) -> Any:
    """Return texts as an array of Arrow."""
    import pyarrow as pa

    coded = [text.encode("utf-8") for text in values]
    ends = np.cumsum([0, *map(len, coded)], dtype=np.int32)
    memory = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(coded))]
    return pa.Array.from_buffers(pa.string(), len(coded), memory)
