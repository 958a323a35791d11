"""Run an OpenSim setup file as it is, or a trial file.

Setup files of InverseDynamicsTool, and of AnalyzeTool with JointReaction, StaticOptimization, MuscleAnalysis,
InducedAccelerations, Kinematics, BodyKinematics, PointKinematics, Actuation, ForceReporter, StatesReporter and
OutputReporter: writes the tables that OpenSim would write, with
the same names and columns and in the same place, and beside them a result folder. Shares of every source and a page are
added to it at once where that is quick, else with --explain or when borelli explain or report ask for them. The motion
is smoothed as the tools do it, so that the numbers are the same; --mode default smooths without lowering the cut-off.
What is not supported is refused by name before anything is computed.

A setup of ScaleTool writes the subject's model, its factors and its static pose (see borelli scale).

InverseKinematicsTool and IMUInverseKinematicsTool: the motion at the optimum of the tool's objective. IMUPlacer: the
model with its sensors.

A trial file (.toml) names a model, a motion, loads and options, and the result folder.

For example

    borelli run setup_id.xml
    borelli run setup_scale.xml
    borelli run setup_jra.xml --explain
    borelli run setup_jra.xml --mode default
    borelli run trial.toml
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import borelli as bo
from borelli.cli.analyze import in_degrees_of, show_trial
from borelli.cli.next_steps import show_next
from borelli.cli.notes import notes_on_stderr
from borelli.cli.progress import stages
from borelli.cli.scaled_subject import show_subject
from borelli.cli.summary import show_summary
from borelli.cli.verdict import STATUS_RED, refuse_red, show_verdict


def run(
    setup: Annotated[
        Path,
        typer.Argument(metavar="SETUP", help="A setup file of an OpenSim tool (.xml), or a trial (.toml)."),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            help="Folder for the tables, or inverse dynamics' own table, in place of the setup's.",
        ),
    ] = None,
    model: Annotated[
        Path | None, typer.Option(metavar="MODEL", help="Model in place of the one that the setup names.")
    ] = None,
    motion: Annotated[
        Path | None, typer.Option(metavar="TABLE", help="Coordinates in place of the motion of the setup.")
    ] = None,
    loads: Annotated[
        Path | None, typer.Option(metavar="XML", help="ExternalLoads in place of those of the setup.")
    ] = None,
    markers: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Markers (.trc, .c3d) in place of those of the setup.")
    ] = None,
    mode: Annotated[
        str | None,
        typer.Option(metavar="MODE", help="How to smooth: opensim (as a setup does) or default."),
    ] = None,
    explain: Annotated[
        bool | None,
        typer.Option("--explain/--no-explain", help="Shares of every source and a page: at once, or later."),
    ] = None,
    angles: Annotated[
        str | None,
        typer.Option(metavar="UNIT", help="degrees or radians, whatever the motion's header says."),
    ] = None,
    allow_violations: Annotated[
        bool, typer.Option("--allow-violations", help="Take a motion that violates the model's constraints.")
    ] = False,
    loads_cutoff_hz: Annotated[
        float | None,
        typer.Option(metavar="F", help="Low-pass filter on the loads, at the cut-off of the motion."),
    ] = None,
    infeasible: Annotated[
        str,
        typer.Option(
            metavar="HOW", help="A load that muscles cannot balance: raise (refuse it) or report (say where)."
        ),
    ] = "raise",
    again: Annotated[bool, typer.Option("--again", help="Compute even if nothing changed.")] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help=f"End with status {STATUS_RED} if the verdict is red.")
    ] = False,
) -> None:
    """Run the tool and write its tables."""
    is_trial = setup.suffix.casefold() == ".toml"
    with notes_on_stderr("warning" if is_trial else "note") as notes:
        with stages() as stage:
            found = bo.run(
                setup,
                model=model,
                motion=motion,
                loads=loads,
                out=out,
                mode=mode,
                explain=explain,
                in_degrees=in_degrees_of(angles),
                allow_violations=allow_violations,
                infeasible=infeasible,
                again=again,
                progress=stage,
                markers=markers,
                loads_cutoff_hz=loads_cutoff_hz,
            )
        notes.show()
        if isinstance(found, bo.RunResult):
            (show_trial if is_trial else _show)(found)
        else:
            show_subject(found)
    if isinstance(found, bo.RunResult):
        found.require_all()
        if strict:
            refuse_red(found.verdict)


def _show(found: bo.RunResult) -> None:
    """Say how far to trust it, what was written, and where the shares are or how to get them."""
    if not found.lines:
        show_verdict(found.verdict)
    if not found.computed:
        typer.echo(f"Same inputs as before: {found.folder} is up to date (--again computes anew).")
        return
    if found.lines:
        for line in (*found.lines, *map(str, found.tables)):
            typer.echo(line)
        return
    show_summary(found)
    for path in found.tables:
        typer.echo(f"{path}")
    if found.explained:
        show_next(found)
    else:
        typer.echo(
            f"Shares of every source are left for later, because they take longer than the tables: --explain computes "
            f"them at once, borelli explain {found.folder} or borelli report {found.folder} when asked."
        )
