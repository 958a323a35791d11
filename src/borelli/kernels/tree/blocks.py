"""Between arrays (time first) and the abstract numbers of the kernels (one array of instants each)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from borelli.kernels.backend import NodeLoad
from borelli.kernels.side_by_side import side_by_side
from borelli.kernels.tree.algebra import Vector

BLOCK = 2064
"""Instants at a time: scratch stays in the cache and does not grow with the recording.

Halves and thirds of it are multiples of the longest vector. It is no power of two: rows of 2048 doubles begin in the
same few places of a cache and drive each other out, so that writing 270 of them took three times as long.
"""


def blocks(n_instants: int, size: int = BLOCK) -> Iterator[slice]:
    """Cut the instants into consecutive blocks; none for no instants."""
    for start in range(0, n_instants, size):
        yield slice(start, min(start + size, n_instants))


def columns(values: np.ndarray) -> list[np.ndarray]:
    """Columns of an (n_instants, n) array, each contiguous."""
    return list(np.ascontiguousarray(values.T))


def columns_or_numbers(values: np.ndarray) -> list[Any]:
    """Columns of an (n_instants, n) array; of a single instant its numbers, which are several times as quick."""
    return list(values[0]) if len(values) == 1 else columns(values)


def vector_columns(values: np.ndarray) -> Vector:
    """Three columns of an (n_instants, 3) array."""
    x, y, z = columns(values)
    return (x, y, z)


def load_columns(load: NodeLoad, block: slice) -> tuple[int, Vector, Vector, Vector]:
    """Node, force, point and moment of a load in a block of instants."""
    force, point, moment = (vector_columns(part[block]) for part in (load.force, load.point, load.moment))
    return load.node, force, point, moment


def fill(out: np.ndarray, numbers: Sequence[Any]) -> None:
    """Write numbers (arrays of instants or plain) into the last axis of an array, (n_instants, n)."""
    for index, value in enumerate(numbers):
        out[:, index] = value


def in_blocks(n_instants: int, work: Callable[[slice], None], size: int = BLOCK, *, threads: int = 1) -> None:
    """Do the work block by block, or several blocks at a time."""
    side_by_side(work, blocks(n_instants, size), threads)
