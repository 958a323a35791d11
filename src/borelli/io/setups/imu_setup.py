"""Setup files of OpenSim's tools for inertial sensors: IMUPlacer and IMUInverseKinematicsTool."""

from __future__ import annotations

import os
from pathlib import Path

from borelli.errors import FileFormatError
from borelli.io.setups.set_file import set_objects
from borelli.io.setups.setup_options import (
    Given,
    flag,
    folder_of_results,
    is_empty,
    needed_file,
    number,
    time_range,
    unknown_options,
)
from borelli.io.text.references import results_folder
from borelli.io.text.xml import Element
from borelli.records import dataclass

PLACER, TRACKER = "IMUPlacer", "IMUInverseKinematicsTool"
_PLACER_OPTIONS = frozenset(
    {
        "model_file",
        "base_imu_label",
        "base_heading_axis",
        "sensor_to_opensim_rotations",
        "orientation_file_for_calibration",
        "output_model_file",
    }
)
_TRACKER_OPTIONS = frozenset(
    {
        "model_file",
        "results_directory",
        "time_range",
        "output_motion_file",
        "report_errors",
        "sensor_to_opensim_rotations",
        "orientations_file",
        "orientation_weights",
        "accuracy",
        "constraint_weight",
    }
)


@dataclass(frozen=True)
class PlacerSetup:
    """Settings of IMUPlacer.

    Attributes
    ----------
    base, heading_axis : str
        Sensor, and its axis that points ahead; empty where no heading is corrected.
    rotations : 3 floats
        Turns about fixed x, y, z of the laboratory (rad).
    output : Path or None
        Model to write.
    """

    model: Path
    orientations: Path
    base: str
    heading_axis: str
    rotations: tuple[float, float, float]
    output: Path | None
    unknown: tuple[str, ...]
    source: str


@dataclass(frozen=True)
class SensorSetup:
    """Settings of IMUInverseKinematicsTool.

    Attributes
    ----------
    weights : dict of str to float, or None
        Of sensors; all alike where the setup names none.
    motion : Path
        Table of coordinates to write.
    errors : Path or None
        Table of errors to write.
    """

    model: Path
    orientations: Path
    rotations: tuple[float, float, float]
    weights: dict[str, float] | None
    time_range: tuple[float, float]
    motion: Path
    errors: Path | None
    unknown: tuple[str, ...]
    source: str


def read_placer(tool: Element, path: str | os.PathLike[str], given: Given) -> PlacerSetup:
    """Read the element of IMUPlacer."""
    text = tool.text_of("output_model_file").strip().replace("\\", "/")
    output: Path | None = None
    if not is_empty(text):
        folder, _, name = text.rpartition("/")
        output = (results_folder(path, folder or ".") if given.out is None else given.out) / name
    return PlacerSetup(
        model=needed_file(tool, "model_file", path, given.model, "--model"),
        orientations=needed_file(tool, "orientation_file_for_calibration", path, given.motion, "--motion"),
        base=_word(tool, "base_imu_label"),
        heading_axis=_word(tool, "base_heading_axis").casefold(),
        rotations=_rotations(tool),
        output=output,
        unknown=unknown_options(tool, _PLACER_OPTIONS),
        source=os.fspath(path),
    )


def read_tracker(tool: Element, path: str | os.PathLike[str], given: Given) -> SensorSetup:
    """Read the element of IMUInverseKinematicsTool."""
    results = folder_of_results(tool, path) if given.out is None else given.out
    name = tool.text_of("output_motion_file").strip().replace("\\", "/").rpartition("/")[2]
    if is_empty(name):
        # The tool calls it so, too.
        name = f"ik_{Path(tool.text_of('orientations_file').strip() or 'imu').stem}.mot"
    if "." not in name:
        name += ".mot"
    return SensorSetup(
        model=needed_file(tool, "model_file", path, given.model, "--model"),
        orientations=needed_file(tool, "orientations_file", path, given.motion, "--motion"),
        rotations=_rotations(tool),
        weights=_weights(tool, path),
        time_range=time_range(tool),
        motion=results / name,
        errors=results / f"{name}_orientationErrors.sto" if flag(tool, "report_errors", True) else None,
        unknown=unknown_options(tool, _TRACKER_OPTIONS),
        source=os.fspath(path),
    )


def _word(tool: Element, tag: str) -> str:
    text = tool.text_of(tag).strip()
    return "" if is_empty(text) else text


def _rotations(tool: Element) -> tuple[float, float, float]:
    element = tool.child("sensor_to_opensim_rotations")
    if element is None or not element.text.strip():
        return 0.0, 0.0, 0.0
    a, b, c = element.numbers(3)
    return a, b, c


def _weights(tool: Element, path: str | os.PathLike[str]) -> dict[str, float] | None:
    holder = tool.child("orientation_weights")
    if holder is None:
        return None
    inside = holder.child("OrientationWeightSet") or holder
    found = {}
    for element in set_objects(inside, path):
        weight = number(element, "weight", 1.0)
        if weight < 0.0:
            raise FileFormatError(
                f"The weight of sensor {element.name!r} is {weight:g}.", where=element.where
            )
        found[element.name] = weight
    return found or None
