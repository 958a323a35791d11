"""Print the closed-form equations of a planar chain.

Joint torques and joint reactions of any number of links, with every parameter by name: in segment space
(absolute link angles) after Biscarini (2021), or in joint space (relative angles) after Cesari et al. (2001).
As Python it is the source of one function that needs NumPy only; LaTeX needs the package amsmath.

For example

    borelli equations --links 3
    borelli equations --links 2 --space joint --as latex
    borelli equations --links 4 --as python --out four_links.py
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from borelli.errors import UnknownNameError
from borelli.planar import Equations, equations
from borelli.results.whole import atomic_writer

FORMATS = {"text": Equations.text, "latex": Equations.latex, "python": Equations.python}


def run(
    links: Annotated[int, typer.Option(metavar="N", help="Number of links, 1 or more.")],
    space: Annotated[
        str, typer.Option(metavar="SPACE", help="segment: absolute angles; joint: relative angles.")
    ] = "segment",
    form: Annotated[str, typer.Option("--as", metavar="FORM", help="text, latex or python.")] = "text",
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write to this file instead of the screen.")
    ] = None,
) -> None:
    """Print the equations, or write them to a file."""
    if form not in FORMATS:
        raise UnknownNameError.among(form, "form of the equations", FORMATS, where="--as")
    printed = FORMATS[form](equations(links, space))
    if out is None:
        typer.echo(printed, nl=False)
    else:
        with atomic_writer(out) as stream:
            stream.write(printed.encode("utf-8"))
