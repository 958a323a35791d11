"""One trial from files to a result folder: recognised if nothing changed, whole or not at all."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from borelli import __version__
from borelli.errors import BorelliError, BorelliWarning
from borelli.io.trial_toml import Trial
from borelli.opensim_tools.inputs import read_forces, read_loads
from borelli.trial.forces import Forces
from borelli.trial.muscles import shared_load
from borelli.trial.result import split

if TYPE_CHECKING:
    import numpy as np
    import xarray as xr

    from borelli.io.filtering import Mode
    from borelli.mechanics.motion.ordered_motion import Load, Motion
    from borelli.model.model import Model

FINGERPRINT = "inputs_fingerprint"
_STAGES = ("reading", "sharing", "splitting", "writing")


def run_trial(trial: Trial, *, again: bool = False) -> None:
    """Compute a trial and write its folder; print the residuals first and the warnings last.

    Parameters
    ----------
    again : bool
        Compute even if the folder holds the result of the same inputs.
    """
    mark = fingerprint(trial.inputs, trial.settings)
    if not again and is_up_to_date(trial.out, mark):
        typer.echo(f"Same inputs and options as before: {trial.out} is up to date (--again computes anew).")
        return
    with warnings.catch_warnings(record=True) as caught, stages() as stage:
        warnings.simplefilter("always")
        stage("reading")
        model, motion, loads, tensions = read_inputs(trial)
        stage("sharing")
        shared = shared_load(trial, model, motion, loads)
        forces = Forces(loads, tensions) if shared is None else Forces.from_sharing(model, loads, shared)
        stage("splitting")
        settings = {**trial.settings, FINGERPRINT: mark}
        result = split(model, motion, forces, trial.variables, settings)
        stage("writing")
        save_split(result, trial.out, trial.inputs, told(caught))
    show_summary(result, model)
    typer.echo(f"Written: {trial.out} (next: borelli explain {trial.out} --output {_example(result)})")
    for note in told(caught):
        typer.echo(f"warning: {note}", err=True)


def save_split(result: xr.Dataset, folder: Path, inputs: Mapping[str, Path], notes: list[str]) -> None:
    """Write the result folder of a split, with tables for OpenSim and scripts, and its page."""
    from borelli.io.share_tables import write_share_tables
    from borelli.report.page import write_page
    from borelli.results.record import PAGE
    from borelli.results.save import save_result

    def tables(partial: Path) -> None:
        write_share_tables(result, partial)

    save_result(result, folder, inputs=inputs, warnings=notes, further=tables)
    write_page([folder], folder / PAGE)


def read_inputs(trial: Trial) -> tuple[Model, Motion, list[Load], dict[str, np.ndarray]]:
    """Read model, motion, loads and tensions."""
    from borelli.io.load_model import load_model
    from borelli.io.motion import load_motion

    mode = cast("Mode", trial.smoothing)
    model = load_model(trial.model)
    motion = load_motion(trial.motion, model, trial.cutoff_hz, mode=mode, time_range=trial.time_range)
    if trial.cutoff_hz is None:
        warnings.warn(
            "the motion is not filtered, so that its accelerations carry the noise of the recording; a cut-off "
            "(--cutoff-hz, or cutoff_hz in a trial file) of 6 Hz is usual for walking",
            BorelliWarning,
            stacklevel=2,
        )
    motion, loads = read_loads(trial.loads, model, motion, mode)
    tensions = {} if trial.tensions is None else read_tensions(trial.tensions, model, motion)
    return model, motion, loads, tensions


def read_tensions(path: Path, model: Model, motion: Motion) -> dict[str, np.ndarray]:
    """Read the columns of a table that are named like paths, at the instants of a motion (N)."""
    from borelli.errors import MissingInputError

    forces = read_forces(path, motion)
    found = {name: values for name, values in forces.items() if name in model.paths}
    if not found:
        raise MissingInputError(
            f"no column of the table is named like a path of model {model.name!r}.", where=str(path)
        )
    return found


def fingerprint(inputs: Mapping[str, Path], settings: Mapping[str, Any]) -> str:
    """Digest of all that a result depends on: contents of the files, options, and the program."""
    digest = hashlib.sha256()
    for name, path in sorted(inputs.items()):
        content = path.read_bytes() if path.is_file() else b""
        digest.update(f"{name}:{hashlib.sha256(content).hexdigest()}\n".encode())
    digest.update(json.dumps([__version__, settings], sort_keys=True, default=str).encode())
    return digest.hexdigest()


def is_up_to_date(folder: Path, mark: str) -> bool:
    """Whether a folder holds the whole result of the same inputs, every file to the last bit, and its page."""
    from borelli.results.record import PAGE, load_record
    from borelli.results.verify import verify_result

    if not folder.is_dir():
        return False
    try:
        same = load_record(folder)["settings"].get(FINGERPRINT) == mark
        return same and (folder / PAGE).is_file() and verify_result(folder).whole
    except BorelliError:
        return False


def told(caught: list[warnings.WarningMessage]) -> list[str]:
    """Return what Borelli warned about, each thing once."""
    own = [str(item.message) for item in caught if issubclass(item.category, BorelliWarning)]
    return list(dict.fromkeys(own))


@contextmanager
def stages() -> Iterator[Any]:
    """Show a bar with the stages of a run, on the error stream and only on a terminal."""
    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    columns = (TextColumn("{task.description:<10}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=len(_STAGES))

        def enter(name: str) -> None:
            progress.update(task, description=name, completed=_STAGES.index(name))

        yield enter


def show_summary(result: xr.Dataset, model: Model) -> None:
    """Print what to distrust first: forces at the root, closure, constraints; then what was found."""
    import numpy as np

    root = model.joints_from_ground()[0]
    names = [name for name in root.speed_names if name in result["coordinate"].values]
    if names:
        typer.echo(f"Residuals at the root joint {root.name!r} (forces that nothing in the model provides):")
        for name in names:
            curve = result["total_generalized_force"].sel(coordinate=name).values
            unit = str(result["unit"].sel(coordinate=name).values)
            typer.echo(
                f"  {name:<24} rms {_rms(curve):10.3g}   largest {np.nanmax(np.abs(curve)):10.3g} {unit}"
            )
    typer.echo(f"Shares miss their totals by {float(result['closure']):.1e} of the largest share.")
    if "largest_reserve_moment" in result:
        typer.echo(
            f"Muscles share the load; reserves bear up to {float(result['largest_reserve_moment']):.3g} N m."
        )
    for name in ("largest_actuator_force", "largest_actuator_moment"):
        if name in result:
            size, unit = float(result[name]), result[name].attrs["units"]
            typer.echo(f"Actuators that are no muscles bear up to {size:.3g} {unit}.")
    if "constraint_violation" in result:
        typer.echo(
            f"Constraints are violated by up to {float(result['constraint_violation']):.1e} (rad or m)."
        )
    sizes = result.sizes
    typer.echo(
        f"{sizes['time']} frames, {sizes['coordinate']} generalized forces, {sizes['joint']} joint reactions, "
        f"{sizes['source']} sources."
    )


def _rms(curve: np.ndarray) -> float:
    import numpy as np

    return float(np.sqrt(np.nanmean(curve**2)))


def _example(result: xr.Dataset) -> str:
    from borelli.results.output import outputs

    found = outputs(result)
    return found[min(len(found) - 1, int(result.sizes["coordinate"]) - 1)].name
