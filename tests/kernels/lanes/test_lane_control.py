"""Loops and switches run as often, and as seldom, as they should."""

from __future__ import annotations

import gc

import numpy as np
import pytest
from small_kernels import compiled

from borelli.kernels.lanes.code.compile import Kernel
from borelli.kernels.lanes.code.control import Switch, count_down, count_up, only_if
from borelli.kernels.lanes.code.trace import trace


def _log(emitter, log, value):
    """Append an integer (as a double) to a log whose first element counts the entries."""
    builder = emitter.builder
    from llvmlite import ir

    from borelli.kernels.lanes.code.values import FLOAT, INTEGER, Integer

    count = Integer(emitter, builder.fptosi(log.scalar(0), INTEGER)) + 1
    log.store_scalar(count, builder.sitofp(value.ir, FLOAT))
    log.store_scalar(0, builder.fadd(log.scalar(0), ir.Constant(FLOAT, 1.0)))


def _run(body, *integers):
    kernel = compiled(
        Kernel(
            "logger",
            {f"a{k}": "integer" for k in range(len(integers))} | {"log": "doubles"},
            lambda emitter, log, **a: body(emitter, lambda v: _log(emitter, log, v), *a.values()),
        )
    )
    log = np.zeros(50)
    kernel(*integers, log.ctypes.data)
    return log[1 : 1 + int(log[0])].astype(int).tolist()


@pytest.mark.parametrize(("start", "stop"), [(0, 5), (2, 3), (4, 4), (5, 2)])
def test_loops_visit_the_same_numbers_as_range(start, stop):
    def up(emitter, log, start, stop):
        with count_up(emitter, start, stop, 2) as i:
            log(i)

    def down(emitter, log, start, stop):
        with count_down(emitter, start, stop) as i:
            log(i)

    assert _run(up, start, stop) == list(range(start, stop, 2))
    assert _run(down, start, stop) == list(reversed(range(start, stop)))


def test_nested_loops_and_switches_compose():
    def body(emitter, log, n):
        with count_up(emitter, 0, n) as i, count_up(emitter, 0, i) as j, Switch(j) as switch:
            with switch.case(0, 2):
                log(i * 10 + j)
            with switch.otherwise():
                log(i * 10 + j + 100)

    expected = [10 * i + j + (0 if j in (0, 2) else 100) for i in range(4) for j in range(i)]
    assert _run(body, 4) == expected


@pytest.mark.parametrize(("selector", "expected"), [(7, [70]), (8, [])])
def test_a_switch_without_default_skips_unknown_values(selector, expected):
    def body(emitter, log, selector):
        with Switch(selector) as switch, switch.case(7):
            log(selector * 10)

    assert _run(body, selector) == expected


def test_conditional_code_runs_only_if_its_bit_is_set():
    def body(emitter, log, n):
        with count_up(emitter, 0, n) as i, only_if(emitter, (i & 1).compare("==", 1)):
            log(i)

    assert _run(body, 6) == [1, 3, 5]


def test_tracing_leaves_the_search_for_garbage_as_it_was():
    def fail(emitter, n):
        assert not gc.isenabled()
        raise ValueError("no code")

    for search in (gc.enable, gc.disable):
        search()
        try:
            before = gc.isenabled()
            with pytest.raises(ValueError, match="no code"):
                trace(Kernel("fails", {"n": "integer"}, fail), 4)
            assert gc.isenabled() is before
        finally:
            gc.enable()
