"""Between arrays with time first and the rows of a block.

Outside, a table holds one frame a line. Inside a kernel, a block of :data:`BLOCK` frames holds one quantity
a row, so that a vector register holds the same quantity of neighbouring frames. Squares of as many frames
as columns are turned in registers.
"""

from __future__ import annotations

from typing import Any

from borelli.kernels.lanes.control import Switch, count_up
from borelli.kernels.lanes.values import Doubles, Emitter, Integer, Lanes

BLOCK = 32
"""Frames in a block. From 16 to 64 the speed is flat; beyond, the rows of a tree fall out of the cache."""


class FrameRange:
    """The frames of one block: ``first`` .. ``first + used``, of which only those to ``last`` exist.

    The block is filled up to whole vectors by repeating the frame ``last``; on the way out those lanes
    rewrite that frame with the same numbers.
    """

    def __init__(self, first: Integer, stop: Integer) -> None:
        width = first.emitter.width
        self.first = first
        self.last = stop - 1
        self.used = ((stop - first) + (width - 1) & -width).at_most(BLOCK)

    def lines(self, offset: Integer, n_columns: Integer) -> list[Integer]:
        """Return where the lines of one vector of frames start in a table with so many columns."""
        width = self.first.emitter.width
        return [(self.first + offset + lane).at_most(self.last) * n_columns for lane in range(width)]


def frames_to_rows(
    table: Doubles, n_columns: Integer, frames: FrameRange, workspace: Doubles, first_row: Integer
) -> None:
    """Copy a block of a (n_frames, n_columns) table into rows of the workspace, from ``first_row`` on."""
    emitter = table.emitter

    def turn(lines: list[Integer], column: Integer, place: Integer) -> None:
        square = [table.load(line + column).ir for line in lines]
        for k, row in enumerate(_transposed(emitter, square)):
            workspace.store(place + k * BLOCK, Lanes(emitter, row, emitter.width))

    def copy(lines: list[Integer], column: Integer, place: Integer) -> None:
        for lane, line in enumerate(lines):
            workspace.store_scalar(place + lane, table.scalar(line + column))

    _over_squares(emitter, n_columns, frames, first_row, turn, copy)


def rows_to_frames(
    workspace: Doubles, first_row: Integer, n_columns: Integer, frames: FrameRange, table: Doubles
) -> None:
    """Copy rows of the workspace, from ``first_row`` on, into a block of a (n_frames, n_columns) table."""
    emitter = table.emitter

    def turn(lines: list[Integer], column: Integer, place: Integer) -> None:
        square = [workspace.load(place + k * BLOCK).ir for k in range(emitter.width)]
        for line, row in zip(lines, _transposed(emitter, square), strict=True):
            table.store(line + column, Lanes(emitter, row, emitter.width))

    def copy(lines: list[Integer], column: Integer, place: Integer) -> None:
        for lane, line in enumerate(lines):
            table.store_scalar(line + column, workspace.scalar(place + lane))

    _over_squares(emitter, n_columns, frames, first_row, turn, copy)


def _over_squares(
    emitter: Emitter, n_columns: Integer, frames: FrameRange, first_row: Integer, turn: Any, copy: Any
) -> None:
    width = emitter.width
    squares_end = n_columns & -width
    one_square = n_columns.compare(">=", width)
    with count_up(emitter, 0, frames.used, width) as offset:
        lines = frames.lines(offset, n_columns)

        def place(column: Integer) -> Integer:
            return (first_row + column) * BLOCK + offset

        with count_up(emitter, 0, squares_end, width) as column:
            turn(lines, column, place(column))
        # What is left over of the columns is covered by a square that overlaps the one before it.
        rest = emitter.integer(1).where((n_columns - squares_end).compare(">", 0), 0)
        with Switch(rest + emitter.integer(1).where(one_square, 0) * 2) as switch:
            with switch.case(3):
                column = n_columns - width
                turn(lines, column, place(column))
            with switch.case(1), count_up(emitter, 0, n_columns) as column:
                copy(lines, column, place(column))


def _transposed(emitter: Emitter, rows: list[Any]) -> list[Any]:
    """Turn a square held in vectors: exchange its off-diagonal squares of size 1, then 2, 4 and so on."""
    size, stride = len(rows), 1
    rows = list(rows)
    while stride < size:
        for i in range(size):
            if i & stride:
                continue
            upper, lower = rows[i], rows[i + stride]
            first = [k - stride + size if k & stride else k for k in range(size)]
            second = [k + size if k & stride else k + stride for k in range(size)]
            rows[i] = emitter.shuffle(upper, lower, first)
            rows[i + stride] = emitter.shuffle(upper, lower, second)
        stride *= 2
    return rows
