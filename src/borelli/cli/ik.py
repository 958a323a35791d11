"""Inverse kinematics: find the motion that fits markers best.

Needs no setup file. Writes the coordinates (.mot, degrees) and, next to them, a result folder with the error of
every marker, the objective, the residuals, and the coordinates that no marker determines. All markers that the
model and the recording share have the same weight unless --weight changes it. Constraints, locked coordinates and
clamped ranges of the model are respected.

For example

    borelli ik subject.osim walk.trc --out walk.mot
    borelli ik subject.osim walk.c3d --weight R.Heel=10 --weight L.Heel=10 --from-s 0.4 --to-s 1.6
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import typer

import borelli as bo
from borelli.cli.terminal.notes import notes_on_stderr
from borelli.cli.terminal.shell import shell
from borelli.errors import InvalidValueError


def run(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="Model (.osim, .toml) with markers.")],
    markers: Annotated[Path, typer.Argument(metavar="MARKERS", help="Recorded markers (.trc, .c3d).")],
    out: Annotated[
        Path | None, typer.Option(metavar="TABLE", help="Motion to write; default: next to the markers.")
    ] = None,
    weight: Annotated[
        list[str] | None, typer.Option(metavar="MARKER=NUMBER", help="Weight of a marker; the default is 1.")
    ] = None,
    from_s: Annotated[float, typer.Option(metavar="S", help="First time.")] = -math.inf,
    to_s: Annotated[float, typer.Option(metavar="S", help="Last time.")] = math.inf,
) -> None:
    """Compute and write the motion."""
    target = markers.with_name(f"{markers.stem}_ik.mot") if out is None else out
    with notes_on_stderr("note"):
        body, recorded = bo.load_model(model), bo.between(bo.load_markers(markers), from_s, to_s)
        own = _weights(weight or [], [n for n in body.marker_names if n in recorded["marker"].values])
        result = bo.inverse_kinematics(body, recorded, weights=own)
        bo.save_motion(result.borelli.motion(), body, target)
        result = bo.with_body(result, body)
        folder = target.with_name(f"{target.stem}_borelli")
        bo.save_result(
            result, folder, inputs={"model": model, "markers": markers}, warnings=result.attrs["warnings"]
        )
    for line in (
        *bo.fit_summary(result),
        f"{target}",
        f"Errors of every marker: {folder} (borelli report {shell(folder)} draws them)",
    ):
        typer.echo(line)


def _weights(given: list[str], shared: list[str]) -> dict[str, float] | None:
    if not given:
        return None
    weights = dict.fromkeys(shared, 1.0)
    for text in given:
        name, _, value = text.rpartition("=")
        try:
            weights[name] = float(value)
        except ValueError:
            raise InvalidValueError(
                f"{text!r} is not a marker and its weight.", where="--weight", remedy="write R.Heel=10"
            ) from None
    return weights
