"""Convert a file to another format; the file endings say which.

Tables convert between .sto, .mot, .csv, .tsv, .parquet and, for markers, .trc; numbers do not change. A C3D
recording converts to a .trc file (its markers) or to a .mot or .sto file (its ground reactions). Models convert
between .osim and .toml.

For example

    borelli convert walk.mot walk.csv
    borelli convert walk.c3d walk.trc --y-up
    borelli convert walk.c3d grf.mot --y-up
    borelli convert subject.osim subject.toml
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import borelli as bo
from borelli.cli.info import MODEL_ENDINGS
from borelli.cli.terminal.notes import notes_on_stderr
from borelli.errors import UnknownNameError

PARTS = ("markers", "plates", "analog")


def run(
    source: Annotated[Path, typer.Argument(metavar="IN", help="The file to read.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write.")],
    part: Annotated[
        str | None, typer.Option(metavar="PART", help="Part of a C3D recording: markers, plates or analog.")
    ] = None,
    y_up: Annotated[
        bool, typer.Option("--y-up", help="Turn a C3D recording with z up to OpenSim's axes, with y up.")
    ] = False,
    for_spreadsheet: Annotated[
        bool,
        typer.Option(
            "--for-spreadsheet", help="Keep a spreadsheet from running labels of a .csv as formulas."
        ),
    ] = False,
    remove_offset: Annotated[
        bool,
        typer.Option("--remove-offset", help="Subtract what C3D force plates read while nothing is on them."),
    ] = False,
    si: Annotated[bool, typer.Option("--si", help="Turn known units into SI: mm to m, deg to rad.")] = False,
) -> None:
    """Read one file and write the other."""
    with notes_on_stderr():
        if source.suffix.lower() in MODEL_ENDINGS:
            bo.save_model(bo.load_model(source), target)
        else:
            table = _table(source, target, part, y_up, remove_offset)
            bo.save_table(table.to_si() if si else table, target, for_spreadsheet=for_spreadsheet)
    typer.echo(f"{source} -> {target}")


def _table(source: Path, target: Path, part: str | None, y_up: bool, remove_offset: bool) -> bo.Table:
    if source.suffix.lower() != ".c3d":
        return bo.load_table(source)
    recording = bo.load_c3d(source, up="z" if y_up else None, remove_offset=remove_offset)
    if part is None:
        part = "plates" if target.suffix.lower() in (".mot", ".sto") else "markers"
    if part not in PARTS:
        raise UnknownNameError.among(part, "part of a recording", PARTS, where="--part")
    if part == "plates":
        return bo.plates_table(recording)
    return recording.markers if part == "markers" else recording.analog
