"""Blocks hold what the table holds, also at its ragged end."""

from __future__ import annotations

import numpy as np
import pytest
from small_kernels import WIDTHS, compiled

from borelli.kernels.lanes.compile import Kernel
from borelli.kernels.lanes.control import count_up
from borelli.kernels.lanes.transpose import FrameRange, Output, frames_to_rows, write_output


@pytest.fixture(scope="module", params=WIDTHS)
def round_trip(request):
    """Return a function that sends a table through rows, doubles them there, and brings them back."""
    width = request.param

    def emit(emitter, start, stop, n, source, workspace, target):
        with count_up(emitter, start, stop, width) as first:
            frames = FrameRange(first, stop)
            frames_to_rows(source, n, frames, workspace, emitter.integer(1))
            with count_up(emitter, 1, n + 1) as row:
                workspace.store(row * width, 2.0 * workspace.load(row * width))
            write_output(workspace, Output(target, n, emitter.integer(1)), frames)

    kernel = compiled(
        Kernel(
            "round_trip",
            {
                "start": "integer",
                "stop": "integer",
                "n": "integer",
                "source": "doubles",
                "workspace": "doubles",
                "target": "doubles",
            },
            emit,
        ),
        width,
    )

    def run(table, start, stop):
        workspace = np.full((table.shape[1] + 2, width), np.nan)
        target = np.full_like(table, -1.0)
        kernel(start, stop, table.shape[1], table.ctypes.data, workspace.ctypes.data, target.ctypes.data)
        return target, workspace

    return run


@pytest.mark.parametrize("n_frames", [1, 3, 8, 31, 32, 33, 70])
@pytest.mark.parametrize("n_columns", [1, 3, 4, 5, 7, 8, 9, 16, 23])
def test_every_frame_and_column_survives(round_trip, n_frames, n_columns):
    table = np.random.default_rng(n_frames * 100 + n_columns).normal(size=(n_frames, n_columns))
    doubled, workspace = round_trip(table, 0, n_frames)
    assert np.array_equal(doubled, 2 * table)
    assert np.isnan(workspace[0]).all(), "the row before was touched"
    assert np.isnan(workspace[-1]).all(), "the row after was touched"


def test_frames_outside_the_range_are_left_alone(round_trip):
    table = np.random.default_rng(0).normal(size=(50, 9))
    doubled, _ = round_trip(table, 3, 40)
    assert np.array_equal(doubled[3:40], 2 * table[3:40])
    assert (doubled[:3] == -1).all()
    assert (doubled[40:] == -1).all()


@pytest.mark.parametrize("width", WIDTHS)
def test_columns_may_come_from_rows_in_any_order(width):
    def emit(emitter, stop, n, rows, workspace, target):
        with count_up(emitter, 0, stop, width) as first:
            write_output(workspace, Output(target, n, n, rows), FrameRange(first, stop))

    arguments = {
        "stop": "integer",
        "n": "integer",
        "rows": "integers",
        "workspace": "doubles",
        "target": "doubles",
    }
    kernel = compiled(Kernel("pick_rows", arguments, emit), width)
    for n in (3, 8, 21):
        rows = np.random.default_rng(n).integers(0, 5, n)
        workspace = np.arange(5.0 * width).reshape(5, width)
        target = np.empty((width, n))
        kernel(width, n, rows.ctypes.data, workspace.ctypes.data, target.ctypes.data)
        assert np.array_equal(target, workspace[rows].T)
