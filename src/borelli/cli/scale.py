"""Make the model of a subject: measured in a static trial, scaled, weighed, with markers where they were worn.

Takes a subject file (.toml: model, static trial, measurements, factors, mass), a setup of OpenSim's ScaleTool (.xml),
or a model with factors on the command line.

For example

    borelli scale subject.toml
    borelli scale setup_scale.xml
    borelli scale generic.osim --out subject.osim --mass-kg 72.6 --factor femur_r=1.05 --factor torso=1,1.08,1
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from borelli.cli.notes import notes_on_stderr
from borelli.cli.scaled_subject import show_factors, show_fit, show_subject
from borelli.errors import InvalidValueError, MissingInputError, UnknownNameError
from borelli.io.scale_setup import ScaleSetup
from borelli.io.setup_options import Given
from borelli.io.setup_xml import read_tool
from borelli.io.subject_toml import SubjectFile, load_subject

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
    if source.suffix.casefold() == ".xml":
        _scale_setup(source, out, mode)
        return
    with notes_on_stderr():
        given = _subject(source, out)
    given = replace(
        given,
        factors={**given.factors, **_factors(factor or [])},
        mass=given.mass if mass_kg is None else mass_kg,
        mode=given.mode if mode is None else mode,
    )
    from borelli.trial.subject import make_subject

    with notes_on_stderr():
        subject = make_subject(given)
        show_factors(subject.factors)
        if subject.placed is not None:
            show_fit(subject.placed)
        typer.echo(f"{sum(float(body.mass) for body in subject.model.bodies):.2f} kg: {given.out}")


def _scale_setup(source: Path, out: Path | None, mode: str | None) -> None:
    with notes_on_stderr():
        settings = read_tool(source, Given(out=out))
        if not isinstance(settings, ScaleSetup):
            raise InvalidValueError(
                "The setup is not one of ScaleTool.", where=str(source), remedy=f"borelli run {source}"
            )
        from borelli.opensim_tools.scale_tool import run_scale

        show_subject(run_scale(settings, mode or "opensim"))


def _subject(source: Path, out: Path | None) -> SubjectFile:
    if source.suffix.casefold() == ".toml" and _is_subject_file(source):
        given = load_subject(source)
        return given if out is None else replace(given, out=out)
    if out is None:
        raise MissingInputError("Nothing says where the scaled model goes.", remedy="name it with --out")
    return SubjectFile(model=source, out=out)


def _is_subject_file(source: Path) -> bool:
    """Whether a .toml is a subject file; models have that ending, too."""
    from borelli.io.subject_toml import EXPECTED
    from borelli.io.toml_file import read_toml

    return "bodies" not in read_toml(source, EXPECTED, 64_000_000)


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
