"""Memory for large results, used again once nobody looks at them any more.

A kernel fills memory faster than the operating system hands out fresh pages. Large result arrays therefore
come from a small stock: when the last view of one is gone, its memory goes back to the stock instead of to the
system, and the next result is written there.
"""

from __future__ import annotations

import math
import threading

import numpy as np

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

_stock: list[np.ndarray] = []
_lock = threading.Lock()


class _Lease:
    """Owner of the memory of one result: NumPy keeps it alive as long as any view of the array."""

    def __init__(self, memory: np.ndarray) -> None:
        self._memory = memory

    @property
    def __array_interface__(self) -> dict[str, object]:
        return self._memory.__array_interface__

    def __del__(self) -> None:
        _give_back(self._memory)


def _give_back(memory: np.ndarray) -> None:
    with _lock:
        _stock.append(memory)
        # The oldest go first: what was used last is most likely to be asked for again.
        while len(_stock) > STOCK_COUNT or sum(array.nbytes for array in _stock) > STOCK_LIMIT:
            del _stock[0]


def _from_stock(n_bytes: int) -> np.ndarray | None:
    """Return memory that is large enough and not wastefully larger."""
    with _lock:
        fitting = [k for k, array in enumerate(_stock) if n_bytes <= array.nbytes <= 2 * n_bytes]
        best = min(fitting, key=lambda k: _stock[k].nbytes, default=None)
        return None if best is None else _stock.pop(best)


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
