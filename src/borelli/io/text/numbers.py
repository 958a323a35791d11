"""The numeric block of a text table: rows of numbers between separators.

Large regular blocks are parsed by Arrow, in threads. Small ones, and anything that it refuses, go to a patient
reader, line by line, which forgives what the field's files contain (ragged padding, comment lines, Microsoft's
words for missing numbers) and otherwise says which line stopped it.
"""

from __future__ import annotations

import re
import sys

import numpy as np
from numpy.typing import NDArray

from borelli.errors import FileFormatError
from borelli.kernels.jit import has_compiler
from borelli.records import dataclass
from borelli.results.saving.arrow_arrays import from_numbers

# Loaded where needed: pyarrow, which is slow to load, and most calls do without.

Array = NDArray[np.float64]

# Up to this many bytes the patient reader is done before Arrow has been loaded.
LARGE_BLOCK = 1_000_000
# Once Arrow is there, it reads more than this in less time; the numbers are the same to the bit.
_LARGE_FOR_ARROW = 20_000

# What programs write where a number is missing; the odd ones are from Microsoft's C library.
_MISSING = frozenset(
    word.casefold()
    for word in ("", "nan", "-nan", "+nan", "na", "n/a", "null", "none", "-", "--",
                 "nan(ind)", "-nan(ind)", "1.#qnan", "-1.#qnan", "1.#ind", "-1.#ind", "1.#r")
)  # fmt: skip
_COMMENT = ("#", "//", "%")
_BLANKS = re.compile(rb"[ \t\r\n]*")
# Numbers of a table that may be mostly blank: cells that are missing cost memory but no bytes of the file.
_FEW_NUMBERS = 10_000_000
# Every column costs the compiled reader some kilobytes, however short it is.
_MOST_FAST_COLUMNS = 20_000


@dataclass(frozen=True)
class Block:
    r"""Where the numbers of a text file are, and how they are laid out.

    Attributes
    ----------
    data : bytes
        The whole file.
    start : int
        Offset of the first row.
    first_line : int
        Line number of the first row, counted from 1.
    n_columns : int
        Cells per row, the time cell included.
    cell_size : int
        Numbers per cell, except in the first ``n_plain`` cells, which hold one.
    source : str
        File name, for messages.
    n_plain : int
        Leading cells that hold one number whatever ``cell_size`` is.
    separator : str
        ``"\t"``, ``","``, ``";"`` or ``" "`` (any run of blanks and tabs).
    pad_rows : bool
        Take cells that are missing at the end of a complete line as blank.
    """

    data: bytes
    start: int
    first_line: int
    n_columns: int
    source: str
    cell_size: int = 1
    n_plain: int = 1
    separator: str = "\t"
    pad_rows: bool = False

    @property
    def n_numbers(self) -> int:
        """Numbers per row."""
        return self.n_plain + (self.n_columns - self.n_plain) * self.cell_size


def read_numbers(block: Block) -> Array:
    """Return the rows of a block.

    Returns
    -------
    numbers : (n_rows, n_numbers) float
        NaN where a cell is blank or says that its value is missing.
    """
    large = LARGE_BLOCK if "pyarrow" not in sys.modules else min(LARGE_BLOCK, _LARGE_FOR_ARROW)
    if len(block.data) - block.start > large and has_compiler():
        numbers = _read_fast(block)
        if numbers is not None:
            return numbers
    return _read_patiently(block)


def _read_fast(block: Block) -> Array | None:
    """Return the rows, or None where the block is not perfectly regular."""
    n_rows = block.data.count(b"\n", block.start) + 1
    if block.n_numbers > _MOST_FAST_COLUMNS or n_rows * (block.n_numbers - 1) > len(block.data):
        # Fewer bytes than numbers: not every line is a whole row, and what is prepared for them would cost memory.
        return None
    # A spreadsheet writes the blank line below the labels as tabs alone.
    blanks = _BLANKS.match(block.data, block.start)
    ends = block.data.rfind(b"\n", block.start, blanks.end() if blanks else block.start) + 1
    body = memoryview(block.data)[max(block.start, ends) :]
    if block.separator == " ":
        lines = (b" ".join(line.split()) for line in bytes(body).splitlines())
        return _read_cells(block, memoryview(b"\n".join(lines)))
    if block.data[-1:] == block.separator.encode():
        return None  # The last row may have lost its end.
    if block.cell_size > 1:
        # Components of a vector become cells of their own, once it is certain that every cell has as many.
        if not _vectors_are_regular(block, bytes(body)):
            return None
        body = memoryview(bytes(body).replace(b",", block.separator.encode()))
    return _read_cells(block, body)


