"""Analyse one trial: moments, muscle forces, joint reactions.

Takes a model, external loads and a motion (or recorded markers), and writes a result folder and a page to open in a
browser. Each generalized force and joint reaction is split into the shares of every weight, load, acceleration,
velocity and muscle. Without --loads, the force plates of a .c3d are the loads. Muscle forces come from static
optimization; --muscles none leaves muscles out, --tensions uses given forces. A traffic light says how far to trust
the numbers and what to do; with --strict the command exits with status 3 if it is red. borelli explain and borelli
report read the folder. If inputs and options have not changed, nothing is computed again.

For example

    borelli analyze subject.osim --motion walk.mot --loads grf.xml --out results/
    borelli analyze subject.osim --markers walk.c3d --remove-offset --cutoff-hz 6 --loads-cutoff-hz 6 --out results/
    borelli analyze subject.osim --markers walk.trc --loads grf.xml --cutoff-hz 6 --out results/
    borelli analyze subject.osim --markers walk.c3d --cutoff-hz 6 --out results/
    borelli analyze subject.osim --motion walk.mot --loads grf.xml --tensions forces.sto --cutoff-hz 6 --out results/
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated, Any, cast

import typer

import borelli as bo
from borelli.cli.outcome.next_steps import PAGE, show_next
from borelli.cli.outcome.summary import show_summary
from borelli.cli.outcome.verdict import STATUS_RED, refuse_red, show_verdict
from borelli.cli.terminal.notes import notes_on_stderr
from borelli.cli.terminal.progress import stages
from borelli.errors import InvalidValueError, MissingInputError, UnknownNameError

_UNITS = ("degrees", "radians")
ABOUT = ("title", "subject", "condition", "side", "session")
# Options that mean the same in every command that computes a trial.
Angles = Annotated[
    str | None, typer.Option(metavar="UNIT", help="degrees or radians; overrides the motion's header.")
]
AllowViolations = Annotated[
    bool, typer.Option("--allow-violations", help="Accept a motion that violates the model's constraints.")
]
LoadsCutoff = Annotated[
    float | None,
    typer.Option(metavar="F", help="Low-pass filter on the loads, at the cut-off of the coordinates."),
]
Geometry = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="Folder with the surfaces of the bones (.vtp, .stl, .obj), if not beside the model.",
    ),
]
Again = Annotated[bool, typer.Option("--again", help="Compute even if nothing changed.")]
Strict = Annotated[
    bool, typer.Option("--strict", help=f"Exit with status {STATUS_RED} if the verdict is red.")
]


def run(
    context: typer.Context,
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A model: .osim or .toml.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Result folder to write.")],
    motion: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Coordinates over time: .mot, .sto, .csv …")
    ] = None,
    markers: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Recorded markers (.trc, .c3d) in place of a motion."),
    ] = None,
    loads: Annotated[Path | None, typer.Option(metavar="FILE", help="ExternalLoads .xml.")] = None,
    tensions: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Tensions: a column of newtons for each path.")
    ] = None,
    cutoff_hz: Annotated[
        float | None, typer.Option(metavar="F", help="Low-pass filter on coordinates.")
    ] = None,
    loads_cutoff_hz: LoadsCutoff = None,
    allow_violations: AllowViolations = False,
    remove_offset: Annotated[
        bool,
        typer.Option("--remove-offset", help="Subtract what C3D force plates read while nothing is on them."),
    ] = False,
    smoothing: Annotated[str, typer.Option(metavar="MODE", help="default or opensim.")] = "default",
    variables: Annotated[str, typer.Option(metavar="SET", help="body or coordinates.")] = "body",
    muscles: Annotated[str, typer.Option(metavar="HOW", help="shared or none.")] = "shared",
    power: Annotated[
        float, typer.Option(metavar="P", help="Minimise the sum of activations to the power P.")
    ] = 2.0,
    reserves: Annotated[
        float, typer.Option(metavar="R", help="Strength of the reserve actuators, N m or N.")
    ] = 1.0,
    spare: Annotated[
        list[str] | None,
        typer.Option(metavar="JOINT=WEIGHT", help="Also minimise the reaction force at this joint."),
    ] = None,
    from_s: Annotated[float | None, typer.Option(metavar="T", help="First time, in seconds.")] = None,
    to_s: Annotated[float | None, typer.Option(metavar="T", help="Last time, in seconds.")] = None,
    angles: Angles = None,
    express_in: Annotated[
        str,
        typer.Option(metavar="AXES", help="Axes of joint reactions: ground, parent, child or a body."),
    ] = "ground",
    on: Annotated[
        str, typer.Option(metavar="BODY", help="Body that joint reactions act on: child or parent.")
    ] = "child",
    loops: Annotated[
        bool,
        typer.Option(
            "--loops",
            help="Let constraints between bodies (closed loops) bear their part of joint reactions.",
        ),
    ] = False,
    about: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=TEXT", help="Label for the page: subject, condition, side, title …"),
    ] = None,
    norms: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Normative curves (.csv) to draw on the page behind those of the trial."
        ),
    ] = None,
    geometry: Geometry = None,
    again: Again = False,
    strict: Strict = False,
) -> None:
    """Analyse one trial."""
    trial = _trial_of(context.params)
    with notes_on_stderr("warning") as notes:
        with stages() as stage:
            found = bo.run(trial, again=again, progress=stage, norms=norms, geometry=geometry)
        notes.show()
        # A trial gives tables and a folder, never a scaled model.
        found = cast("bo.RunResult", found)
        show_trial(found)
    if strict:
        refuse_red(found.verdict)


def _trial_of(given: dict[str, Any]) -> bo.Trial:
    """Return the trial that the options describe."""
    motion, first, last = given["motion"], given["from_s"], given["to_s"]
    if (motion is None) == (given["markers"] is None):
        raise MissingInputError(
            "give either a motion or markers." if motion is None else "a motion and markers were both given.",
            where="--motion, --markers",
            remedy="name the file of one of them",
        )
    span = None
    if first is not None or last is not None:
        span = (-float("inf") if first is None else first, float("inf") if last is None else last)
    # An option called like a field of the trial is that field; the others are turned into theirs here.
    fields = {field.name for field in dataclasses.fields(bo.Trial)}
    options = {name: value for name, value in given.items() if name in fields}
    options |= {
        "time_range": span,
        "in_degrees": in_degrees_of(given["angles"]),
        "spare": dict(map(_spared, given["spare"])) if given["spare"] else None,
        "about": dict(map(_told, given["about"])) if given["about"] else None,
    }
    return bo.Trial(**options)


def in_degrees_of(word: str | None) -> bool | None:
    """Whether ``--angles`` says degrees; None where it says nothing."""
    if word is not None and word not in _UNITS:
        raise UnknownNameError.among(word, "unit of angles", _UNITS, where="--angles")
    return None if word is None else word == "degrees"


def _told(text: str) -> tuple[str, str]:
    """Key and text."""
    key, _, words = text.partition("=")
    if key not in ABOUT or not words:
        raise UnknownNameError.among(
            key, "label of a trial", ABOUT, where="--about", remedy="write --about subject=S07"
        )
    return key, words


def _spared(text: str) -> tuple[str, float]:
    """Joint and weight."""
    joint, _, weight = text.partition("=")
    try:
        return joint.strip(), float(weight)
    except ValueError:
        raise InvalidValueError(
            f"{text!r} is not a joint to spare.", where="--spare", remedy="write --spare wrist=1.0"
        ) from None


def show_trial(found: bo.RunResult) -> None:
    """Say how far to trust the result, then what was written; or that it is there."""
    place = found.folder
    for line in found.lines:
        typer.echo(line)
    show_verdict(found.verdict)
    if not found.computed:
        typer.echo(f"Same inputs and options as before: {place} is up to date (--again recomputes it).")
        return
    show_summary(found)
    show_next(place, place / PAGE, found.answers, found.plain)
