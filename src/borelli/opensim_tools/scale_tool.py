"""OpenSim's ScaleTool: a generic model becomes that of a subject, and its markers go where they were seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from borelli.analyses.postures.default_posture import default_posture
from borelli.analyses.recordings.place_markers import place_markers
from borelli.analyses.recordings.scale import scale
from borelli.analyses.recordings.scale_factors import Measurement, ScaleFactors, scale_factors
from borelli.errors import MissingInputError, warn
from borelli.io.load_model import load_model
from borelli.io.markers import load_markers
from borelli.io.osim.marker_set import with_marker_set
from borelli.io.osim.offset_frames import with_offset_frames
from borelli.io.osim.write import write_osim, write_osim_markers
from borelli.io.setups.ik_tasks import IKTask
from borelli.io.setups.scale_file import write_scale_set
from borelli.io.setups.scale_setup import MarkerPlacerSetup, ModelScalerSetup, ScaleSetup
from borelli.io.setups.setup_options import version_of
from borelli.io.text.xml import read_xml
from borelli.model import GROUND, Model
from borelli.opensim_tools.scaled_subject import ScaledSubject
from borelli.opensim_tools.static_pose import coordinate_targets, write_static_pose
from borelli.opensim_tools.stopping_short import told_of_earlier_markers
from borelli.records import dataclass
from borelli.results.on_disk.whole import make_folder

if TYPE_CHECKING:
    import xarray as xr

    from borelli.analyses.recordings.place_markers import PlacedMarkers

VERSION = 40600
"""Of the documents that OpenSim 4.6 writes."""
# Documents before this have joints without frames, and OpenSim names the frames that it adds.
_FRAMES_SINCE = 30500


def run_scale(setup: ScaleSetup, mode: str = "opensim") -> ScaledSubject:
    """Run a scale tool and write its files.

    Parameters
    ----------
    setup : ScaleSetup
    mode : {"opensim", "default"}
        OpenSim's numbers, or the exact ones; see :func:`borelli.scale`, :func:`borelli.place_markers`.
    """
    model = load_model(setup.model)
    if setup.model.suffix.casefold() == ".osim" and version_of(read_xml(setup.model)) < _FRAMES_SINCE:
        model = with_offset_frames(model)
    if setup.marker_set is not None:
        model = with_marker_set(model, setup.marker_set)
    model = replace(model, name=setup.name or model.name)
    ones = {name: np.ones(3) for name in (GROUND, *model.body_names)}
    done = ScaledSubject(model, ScaleFactors(ones))
    trials = _StaticTrials(setup)
    if setup.scaler is not None:
        _scale(done, trials, setup.scaler, mode)
    if setup.placer is not None:
        _place(done, trials, setup.placer, mode)
    return done


@dataclass(frozen=True)
class _StaticTrials:
    """The static trials of a setup, each read once: most setups name one file for both steps."""

    setup: ScaleSetup
    read: dict[Path, xr.DataArray] = field(default_factory=dict)

    def of(self, path: Path | None, step: str) -> xr.DataArray:
        """Return the markers that a step names."""
        if path is None:
            raise MissingInputError(
                f"{step} needs the markers of a static trial, and the setup names no marker_file.",
                where=self.setup.source,
                remedy="give the file with --motion",
            )
        if path not in self.read:
            self.read[path] = load_markers(path)
        return self.read[path]


def _scale(done: ScaledSubject, trials: _StaticTrials, scaler: ModelScalerSetup, mode: str) -> None:
    model, setup = done.model, trials.setup
    done.factors = _factors(model, trials, scaler, mode)
    done.model = scale(
        model,
        done.factors,
        mass=setup.mass if setup.mass > 0.0 else None,
        preserve_mass_distribution=scaler.preserve_mass_distribution,
        mode=mode,
    )
    if scaler.output_model is not None:
        _write(done, scaler.output_model)
    if scaler.output_scale is not None:
        make_folder(scaler.output_scale.parent)
        write_scale_set(done.factors, model, scaler.output_scale, VERSION)
        done.written.append(scaler.output_scale)


def _factors(model: Model, trials: _StaticTrials, scaler: ModelScalerSetup, mode: str) -> ScaleFactors:
    """Measure, and take the factors given by hand, in the order of the setup: the later overwrites."""
    factors = ScaleFactors({name: np.ones(3) for name in (GROUND, *model.body_names)})
    for step in scaler.order:
        if step == "manualScale":
            for segment, three in scaler.manual:
                if segment in factors:
                    factors[segment] = np.array(three)
                elif not model.frames.has(segment):
                    warn(f"{Path(trials.setup.source).name}: the model has no segment {segment!r} to scale.")
        elif scaler.measurements:
            measured = _measured(model, trials, scaler, mode)
            for measurement in scaler.measurements:
                result = next((each for each in measured.measured if each.name == measurement.name), None)
                for body, axes in measurement.bodies:
                    if result is not None and body in factors:
                        for axis in axes:
                            factors[body]["xyz".index(axis)] = result.factor
            factors.measured, factors.notes = measured.measured, measured.notes
    return factors


def _measured(model: Model, trials: _StaticTrials, scaler: ModelScalerSetup, mode: str) -> ScaleFactors:
    static = trials.of(scaler.marker_file, "ModelScaler")
    measurements = [Measurement(each.name, each.pairs, dict(each.bodies)) for each in scaler.measurements]
    open_range = scaler.time_range == (-1.0, -1.0)
    return scale_factors(
        model,
        static,
        measurements,
        time_range=None if open_range else scaler.time_range,
        mode=mode,
    )


def _place(done: ScaledSubject, trials: _StaticTrials, placer: MarkerPlacerSetup, mode: str) -> None:
    static = trials.of(placer.marker_file, "MarkerPlacer")
    open_range = placer.time_range == (-1.0, -1.0)
    first = float(static["time"].values[0]) if open_range else placer.time_range[0]
    weights = {task.name: task.weight for task in placer.tasks if task.is_marker}
    done.placed = place_markers(
        done.model,
        static,
        weights=_known_weights(done.model, static, weights) or None,
        tasks=_coordinate_tasks(done.model, placer, first) or None,
        time_range=None if open_range else placer.time_range,
        keep_absent=mode == "default",
        mode=mode,
    )
    done.model = done.placed.model
    if placer.output_model is not None and placer.output_model.is_file():
        told = told_of_earlier_markers(placer.output_model, done.placed)
        if told is not None:
            done.notes.append(told)
    _warn_of_movement(done.placed, placer.max_movement)
    if placer.output_model is not None:
        _write(done, placer.output_model)
    if placer.output_markers is not None:
        make_folder(placer.output_markers.parent)
        write_osim_markers(done.model, placer.output_markers, version=VERSION)
        done.written.append(placer.output_markers)
    if placer.output_motion is not None:
        make_folder(placer.output_motion.parent)
        write_static_pose(done.model, done.placed.pose, placer.output_motion)
        done.written.append(placer.output_motion)


def _known_weights(model: Model, static: xr.DataArray, weights: Mapping[str, float]) -> dict[str, float]:
    """Leave out tasks of markers that the model or the recording lacks, as OpenSim does."""
    seen = set(map(str, static["marker"].values))
    return {name: weight for name, weight in weights.items() if model.markers.has(name) and name in seen}


def _coordinate_tasks(model: Model, placer: MarkerPlacerSetup, time: float) -> dict[str, tuple[float, Any]]:
    tasks: list[IKTask] = [task for task in placer.tasks if not task.is_marker and task.weight > 0.0]
    if not tasks:
        return {}
    rest = default_posture(model)
    default = dict(zip(rest.coordinates, rest.q[0].tolist(), strict=True))
    values = coordinate_targets(model, tasks, default, placer.coordinate_file, np.array([time]))
    return {task.name: (task.weight, float(values[task.name][0])) for task in tasks if task.name in values}


def _warn_of_movement(placed: PlacedMarkers, most: float) -> None:
    moved = placed.report["moved"]
    far = [f"{name} ({1000 * float(by):.0f} mm)" for name, by in zip(moved["marker"].values, moved, strict=True)
           if most > 0.0 and float(by) > most]  # fmt: skip
    if far:
        warn(f"markers moved further than max_marker_movement ({1000 * most:.0f} mm): {', '.join(far)}.")


def _write(done: ScaledSubject, path: Path) -> None:
    make_folder(path.parent)
    write_osim(done.model, path, version=VERSION)
    done.written.append(path)
