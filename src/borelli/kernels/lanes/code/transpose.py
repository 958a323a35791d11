"""Between arrays with time first and the rows of a block.

Outside, a table holds one instant a line. Inside a kernel, a block of instants holds one quantity a row, and a row
is one vector: the same quantity of neighbouring instants. (Longer rows were measured to be slower: the rows of
a whole body then fall out of the first cache.) Squares of as many instants as columns are turned in registers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from borelli.kernels.lanes.code.control import Switch, count_up
from borelli.kernels.lanes.code.values import INTEGER, Doubles, Emitter, Integer, Integers, Lanes
from borelli.kernels.lanes.code.watch import Watch
from borelli.records import dataclass

# Far enough that memory has answered when the block is read, also while other programs keep it busy.
_BLOCKS_AHEAD = 2
# Lanes from which numbers are looked at in a loop of their own, measured on inverse dynamics of 37 freedoms: with four
# lanes that took a fifth longer than to look between the exchanges of a square, with eight a twelfth less.
_LOOKED_AT_LATER = 8


class InstantRange:
    """The instants of one block: from ``first`` on, of which only those before ``stop`` exist.

    The block is filled up by repeating the last instant that exists; on the way out those lanes rewrite that
    instant with the same numbers.
    """

    def __init__(self, first: Integer, stop: Integer) -> None:
        last = stop - 1
        self.first = first
        # An IR bit: whether no instant has to be repeated.
        self.all_exist = (first + first.emitter.width).compare("<=", stop)
        self._instants = [(first + lane).at_most(last) for lane in range(first.emitter.width)]

    def lines(self, n_columns: Integer) -> list[Integer]:
        """Return where the line of each instant starts in a table with so many columns."""
        return [instant * n_columns for instant in self._instants]


def instants_to_rows(
    table: Doubles,
    n_columns: Integer,
    instants: InstantRange,
    workspace: Doubles,
    first_row: Integer,
    watch: Watch | None = None,
) -> None:
    """Copy a block of a (n_instants, n_columns) table into rows of the workspace, from ``first_row`` on.

    A watch sees the numbers on their way.
    """
    emitter, width = table.emitter, table.emitter.width
    lines = instants.lines(n_columns)

    def turn(column: Integer) -> None:
        place = (first_row + column) * width
        for line in lines:
            table.prefetch(line + column + n_columns * (_BLOCKS_AHEAD * width))
        rows = [
            Lanes(emitter, row, width) for row in _turned_square(table, [line + column for line in lines])
        ]
        if watch is not None and width < _LOOKED_AT_LATER:
            watch.see(rows)
        for k, row in enumerate(rows):
            workspace.store(place + k * width, row)

    def copy(column: Integer) -> None:
        place = (first_row + column) * width
        for lane, line in enumerate(lines):
            workspace.store_scalar(place + lane, table.scalar(line + column))
        if watch is not None and width < _LOOKED_AT_LATER:
            watch.see([workspace.load(place)])

    _over_squares(emitter, n_columns, turn, copy)
    if watch is not None and width >= _LOOKED_AT_LATER:
        watch.look_at(workspace, first_row, n_columns)


@dataclass(frozen=True)
class Output:
    """Rows of the workspace that leave it as columns of a table.

    Attributes
    ----------
    table : Doubles
        (n_instants, n_columns)
    n_columns : Integer
    rows : Integer or Integers
        Row of the first column, if the others follow it; else the row of each column.
    """

    table: Doubles
    n_columns: Integer
    rows: Integer | Integers

    def row(self, column: Integer, k: int) -> Integer:
        """Return the row of the k-th column from ``column`` on."""
        return self.rows + column + k if isinstance(self.rows, Integer) else self.rows[column + k]


class OutputStream:
    """Writes the outputs of a kernel, block by block.

    Large results are written past the caches: a block is first turned in the workspace, in rows from ``stage``
    on, and leaves it in whole lines of memory while the next block is computed. Ordinary stores would fetch
    each line before they change it, and all at once they would keep the processor waiting.

    Parameters
    ----------
    outputs : sequence of Output
    stage : Integer
        First of as many rows as the outputs have columns.
    streamed : Integer
        Not zero if the tables are large, and aligned to lines of memory.
    n_parts : Integer
        Into how many parts the lines of a block are divided.
    """

    def __init__(
        self,
        workspace: Doubles,
        outputs: Sequence[Output],
        stage: Integer,
        streamed: Integer,
        n_parts: Integer,
    ) -> None:
        self._workspace = workspace
        self._outputs = outputs
        self._streamed = streamed
        emitter = workspace.emitter
        # The first instant of the block on the stage, or -1 for none.
        self._pending = emitter.cell(INTEGER)
        emitter.builder.store(emitter.integer(-1).ir, self._pending)
        # A mechanism without nodes has no steps, and a division by zero would end the process.
        divisor = n_parts.where(n_parts.compare(">", 0), 1)
        self._stages: list[Integer] = []
        self._parts: list[Integer] = []
        for output in outputs:
            self._stages.append(stage * emitter.width)
            self._parts.append((output.n_columns + divisor - 1) // divisor)
            stage = stage + output.n_columns

    def write_part(self, k: int, index: Integer) -> None:
        """Send off one part of the k-th output of the block on the stage, if there is one."""
        first, part = self._pending_instant(), self._parts[k]
        n_lines = self._outputs[k].n_columns.where(first.compare(">=", 0), 0)
        self._send(k, first, index * part, (index * part + part).at_most(n_lines))

    def flush(self) -> None:
        """Send off the last block; call after the loop over blocks."""
        first = self._pending_instant()
        for k, output in enumerate(self._outputs):
            self._send(k, first, 0, output.n_columns.where(first.compare(">=", 0), 0))
        # Until here, these stores may become visible to other threads in any order.
        self._workspace.emitter.builder.fence("seq_cst")

    def put(self, k: int, instants: InstantRange) -> None:
        """Put a block of the k-th output on the stage, or write it where it does not fill whole lines."""
        output, on_stage = self._outputs[k], self._on_stage(instants)
        table = self._workspace.where(on_stage, output.table)
        lines = [
            (self._stages[k] + output.n_columns * lane).where(on_stage, line)
            for lane, line in enumerate(instants.lines(output.n_columns))
        ]
        _rows_to_lines(self._workspace, output, table, lines)

    def close_block(self, instants: InstantRange) -> None:
        """Remember which block is on the stage."""
        emitter = self._workspace.emitter
        pending = instants.first.where(self._on_stage(instants), -1)
        emitter.builder.store(pending.ir, self._pending)

    def _on_stage(self, instants: InstantRange) -> Any:
        builder = self._workspace.emitter.builder
        return builder.and_(instants.all_exist, self._streamed.compare("!=", 0))

    def _pending_instant(self) -> Integer:
        emitter = self._workspace.emitter
        return Integer(emitter, emitter.builder.load(self._pending))

    def _send(self, k: int, first: Integer, start: int | Integer, stop: Integer) -> None:
        """Send lines of the k-th output; a line holds one vector, and a block as many as it has columns."""
        emitter, output = self._workspace.emitter, self._outputs[k]
        target = first * output.n_columns
        with count_up(emitter, start, stop) as line:
            place = line * emitter.width
            output.table.stream(target + place, self._workspace.load(self._stages[k] + place))


def _rows_to_lines(workspace: Doubles, output: Output, table: Doubles, lines: list[Integer]) -> None:
    emitter, width = table.emitter, table.emitter.width

    def turn(column: Integer) -> None:
        rows = [workspace.load(output.row(column, k) * width).ir for k in range(width)]
        _store_turned(table, [line + column for line in lines], rows)

    def copy(column: Integer) -> None:
        start = output.row(column, 0) * width
        for lane, line in enumerate(lines):
            table.store_scalar(line + column, workspace.scalar(start + lane))

    _over_squares(emitter, output.n_columns, turn, copy)


def _over_squares(
    emitter: Emitter, n_columns: Integer, turn: Callable[[Integer], None], copy: Callable[[Integer], None]
) -> None:
    """Cover all columns by squares, or one by one if they are too few."""
    width = emitter.width
    squares_end = n_columns & -width
    with count_up(emitter, 0, squares_end, width) as column:
        turn(column)
    # What is left over of the columns is covered by a square that overlaps the one before it.
    rest = emitter.integer(1).where((n_columns - squares_end).compare(">", 0), 0)
    fits = emitter.integer(2).where(n_columns.compare(">=", width), 0)
    with Switch(rest + fits) as switch:
        with switch.case(3):
            turn(n_columns - width)
        with switch.case(1), count_up(emitter, 0, n_columns) as column:
            copy(column)


def _turned_square(array: Doubles, places: list[Integer]) -> list[Any]:
    """Read a square whose rows start at the given places; return its columns as vectors."""
    emitter, size = array.emitter, len(places)
    if size == 1:
        return [array.load(places[0]).ir]
    half = size // 2
    # Halves are exchanged by reading them where they belong: the load units do part of the shuffling.
    rows = [
        emitter.shuffle(array.load(a + k, half).ir, array.load(b + k, half).ir, list(range(size)))
        for k in (0, half)
        for a, b in zip(places[:half], places[half:], strict=True)
    ]
    return _exchange_below(emitter, rows, half)


def _store_turned(array: Doubles, places: list[Integer], rows: list[Any]) -> None:
    """Write the columns of a square, given as rows, to the given places.

    Here the halves are exchanged by writing them where they belong. Half vectors also cross the border of a
    line of memory less often, which costs a store dearly.
    """
    emitter, size = array.emitter, len(places)
    if size == 1:
        array.store(places[0], Lanes(emitter, rows[0], size))
        return
    half = size // 2
    rows = _exchange_below(emitter, rows, half)
    for k, row in enumerate(rows):
        across, within = divmod(k, half)
        for side in (0, 1):
            part = emitter.shuffle(row, row, list(range(side * half, (side + 1) * half)))
            array.store(places[side * half + within] + across * half, Lanes(emitter, part, half))


def _exchange_below(emitter: Emitter, rows: list[Any], half: int) -> list[Any]:
    """Turn the four quarters of a square, each in its place."""
    rows, stride = list(rows), 1
    while stride < half:
        for i in range(len(rows)):
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
