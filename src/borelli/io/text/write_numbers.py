"""Rows of numbers as text, with so many digits that they read back as the same numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from borelli.kernels.jit import has_compiler
from borelli.results.saving.arrow_arrays import LINE_END, number_rows

Array = NDArray[np.float64]

# Up to this many numbers (some 20 ms) Python is done before Arrow has been loaded.
LARGE_TABLE = 20_000
# Rows are turned into text in parts, so that memory stays flat.
_NUMBERS_AT_ONCE = 40_000
# Arrow is called for fewer, longer parts: 16 MB of numbers, some 40 MB of text.
_NUMBERS_FOR_ARROW = 2_000_000


def write_rows(stream: BinaryIO, time: Array, values: Array, separator: str = "\t") -> None:
    """Write ``time`` and ``values`` as rows of text.

    Parameters
    ----------
    stream : binary file
        Target.
    time : (n_times,) float
        First cell of each row.
    values : (n_times, n_columns) float, or (n_times, n_columns, size)
        The other cells; the components of a vector are joined by commas.
    separator : str
        What stands between cells.
    """
    if values.size > LARGE_TABLE and has_compiler():
        _write_fast(stream, time, values, separator)
        return
    vector = values.ndim == 3
    for rows in _spans(len(time), values.size):
        lines = []
        for moment, row in zip(time[rows].tolist(), values[rows].tolist(), strict=True):
            cells = [",".join(map(repr, cell)) for cell in row] if vector else map(repr, row)
            lines.append(separator.join([repr(moment), *cells]))
        stream.write(("\n".join([*lines, ""])).encode("ascii"))


def _spans(n_rows: int, n_numbers: int, at_once: int = _NUMBERS_AT_ONCE) -> Iterator[slice]:
    step = max(1, n_rows * at_once // max(n_numbers, 1))
    return (slice(start, start + step) for start in range(0, n_rows, step))


def _write_fast(stream: BinaryIO, time: Array, values: Array, separator: str) -> None:
    """Write by Arrow, whose numbers have the fewest digits that read back."""
    cell = [ord(",")] * (math.prod(values.shape[2:]) - 1) + [ord(separator)]
    after = np.array([ord(separator)] + cell * values.shape[1], dtype=np.uint8)
    after[-1] = LINE_END
    for rows in _spans(len(time), values.size, _NUMBERS_FOR_ARROW):
        numbers = np.column_stack([time[rows], values[rows].reshape(len(time[rows]), -1)])
        stream.write(number_rows(numbers, after))


def write_trc_rows(stream: BinaryIO, time: Array, values: Array) -> None:
    """Write numbered frames of marker positions.

    Missing markers are written as nan: OpenSim refuses a row whose last cell is blank.

    Parameters
    ----------
    stream : binary file
        Target.
    time : (n_times,) float
        Second cell of each row, after the frame number.
    values : (n_times, n_markers, 3) float
        Positions.
    """
    frames = np.arange(1.0, len(time) + 1.0)
    table = np.column_stack([time, values.reshape(len(time), 3 * values.shape[1])])
    if table.size > LARGE_TABLE and has_compiler():
        _write_fast(stream, frames, table, "\t")
        return
    for rows in _spans(len(time), table.size):
        lines = [
            "\t".join([str(int(frame)), *map(repr, row)])
            for frame, row in zip(frames[rows].tolist(), table[rows].tolist(), strict=True)
        ]
        stream.write(("\n".join([*lines, ""])).encode("ascii"))
