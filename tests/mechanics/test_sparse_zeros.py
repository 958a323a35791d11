"""Zeros that take no memory: used again, and zero again, whatever was done to them."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator

import numpy as np
import pytest

import borelli as bo
from borelli.mechanics import memory
from borelli.mechanics.memory import sparse_zeros
from tests.path_models import random_paths

# Rows that begin and end within pages, and span some.
SHAPES = [(3, 4, 2000), (2, 5, 512), (5, 2, 7), (1, 1, 3000), (4, 3, 1)]
only_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="pages are kept on Linux alone")


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    gc.collect()
    memory._stock.clear()
    yield
    memory._stock.clear()


def address(array: np.ndarray) -> int:
    return int(array.__array_interface__["data"][0])


def rows_apart(array: np.ndarray, rows: set[int]) -> np.ndarray:
    flat = array.reshape(-1, array.shape[-1])
    return flat[[row for row in range(len(flat)) if row not in rows]]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(4))
def test_all_but_the_written_rows_is_zero_again(shape: tuple[int, ...], seed: int) -> None:
    n_rows = shape[0] * shape[1]
    rows = set(np.random.default_rng(seed).choice(n_rows, max(1, n_rows // 3), replace=False).tolist())
    for _ in range(3):
        zeros = sparse_zeros(shape, rows)
        assert zeros.shape == shape
        assert zeros.flags.writeable
        assert zeros.flags.c_contiguous
        assert not rows_apart(zeros, rows).any()
        zeros[:] = np.nan
        del zeros


@only_linux
def test_pages_are_used_again_once_nobody_looks_at_them() -> None:
    first = sparse_zeros((4, 5, 1000), {2, 3})
    place, view = address(first), first[1:, ::2].T
    del first
    second = sparse_zeros((4, 5, 1000), {2, 3})
    assert address(second) != place
    del view
    assert address(sparse_zeros((4, 5, 1000), {2, 3})) == place


@only_linux
def test_pages_of_other_rows_or_shapes_are_not() -> None:
    first = sparse_zeros((4, 5, 1000), {2, 3})
    place = address(first)
    first[:] = 1.0
    del first
    others = [sparse_zeros((4, 5, 1000), {2}), sparse_zeros((5, 4, 1000), {2, 3})]
    assert place not in [address(other) for other in others]
    assert not any(other.any() for other in others)


def test_without_written_rows_all_is_zero() -> None:
    for _ in range(2):
        zeros = sparse_zeros((3, 4, 700))
        assert not zeros.any()
        zeros[:] = 1.0
        del zeros


@pytest.mark.parametrize("moving", [False, True], ids=["fixed points", "moving points"])
@pytest.mark.parametrize("threads", [1, 2])
def test_paths_are_the_same_after_a_result_was_overwritten(moving: bool, threads: int) -> None:
    model = random_paths(2, moving=moving)
    rng = np.random.default_rng(1)
    n = 5000
    q = rng.normal(size=(n, len(model.coordinate_names)))
    u, udot = rng.normal(size=(2, n, len(model.speed_names)))
    motion = bo.Motion(np.arange(n) * 0.01, model.coordinate_names, q, u, udot, speeds=model.speed_names)
    expected = bo.paths(model, motion, forces=True)
    for _ in range(3):
        found = bo.paths(model, motion, forces=True, threads=threads)
        assert found.identical(expected)
        for name in ("generalized_force", "length", "speed"):
            found[name].values[:] = np.nan
        del found
        gc.collect()
