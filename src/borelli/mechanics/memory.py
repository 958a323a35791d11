"""Memory that is used again, and memory that is not used at all: fresh pages cost as much as the work on them."""

from __future__ import annotations

import functools
import math
import mmap
import sys
import threading
from collections.abc import Collection, Iterable
from typing import TypeAlias

import numpy as np

from borelli.arrays import all_plausible
from borelli.kernels.lanes.memory import result_array
from borelli.kernels.side_by_side import side_by_side
from borelli.kernels.stock import Stock

_kept = threading.local()


def scratch(name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Return doubles that the thread keeps from block to block, with whatever they hold.

    They are the caller's until the thread's next call for this name.
    """
    size = math.prod(shape)
    kept: np.ndarray | None = getattr(_kept, name, None)
    if kept is None or kept.size < size:
        # At the beginning of a line of memory, as kernels write whole lines.
        kept = result_array(size)
        setattr(_kept, name, kept)
    return kept[:size].reshape(shape)


def sparse_zeros(shape: tuple[int, ...], written: Collection[int] = ()) -> np.ndarray:
    """Zeros of which only what is written takes memory.

    NumPy asks the system for large pages, of which the few rows that are written fill all: clearing those takes as long
    as a quarter of the work.

    Parameters
    ----------
    written : collection of int, optional
        Rows, counted through all axes but the last, that the caller writes from end to end. They may hold anything.
        An array of this kind that nobody looks at any more is used again, with the pages that these rows have.
    """
    size = math.prod(shape)
    if size == 0:
        return np.zeros(shape)
    # Elsewhere the system does not take single pages back.
    if not written or not sys.platform.startswith("linux"):
        return np.frombuffer(_pages(8 * size), float, size).reshape(shape)
    rows = tuple(sorted(written))
    pages = _stock.take(lambda kind: 0.0 if kind == (shape, rows) else None)
    if pages is None:
        pages = _pages(8 * size)
    else:
        _clear_between(pages, rows, 8 * shape[-1])
    lease = _Lease(pages, shape, rows)
    return np.asarray(lease).view(float).reshape(shape)


def _pages(n_bytes: int) -> mmap.mmap:
    # By default it would be memory that processes share, whose pages take twice as long to get.
    own = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
    return mmap.mmap(-1, n_bytes, **own)


_Kind: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
_stock: Stock[_Kind, mmap.mmap] = Stock(1 << 27, 8)
"""By the shape and the rows that were written; held back are only these."""


class _Lease:
    """Owner of pages: NumPy keeps it alive as long as any view of the array."""

    def __init__(self, pages: mmap.mmap, shape: tuple[int, ...], rows: tuple[int, ...]) -> None:
        self._pages, self._shape, self._rows = pages, shape, rows
        self.__array_interface__ = np.frombuffer(pages, np.uint8).__array_interface__

    def __del__(self) -> None:
        n_bytes = 8 * len(self._rows) * self._shape[-1]
        _stock.give_back((self._shape, self._rows), n_bytes, self._pages)


def _clear_between(pages: mmap.mmap, rows: tuple[int, ...], row_bytes: int) -> None:
    """Make everything zero but some rows: pages go back to the system, what stands beside the rows is overwritten."""
    memory = np.frombuffer(pages, np.uint8)
    beside, between = _gaps(rows, row_bytes, memory.size)
    for part in beside:
        memory[part] = 0
    for start, n_bytes in between:
        pages.madvise(mmap.MADV_DONTNEED, start, n_bytes)


@functools.lru_cache(maxsize=32)
def _gaps(
    rows: tuple[int, ...], row_bytes: int, n_bytes: int
) -> tuple[tuple[slice, ...], tuple[tuple[int, int], ...]]:
    """Return what of the memory between rows are parts of pages, and the whole pages: their start and length."""
    ends = [0, *(end for row in rows for end in (row * row_bytes, (row + 1) * row_bytes)), n_bytes]
    beside, between = [], []
    for start, stop in zip(ends[::2], ends[1::2], strict=True):
        first = min(stop, -(-start // mmap.PAGESIZE) * mmap.PAGESIZE)
        last = max(first, stop // mmap.PAGESIZE * mmap.PAGESIZE)
        beside += [slice(*part) for part in ((start, first), (last, stop)) if part[0] < part[1]]
        if last > first:
            between.append((first, last - first))
    return tuple(beside), tuple(between)


def curves_plausible(values: np.ndarray, curves: Iterable[tuple[int, int]], threads: int = 1) -> bool:
    """Whether some curves (i, j) of :func:`sparse_zeros` (n, n_i, n_j), time last in memory, are plausible.

    The others are zero. To look at them would get memory for all the zeros from the system, which takes longer than to
    compute the rest.
    """
    chosen = list(curves)
    parts = [chosen[k::threads] for k in range(threads)]
    return all(
        side_by_side(lambda part: all(all_plausible(values[:, i, j]) for i, j in part), parts, threads)
    )
