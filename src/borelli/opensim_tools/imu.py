"""OpenSim's tools for inertial sensors: IMUPlacer and IMUInverseKinematicsTool."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from borelli.analyses.marker_fit.solution import Asked, solved
from borelli.analyses.recordings.place_sensors import SensorPlacement, place_sensors
from borelli.io.load_model import load_model, save_model
from borelli.io.motion import save_motion
from borelli.io.orientations import load_orientations
from borelli.io.setups.imu_setup import PlacerSetup, SensorSetup
from borelli.io.tables.sto import write_sto
from borelli.model.joints.coordinate import MotionType
from borelli.model.model import Model
from borelli.model.parts import Parts
from borelli.opensim_tools.stopping_short import compared
from borelli.results.labelled.table import Table
from borelli.results.labelled.time_range import rows_between
from borelli.results.on_disk.whole import make_folder

if TYPE_CHECKING:
    import xarray as xr


def run_placer(settings: PlacerSetup) -> SensorPlacement:
    """Place the sensors as a setup asks for, and write the model."""
    recorded = load_orientations(settings.orientations, rotations=settings.rotations)
    placed = place_sensors(
        load_model(settings.model),
        recorded,
        base=settings.base or None,
        heading_axis=settings.heading_axis or None,
    )
    if settings.output is not None:
        make_folder(settings.output.parent)
        save_model(placed.model, settings.output)
    return placed


def run_tracker(settings: SensorSetup) -> tuple[Model, xr.Dataset]:
    """Compute the motion that a setup of IMUInverseKinematicsTool asks for; translations are locked, as in the tool."""
    model = without_translations(load_model(settings.model))
    recorded = load_orientations(settings.orientations, rotations=settings.rotations)
    recorded = recorded[rows_between(recorded["time"].values, settings.time_range, settings.source)]
    solution = solved(model, Asked(orientations=recorded, orientation_weights=settings.weights))
    # Its fixed accuracy does not bound how far the tool stops short: on a published walk it did so by twice as much.
    return model, compared(solution, None, settings.motion)


def without_translations(model: Model) -> Model:
    """Return the model with all translational coordinates locked at their default values."""
    joints = []
    for joint in model.joints:
        own = tuple(
            replace(c, locked=True) if c.motion is MotionType.TRANSLATIONAL else c for c in joint.coordinates
        )
        joints.append(joint if own == joint.coordinates else replace(joint, coordinates=own))
    return replace(model, joints=Parts(joints))


def write_sensor_tables(settings: SensorSetup, model: Model, result: xr.Dataset) -> list[Path]:
    """Write the motion (degrees) and, where asked for, the errors in radians and in degrees; return the files."""
    make_folder(settings.motion.parent)
    save_motion(result.borelli.motion(), model, settings.motion)
    written = [settings.motion]
    if settings.errors is not None:
        for path, factor, unit in (
            (settings.errors, 1.0, "rad"),
            (settings.errors.with_name(settings.errors.stem + "_deg.sto"), 180.0 / np.pi, "deg"),
        ):
            values = factor * result["orientation_error"].values
            names = tuple(str(name) for name in result["sensor"].values)
            table = Table(
                time=np.asarray(result["time"].values, dtype=float),
                columns=names,
                values=values,
                units=(unit,) * len(names),
                in_degrees=unit == "deg",
                name="OrientationErrors",
            )
            write_sto(table, path)
            written.append(path)
    return written
