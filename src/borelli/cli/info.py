"""Show what is in a file: a model, a planar chain, a motion, a table, markers, a recording or external loads.

For a table its columns with units, ranges and missing values, its sampling rate and what its reader had to
forgive; for a model its tree, coordinates and muscles, what is not supported and what looks wrong.

For example

    borelli info subject.osim
    borelli info walk.mot
    borelli info walk.c3d
    borelli info grf.xml
    borelli info chain.json
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from borelli.cli.console import plain_console
from borelli.cli.notes import notes_on_stderr
from borelli.errors import UnknownNameError

TABLE_ENDINGS = (".sto", ".mot", ".trc", ".csv", ".tsv", ".parquet")
MODEL_ENDINGS = (".osim", ".toml")


def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Any file that Borelli reads.")],
    every: Annotated[bool, typer.Option("--all", help="Show every column, however many.")] = False,
) -> None:
    """Print a summary of a file."""
    console = plain_console(soft_wrap=True)
    ending = file.suffix.lower()
    with notes_on_stderr():
        if ending in TABLE_ENDINGS:
            from borelli.cli.info_table import show_table
            from borelli.io.load import load_table

            show_table(load_table(file), console, every)
        elif ending == ".c3d":
            from borelli.cli.info_table import show_recording
            from borelli.io.c3d import load_c3d

            show_recording(load_c3d(file), console, every)
        elif ending == ".xml":
            from borelli.cli.info_xml import show_xml

            show_xml(file, console)
        elif ending in MODEL_ENDINGS:
            from borelli.cli.info_model import show_model
            from borelli.io.load_model import load_model

            show_model(load_model(file), console, every)
        elif ending == ".json":
            from borelli.cli.info_chain import show_chain
            from borelli.io.planar_file import load_chain

            show_chain(load_chain(file), console)
        else:
            known = [*MODEL_ENDINGS, *TABLE_ENDINGS, ".c3d", ".xml", ".json"]
            raise UnknownNameError.among(
                ending or file.name, "kind of file that can be shown", known, where=str(file)
            )
