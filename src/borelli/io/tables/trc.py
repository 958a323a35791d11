"""Marker trajectories: ``.trc``.

Three header lines, a line of marker names (each above three columns), a line of component names, then
frame number, time and three coordinates per marker. Blank cells and NaN mean that a marker was not seen.
"""

from __future__ import annotations

import os
import re

import numpy as np

from borelli.errors import (
    FileFormatError,
    InvalidValueError,
    ShapeError,
    warn,
)
from borelli.io.tables.labels import refuse_unwritable
from borelli.io.text.files import decode_text, read_bytes, refuse_binary
from borelli.io.text.numbers import Block, read_numbers
from borelli.io.text.write_numbers import write_trc_rows
from borelli.results.labelled.table import Cell, Table
from borelli.results.on_disk.whole import atomic_writer

EXPECTED = "marker trajectories (.trc)"

_KEYS = (
    "DataRate",
    "CameraRate",
    "NumFrames",
    "NumMarkers",
    "Units",
    "OrigDataRate",
    "OrigDataStartFrame",
    "OrigNumFrames",
)


def read_trc(path: str | os.PathLike[str]) -> Table:
    """Read marker positions.

    Returns
    -------
    table : Table
        One column of three components per marker, in the file's unit (``table.to_si()`` gives metres),
        NaN where a marker is missing.
    """
    return parse_trc(read_bytes(path, EXPECTED), os.fspath(path))


def parse_trc(data: bytes, source: str = "<bytes>") -> Table:
    """Parse the bytes of a ``.trc`` file; see :func:`read_trc`."""
    refuse_binary(data, source, EXPECTED)
    lines, starts = _first_lines(data, 8)
    if not lines or not lines[0].lstrip(b"\xef\xbb\xbf \t").startswith(b"PathFileType"):
        raise FileFormatError(
            f"The first line does not begin with 'PathFileType', expected {EXPECTED}.",
            where=f"{source}, line 1",
        )
    if len(lines) < 4:
        raise FileFormatError(
            f"The file ends inside its header, expected {EXPECTED}.", where=f"{source}, line {len(lines)}"
        )
    text = [decode_text(line, source, EXPECTED) for line in lines[:5]]
    notes: list[str] = []
    metadata = _metadata(text[1], text[2], source, notes)
    names = _marker_names(text[3], source)
    has_components = len(lines) > 4 and re.match(r"\s*[Xx]1?\b", text[4]) is not None
    first = 5 if has_components else 4
    start = starts[first] if len(starts) > first else len(data)
    block = Block(data, start, first + 1, 2 + 3 * len(names), source, n_plain=2, pad_rows=True)
    numbers = read_numbers(block)
    _compare(metadata, "NumMarkers", len(names), "markers", notes)
    _compare(metadata, "NumFrames", len(numbers), "frames", notes)
    return _assemble(numbers, names, metadata, text[0], source, notes)


def _first_lines(data: bytes, count: int) -> tuple[list[bytes], list[int]]:
    """Return the first lines without their ends, and the offset at which each begins."""
    lines: list[bytes] = []
    starts: list[int] = []
    offset = 0
    while len(lines) < count and offset < len(data):
        end = data.find(b"\n", offset)
        end = len(data) if end < 0 else end
        lines.append(data[offset:end].rstrip(b"\r"))
        starts.append(offset)
        offset = end + 1
    return lines, starts


def _metadata(keys: str, values: str, source: str, notes: list[str]) -> dict[str, str]:
    found = dict(zip(keys.split(), values.split(), strict=False))
    if len(keys.split()) != len(values.split()):
        notes.append(f"line 2 names {len(keys.split())} settings, line 3 gives {len(values.split())}")
    if "Units" not in found:
        raise FileFormatError(
            "The header does not say in which unit the markers are (Units on line 2).",
            where=f"{source}, line 2",
            remedy="add Units with mm or m",
        )
    return found


def _marker_names(line: str, source: str) -> list[str]:
    cells = [cell.strip() for cell in line.split("\t")]
    if len(cells) < 3:
        cells = line.split()
    names = [cell for cell in cells[2:] if cell]
    if (
        len(cells) < 2
        or not cells[0].casefold().startswith("frame")
        or not cells[1].casefold().startswith("time")
    ):
        raise FileFormatError(
            "The line of marker names must begin with 'Frame#' and 'Time'.", where=f"{source}, line 4"
        )
    return names


def _compare(metadata: dict[str, str], key: str, found: int, what: str, notes: list[str]) -> None:
    if key in metadata and metadata[key] != str(found):
        notes.append(f"the header says {metadata[key][:20]} {what}, the file has {found}")


def _assemble(
    numbers: np.ndarray, names: list[str], metadata: dict[str, str], title: str, source: str, notes: list[str]
) -> Table:
    time = numbers[:, 1].copy()
    if not np.all(np.isfinite(time)):
        row = int(np.flatnonzero(~np.isfinite(time))[0])
        raise FileFormatError(f"The time of row {row + 1} is not a finite number.", where=source)
    if notes:
        warn(f"{source}: " + "; ".join(notes) + ".")
    return Table(
        time=time,
        columns=tuple(names),
        values=numbers[:, 2:].reshape(len(numbers), len(names), 3),
        units=(metadata["Units"],) * len(names),
        name=re.split(r"\(X/Y/Z\)\s*", title)[-1].strip(),
        metadata=metadata,
        cells=Cell.VEC3,
        source=source,
        notes=tuple(notes),
    )


def write_trc(table: Table, path: str | os.PathLike[str]) -> None:
    """Write marker positions so that OpenSim reads the same numbers back.

    Parameters
    ----------
    table : Table
        Columns of three components, all in one unit (mm, cm or m; taken as m where not stated).
    path : path
        Target; it appears complete or not at all.
    """
    where = os.fspath(path)
    if table.cells is not Cell.VEC3:
        raise ShapeError(
            f"Marker trajectories have cells of three numbers, not {table.cells.value}.",
            where=where,
            remedy="write this table as .sto",
        )
    units = set(table.units) - {""} or {"m"}
    if len(units) > 1:
        raise InvalidValueError(f"A .trc file has one unit, the table has {sorted(units)}.", where=where)
    for name in table.columns:
        refuse_unwritable(name, where, "rename the marker")
    with atomic_writer(path) as stream:
        stream.write(_header_text(table, os.path.basename(where), units.pop()).encode("utf-8"))
        write_trc_rows(stream, table.time, table.values)


def _header_text(table: Table, file_name: str, unit: str) -> str:
    span = table.time[-1] - table.time[0] if table.n_times > 1 else 0.0
    computed = f"{round((table.n_times - 1) / span, 6):g}" if span > 0 else "0"
    rate = table.metadata.get("DataRate", computed)
    given = {"NumFrames": str(table.n_times), "NumMarkers": str(table.n_columns), "Units": unit}
    default = {"DataRate": rate, "CameraRate": rate, "OrigDataRate": rate, "OrigDataStartFrame": "1"}
    values = [
        given.get(key) or table.metadata.get(key) or default.get(key) or str(table.n_times) for key in _KEYS
    ]
    names = "".join(f"{name}\t\t\t" for name in table.columns).rstrip("\t")
    components = "".join(f"\tX{i}\tY{i}\tZ{i}" for i in range(1, table.n_columns + 1))
    lines = [
        f"PathFileType\t4\t(X/Y/Z)\t{file_name}",
        "\t".join(_KEYS),
        "\t".join(values),
        f"Frame#\tTime\t{names}",
        f"\t{components}",
        "",
        "",
    ]
    return "\n".join(lines)
