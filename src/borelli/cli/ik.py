"""Find the motion that fits recorded markers best: inverse kinematics without a setup file.

Writes the coordinates (.mot, degrees) and beside them a result folder with the error of every marker, the objective,
residuals and what no marker sees. All markers that the model and the recording share count alike, unless weights are
given; constraints, locks and clamped ranges of the model hold.

For example

    borelli ik subject.osim walk.trc --out walk.mot
    borelli ik subject.osim walk.c3d --weight R.Heel=10 --weight L.Heel=10 --from-s 0.4 --to-s 1.6
"""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from borelli.errors import BorelliError, InvalidValueError
from borelli.io.inverse_kinematics_setup import InverseKinematicsSetup
from borelli.trial.run import FINGERPRINT, fingerprint, told

if TYPE_CHECKING:
    import xarray as xr

_TABLES = "opensim_tables"


def run(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="Model (.osim, .toml) with markers.")],
    markers: Annotated[Path, typer.Argument(metavar="MARKERS", help="Recorded markers (.trc, .c3d).")],
    out: Annotated[
        Path | None, typer.Option(metavar="TABLE", help="Motion to write; by default beside the markers.")
    ] = None,
    weight: Annotated[
        list[str] | None, typer.Option(metavar="MARKER=NUMBER", help="Weight of a marker; others have 1.")
    ] = None,
    from_s: Annotated[float, typer.Option(metavar="S", help="First time.")] = -math.inf,
    to_s: Annotated[float, typer.Option(metavar="S", help="Last time.")] = math.inf,
) -> None:
    """Compute and write the motion."""
    from borelli.io.load_model import load_model
    from borelli.io.markers import load_markers
    from borelli.io.motion import save_motion
    from borelli.opensim_tools.inverse_kinematics import rows_between
    from borelli.results.save import save_result

    target = markers.with_name(f"{markers.stem}_ik.mot") if out is None else out
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        from borelli.analyses.inverse_kinematics import inverse_kinematics

        body, recorded = load_model(model), load_markers(markers)
        recorded = recorded[rows_between(recorded["time"].values, (from_s, to_s), str(markers))]
        own = _weights(weight or [], [n for n in body.marker_names if n in recorded["marker"].values])
        result = inverse_kinematics(body, recorded, weights=own)
        save_motion(result.borelli.motion(), body, target)
        folder = target.with_name(f"{target.stem}_borelli")
        save_result(result, folder, inputs={"model": model, "markers": markers}, warnings=told(caught))
    show_fit(result)
    typer.echo(f"{target}\nErrors of every marker: {folder}")
    for note in told(caught):
        typer.echo(f"note: {note}", err=True)


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


def run_setup(settings: InverseKinematicsSetup, setup: Path, again: bool) -> None:
    """Run a setup of OpenSim's tool, write its tables and a result folder, and say how well the markers are fitted."""
    from borelli.opensim_tools.inverse_kinematics import run_inverse_kinematics, write_tables
    from borelli.results.save import save_result

    files = {"setup": setup, "model": settings.model, "markers": settings.markers}
    if settings.coordinates is not None:
        files["coordinates"] = settings.coordinates
    folder = settings.motion.with_name(f"{settings.motion.stem}_borelli")
    mark = fingerprint(files, {"motion": str(settings.motion)})
    if not again and settings.motion.is_file() and _is_up_to_date(folder, mark, settings.results):
        typer.echo(f"Same inputs as before: {settings.motion} is up to date (--again computes anew).")
        return
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model, result = run_inverse_kinematics(settings)
        written = write_tables(settings, model, result)
        tables = [path.name for path in written if path.parent == settings.results]
        result.attrs |= {FINGERPRINT: mark, _TABLES: tables}
        save_result(result, folder, inputs=files, warnings=told(caught))
    show_fit(result)
    for path in written:
        typer.echo(f"{path}")
    typer.echo(f"Errors of every marker: {folder}")
    for option in settings.unknown:
        typer.echo(f"note: the tool has no option <{option}>, and it is not used", err=True)
    for note in told(caught):
        typer.echo(f"note: {note}", err=True)


def _is_up_to_date(folder: Path, mark: str, results: Path) -> bool:
    """Whether a folder holds the whole result of the same inputs, and the tool's tables are still there."""
    from borelli.results.record import load_record
    from borelli.results.verify import verify_result

    if not folder.is_dir():
        return False
    try:
        settings = load_record(folder)["settings"]
        tables = all((results / name).is_file() for name in settings.get(_TABLES, ()))
        return settings.get(FINGERPRINT) == mark and tables and verify_result(folder).whole
    except BorelliError:
        return False


def show_fit(result: xr.Dataset) -> None:
    """Say how well the markers are fitted, and how exactly the optimum was found."""
    import numpy as np

    solved = int((result["status"] == 0).sum())
    typer.echo(f"{solved} of {result.sizes['time']} instants, {result.sizes['marker']} markers")
    if not solved:
        return
    rms = result["rms_error"].values
    typer.echo(
        f"marker error, RMS: {1e3 * np.nanmean(rms):.1f} mm on average, {1e3 * np.nanmax(rms):.1f} mm at worst"
    )
    mean = result["marker_error"].mean("time")
    worst = str(mean["marker"].values[int(np.nanargmax(mean.values))])
    typer.echo(f"worst marker: {worst}, {1e3 * float(mean.max()):.1f} mm on average")
    typer.echo(
        f"optimality {float(result['kkt_residual'].max()):.1g} m²/rad, constraints "
        f"{float(result['constraint_error'].max()):.1g} m or rad"
    )
