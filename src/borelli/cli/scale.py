"""Scale a generic model to a subject.

Takes a subject file (.toml: model, static trial, measurements, factors, mass), a setup file of OpenSim's ScaleTool
(.xml), or a model with scale factors as options. Measures the segments in the static trial, scales the model, sets
its mass, and moves the markers to where they were worn.

For example

    borelli scale subject.toml
    borelli scale setup_scale.xml
    borelli scale generic.osim --out subject.osim --mass-kg 72.6 --factor femur_r=1.05 --factor torso=1,1.08,1
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import borelli as bo
from borelli.cli.outcome.scaled_subject import show_subject
from borelli.cli.terminal.notes import notes_on_stderr
from borelli.errors import InvalidValueError, UnknownNameError

_MODES = ("default", "opensim")


def run(
    source: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="A subject file (.toml), a setup (.xml), or a model (.osim)."),
    ],
    out: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Model to write; for a setup, the folder of its results."),
    ] = None,
    factor: Annotated[
        list[str] | None,
        typer.Option(metavar="BODY=F", help="Factor of a body, or three with commas; may be repeated."),
    ] = None,
    mass_kg: Annotated[float | None, typer.Option(metavar="KG", help="Mass of the subject.")] = None,
    mode: Annotated[
        str | None,
        typer.Option(
            metavar="MODE", help="default (exact) or opensim (its numbers, the default for a setup)."
        ),
    ] = None,
) -> None:
    """Scale, place markers, and write the model."""
    if mode is not None and mode not in _MODES:
        raise UnknownNameError.among(mode, "mode", _MODES, where="--mode")
    with notes_on_stderr():
        done = bo.make_subject(source, out=out, factors=_factors(factor or []), mass=mass_kg, mode=mode)
        # The files of a setup are more than the model; a tool that writes them says no mass.
        show_subject(done, with_mass=source.suffix.casefold() != ".xml")


def _factors(texts: list[str]) -> dict[str, tuple[float, ...]]:
    found: dict[str, tuple[float, ...]] = {}
    for text in texts:
        body, _, numbers = text.partition("=")
        try:
            values = tuple(float(each) for each in numbers.split(","))
        except ValueError:
            values = ()
        if len(values) not in (1, 3):
            raise InvalidValueError(
                f"--factor {text!r} is not BODY=NUMBER or BODY=X,Y,Z.",
                remedy="for example --factor femur_r=1.05",
            )
        found[body.strip()] = values
    return found
