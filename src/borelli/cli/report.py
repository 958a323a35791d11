"""Write the page of saved results, one HTML file.

The page opens offline. It shows the verdict first, then the motion, the peaks with their largest sources, and the
shares of every output over time. Only the saved folders are read.

For example

    borelli report results/
    borelli report squat/ reach/ --out both.html --open
    borelli report walk/ --norms healthy.csv --geometry Geometry/
"""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

import borelli as bo
from borelli.cli.terminal.notes import notes_on_stderr


def run(
    results: Annotated[list[Path], typer.Argument(metavar="RESULTS...", help="One or more result folders.")],
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The page; by default report.html in the first folder."),
    ] = None,
    norms: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Normative curves (.csv) to draw behind angles, moments and power."
        ),
    ] = None,
    geometry: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder with the surfaces of the bones (.vtp, .stl, .obj), if not where they were for its page.",
        ),
    ] = None,
    open_it: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Write the page, say where, and open it if asked."""
    with notes_on_stderr():
        page = bo.write_report(results, out, norms=norms, geometry=geometry)
    typer.echo(f"Page: {page}")
    if open_it:
        webbrowser.open(page.resolve().as_uri())
