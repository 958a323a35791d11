"""Any table by its name: picks the reader or writer of a format."""

from __future__ import annotations

import os
from pathlib import Path

from borelli.errors import UnknownNameError, UnsupportedError
from borelli.io.c3d.recording import load_c3d
from borelli.io.tables.csv import read_csv, read_parquet, write_csv, write_parquet
from borelli.io.tables.sto import read_sto, write_sto
from borelli.io.tables.trc import read_trc, write_trc
from borelli.results.labelled.table import Table

READERS = {
    ".sto": read_sto,
    ".mot": read_sto,
    ".trc": read_trc,
    ".csv": read_csv,
    ".tsv": read_csv,
    ".parquet": read_parquet,
}
WRITERS = {
    ".sto": write_sto,
    ".mot": write_sto,
    ".trc": write_trc,
    ".csv": write_csv,
    ".tsv": write_csv,
    ".parquet": write_parquet,
}


def load_table(path: str | os.PathLike[str]) -> Table:
    """Read a table over time: ``.sto``, ``.mot``, ``.trc``, ``.csv``, ``.tsv``, ``.parquet``, ``.c3d`` (markers).

    Parameters
    ----------
    path : path
        ``.mot``, ``.sto``, ``.trc``, ``.c3d``, ``.csv`` and others; the ending decides.

    Returns
    -------
    table : Table
        Numbers as the file has them (degrees stay degrees, millimetres stay millimetres).

    Examples
    --------
    >>> table = bo.load_table(walk.motion)
    >>> table.n_times, table.in_degrees
    (191, True)
    """
    ending = Path(path).suffix.lower()
    if ending == ".c3d":
        return load_c3d(path).markers
    if ending not in READERS:
        raise UnknownNameError.among(ending, "table format", [*READERS, ".c3d"], where=os.fspath(path))
    return READERS[ending](path)


def save_table(table: Table, path: str | os.PathLike[str], *, for_spreadsheet: bool = False) -> None:
    """Write a table in the format that the target's ending names; complete or not at all.

    Parameters
    ----------
    table : Table
    path : path
    for_spreadsheet : bool
        Of ``.csv`` and ``.tsv``: no label is taken for a formula by a spreadsheet.

    Examples
    --------
    >>> bo.save_table(bo.load_table(walk.motion), "walk.csv")
    >>> bo.load_table("walk.csv").columns[0]
    'pelvis_tilt'
    """
    ending = Path(path).suffix.lower()
    if ending == ".c3d":
        raise UnsupportedError(
            "C3D files are read, not written.", where=os.fspath(path), remedy="write .trc or .sto"
        )
    if ending not in WRITERS:
        raise UnknownNameError.among(
            ending, "table format that can be written", WRITERS, where=os.fspath(path)
        )
    if for_spreadsheet and WRITERS[ending] is not write_csv:
        raise UnsupportedError(
            f"A file of type {ending} is not a spreadsheet table.",
            where=os.fspath(path),
            remedy="write .csv or .tsv",
        )
    if for_spreadsheet:
        write_csv(table, path, for_spreadsheet=True)
    else:
        WRITERS[ending](table, path)
