"""Split every joint torque and reaction of a trial.

Takes a model, a motion or the markers it was recorded by, and external loads, and writes a result folder: generalized
forces and joint reactions, each with the share of every weight, load, acceleration and velocity, and a page to open
in a browser. Muscles of the model share the load, frame by frame (--muscles none leaves them out, --tensions gives
their forces), and are sources of the joint reactions. borelli explain and borelli report read the folder. The same
inputs are recognised and not computed again.

For example

    borelli analyze subject.osim --motion walk.mot --loads grf.xml --out results/
    borelli analyze subject.osim --markers walk.trc --loads grf.xml --cutoff-hz 6 --out results/
    borelli analyze subject.osim --motion walk.mot --loads grf.xml --tensions forces.sto --cutoff-hz 6 --out results/
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, cast

import typer

import borelli as bo
from borelli.cli.notes import notes_on_stderr
from borelli.cli.progress import stages
from borelli.cli.summary import show_summary
from borelli.errors import InvalidValueError, MissingInputError


def run(
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
    smoothing: Annotated[str, typer.Option(metavar="MODE", help="default or opensim.")] = "default",
    variables: Annotated[str, typer.Option(metavar="SET", help="body or coordinates.")] = "body",
    muscles: Annotated[str, typer.Option(metavar="HOW", help="shared or none.")] = "shared",
    power: Annotated[
        float, typer.Option(metavar="P", help="Power of the activations that muscles minimise.")
    ] = 2.0,
    reserves: Annotated[
        float, typer.Option(metavar="R", help="Strength of the reserve at every coordinate, N m or N.")
    ] = 1.0,
    spare: Annotated[
        list[str] | None,
        typer.Option(
            metavar="JOINT=WEIGHT", help="A joint to spare: its reaction counts in what muscles minimise."
        ),
    ] = None,
    from_s: Annotated[float | None, typer.Option(metavar="T", help="First time, in seconds.")] = None,
    to_s: Annotated[float | None, typer.Option(metavar="T", help="Last time, in seconds.")] = None,
    again: Annotated[bool, typer.Option("--again", help="Compute even if nothing changed.")] = False,
) -> None:
    """Analyse one trial."""
    span = None
    if from_s is not None or to_s is not None:
        span = (-float("inf") if from_s is None else from_s, float("inf") if to_s is None else to_s)
    if (motion is None) == (markers is None):
        raise MissingInputError(
            "give either a motion or markers." if motion is None else "a motion and markers were both given.",
            where="--motion, --markers",
            remedy="name the file of one of them",
        )
    if motion is None:
        assert markers is not None
        motion = _motion_from(markers, model, out)
    weights = dict(map(_spared, spare)) if spare else None
    trial = bo.Trial(
        model,
        motion,
        out,
        loads,
        tensions,
        cutoff_hz,
        smoothing,
        span,
        variables,
        muscles,
        power,
        reserves,
        weights,
    )
    with notes_on_stderr("warning"):
        with stages() as stage:
            found = bo.run(trial, again=again, progress=stage)
        # A trial gives tables and a folder, never a scaled model.
        show_trial(cast("bo.RunResult", found))


def _motion_from(markers: Path, model: Path, out: Path) -> Path:
    """Find the motion that fits markers, write it beside the result folder, and say how well it fits."""
    target = out.with_name(f"{out.name}_ik.mot")
    with notes_on_stderr("warning"):
        body = bo.load_model(model)
        fit = bo.inverse_kinematics(body, bo.load_markers(markers))
        target.parent.mkdir(parents=True, exist_ok=True)
        bo.save_motion(fit.borelli.motion(), body, target)
    error = 1e3 * float(fit["rms_error"].mean())
    typer.echo(f"Motion from {fit.sizes['marker']} markers, {error:.1f} mm off on average: {target}")
    return target


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
    """Say what was written, residuals first, or that the result is there."""
    place = found.folder
    if not found.computed:
        typer.echo(f"Same inputs and options as before: {place} is up to date (--again computes anew).")
        return
    show_summary(found)
    names = [output.name for output in bo.outputs(found.result)]
    example = names[min(len(names), int(found.result.sizes["coordinate"])) - 1]
    typer.echo(f"Written: {place} (next: borelli explain {place} --output {example})")
