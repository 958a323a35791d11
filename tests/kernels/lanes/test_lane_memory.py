"""Memory of large results is used again, and only when nobody can see it."""

from __future__ import annotations

import gc
import threading

import numpy as np
import pytest

from borelli.kernels.lanes import memory
from borelli.kernels.lanes.memory import LINE, SMALLEST, SMALLEST_ALIGNED, result_array
from borelli.kernels.stock import Stock

LARGE = SMALLEST // 8


@pytest.fixture(autouse=True)
def empty_stock():
    gc.collect()
    memory._stock.clear()
    yield
    memory._stock.clear()


def address(array):
    return array.__array_interface__["data"][0]


def test_the_next_result_takes_the_place_of_a_forgotten_one():
    first = result_array(LARGE, 2)
    place = address(first)
    del first
    assert address(result_array(LARGE, 2)) == place


def test_a_view_keeps_its_memory():
    first = result_array(LARGE, 2)
    first[:] = 7.0
    view = first[5:, 1:].T[:, ::2]
    del first
    second = result_array(LARGE, 2)
    second[:] = 0.0
    assert (view == 7.0).all()


def test_an_array_read_from_a_view_keeps_it_too():
    first = result_array(LARGE)
    first[:] = 3.0
    other = np.asarray(memoryview(first[2:]))
    del first
    result_array(LARGE)[:] = 0.0
    assert (other == 3.0).all()


def test_results_are_writable_contiguous_doubles():
    array = result_array(LARGE, 3)
    assert array.shape == (LARGE, 3)
    assert array.dtype == np.float64
    assert array.flags.c_contiguous
    assert array.flags.writeable
    assert array.flags.aligned


@pytest.mark.parametrize("n", [SMALLEST_ALIGNED // 8, LARGE, 3 * LARGE + 1])
def test_results_start_at_the_border_of_a_line(n):
    assert address(result_array(n)) % LINE == 0


def test_tiny_arrays_are_ordinary():
    assert result_array(10, 10).base is None
    assert result_array(0, 5).shape == (0, 5)


def test_much_larger_memory_is_not_wasted_on_a_result():
    big = result_array(5 * LARGE)
    place = address(big)
    del big
    assert address(result_array(LARGE)) != place


def test_the_stock_stays_within_its_limit(monkeypatch):
    piece = SMALLEST + memory.LINE
    monkeypatch.setattr(memory, "_stock", Stock(3 * piece, 64))
    held = [result_array(LARGE) for _ in range(6)]
    held.clear()
    assert memory._stock.n_bytes == 3 * piece


def test_threads_never_share_memory():
    clashes = []

    def work(number):
        for _ in range(50):
            array = result_array(LARGE)
            array[::512] = number
            if not (array[::512] == number).all():
                clashes.append(number)

    workers = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not clashes
