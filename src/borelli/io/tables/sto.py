"""OpenSim tables: ``.sto`` and ``.mot``, versions 1 to 3, and the older SIMM motion header.

A header of free lines ends with ``endheader``; a line of labels and rows of numbers follow. Version 3
files may hold vectors, whose components are joined by commas inside a cell.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from borelli.errors import FileFormatError, InvalidValueError, warn
from borelli.io.tables.labels import refuse_unwritable
from borelli.io.text.files import decode_text, read_bytes, refuse_binary
from borelli.io.text.numbers import Block, read_numbers
from borelli.io.text.write_numbers import write_rows
from borelli.results.labelled.table import Cell, Table
from borelli.results.on_disk.whole import atomic_writer

EXPECTED = "an OpenSim table (.sto, .mot)"

_END = re.compile(rb"^[ \t]*endheader[ \t]*\r?$", re.MULTILINE | re.IGNORECASE)
_ROWS_KEYS = ("nrows", "nr", "datarows")
_COLUMNS_KEYS = ("ncolumns", "nc", "datacolumns")
_SIMM_KEYS = (
    "name",
    "datacolumns",
    "datarows",
    "range",
    "otherdata",
    "nr",
    "nc",
    "wrap",
    "calc_derivatives",
)
# A header is a few lines; a file without its end mark should not be searched for ever.
_HEADER_LIMIT = 1 << 20


@dataclass
class _Header:
    """What the lines before ``endheader`` say."""

    name: str = ""
    values: dict[str, str] = field(default_factory=dict)
    description: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def get(self, *keys: str) -> str | None:
        """Return the value of the first key present, whatever its case."""
        folded = {key.casefold(): value for key, value in self.values.items()}
        return next((folded[key] for key in keys if key in folded), None)

    def count(self, *keys: str) -> int | None:
        """Return a whole number, or None with a note where it is absent or no number."""
        text = self.get(*keys)
        if text is None:
            return None
        if not re.fullmatch(r"\d{1,18}", text):
            self.notes.append(f"the header's {keys[0]} is {text[:40]!r}, not a count")
            return None
        return int(text)

    @property
    def in_degrees(self) -> bool | None:
        """What the header says about angles."""
        text = self.get("indegrees")
        if text is None:
            return None
        word = text.strip().casefold()
        if word in ("yes", "y", "true", "1"):
            return True
        if word in ("no", "n", "false", "0"):
            return False
        self.notes.append(f"inDegrees is {text[:40]!r}, neither yes nor no; it is ignored")
        return None

    @property
    def cells(self) -> Cell:
        """What a cell holds, from ``DataType``."""
        word = (self.get("datatype") or "double").strip()
        for cell in Cell:
            if cell.value.casefold() == word.casefold():
                return cell
        known = ", ".join(cell.value for cell in Cell)
        raise FileFormatError(f"DataType={word[:40]} is not supported.", remedy=f"known are {known}")


def read_sto(path: str | os.PathLike[str]) -> Table:
    """Read a ``.sto`` or ``.mot`` file.

    Takes what the field's programs write: wrong or missing counts, SIMM headers, comment lines,
    trailing tabs, padded labels, CRLF, several blanks as separators, repeated ``inDegrees``. What had
    to be forgiven is listed in the table's ``notes`` and in one warning.

    Returns
    -------
    table : Table
        Numbers as in the file (degrees stay degrees).
    """
    name = os.fspath(path)
    return parse_sto(read_bytes(path, EXPECTED), name)


def parse_sto(data: bytes, source: str = "<bytes>") -> Table:
    """Parse the bytes of a ``.sto`` or ``.mot`` file; see :func:`read_sto`."""
    refuse_binary(data, source, EXPECTED)
    end = _END.search(data, 0, _HEADER_LIMIT)
    if end is None:
        lines = data[:_HEADER_LIMIT].count(b"\n") + 1
        raise FileFormatError(
            f"No line 'endheader' was found in the first {lines} lines, expected {EXPECTED}.",
            where=f"{source}, line {lines}",
            remedy="check that this is the file you meant and that it is complete",
        )
    header = _parse_header(decode_text(data[: end.start()], source, EXPECTED) if end.start() else "")
    try:
        cells = header.cells
    except FileFormatError as error:
        error.where = f"{source}, header"
        raise
    labels, separator, start, first_line = _labels(data, end.end(), source)
    block = Block(data, start, first_line, len(labels), source, cells.size, separator=separator)
    if header.count(*_COLUMNS_KEYS) not in (None, len(labels)):
        header.notes.append(
            f"the header says {header.get(*_COLUMNS_KEYS)} columns, the label line has {len(labels)}"
        )
    return _assemble(header, labels, block, cells)


def _assemble(header: _Header, labels: list[str], block: Block, cells: Cell) -> Table:
    source = block.source
    time_index = next((i for i, label in enumerate(labels) if label.casefold() in ("time", "t")), None)
    if cells is not Cell.SCALAR and time_index != 0:
        raise FileFormatError(
            "The first label of a table of vectors must be 'time'.", where=_label_line(block)
        )
    numbers = read_numbers(block)
    promised = header.count(*_ROWS_KEYS)
    if promised is not None and promised != len(numbers):
        header.notes.append(f"the header says {promised} rows, the file has {len(numbers)}")
    if time_index is None:
        time = _simm_time(header, len(numbers), block)
        columns = labels
    else:
        time = numbers[:, time_index].copy()
        numbers = numbers[:, 1:] if time_index == 0 else np.delete(numbers, time_index, axis=1)
        columns = labels[:time_index] + labels[time_index + 1 :]
    if not np.all(np.isfinite(time)):
        row = int(np.flatnonzero(~np.isfinite(time))[0])
        raise FileFormatError(f"The time of row {row + 1} is not a finite number.", where=source)
    if cells is not Cell.SCALAR:
        numbers = numbers.reshape(len(numbers), len(columns), cells.size)
    repeated = sorted(label for label, count in Counter(columns).items() if count > 1)
    if repeated:
        header.notes.append("several columns share the label " + ", ".join(map(repr, repeated[:5])))
    in_degrees = header.in_degrees
    _tell(source, header.notes)
    return Table(
        time=time,
        columns=tuple(columns),
        values=numbers,
        in_degrees=in_degrees,
        name=header.name,
        metadata={
            **header.values,
            **({"description": "\n".join(header.description)} if header.description else {}),
        },
        cells=cells,
        source=source,
        notes=tuple(header.notes),
    )


def _tell(source: str, notes: list[str]) -> None:
    if notes:
        warn(f"{source}: " + "; ".join(notes) + ".")


def _parse_header(text: str) -> _Header:
    header = _Header()
    for number, raw in enumerate(text.splitlines()):
        line = raw.strip()
        if not line:
            continue
        key, mark, value = (part.strip() for part in line.partition("="))
        word, _, rest = (part.strip() for part in line.replace("\t", " ").partition(" "))
        if number == 0 and not mark and not (word.casefold() in _SIMM_KEYS and rest):
            header.name = line
        elif mark and re.fullmatch(r"[\w .\-/]+", key):
            _set(header, key, value)
        elif word.casefold() in _SIMM_KEYS and rest:
            if word.casefold() == "name":
                header.name = rest
            else:
                _set(header, word, rest)
        else:
            header.description.append(line)
    return header


def _set(header: _Header, key: str, value: str) -> None:
    previous = header.values.get(key)
    if previous is not None and previous.casefold() != value.casefold():
        header.notes.append(
            f"{key} is given as {previous[:40]!r} and as {value[:40]!r}; the last one is used"
        )
    header.values[key] = value


def _labels(data: bytes, offset: int, source: str) -> tuple[list[str], str, int, int]:
    """Return labels, separator, and the offset and line number of the first row."""
    line_number = data.count(b"\n", 0, offset) + 1
    while True:
        newline = data.find(b"\n", offset)
        if newline < 0:
            raise FileFormatError(
                "The file ends before the line of labels.",
                where=f"{source}, line {line_number}",
                remedy="export it again",
            )
        offset, line_number = newline + 1, line_number + 1
        end = data.find(b"\n", offset)
        raw = data[offset : end if end >= 0 else len(data)]
        if raw.strip():
            break
    line = decode_text(raw, source, EXPECTED).rstrip("\r\n")
    if "\t" in line.strip():
        separator = "\t"
        labels = [label.strip() for label in line.split("\t")]
        while labels and not labels[-1]:
            labels.pop()
        # Columns that are right-aligned with tabs and blanks leave empty labels between the real ones.
        if "" in labels:
            labels, separator = line.split(), " "
    else:
        separator = " "
        labels = line.split()
    start = end + 1 if end >= 0 else len(data)
    return labels, separator, start, line_number + 1


def _label_line(block: Block) -> str:
    return f"{block.source}, line {block.first_line - 1}"


def _simm_time(header: _Header, n_rows: int, block: Block) -> np.ndarray:
    """Return evenly spaced times from a SIMM ``range``, for files without a time column."""
    words = (header.get("range") or "").split()
    try:
        first, last = (float(word) for word in words)
    except ValueError:
        raise FileFormatError(
            "No column is labelled 'time'.",
            where=_label_line(block),
            remedy="label the column of times 'time'",
        ) from None
    header.notes.append(
        f"there is no time column; times are spaced evenly over the header's range {first:g} to {last:g}"
    )
    return np.linspace(first, last, n_rows)


def write_sto(table: Table, path: str | os.PathLike[str], *, version: int | None = None) -> None:
    """Write a table so that OpenSim reads the same numbers back.

    Parameters
    ----------
    table : Table
        Scalars or vectors.
    path : path
        Target; it appears complete or not at all.
    version : {1, 3}, optional
        1 is what OpenSim's tools write and is the default for scalars; vectors need 3.
    """
    scalar = table.cells is Cell.SCALAR
    version = (1 if scalar else 3) if version is None else version
    if version not in (1, 3) or (version == 1 and not scalar):
        raise InvalidValueError(
            f"Version {version} cannot hold this table.",
            where=os.fspath(path),
            remedy="use version 1 for scalars and version 3 for vectors",
        )
    for label in (table.name, *table.columns):
        refuse_unwritable(label, os.fspath(path), "rename the column", may_be_blank=label is table.name)
    with atomic_writer(path) as stream:
        stream.write(_header_text(table, version).encode("utf-8"))
        write_rows(stream, table.time, table.values)


def _header_text(table: Table, version: int) -> str:
    lines = [table.name or "table"]
    if version == 3:
        lines.append(f"DataType={table.cells.value}")
    lines += [f"version={version}", f"nRows={table.n_times}", f"nColumns={table.n_columns + 1}"]
    if table.in_degrees is not None:
        lines.append(f"inDegrees={'yes' if table.in_degrees else 'no'}")
    if table.in_degrees and version == 1:
        lines += ["", "Units are S.I. units (second, meters, Newtons, ...)", "Angles are in degrees.", ""]
    return "\n".join([*lines, "endheader", "\t".join(["time", *table.columns]), ""])
