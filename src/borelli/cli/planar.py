"""Analyse a planar chain with closed-form equations.

Reads a chain file (JSON; see the guide to planar chains). The motion is in the same file, or in a table with a
column of times and a column of angles for each link. Prints the torque and reaction of every joint (of one instant,
or the peaks of many), compression and shear of each link, and the support of the base with its centre of pressure.
If the file has a measured support, prints how far the two differ. Unknown contacts are solved first. --out writes a
result folder, which borelli explain and borelli report read, and tables as CSV and Parquet.

For example

    borelli planar chain.json
    borelli planar chain.json --motion squat.csv --out results/
    borelli planar plate.json --data-set proximal --json
    borelli planar reach.json --space joint --out results/
    borelli planar chain.json --sensitivities slopes.csv
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

import borelli as bo
from borelli.cli.terminal.shell import shell
from borelli.errors import UnknownNameError

SIDES = ("distal", "proximal")
SPACES = ("segment", "joint")
SENSITIVITY_ENDINGS = (".csv", ".parquet")


def run(
    chain: Annotated[Path, typer.Argument(metavar="CHAIN", help="A planar chain file (.json).")],
    motion: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Motion (.csv, .tsv or .parquet) instead of the chain file's."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write a result folder with tables here.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print numbers as JSON, not as a table.")] = False,
    data_set: Annotated[
        str,
        typer.Option(
            metavar="SET",
            help="distal: from what lies beyond each joint; proximal: from the base's measured support.",
        ),
    ] = "distal",
    space: Annotated[
        str,
        typer.Option(
            metavar="SPACE",
            help="Variables of the motion: segment (absolute angles) or joint (relative angles, with their products).",
        ),
    ] = "segment",
    link_axes: Annotated[
        str,
        typer.Option(
            metavar="LINK", help="Compression and shear along the distal or the proximal link of each joint."
        ),
    ] = "distal",
    sensitivities: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write derivatives of torques and reactions by every parameter: .csv or .parquet.",
        ),
    ] = None,
) -> None:
    """Analyse the chain and show or write the result."""
    choices = (("--data-set", data_set, SIDES), ("--space", space, SPACES), ("--link-axes", link_axes, SIDES))
    for option, given, known in choices:
        if given not in known:
            kind = option.strip("-").replace("-", " ")
            raise UnknownNameError.among(given, kind, known, where=option)
    if sensitivities is not None and sensitivities.suffix.lower() not in SENSITIVITY_ENDINGS:
        ending = sensitivities.suffix or sensitivities.name
        raise UnknownNameError.among(ending, "kind of table", SENSITIVITY_ENDINGS, where="--sensitivities")
    # Loaded here, because they bring pandas and rich, which a wrong option need not wait for.
    from borelli.cli.planar_parts import sensitivities as planar_sensitivities
    from borelli.cli.planar_parts import tables as planar_tables

    found = bo.analyze_chain(chain, motion, data_set=data_set, space=space, link_axes=link_axes)
    result, notes = found.result, found.notes
    if out is not None:
        inputs = {"chain": chain} | ({"motion": motion} if motion is not None else {})
        notes = notes + bo.save_chain_analysis(result, out, inputs=inputs, warnings=notes)
    slopes = None
    if sensitivities is not None:
        slopes = found.sensitivities()
        bo.save_sensitivities(slopes, sensitivities)
    if as_json:
        typer.echo(json.dumps(planar_tables.as_json(result, found.found, notes), indent=1, allow_nan=False))
        return
    more = None if slopes is None else planar_sensitivities.table(slopes, result)
    planar_tables.show(result, found.found, more)
    for note in notes:
        typer.echo(f"Warning: {note}", err=True)
    if out is not None:
        joint = str(result["joint"].values[0])
        typer.echo(f"Written: {out} (next: borelli explain {shell(out)} --output {shell(joint)}_torque)")
