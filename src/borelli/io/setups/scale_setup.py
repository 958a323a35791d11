"""OpenSim's scale tool: what its setup file asks for.

The tool measures a subject in a static trial, scales the model, and moves the markers to where they were seen.
"""

from __future__ import annotations

import os
from dataclasses import field
from pathlib import Path

from borelli.errors import FileFormatError, UnknownNameError
from borelli.io.setups.ik_tasks import IKTask, read_ik_tasks
from borelli.io.setups.set_file import set_objects
from borelli.io.setups.setup_options import Given, flag, is_empty, needed_file, number, optional_file
from borelli.io.text.references import results_folder
from borelli.io.text.xml import Element
from borelli.records import dataclass

TOOL = "ScaleTool"
ORDERS = ("measurements", "manualScale")


@dataclass(frozen=True)
class MeasurementSetup:
    """A length between markers that scales bodies: pairs of markers, and the axes of each body that follow it."""

    name: str
    pairs: tuple[tuple[str, str], ...]
    bodies: tuple[tuple[str, str], ...]
    """Name, and the axes among ``xyz``."""


@dataclass(frozen=True)
class ModelScalerSetup:
    """How the model is scaled.

    Attributes
    ----------
    order : tuple of str
        ``measurements`` and ``manualScale``; the later overwrites the earlier.
    measurements : tuple of MeasurementSetup
        Those that are switched on.
    manual : tuple of (str, (float, float, float))
        Segment and factors, those that are switched on.
    marker_file : Path or None
        The static trial.
    time_range : (float, float)
        s; -1 where it is left open.
    preserve_mass_distribution : bool
    output_model, output_scale : Path or None
        Files to write.
    """

    order: tuple[str, ...] = ()
    measurements: tuple[MeasurementSetup, ...] = ()
    manual: tuple[tuple[str, tuple[float, float, float]], ...] = ()
    marker_file: Path | None = None
    time_range: tuple[float, float] = (-1.0, -1.0)
    preserve_mass_distribution: bool = False
    output_model: Path | None = None
    output_scale: Path | None = None


@dataclass(frozen=True)
class MarkerPlacerSetup:
    """How the markers are moved to where they were seen in the static trial."""

    tasks: tuple[IKTask, ...] = ()
    marker_file: Path | None = None
    coordinate_file: Path | None = None
    time_range: tuple[float, float] = (-1.0, -1.0)
    max_movement: float = -1.0
    output_motion: Path | None = None
    output_model: Path | None = None
    output_markers: Path | None = None


@dataclass(frozen=True)
class ScaleSetup:
    """Settings of OpenSim's scale tool; a step that is switched off is None."""

    name: str
    mass: float
    model: Path
    marker_set: Path | None
    scaler: ModelScalerSetup | None
    placer: MarkerPlacerSetup | None
    source: str
    unknown: tuple[str, ...] = field(default=())


def read_scale(tool: Element, path: str | os.PathLike[str], given: Given) -> ScaleSetup:
    """Read the element of a scale tool; files are relative to the setup file."""
    maker = tool.child("GenericModelMaker")
    maker = tool if maker is None else maker
    scaler, placer = tool.child("ModelScaler"), tool.child("MarkerPlacer")
    return ScaleSetup(
        name=tool.name,
        mass=number(tool, "mass", -1.0),
        model=needed_file(maker, "model_file", path, given.model, "--model"),
        marker_set=optional_file(maker, "marker_set_file", path, None),
        scaler=None if scaler is None or not flag(scaler, "apply", True) else _scaler(scaler, path, given),
        placer=None if placer is None or not flag(placer, "apply", True) else _placer(placer, path, given),
        source=os.fspath(path),
        unknown=_unknown(tool, scaler, placer),
    )


_KNOWN = {
    "tool": {"mass", "height", "age", "notes", "GenericModelMaker", "ModelScaler", "MarkerPlacer"},
    "scaler": {
        "apply", "scaling_order", "MeasurementSet", "ScaleSet", "marker_file", "time_range",
        "preserve_mass_distribution", "output_model_file", "output_scale_file", "output_joint_file",
        "output_muscle_file",
    },
    "placer": {
        "apply", "IKTaskSet", "marker_file", "coordinate_file", "time_range", "output_motion_file",
        "output_model_file", "output_marker_file", "max_marker_movement",
    },
}  # fmt: skip


