"""Kernels whose first arguments are given once: the same answers, arrays where they lie, other types at any time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from borelli.kernels.jit import lean, starting_with


class Tables(NamedTuple):
    """Two arrays."""

    a: np.ndarray
    b: np.ndarray


@lean
def _weighted(tables: Tables, factor: float, values: np.ndarray | None, out: np.ndarray) -> int:
    for k in range(len(out)):
        out[k] = factor * tables.a[k] + tables.b[k]
        if values is not None:
            out[k] += values[k]
    return len(out)


def _plain(tables: Tables, factor: float, values: np.ndarray | None, out: np.ndarray) -> int:
    out[:] = factor * tables.a + tables.b + (0.0 if values is None else values)
    return len(out)


TABLES = Tables(np.arange(4.0), np.full(4, 0.5))


@pytest.mark.parametrize("kernel", [_weighted, _plain], ids=["compiled", "a function of Python"])
def test_it_answers_as_the_kernel_does(kernel) -> None:
    started, out = starting_with(kernel, TABLES, 2.0), np.empty(4)
    # Twice, since the first call looks up the code; and with other types in between.
    for values in (None, np.ones(4), None, np.ones((4, 2))[:, 1], np.ones(4, np.int64)):
        assert started(values, out) == 4
        np.testing.assert_array_equal(out, 2.0 * TABLES.a + 0.5 + (0.0 if values is None else 1.0))


def test_arrays_that_are_given_are_read_where_they_lie_and_held() -> None:
    tables = Tables(np.zeros(3), np.zeros(3))
    started, out = starting_with(_weighted, tables, 1.0), np.empty(3)
    started(None, out)
    tables.a[:] = 5.0
    started(None, out)
    np.testing.assert_array_equal(out, 5.0)
    started = starting_with(_weighted, Tables(np.full(3, 8.0), np.zeros(3)), 1.0)
    # Memory that was let go of would be taken by these.
    others = [np.full(3, -1.0) for _ in range(1000)]
    for _ in range(2):
        started(None, out)
        np.testing.assert_array_equal(out, 8.0)
    assert len(others) == 1000


def test_all_arguments_may_be_given_and_none() -> None:
    out = np.empty(4)
    assert starting_with(_weighted, TABLES, 2.0, None, out)() == 4
    np.testing.assert_array_equal(out, 2.0 * TABLES.a + 0.5)
    out[:] = 0.0
    starting_with(_weighted)(TABLES, 2.0, None, out)
    np.testing.assert_array_equal(out, 2.0 * TABLES.a + 0.5)


def test_what_the_compiler_does_not_take_is_left_to_the_kernel_itself() -> None:
    pytest.importorskip("numba")
    started, out = starting_with(_weighted, TABLES, 2.0), np.empty(4)
    for _ in range(2):
        assert started(np.ones(4, np.float32), out) == 4
        np.testing.assert_array_equal(out, 2.0 * TABLES.a + 1.5)
