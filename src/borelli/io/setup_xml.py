"""OpenSim's setup files: which model, motion and loads a tool is to be run on.

Paths inside a setup file are relative to it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from borelli.errors import FileFormatError, UnsupportedError
from borelli.io.analyze_setup import TOOL as ANALYZE
from borelli.io.analyze_setup import AnalyzeSetup, read_analyze, unknown_options
from borelli.io.files import resolve_reference
from borelli.io.xml import Element, read_xml

EXPECTED = "an OpenSim setup file (.xml)"
SUPPORTED = ("InverseDynamicsTool", ANALYZE)
_UNASSIGNED = ("", "unassigned", "none")
_OPTIONS = frozenset(
    {
        "results_directory",
        "input_directory",
        "model_file",
        "time_range",
        "forces_to_exclude",
        "external_loads_file",
        "coordinates_file",
        "lowpass_cutoff_frequency_for_coordinates",
        "output_gen_force_file",
        "joints_to_report_body_forces",
        "output_body_forces_file",
    }
)


@dataclass(frozen=True)
class InverseDynamicsSetup:
    """Settings of OpenSim's inverse-dynamics tool.

    Attributes
    ----------
    model, coordinates : Path
        Files of the model and of the motion.
    external_loads : Path or None
        ExternalLoads xml.
    cutoff_hz : float or None
        Low-pass filter on the coordinates.
    time_range : (float, float)
        First and last time (s).
    output : Path
        Table of generalized forces to write.
    excluded_forces : tuple of str
        Names or kinds of forces that are left out.
    unknown : tuple of str
        Options that the tool does not have, and does not use.
    source : str
        The setup file.
    """

    model: Path
    coordinates: Path
    external_loads: Path | None
    cutoff_hz: float | None
    time_range: tuple[float, float]
    output: Path
    excluded_forces: tuple[str, ...]
    unknown: tuple[str, ...]
    source: str


def read_setup(path: str | os.PathLike[str]) -> InverseDynamicsSetup | AnalyzeSetup:
    """Read a setup file; a tool that is not supported is refused by name."""
    root = read_xml(path, EXPECTED)
    tool = root.children[0] if root.tag == "OpenSimDocument" and root.children else root
    if tool.tag not in SUPPORTED:
        raise UnsupportedError(
            f"<{tool.tag}> is not a tool that can be run from its setup file.",
            where=tool.where,
            remedy="supported: " + ", ".join(SUPPORTED),
        )
    return read_analyze(tool, path) if tool.tag == ANALYZE else _inverse_dynamics(tool, path)


def _inverse_dynamics(tool: Element, path: str | os.PathLike[str]) -> InverseDynamicsSetup:
    if tool.text_of("joints_to_report_body_forces").strip():
        raise UnsupportedError(
            "The option <joints_to_report_body_forces> is not supported.",
            where=tool.where,
            remedy="leave it empty; reactions of all joints are in the result folder",
        )
    cutoff = tool.child("lowpass_cutoff_frequency_for_coordinates")
    frequency = cutoff.number() if cutoff is not None and cutoff.text else -1.0
    span = tool.child("time_range")
    start, end = span.numbers(2) if span is not None and span.text else (-float("inf"), float("inf"))
    folder = resolve_reference(path, tool.text_of("results_directory", "./"))
    name = tool.text_of("output_gen_force_file", "inverse_dynamics.sto")
    return InverseDynamicsSetup(
        model=_needed_file(tool, "model_file", path),
        coordinates=_needed_file(tool, "coordinates_file", path),
        external_loads=_file(tool, "external_loads_file", path),
        cutoff_hz=frequency if frequency >= 0.0 else None,
        time_range=(start, end),
        # The tool, too, takes the file's name alone and puts it in the results folder.
        output=folder / Path(name.replace("\\", "/")).name,
        excluded_forces=tuple(tool.text_of("forces_to_exclude").split()),
        unknown=unknown_options(tool, _OPTIONS),
        source=os.fspath(path),
    )


def _file(tool: Element, tag: str, path: str | os.PathLike[str]) -> Path | None:
    text = tool.text_of(tag)
    return None if text.casefold() in _UNASSIGNED else resolve_reference(path, text)


def _needed_file(tool: Element, tag: str, path: str | os.PathLike[str]) -> Path:
    found = _file(tool, tag, path)
    if found is None:
        raise FileFormatError(f"The setup does not name a {tag}.", where=tool.where)
    return found