def _unknown(tool: Element, scaler: Element | None, placer: Element | None) -> tuple[str, ...]:
    """Options with a content that the tool does not have."""
    parts = (("tool", tool), ("scaler", scaler), ("placer", placer))
    return tuple(
        child.tag
        for key, element in parts
        if element is not None
        for child in element.children
        if child.tag not in _KNOWN[key] and (child.children or not is_empty(child.text))
    )


def _scaler(element: Element, path: str | os.PathLike[str], given: Given) -> ModelScalerSetup:
    order = tuple(element.text_of("scaling_order").split())
    for word in order:
        if word not in ORDERS:
            raise UnknownNameError.among(word, "scaling_order", ORDERS, where=element.where)
    return ModelScalerSetup(
        order=order,
        measurements=tuple(
            _measurement(each)
            for each in set_objects(element.child("MeasurementSet"), path)
            if flag(each, "apply", True)
        ),
        manual=tuple(
            _manual(each)
            for each in set_objects(element.child("ScaleSet"), path)
            if flag(each, "apply", True)
        ),
        marker_file=optional_file(element, "marker_file", path, given.motion),
        time_range=_times(element),
        preserve_mass_distribution=flag(element, "preserve_mass_distribution", False),
        output_model=_output(element, "output_model_file", path, given.out),
        output_scale=_output(element, "output_scale_file", path, given.out),
    )


def _measurement(element: Element) -> MeasurementSetup:
    pairs = []
    for pair in set_objects(element.child("MarkerPairSet")):
        names = pair.text_of("markers").split()
        if len(names) != 2:
            raise FileFormatError(
                f"A pair of measurement {element.name!r} names {len(names)} markers.", where=pair.where
            )
        pairs.append((names[0], names[1]))
    bodies = [
        (each.name, "".join(axis for axis in "xyz" if axis in each.text_of("axes").casefold()))
        for each in set_objects(element.child("BodyScaleSet"))
    ]
    return MeasurementSetup(element.name, tuple(pairs), tuple(bodies))


def _manual(element: Element) -> tuple[str, tuple[float, float, float]]:
    scales = element.child("scales")
    if scales is None:
        raise FileFormatError("A <Scale> has no <scales>.", where=element.where)
    x, y, z = scales.numbers(3)
    return element.text_of("segment").strip(), (x, y, z)


def _placer(element: Element, path: str | os.PathLike[str], given: Given) -> MarkerPlacerSetup:
    return MarkerPlacerSetup(
        tasks=read_ik_tasks(element.child("IKTaskSet"), path),
        marker_file=optional_file(element, "marker_file", path, given.motion),
        coordinate_file=optional_file(element, "coordinate_file", path, None),
        time_range=_times(element),
        max_movement=number(element, "max_marker_movement", -1.0),
        output_motion=_output(element, "output_motion_file", path, given.out),
        output_model=_output(element, "output_model_file", path, given.out),
        output_markers=_output(element, "output_marker_file", path, given.out),
    )


def _times(element: Element) -> tuple[float, float]:
    found = element.child("time_range")
    if found is None or not found.text:
        return (-1.0, -1.0)
    first, last = found.numbers(2)
    return first, last


def _output(element: Element, tag: str, path: str | os.PathLike[str], out: Path | None) -> Path | None:
    """Return a file to write: where the setup says, relative to it, or in the folder that the user gives."""
    text = element.text_of(tag)
    if is_empty(text):
        return None
    if out is not None:
        return out / text.strip().replace("\\", "/").rsplit("/", 1)[-1]
    return written_file(path, text, tag)


def written_file(path: str | os.PathLike[str], text: str, tag: str) -> Path:
    """Return a file that a setup asks to write; its folder must belong to the study."""
    folder, _, name = text.strip().replace("\\", "/").rpartition("/")
    if not name:
        raise FileFormatError(f"<{tag}> {text!r} names a folder, not a file.", where=os.fspath(path))
    return (results_folder(path, folder) if folder else Path(path).parent) / name
