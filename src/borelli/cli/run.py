"""Run an OpenSim setup file as it is, or a trial file.

Supported setup files: InverseDynamicsTool; AnalyzeTool with JointReaction, StaticOptimization, MuscleAnalysis,
InducedAccelerations, Kinematics, BodyKinematics, PointKinematics, Actuation, ForceReporter, StatesReporter and
OutputReporter; InverseKinematicsTool and IMUInverseKinematicsTool (solved to the optimum of the tool's objective);
IMUPlacer; ScaleTool (see borelli scale). Anything else is refused by name before the computation starts.

Writes the tables that OpenSim would write, with the same names, columns and places, and a result folder next to
them. If they are quick to compute, the shares of every source and a page are added at once; otherwise use
--explain, borelli explain or borelli report. The motion is smoothed as OpenSim does it, so the numbers are the
same; --mode default smooths without lowering the cut-off.

A trial file (.toml) names a model, a motion, loads, options and the result folder.

For example

    borelli run setup_id.xml
    borelli run setup_scale.xml
    borelli run setup_jra.xml --explain
    borelli run setup_jra.xml --mode default
    borelli run setup_jra.xml --norms healthy.csv --geometry Geometry/
    borelli run trial.toml
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import borelli as bo
from borelli.cli.analyze import (
    Again,
    AllowViolations,
    Angles,
    Geometry,
    LoadsCutoff,
    Strict,
    in_degrees_of,
    show_trial,
)
from borelli.cli.outcome.next_steps import PAGE, show_next
from borelli.cli.outcome.scaled_subject import show_subject
from borelli.cli.outcome.summary import show_summary
from borelli.cli.outcome.verdict import refuse_red, show_verdict
from borelli.cli.terminal.notes import notes_on_stderr
from borelli.cli.terminal.progress import stages
from borelli.cli.terminal.shell import shell


def run(
    setup: Annotated[
        Path,
        typer.Argument(metavar="SETUP", help="A setup file of an OpenSim tool (.xml), or a trial (.toml)."),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            help="Write the tables here (inverse dynamics: this table), not where the setup says.",
        ),
    ] = None,
    model: Annotated[
        Path | None, typer.Option(metavar="MODEL", help="Use this model instead of the setup's.")
    ] = None,
    motion: Annotated[
        Path | None, typer.Option(metavar="TABLE", help="Use these coordinates instead of the setup's.")
    ] = None,
    loads: Annotated[
        Path | None, typer.Option(metavar="XML", help="Use these ExternalLoads instead of the setup's.")
    ] = None,
    markers: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Use these markers (.trc, .c3d) instead of the setup's."),
    ] = None,
    mode: Annotated[
        str | None,
        typer.Option(metavar="MODE", help="Smoothing: opensim (the default for a setup) or default."),
    ] = None,
    explain: Annotated[
        bool | None,
        typer.Option(
            "--explain/--no-explain", help="Compute all shares and the page now, or later on request."
        ),
    ] = None,
    angles: Angles = None,
    allow_violations: AllowViolations = False,
    loads_cutoff_hz: LoadsCutoff = None,
    infeasible: Annotated[
        str,
        typer.Option(
            metavar="HOW",
            help="If muscles cannot balance the load: raise (stop) or report (go on and say where).",
        ),
    ] = "raise",
    norms: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Normative curves (.csv) to draw on the page; computes the shares now."
        ),
    ] = None,
    geometry: Geometry = None,
    again: Again = False,
    strict: Strict = False,
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
                norms=norms,
                geometry=geometry,
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
        typer.echo(f"Same inputs as before: {found.folder} is up to date (--again recomputes it).")
        return
    if found.lines:
        for line in (*found.lines, *map(str, found.tables)):
            typer.echo(line)
        return
    show_summary(found)
    for path in found.tables:
        typer.echo(f"{path}")
    if found.explained:
        show_next(found.folder, found.folder / PAGE, found.answers, found.plain)
    else:
        typer.echo(
            f"The shares of the sources take longer than the tables and are not computed yet: --explain computes "
            f"them now, borelli explain {shell(found.folder)} and borelli report {shell(found.folder)} on request."
        )
