"""Work done by several threads at a time."""

import contextvars
import os
import threading
import time
from typing import NamedTuple

import numpy as np
import pytest

from borelli.kernels.own_lines import on_own_lines
from borelli.kernels.side_by_side import side_by_side


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_answers_are_in_the_order_of_the_parts(threads):
    def work(part):
        time.sleep(0.002 * (part % 3))
        return part * part

    assert side_by_side(work, range(20), threads) == [part * part for part in range(20)]


def test_two_parts_are_worked_on_at_a_time_one_of_them_by_the_caller():
    both = threading.Barrier(2, timeout=20.0)

    def work(_):
        both.wait()
        return threading.get_ident()

    assert threading.get_ident() in side_by_side(work, range(2), 2)


def test_work_within_work_does_not_wait_for_itself():
    def inner(part):
        return part

    def outer(part):
        return sum(side_by_side(inner, range(part), 300))

    assert side_by_side(outer, range(300), 300) == [part * (part - 1) // 2 for part in range(300)]


def test_an_error_of_any_part_reaches_the_caller_and_parts_not_begun_are_left_out():
    begun = []

    def work(part):
        begun.append(part)
        if part == 3:
            raise ValueError("the third")
        time.sleep(0.001)

    for threads in (1, 2):
        begun.clear()
        with pytest.raises(ValueError, match="the third"):
            side_by_side(work, range(1000), threads)
        assert len(begun) < 1000


def test_every_part_sees_the_context_of_the_caller():
    chosen = contextvars.ContextVar("chosen", default=0)
    chosen.set(7)
    assert side_by_side(lambda _: chosen.get(), range(8), 3) == [7] * 8


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_process_works_with_threads_of_its_own():
    side_by_side(str, range(4), 2)
    child = os.fork()
    if child == 0:
        both = threading.Barrier(2, timeout=20.0)
        side_by_side(lambda _: both.wait(), range(2), 2)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0


def test_scratch_arrays_keep_their_numbers_and_begin_lines_of_their_own():
    class Scratch(NamedTuple):
        numbers: np.ndarray
        places: np.ndarray
        none: np.ndarray
        told: np.ndarray

    given = Scratch(np.arange(6.0).reshape(2, 3), np.arange(9), np.zeros((0, 4)), np.array([True, False]))
    own = on_own_lines(given)
    for before, after in zip(given, own, strict=True):
        assert after.dtype == before.dtype and np.array_equal(after, before)
        assert after.flags.c_contiguous and after.flags.writeable
        assert not after.size or after.ctypes.data % 64 == 0