def _read_cells(block: Block, body: memoryview) -> Array | None:
    """Rows of cells between single separators. Arrow's numbers are correctly rounded, as Python's are."""
    import pyarrow as pa
    from pyarrow import csv

    names = [str(index) for index in range(block.n_numbers)]
    # A copy of Arrow's own: its threads may let go of the text late, and where that is Python's memory a process that
    # ends meanwhile is aborted.
    text = pa.allocate_buffer(len(body))
    np.frombuffer(text, np.uint8)[:] = np.frombuffer(body, np.uint8)
    try:
        table = csv.read_csv(
            text,
            csv.ReadOptions(column_names=names),
            csv.ParseOptions(delimiter=block.separator, quote_char=False, double_quote=False),
            csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.float64()), null_values=["", "nan", "NaN"]
            ),
        )
    except pa.ArrowInvalid:
        return None
    numbers = np.empty((table.num_rows, block.n_numbers))
    for index in range(block.n_numbers):
        numbers[:, index] = from_numbers(table.column(index))
    empty = np.flatnonzero(np.isnan(numbers[:, 0]))
    # A row of nothing is a blank line, or one that says so: the patient reader tells them apart.
    return None if np.isnan(numbers[empty]).all(axis=1).any() else numbers


def _vectors_are_regular(block: Block, body: bytes) -> bool:
    """Whether every row has the same cells, and every cell as many components as all others."""
    others = bytes(set(range(256)) - set(f"{block.separator},\n".encode()))
    found = body.translate(None, others)
    cells = [b""] * block.n_plain + [b"," * (block.cell_size - 1)] * (block.n_columns - block.n_plain)
    row = block.separator.encode().join(cells)
    n_rows = found.count(b"\n") + (not body.endswith(b"\n"))
    return found.rstrip(b"\n") == b"\n".join([row] * n_rows)


def _read_patiently(block: Block) -> Array:
    text = block.data[block.start :].decode("latin-1")
    rows: list[list[float]] = []
    # Not splitlines(): that also breaks at characters which are no line ends to any other program.
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    most_rows = max(_FEW_NUMBERS, len(block.data)) // max(block.n_numbers, 1)
    # Python alone reads "1_000" as a number.
    plain = block.cell_size == 1 and "_" not in text
    separator = None if block.separator == " " else block.separator
    for index, line in enumerate(lines):
        if not line.strip() or line.lstrip().startswith(_COMMENT):
            continue
        if len(rows) > most_rows:
            raise FileFormatError(
                f"The line of labels has {block.n_columns} cells, far more than the rows.",
                where=f"{block.source}, line {block.first_line + index}",
                remedy="check that the line of labels belongs to this file",
            )
        row = _plain_row(line, separator, block.n_columns) if plain else None
        if row is None:
            row = _row(line, block.first_line + index, block, complete=index < len(lines) - 1)
        rows.append(row)
    return np.array(rows, dtype=np.float64).reshape(len(rows), block.n_numbers)


def _plain_row(line: str, separator: str | None, n_columns: int) -> list[float] | None:
    """Return the numbers of a line that has as many cells as there are labels, a number in each; else None."""
    cells = line.split(separator)
    try:
        return list(map(float, cells)) if len(cells) == n_columns else None
    except ValueError:
        return None


def _row(line: str, line_number: int, block: Block, complete: bool) -> list[float]:
    # A line without its line break may have lost its end: nothing is assumed about missing cells.
    where = f"{block.source}, line {line_number}"
    if block.separator == " " or (block.separator == "\t" and "\t" not in line.strip()):
        cells = line.split()
    else:
        cells = [cell.strip() for cell in line.split(block.separator)]
        while len(cells) > block.n_columns and not cells[-1]:
            cells.pop()
        # Some writers pad with tabs and blanks at once: "\t0.1\t \t0.2".
        if len(cells) != block.n_columns:
            words = line.split() if block.separator == "\t" else cells
            cells = words if len(words) == block.n_columns else cells
    short = complete and block.pad_rows and block.n_plain < len(cells) < block.n_columns
    if not short and (len(cells) != block.n_columns or not (complete or cells[-1])):
        raise FileFormatError(
            f"Expected {block.n_columns} cells in a row (one per label), found {sum(map(bool, cells))}.",
            where=where,
            remedy="the file may be cut off here, or a label may contain a separator",
        )
    row = [_number(cell, where, index) for index, cell in enumerate(cells[: block.n_plain], 1)]
    for index, cell in enumerate(cells[block.n_plain :], block.n_plain + 1):
        if block.cell_size == 1:
            row.append(_number(cell, where, index))
        else:
            row.extend(_vector(cell, where, index, block.cell_size))
    return row + [np.nan] * (block.n_numbers - len(row))


def _vector(cell: str, where: str, index: int, size: int) -> list[float]:
    if cell.casefold() in _MISSING:
        return [np.nan] * size
    parts = cell.strip("~[]()").split(",")
    if len(parts) != size:
        raise FileFormatError(
            f"Expected {size} numbers joined by commas, found {cell[:60]!r}.", where=f"{where}, cell {index}"
        )
    return [_number(part.strip(), where, index) for part in parts]


def _number(cell: str, where: str, index: int) -> float:
    try:
        # Python alone reads "1_000" as a number.
        if "_" not in cell:
            return float(cell)
    except ValueError:
        pass
    if cell.casefold() in _MISSING:
        return float("nan")
    remedy = "write decimals with a point, not a comma" if re.fullmatch(r"[-+]?\d+,\d+", cell) else None
    raise FileFormatError(
        f"Expected a number, found {cell[:40]!r}.", where=f"{where}, cell {index}", remedy=remedy
    )
