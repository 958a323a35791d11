"""Write a file in another format; the endings say which.

Tables go between .sto, .mot, .csv, .tsv, .parquet and, for markers, .trc; numbers are not changed. A C3D
recording gives its markers to a .trc file and its ground reactions to a .mot or .sto file. Models go between
.osim and .toml.

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

from borelli.cli.info import MODEL_ENDINGS
from borelli.cli.notes import notes_on_stderr
from borelli.errors import UnknownNameError
from borelli.results.table import Table

PARTS = ("markers", "plates", "analog")


def run(
    source: Annotated[Path, typer.Argument(metavar="IN", help="The file to read.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write.")],
    part: Annotated[
        str | None, typer.Option(metavar="PART", help="Of a C3D recording: markers, plates or analog.")
    ] = None,
    y_up: Annotated[
        bool, typer.Option("--y-up", help="Turn a C3D recording with z up to OpenSim's axes, with y up.")
    ] = False,
    for_spreadsheet: Annotated[
        bool,
        typer.Option(
            "--for-spreadsheet", help="Of a .csv: no label becomes a formula (an apostrophe goes before it)."
        ),
    ] = False,
    si: Annotated[bool, typer.Option("--si", help="Turn known units into SI: mm to m, deg to rad.")] = False,
) -> None:
    """Read one file and write the other."""
    with notes_on_stderr():
        if source.suffix.lower() in MODEL_ENDINGS:
            from borelli.io.load_model import load_model, save_model

            save_model(load_model(source), target)
        else:
            from borelli.io.load import save_table

            table = _table(source, target, part, y_up)
            save_table(table.to_si() if si else table, target, for_spreadsheet=for_spreadsheet)
    typer.echo(f"{source} -> {target}")


def _table(source: Path, target: Path, part: str | None, y_up: bool) -> Table:
    if source.suffix.lower() != ".c3d":
        from borelli.io.load import load_table

        return load_table(source)
    from borelli.io.c3d import Z_UP_TO_Y_UP, load_c3d, plates_table

    recording = load_c3d(source, rotation=Z_UP_TO_Y_UP if y_up else None)
    if part is None:
        part = "plates" if target.suffix.lower() in (".mot", ".sto") else "markers"
    if part not in PARTS:
        raise UnknownNameError.among(part, "part of a recording", PARTS, where="--part")
    if part == "plates":
        return plates_table(recording)
    return recording.markers if part == "markers" else recording.analog
