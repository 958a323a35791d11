"""Print the equations of motion of a planar chain or a model.

Planar chain (--links N): joint torques and joint reactions with every parameter by name, in segment space (absolute
link angles, Biscarini 2021) or joint space (relative angles, Cesari et al. 2001). They use the loads beyond each
joint or, with --data-set proximal, the support of the base. --muscle A,B prints the term of one straight muscle
from link A to link B.

Model (.toml or .osim) with at most six degrees of freedom: if all joints are hinges and sliders, the Lagrangian
form (Schaffner) with the Jacobians J_L and J_A of every body, H, every h_ijk and G; otherwise the mass matrix and
the velocity and gravity forces. --symbols keeps parameters as symbols; --load adds an external wrench at a point of
a body, as J^T F.

Python output is one function that needs only NumPy. LaTeX output needs the package amsmath. JavaScript output
(chains only) is a function for browsers that returns every share by its name.

For example

    borelli equations --links 3
    borelli equations --links 2 --space joint --as latex
    borelli equations --links 4 --as python --out four_links.py
    borelli equations --links 3 --as javascript
    borelli equations --links 3 --data-set proximal --couples
    borelli equations --links 3 --muscle 0,2
    borelli equations arm.toml --symbols --load "hand = forearm 0.25 0 0"
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import borelli as bo
from borelli.cli.terminal.notes import notes_on_stderr
from borelli.errors import InvalidValueError, MissingInputError, UnknownNameError

FORMATS = ("text", "latex", "python", "javascript")
SOURCES = ("python", "javascript")


def run(
    model: Annotated[
        Path | None, typer.Argument(metavar="[MODEL]", help="A model (.toml or .osim) instead of a chain.")
    ] = None,
    links: Annotated[
        int | None, typer.Option(metavar="N", help="Number of links of a planar chain, 1 or more.")
    ] = None,
    space: Annotated[
        str | None,
        typer.Option(
            metavar="SPACE", help="Chain only: segment (absolute angles, the default) or joint (relative)."
        ),
    ] = None,
    data_set: Annotated[
        str | None,
        typer.Option(
            metavar="SET",
            help="Chain only: distal (the default), proximal (from the base's support), or mixed (Biscarini's (24)).",
        ),
    ] = None,
    couples: Annotated[
        bool, typer.Option("--couples", help="Chain only: add a couple on every link.")
    ] = False,
    muscle: Annotated[
        str | None,
        typer.Option(metavar="A,B", help="Chain only: one straight muscle between two links; 0 is the base."),
    ] = None,
    form: Annotated[
        str, typer.Option("--as", metavar="FORM", help="text, latex, python or javascript.")
    ] = "text",
    symbols: Annotated[
        bool, typer.Option("--symbols", help="Model only: keep masses, lengths and inertias as symbols.")
    ] = False,
    load: Annotated[
        list[str] | None,
        typer.Option(
            metavar='"NAME = BODY X Y Z"', help="Model only: add an external wrench at a point (m)."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write to this file, not to the screen.")
    ] = None,
) -> None:
    """Print the equations, or write them to a file."""
    if form not in FORMATS:
        raise UnknownNameError.among(form, "form of the equations", FORMATS, where="--as")
    if (model is None) == (links is None):
        raise MissingInputError(
            "Give either a planar chain (--links N) or a model file.",
            remedy="write borelli equations --links 2, or borelli equations arm.toml",
        )
    if model is not None:
        of_chains = {"--space": space, "--data-set": data_set, "--couples": couples, "--muscle": muscle}
        _refuse(
            {option: bool(given) for option, given in of_chains.items()},
            "a model has its own generalized coordinates",
        )
        if form == "javascript":
            raise InvalidValueError(
                "The equations of a model are written as text, latex or python, not as javascript.",
                where="--as",
                remedy="write --as python, or give a planar chain with --links N",
            )
        written: Any = _of_model(model, symbols, load or [])
    else:
        _refuse({"--symbols": symbols, "--load": bool(load)}, "a chain already has symbols and loads")
        written = bo.planar.equations(links or 0, space or "segment", data_set or "distal", couples)
        if muscle is not None:
            written = _muscle(written, muscle, form)
    printed = getattr(written, form)()
    if out is None:
        typer.echo(printed, nl=False)
    else:
        with bo.atomic_writer(out) as stream:
            stream.write(printed.encode("utf-8"))


def _muscle(chain: bo.planar.Equations, text: str, form: str) -> bo.planar.MuscleTerm:
    """One muscle of a chain, between links that a text such as ``0,2`` names."""
    parts = text.split(",")
    if len(parts) != 2 or not all(part.strip().isdecimal() for part in parts):
        raise InvalidValueError(
            f"{text!r} does not name two links.", where="--muscle", remedy="write --muscle 0,2; the base is 0"
        )
    if form in SOURCES:
        raise InvalidValueError(
            f"A muscle's term is written as text or latex, not as {form}.", remedy="leave --as out"
        )
    origin, insertion = map(int, parts)
    return chain.muscle(origin, insertion)


def _refuse(options: dict[str, bool], why: str) -> None:
    for option, given in options.items():
        if given:
            raise InvalidValueError(f"{option} cannot be used here: {why}.", remedy=f"leave {option} out")


def _of_model(path: Path, symbols: bool, loads: list[str]) -> Any:
    """Equations of a model: the Lagrangian form where its joints allow it."""
    with notes_on_stderr():
        model = bo.load_model(path)
    on_points = [_load(text) for text in loads]
    if symbols:
        model = bo.with_symbols(model)[0]
    if bo.is_elementary(model):
        return bo.lagrangian(model, loads=on_points)
    return bo.equations_of_motion(model, on_points)


def _load(text: str) -> bo.SymbolicLoad:
    name, equals, rest = text.partition("=")
    parts = rest.split()
    try:
        x, y, z = map(float, parts[1:] or ("0", "0", "0"))
        body = parts[0]
    except (ValueError, IndexError):
        equals = ""
    if not equals or not name.strip():
        raise InvalidValueError(
            f"{text!r} is not a load.", where="--load", remedy='write --load "hand = forearm 0.25 0 0"'
        )
    return bo.SymbolicLoad(name.strip(), body, (x, y, z))
