"""Run an OpenSim setup file as it is, or a trial file.

Setup files of InverseDynamicsTool, and of AnalyzeTool with JointReaction, StaticOptimization, MuscleAnalysis,
InducedAccelerations, Kinematics, BodyKinematics and PointKinematics: writes the tables that OpenSim would write, with
the same names and columns and in the same place, and beside them a result folder with the share of every source and a
page. The motion is smoothed as the tools do it, so that the numbers are the same; --mode default smooths without
lowering the cut-off. What is not supported is refused by name before anything is computed.

A trial file (.toml) names a model, a motion, loads and options, and the result folder.

For example

    borelli run setup_id.xml
    borelli run setup_jra.xml --mode default
    borelli run trial.toml
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Annotated, cast

import typer

from borelli.cli.notes import notes_on_stderr
from borelli.errors import BorelliWarning, UnknownNameError
from borelli.io.analyze_setup import AnalyzeSetup
from borelli.io.external_loads import load_files
from borelli.io.filtering import Mode
from borelli.io.setup_options import Given
from borelli.io.setup_xml import InverseDynamicsSetup, read_setup
from borelli.opensim_tools.inputs import read_loads
from borelli.results.whole import make_folder
from borelli.trial.forces import Forces
from borelli.trial.reported import as_reported
from borelli.trial.result import split
from borelli.trial.run import (
    FINGERPRINT,
    fingerprint,
    is_up_to_date,
    run_trial,
    save_split,
    show_summary,
    stages,
    told,
)

_MODES = ("opensim", "default")
TABLES = "opensim_tables"


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
    mode: Annotated[str, typer.Option(metavar="MODE", help="How to smooth: opensim or default.")] = "opensim",
    again: Annotated[bool, typer.Option("--again", help="Compute even if nothing changed.")] = False,
) -> None:
    """Run the tool and write its tables."""
    if setup.suffix.casefold() == ".toml":
        from borelli.io.trial_toml import load_trial

        with notes_on_stderr():
            trial = load_trial(setup)
        run_trial(trial, again=again)
        return
    if mode not in _MODES:
        raise UnknownNameError.among(mode, "mode", _MODES, where="--mode")
    with notes_on_stderr():
        settings = read_setup(setup, Given(model, motion, loads, out))
    if isinstance(settings, AnalyzeSetup):
        _analyze(settings, setup, mode, again)
    else:
        _inverse_dynamics(settings, setup, cast("Mode", mode), settings.output, again)


def _inverse_dynamics(
    settings: InverseDynamicsSetup, setup: Path, mode: Mode, target: Path, again: bool
) -> None:
    from borelli.io.inverse_dynamics_table import generalized_force_table
    from borelli.io.load import WRITERS, save_table
    from borelli.io.load_model import load_model
    from borelli.io.motion import load_motion
    from borelli.io.sto import write_sto
    from borelli.opensim_tools.excluded_forces import resting_muscles, without_excluded

    files = {"setup": setup, "model": settings.model, "motion": settings.coordinates}
    files |= load_files(settings.external_loads)
    folder = target.with_name(f"{target.stem}_borelli")
    mark = fingerprint(files, {"mode": mode, "target": str(target)})
    if not again and target.is_file() and is_up_to_date(folder, mark):
        typer.echo(f"Same inputs as before: {target} is up to date (--again computes anew).")
        return
    with warnings.catch_warnings(record=True) as caught, stages() as stage:
        warnings.simplefilter("always")
        stage("reading")
        _tell_unknown(settings.unknown)
        model = without_excluded(load_model(settings.model), settings.excluded_forces)
        motion = load_motion(
            settings.coordinates, model, settings.cutoff_hz, mode=mode, time_range=settings.time_range
        )
        motion, loads = read_loads(settings.external_loads, model, motion, mode)
        stage("splitting")
        result = split(model, motion, Forces(loads), "body", {"smoothing": mode, FINGERPRINT: mark})
        stage("writing")
        make_folder(target.parent)
        totals = result[["total_generalized_force"]].rename(total_generalized_force="generalized_force")
        pulling = resting_muscles(model, motion)
        if pulling is not None:
            totals["generalized_force"] = totals["generalized_force"] - pulling
        # The tool, too, writes its own format under an ending that it does not know.
        write = save_table if target.suffix.casefold() in WRITERS else write_sto
        write(generalized_force_table(model, totals), target)
        save_split(result, folder, files, told(caught))
    show_summary(result, model)
    typer.echo(f"{motion.n_times} frames, {len(model.coordinates)} generalized forces: {target}")
    typer.echo(f"Shares of every source: {folder}")
    for note in told(caught):
        typer.echo(f"note: {note}", err=True)


def _analyze(settings: AnalyzeSetup, setup: Path, mode: str, again: bool) -> None:
    from borelli.opensim_tools.analyze_tool import refuse_rest, run_analyses

    files = _analyze_files(settings, setup)
    folder = settings.results / f"{settings.name}_borelli"
    mark = fingerprint(files, {"mode": mode})
    if not again and is_up_to_date(folder, mark) and _has_tables(folder, settings.results):
        typer.echo(f"Same inputs as before: {folder} is up to date (--again computes anew).")
        refuse_rest(settings)
        return
    with warnings.catch_warnings(record=True) as caught, stages() as stage:
        warnings.simplefilter("always")
        stage("reading")
        _tell_unknown(settings.unknown)
        trial, written = run_analyses(settings, mode)
        stage("splitting")
        motion, forces = as_reported(trial)
        about = {"smoothing": mode, FINGERPRINT: mark, TABLES: [path.name for path in written]}
        result = split(trial.model, motion, forces, "body", about)
        stage("writing")
        save_split(result, folder, files, told(caught))
    show_summary(result, trial.model)
    for path in written:
        typer.echo(f"{path}")
    typer.echo(f"Shares of every source: {folder}")
    for note in told(caught):
        typer.echo(f"note: {note}", err=True)
    refuse_rest(settings)


def _tell_unknown(options: tuple[str, ...]) -> None:
    if options:
        shown = ", ".join(f"<{option}>" for option in options)
        warnings.warn(
            f"the tool has no such option, and it is not used: {shown}", BorelliWarning, stacklevel=2
        )


def _analyze_files(settings: AnalyzeSetup, setup: Path) -> dict[str, Path]:
    """Every file that the outcome depends on."""
    from borelli.opensim_tools.analysis_tables import forces_file

    files = {"setup": setup, "model": settings.model, "motion": settings.coordinates}
    files |= load_files(settings.external_loads)
    references = dict.fromkeys(filter(None, map(forces_file, settings.analyses)))
    for number, reference in enumerate(references):
        files["forces" if not number else f"forces {number + 1}"] = settings.file(reference)
    for number, path in enumerate(settings.force_sets):
        files[f"force set {number + 1}"] = path
    return files


def _has_tables(folder: Path, results: Path) -> bool:
    """Whether the tables that were written with a result folder are still there."""
    from borelli.results.record import load_record

    return all((results / name).is_file() for name in load_record(folder)["settings"].get(TABLES, ()))
