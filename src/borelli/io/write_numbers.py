"""Rows of numbers as text, with so many digits that they read back as the same numbers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Up to this many numbers Python is done before the compiled writer has been loaded.
LARGE_TABLE = 500_000
MOST_THREADS = 4
_NUMBERS_AT_ONCE = 40_000


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
    if values.size > LARGE_TABLE:
        _write_fast(stream, time, values, separator)
        return
    vector = values.ndim == 3
    for rows in _spans(len(time), values.size):
        lines = []
        for moment, row in zip(time[rows].tolist(), values[rows].tolist(), strict=True):
            cells = [",".join(map(repr, cell)) for cell in row] if vector else map(repr, row)
            lines.append(separator.join([repr(moment), *cells]))
        stream.write(("\n".join([*lines, ""])).encode("ascii"))


def _spans(n_rows: int, n_numbers: int) -> Iterator[slice]:
    step = max(1, n_rows * _NUMBERS_AT_ONCE // max(n_numbers, 1))
    return (slice(start, start + step) for start in range(0, n_rows, step))


def _write_fast(stream: BinaryIO, time: Array, values: Array, separator: str) -> None:
    from borelli.kernels.number_text import WIDEST
    from borelli.kernels.number_text import write_rows as write_text

    cell_size = values.shape[2] if values.ndim == 3 else 1
    flat = values.reshape(len(time), -1)

    def as_text(rows: slice) -> memoryview:
        part = np.ascontiguousarray(flat[rows])
        out = np.empty((part.size + len(part)) * WIDEST, dtype=np.uint8)
        length = write_text(time[rows], part, cell_size, np.uint8(ord(separator)), out)
        return out[:length].data

    with ThreadPoolExecutor(min(os.cpu_count() or 1, MOST_THREADS)) as pool:
        for text in pool.map(as_text, _spans(len(time), flat.size)):
            stream.write(text)


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
    table = np.column_stack([time, values.reshape(len(time), -1)])
    if table.size > LARGE_TABLE:
        _write_fast(stream, frames, table, "\t")
        return
    for rows in _spans(len(time), table.size):
        lines = [
            "\t".join([str(int(frame)), *map(repr, row)])
            for frame, row in zip(frames[rows].tolist(), table[rows].tolist(), strict=True)
        ]
        stream.write(("\n".join([*lines, ""])).encode("ascii"))
