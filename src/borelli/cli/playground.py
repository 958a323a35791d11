"""Write a page with bodies to drag, for teaching.

One HTML file that opens offline. Torques, joint forces and their sources follow at once. It has lift, squat,
stairs, reach, leg extension and biceps curl, with sliders for loads, body mass and height, two postures side by
side, three lessons, and the equations. Your own planar chain file (.json) is shown first, with its loads and the
posture of its first instant.

For example

    borelli playground --out play.html
    borelli playground chain.json --out mine.html --mass-kg 70 --open
"""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

import borelli as bo
from borelli.cli.terminal.notes import notes_on_stderr


def run(
    chain: Annotated[
        Path | None, typer.Argument(metavar="[CHAIN]", help="A planar chain file (.json) of your own.")
    ] = None,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The page.")] = Path("playground.html"),
    mass_kg: Annotated[
        float | None,
        typer.Option(metavar="KG", help="Body mass of your own chain, for forces in times body weight."),
    ] = None,
    strength_n: Annotated[
        float, typer.Option(metavar="N", help="Strength of each muscle of your own chain.")
    ] = 1000.0,
    open_it: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Write the page, say where, and open it if asked."""
    with notes_on_stderr():
        own = None if chain is None else bo.load_chain(chain)
        page = bo.write_playground(out, own, strengths=strength_n, mass_kg=mass_kg)
    typer.echo(f"Page: {page}")
    if open_it:
        webbrowser.open(page.resolve().as_uri())
