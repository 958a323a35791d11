"""Setups that fit a model to a recording: inverse kinematics of markers, and sensors placed and followed."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from borelli.errors import BorelliError
from borelli.io.setups.imu_setup import PlacerSetup, SensorSetup
from borelli.io.setups.inverse_kinematics_setup import InverseKinematicsSetup
from borelli.opensim_tools.inverse_dynamics import tell_unknown
from borelli.records import dataclass
from borelli.results.saving.manifest import is_as_listed, listed, load_manifest
from borelli.results.saving.verify import verify_result
from borelli.trial.analyze import Progress
from borelli.trial.folder import FINGERPRINT, fingerprint, noted, save_totals
from borelli.trial.marker_part import with_body

if TYPE_CHECKING:
    import xarray as xr

FitSetup = InverseKinematicsSetup | SensorSetup | PlacerSetup
_TABLES = "tables_of_the_fit"
"""Attribute with the tables that were written: place from the folder on, size and hash of each."""


@dataclass(frozen=True)
class Fitted:
    """What was written: result folder, tables, whether it was computed now, the result, and what to say of it."""

    folder: Path
    tables: tuple[Path, ...]
    computed: bool
    result: xr.Dataset | None
    lines: tuple[str, ...]


def files_of_fit(setup: FitSetup) -> dict[str, Path]:
    """Every file that the outcome of a setup depends on, beside the setup itself."""
    files = {"model": setup.model}
    if not isinstance(setup, InverseKinematicsSetup):
        return files | {"orientations": setup.orientations}
    files["markers"] = setup.markers
    return files if setup.coordinates is None else files | {"coordinates": setup.coordinates}


def run_fit(setup: FitSetup, path: Path, again: bool, progress: Progress) -> Fitted:
    """Run a setup, write its tables and, of a motion, a result folder."""
    if isinstance(setup, PlacerSetup):
        return _place(setup, progress)
    files = {"setup": path, **files_of_fit(setup)}
    folder = setup.motion.with_name(f"{setup.motion.stem}_borelli")
    mark = fingerprint(files, {"motion": str(setup.motion)})
    before = None if again else _as_before(folder, mark)
    if before is not None:
        return before
    with noted() as notes:
        progress("reading")
        tell_unknown(setup.unknown)
        result, tables = _track(setup) if isinstance(setup, SensorSetup) else _fit(setup)
        written = {Path(os.path.relpath(table, folder)).as_posix(): listed(table) for table in tables}
        result = result.assign_attrs({**result.attrs, FINGERPRINT: mark, _TABLES: written})
        progress("writing")
        save_totals(result, folder, files, notes.told)
    return Fitted(folder, tables, True, result, fit_summary(result))


def _as_before(folder: Path, mark: str) -> Fitted | None:
    """Return the result that is there, if it and its tables are as they were written, and of the same inputs."""
    if not folder.is_dir():
        return None
    try:
        settings = load_manifest(folder)["settings"]
        entries = settings.get(_TABLES)
        if settings.get(FINGERPRINT) != mark or not isinstance(entries, dict):
            return None
        tables = {Path(os.path.normpath(folder / name)): entry for name, entry in entries.items()}
        sound = all(isinstance(entry, dict) and is_as_listed(table, entry) for table, entry in tables.items())
        if not (sound and verify_result(folder).whole):
            return None
    except BorelliError:
        return None
    return Fitted(folder, tuple(tables), False, None, ())


def _fit(setup: InverseKinematicsSetup) -> tuple[xr.Dataset, tuple[Path, ...]]:
    # Loaded here, because a setup that is up to date needs no engine.
    from borelli.opensim_tools.inverse_kinematics import run_inverse_kinematics, write_tables

    model, result = run_inverse_kinematics(setup)
    result = with_body(result, model)
    return result, tuple(write_tables(setup, model, result))


def _track(setup: SensorSetup) -> tuple[xr.Dataset, tuple[Path, ...]]:
    # Loaded here for the same reason.
    from borelli.opensim_tools.imu import run_tracker, write_sensor_tables

    model, result = run_tracker(setup)
    return result, tuple(write_sensor_tables(setup, model, result))


def _place(setup: PlacerSetup, progress: Progress) -> Fitted:
    # Loaded here for the same reason.
    from borelli.opensim_tools.imu import run_placer

    progress("reading")
    tell_unknown(setup.unknown)
    placed = run_placer(setup)
    lines = (
        f"heading: all sensors were rotated by {math.degrees(placed.heading):.2f}° about the vertical",
        "IMUInverseKinematicsTool does not rotate them again: the body faces as it was recorded.",
    )
    written = () if setup.output is None else (setup.output,)
    return Fitted(
        setup.model.parent if setup.output is None else setup.output.parent, written, True, None, lines
    )


def fit_summary(result: xr.Dataset) -> tuple[str, ...]:
    """Say how well markers and sensors are fitted, and how exactly the optimum was found.

    Parameters
    ----------
    result : Dataset
        That of :func:`borelli.inverse_kinematics`.

    Returns
    -------
    tuple of str
        Lines for people to read.

    Examples
    --------
    >>> fit = bo.inverse_kinematics(model, bo.load_markers(walk.markers)[:3])
    >>> len(bo.fit_summary(fit)) > 0
    True
    """
    solved, count = int((result["status"] == 0).sum()), result.sizes["time"]
    lines = [
        f"{solved} of {count} instants, {result.sizes['marker']} markers, {result.sizes.get('sensor', 0)} sensors"
    ]
    if solved and result.sizes["marker"]:
        rms, mean = result["rms_error"].values, result["marker_error"].mean("time")
        lines.append(
            f"marker error, RMS: {1e3 * np.nanmean(rms):.1f} mm on average, {1e3 * np.nanmax(rms):.1f} mm at worst"
        )
        worst = int(np.nanargmax(mean.values))
        lines.append(
            f"worst marker: {mean['marker'].values[worst]}, {1e3 * float(mean[worst]):.1f} mm on average"
        )
    if solved and "sensor" in result.sizes:
        error = np.degrees(result["orientation_error"].values)
        own, most = np.nanmean(error, axis=0), np.nanmax(error)
        worst = int(np.nanargmax(own))
        lines.append(f"orientation error: {np.nanmean(error):.2f}° on average, {most:.2f}° at worst")
        lines.append(f"worst sensor: {result['sensor'].values[worst]}, {own[worst]:.2f}° on average")
    if solved:
        left, gap = float(result["kkt_residual"].max()), float(result["constraint_error"].max())
        lines.append(f"optimality {left:.1g} m²/rad, constraints {gap:.1g} m or rad")
    # Loaded here, because it brings inverse kinematics, which most trials do without.
    from borelli.opensim_tools.stopping_short import COMPARISON

    return (*lines, *result.attrs.get(COMPARISON, ()))
