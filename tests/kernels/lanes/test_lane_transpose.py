"""Blocks hold what the table holds, also at its ragged end."""

from __future__ import annotations

import numpy as np
import pytest
from small_kernels import WIDTHS, compiled

from borelli.kernels.lanes.code.compile import Kernel
from borelli.kernels.lanes.code.control import count_up
from borelli.kernels.lanes.code.transpose import InstantRange, Output, OutputStream, instants_to_rows


@pytest.fixture(scope="module", params=WIDTHS)
def round_trip(request):
    """Return a function that sends a table through rows, doubles them there, and brings them back."""
    width = request.param

    def emit(emitter, start, stop, n, streamed, source, workspace, target):
        output = Output(target, n, emitter.integer(1))
        stream = OutputStream(workspace, [output], n + 2, streamed, emitter.integer(3))
        with count_up(emitter, start, stop, width) as first:
            instants = InstantRange(first, stop)
            instants_to_rows(source, n, instants, workspace, emitter.integer(1))
            with count_up(emitter, 1, n + 1) as row:
                workspace.store(row * width, 2.0 * workspace.load(row * width))
            with count_up(emitter, 0, 3) as part:
                stream.write_part(0, part)
            stream.put(0, instants)
            stream.close_block(instants)
        stream.flush()

    sizes = dict.fromkeys(("start", "stop", "n", "streamed"), "integer")
    arrays = dict.fromkeys(("source", "workspace", "target"), "doubles")
    kernel = compiled(Kernel("round_trip", sizes | arrays, emit), width)

    def run(table, start, stop, streamed):
        n_columns = table.shape[1]
        workspace = aligned(2 * n_columns + 3, width)
        workspace[:] = np.nan
        target = aligned(*table.shape)
        target[:] = -1.0
        addresses = (array.ctypes.data for array in (table, workspace, target))
        kernel(start, stop, n_columns, int(streamed), *addresses)
        return target, workspace

    return run


def aligned(*shape):
    """Return an array that starts at the border of a line of memory."""
    raw = np.empty(np.prod(shape) + 8)
    start = -raw.ctypes.data % 64 // 8
    return raw[start : start + np.prod(shape)].reshape(shape)


@pytest.mark.parametrize("n_instants", [1, 3, 8, 31, 32, 33, 70])
@pytest.mark.parametrize("n_columns", [1, 3, 4, 5, 7, 8, 9, 16, 23])
@pytest.mark.parametrize("streamed", [False, True])
def test_every_instant_and_column_survives(round_trip, n_instants, n_columns, streamed):
    table = np.random.default_rng(n_instants * 100 + n_columns).normal(size=(n_instants, n_columns))
    doubled, workspace = round_trip(table, 0, n_instants, streamed)
    assert np.array_equal(doubled, 2 * table)
    assert np.isnan(workspace[0]).all(), "the row before was touched"
    assert np.isnan(workspace[n_columns + 1]).all(), "the row after was touched"
    assert np.isnan(workspace[-1]).all(), "the row after the stage was touched"


@pytest.mark.parametrize("streamed", [False, True])
def test_instants_outside_the_range_are_left_alone(round_trip, streamed):
    table = np.random.default_rng(0).normal(size=(50, 9))
    start = 8 if streamed else 3  # streams begin with a whole block
    doubled, _ = round_trip(table, start, 40, streamed)
    assert np.array_equal(doubled[start:40], 2 * table[start:40])
    assert (doubled[:start] == -1).all()
    assert (doubled[40:] == -1).all()


@pytest.mark.parametrize("width", WIDTHS)
def test_columns_may_come_from_rows_in_any_order(width):
    def emit(emitter, stop, n, rows, workspace, target):
        zero = emitter.integer(0)
        stream = OutputStream(workspace, [Output(target, n, rows)], n, zero, emitter.integer(1))
        with count_up(emitter, 0, stop, width) as first:
            stream.put(0, InstantRange(first, stop))

    arguments = {
        "stop": "integer",
        "n": "integer",
        "rows": "integers",
        "workspace": "doubles",
        "target": "doubles",
    }
    kernel = compiled(Kernel("pick_rows", arguments, emit), width)
    for n in (3, 8, 21):
        rows = np.random.default_rng(n).integers(0, 5, n, dtype=np.int32)
        workspace = np.arange(5.0 * width).reshape(5, width)
        target = np.empty((width, n))
        kernel(width, n, rows.ctypes.data, workspace.ctypes.data, target.ctypes.data)
        assert np.array_equal(target, workspace[rows].T)
