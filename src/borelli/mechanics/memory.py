"""Memory that is used again, and memory that is not used at all: fresh pages cost as much as the work on them."""

from __future__ import annotations

import math
import mmap
import threading
from collections.abc import Iterable

import numpy as np

from borelli.arrays import all_plausible
from borelli.kernels.side_by_side import side_by_side

_kept = threading.local()


def scratch(name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Return doubles that the thread keeps from block to block, with whatever they hold.

    They are the caller's until the thread's next call for this name.
    """
    size = math.prod(shape)
    kept: np.ndarray | None = getattr(_kept, name, None)
    if kept is None or kept.size < size:
        kept = np.empty(size)
        setattr(_kept, name, kept)
    return kept[:size].reshape(shape)


def sparse_zeros(shape: tuple[int, ...]) -> np.ndarray:
    """Zeros of which only what is written takes memory.

    NumPy asks the system for large pages, of which the few rows that are written fill all: clearing those takes as long
    as a quarter of the work.
    """
    size = math.prod(shape)
    if size == 0:
        return np.zeros(shape)
    # By default it would be memory that processes share, whose pages take twice as long to get.
    own = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
    return np.frombuffer(mmap.mmap(-1, 8 * size, **own), float, size).reshape(shape)


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
