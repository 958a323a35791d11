"""Columns for the tables of Arrow, made of memory and not of objects: ``pyarrow.array`` would load pandas first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

# Loaded where needed: pyarrow, which is slow to load.


def numbers(values: np.ndarray) -> Any:
    """Return numbers, or truth values, as an array of Arrow of the same type."""
    import pyarrow as pa

    if values.dtype.kind not in "iuf":
        # Truth values are single bits in Arrow; few curves are of these.
        return pa.array(values)
    own = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("="))
    return pa.Array.from_buffers(pa.from_numpy_dtype(own.dtype), len(own), [None, pa.py_buffer(own)])


def texts(values: Sequence[str]) -> Any:
    """Return texts as an array of Arrow."""
    import pyarrow as pa

    coded = [text.encode("utf-8") for text in values]
    ends = np.cumsum([0, *map(len, coded)], dtype=np.int32)
    memory = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(coded))]
    return pa.Array.from_buffers(pa.string(), len(coded), memory)
