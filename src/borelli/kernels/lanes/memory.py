"""Memory for large results, used again once nobody looks at them any more.

A kernel fills memory faster than the operating system hands out fresh pages. Large result arrays therefore
come from a small stock: when the last view of one is gone, its memory goes back to the stock instead of to the
system, and the next result is written there.
"""

from __future__ import annotations

import math

import numpy as np

from borelli.kernels.stock import Stock

SMALLEST_ALIGNED = 1 << 14
"""Bytes from which an array starts at the border of a line of memory."""
SMALLEST = 1 << 18
"""Bytes from which memory is worth keeping."""
LINE = 64
"""Bytes of a line of memory."""
STOCK_LIMIT = 1 << 28
"""Bytes that the stock may hold back."""
STOCK_COUNT = 64
"""Arrays that the stock may hold back."""

_stock: Stock[int, np.ndarray] = Stock(STOCK_LIMIT, STOCK_COUNT)
"""By the number of bytes."""


class _Lease:
    """Owner of the memory of one result: NumPy keeps it alive as long as any view of the array."""

    def __init__(self, memory: np.ndarray) -> None:
        self._memory = memory

    @property
    def __array_interface__(self) -> dict[str, object]:
        return self._memory.__array_interface__

    def __del__(self) -> None:
        _stock.give_back(self._memory.nbytes, self._memory.nbytes, self._memory)


def _from_stock(n_bytes: int) -> np.ndarray | None:
    """Return memory that is large enough and not wastefully larger."""
    return _stock.take(lambda size: size - n_bytes if n_bytes <= size <= 2 * n_bytes else None)


def result_array(*shape: int) -> np.ndarray:
    """Return an uninitialised array of doubles for a result, aligned to a line of memory unless it is tiny."""
    n_bytes = 8 * math.prod(shape)
    if n_bytes < SMALLEST_ALIGNED:
        return np.empty(shape)
    memory = _from_stock(n_bytes + LINE) if n_bytes >= SMALLEST else None
    if memory is None:
        memory = np.empty(n_bytes + LINE, dtype=np.uint8)
    whole = np.asarray(_Lease(memory)) if n_bytes >= SMALLEST else memory
    start = -memory.ctypes.data % LINE
    return whole[start : start + n_bytes].view(np.float64).reshape(shape)
