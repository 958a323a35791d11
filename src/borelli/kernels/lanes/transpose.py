"""Between arrays with time first and the rows of a block.

Outside, a table holds one frame a line. Inside a kernel, a block of frames holds one quantity a row, and a row
is one vector: the same quantity of neighbouring frames. (Longer rows were measured to be slower: the rows of
a whole body then fall out of the first cache.) Squares of as many frames as columns are turned in registers.
"""

from __future__ import annotations

from typing import Any

from borelli.kernels.lanes.control import Switch, count_up
from borelli.kernels.lanes.values import Doubles, Emitter, Integer, Integers, Lanes


class FrameRange:
    """The frames of one block: from ``first`` on, of which only those before ``stop`` exist.

    The block is filled up by repeating the last frame that exists; on the way out those lanes rewrite that
    frame with the same numbers.
    """

    def __init__(self, first: Integer, stop: Integer) -> None:
        last = stop - 1
        self._frames = [(first + lane).at_most(last) for lane in range(first.emitter.width)]

    def lines(self, n_columns: Integer) -> list[Integer]:
        """Return where the line of each frame starts in a table with so many columns."""
        return [frame * n_columns for frame in self._frames]


def frames_to_rows(
    table: Doubles, n_columns: Integer, frames: FrameRange, workspace: Doubles, first_row: Integer
) -> None:
    """Copy a block of a (n_frames, n_columns) table into rows of the workspace, from ``first_row`` on."""
    emitter = table.emitter

    def turn(lines: list[Integer], column: Integer, place: Integer) -> None:
        for k, row in enumerate(_turned_square(table, [line + column for line in lines])):
            workspace.store(place + k * emitter.width, Lanes(emitter, row, emitter.width))

    def copy(lines: list[Integer], column: Integer, place: Integer) -> None:
        for lane, line in enumerate(lines):
            workspace.store_scalar(place + lane, table.scalar(line + column))

    _over_squares(emitter, n_columns, frames, first_row, turn, copy)


def rows_to_frames(
    workspace: Doubles,
    first_row: Integer,
    n_columns: Integer,
    frames: FrameRange,
    table: Doubles,
    rows: Integers | None = None,
) -> None:
    """Copy rows of the workspace into a block of a (n_frames, n_columns) table.

    Parameters
    ----------
    first_row : Integer
        Row of the first column; the others follow.
    rows : Integers, optional
        Row of each column instead, where they do not follow each other.
    """
    emitter, width = table.emitter, table.emitter.width

    def source(column: Integer, k: int) -> Integer:
        row = first_row + column + k if rows is None else rows[column + k]
        return row * width

    def turn(lines: list[Integer], column: Integer, place: Integer) -> None:
        places = [source(column, k) for k in range(width)]
        for line, row in zip(lines, _turned_square(workspace, places), strict=True):
            table.store(line + column, Lanes(emitter, row, width))
            # The line of the same lane in the next block: without this, stores wait for the memory.
            table.prefetch(line + column + n_columns * width, to_write=True)

    def copy(lines: list[Integer], column: Integer, place: Integer) -> None:
        start = source(column, 0)
        for lane, line in enumerate(lines):
            table.store_scalar(line + column, workspace.scalar(start + lane))

    _over_squares(emitter, n_columns, frames, first_row, turn, copy)


def _over_squares(
    emitter: Emitter, n_columns: Integer, frames: FrameRange, first_row: Integer, turn: Any, copy: Any
) -> None:
    width = emitter.width
    squares_end = n_columns & -width
    lines = frames.lines(n_columns)

    def place(column: Integer) -> Integer:
        return (first_row + column) * width

    with count_up(emitter, 0, squares_end, width) as column:
        turn(lines, column, place(column))
    # What is left over of the columns is covered by a square that overlaps the one before it.
    rest = emitter.integer(1).where((n_columns - squares_end).compare(">", 0), 0)
    fits = emitter.integer(2).where(n_columns.compare(">=", width), 0)
    with Switch(rest + fits) as switch:
        with switch.case(3):
            column = n_columns - width
            turn(lines, column, place(column))
        with switch.case(1), count_up(emitter, 0, n_columns) as column:
            copy(lines, column, place(column))


def _turned_square(array: Doubles, places: list[Integer]) -> list[Any]:
    """Read a square whose rows start at the given places; return its columns as vectors."""
    emitter, size = array.emitter, len(places)
    half = size // 2
    # Halves are exchanged by reading them where they belong: the load units do part of the shuffling.
    rows = [
        emitter.shuffle(array.load(a + k, half).ir, array.load(b + k, half).ir, list(range(size)))
        for k in (0, half)
        for a, b in zip(places[:half], places[half:], strict=True)
    ]
    stride = 1
    while stride < half:
        for i in range(size):
            if not i & stride:
                rows[i], rows[i + stride] = _exchange(emitter, rows[i], rows[i + stride], stride)
        stride *= 2
    return rows


def _exchange(emitter: Emitter, upper: Any, lower: Any, stride: int) -> tuple[Any, Any]:
    """Exchange the off-diagonal squares of so many rows and columns between two rows."""
    size = emitter.width
    first = [k - stride + size if k & stride else k for k in range(size)]
    second = [k + size if k & stride else k + stride for k in range(size)]
    return emitter.shuffle(upper, lower, first), emitter.shuffle(upper, lower, second)
