"""Show what is in a file or result folder.

Table: columns with units, ranges and missing values, the sampling rate, and what the reader had to repair.
Model: its tree, coordinates and muscles, what is not supported, and what looks wrong.

For example

    borelli info subject.osim
    borelli info walk.mot
    borelli info walk.c3d
    borelli info grf.xml
    borelli info chain.json
    borelli info results/
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import borelli as bo
from borelli.cli.info_parts.chain import show_chain
from borelli.cli.info_parts.model import show_model
from borelli.cli.info_parts.result import show_result
from borelli.cli.info_parts.table import show_recording, show_table
from borelli.cli.info_parts.xml import show_xml
from borelli.cli.terminal.console import plain_console
from borelli.cli.terminal.notes import notes_on_stderr
from borelli.errors import UnknownNameError

TABLE_ENDINGS = (".sto", ".mot", ".trc", ".csv", ".tsv", ".parquet")
MODEL_ENDINGS = (".osim", ".toml")


def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Any file that Borelli reads.")],
    every: Annotated[bool, typer.Option("--all", help="Show every column and line, however many.")] = False,
) -> None:
    """Print a summary of a file."""
    console = plain_console(soft_wrap=True)
    ending = file.suffix.lower()
    with notes_on_stderr():
        if file.is_dir():
            show_result(file, console, every)
        elif ending in TABLE_ENDINGS:
            show_table(bo.load_table(file), console, every)
        elif ending == ".c3d":
            show_recording(bo.load_c3d(file), console, every)
        elif ending == ".xml":
            show_xml(bo.summarize_xml(file), console)
        elif ending in MODEL_ENDINGS:
            show_model(bo.load_model(file), console, every)
        elif ending == ".json":
            show_chain(bo.load_chain(file), console)
        else:
            known = [*MODEL_ENDINGS, *TABLE_ENDINGS, ".c3d", ".xml", ".json"]
            raise UnknownNameError.among(
                ending or file.name, "kind of file that can be shown", known, where=str(file)
            )
