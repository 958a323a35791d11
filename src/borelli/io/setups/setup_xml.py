"""OpenSim's setup files: which model, motion and loads a tool is to be run on.

Paths inside a setup file are relative to it; the command line may give other files in their place.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from borelli.errors import UnsupportedError, warn
from borelli.io.setups.analyze_setup import TOOL as ANALYZE
from borelli.io.setups.analyze_setup import AnalyzeSetup, read_analyze
from borelli.io.setups.imu_setup import PLACER, TRACKER, PlacerSetup, SensorSetup, read_placer, read_tracker
from borelli.io.setups.inverse_kinematics_setup import TOOL as INVERSE_KINEMATICS
from borelli.io.setups.inverse_kinematics_setup import InverseKinematicsSetup, read_inverse_kinematics
from borelli.io.setups.old_setups import OLD_ROOTS, update_old_setup
from borelli.io.setups.scale_setup import TOOL as SCALE
from borelli.io.setups.scale_setup import ScaleSetup, read_scale
from borelli.io.setups.setup_options import (
    Given,
    folder_of_results,
    needed_file,
    number,
    optional_file,
    time_range,
    unknown_options,
    version_of,
)
from borelli.io.text.references import file_name, table_name
from borelli.io.text.xml import Element, read_xml
from borelli.records import dataclass

EXPECTED = "an OpenSim setup file (.xml)"
# Two letters exchanged in the shortest of the names, ScaleTool.
_MISSPELT = 0.88
# Tools of OpenSim that are spelt as they should be, near as they may be to another one.
_OTHERS = (
    "ForwardTool",
    "CMCTool",
    "RRATool",
)
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
    body_forces_output : Path
        Table of body forces at joints to write, where some are asked for.
    body_forces_joints : tuple of str
        Joints at which they are asked for, or ``ALL``.
    excluded_forces : tuple of str
        Names or kinds of forces that are left out.
    unknown : tuple of str
        Options that the tool does not have, and does not use.
    source : str
        The setup file.
    in_degrees : bool or None
        Whether angles of the motion are in degrees, whatever its header says.
    allow_violations : bool
        Whether the motion may violate the constraints of the model.
    loads_cutoff_hz : float or None
        Low-pass filter on the loads.
    """

    model: Path
    coordinates: Path
    external_loads: Path | None
    cutoff_hz: float | None
    time_range: tuple[float, float]
    output: Path
    body_forces_output: Path
    body_forces_joints: tuple[str, ...]
    excluded_forces: tuple[str, ...]
    unknown: tuple[str, ...]
    source: str
    in_degrees: bool | None = None
    allow_violations: bool = False
    loads_cutoff_hz: float | None = None


Setup: TypeAlias = (
    InverseDynamicsSetup | AnalyzeSetup | ScaleSetup | InverseKinematicsSetup | PlacerSetup | SensorSetup
)


def read_setup(
    path: str | os.PathLike[str], given: Given | None = None
) -> InverseDynamicsSetup | AnalyzeSetup:
    """Read a setup file of a tool that analyses a motion; see :func:`read_tool`."""
    found = read_tool(path, given)
    if isinstance(found, ScaleSetup):
        raise UnsupportedError(
            "ScaleTool makes a model; it does not analyse a motion.",
            where=os.fspath(path),
            remedy="borelli scale",
        )
    if not isinstance(found, InverseDynamicsSetup | AnalyzeSetup):
        raise UnsupportedError(
            "The tool fits a model to a recording; it does not analyse a motion.",
            where=os.fspath(path),
            remedy="borelli run",
        )
    return found


def read_tool(path: str | os.PathLike[str], given: Given | None = None) -> Setup:
    """Read a setup file; a tool that is not supported is refused by name.

    Parameters
    ----------
    given : Given, optional
        Files that take the place of those that the setup names, or does not name.
    """
    root = read_xml(path, EXPECTED)
    given = given or Given()
    tool = root.children[0] if root.tag == "OpenSimDocument" and root.children else root
    tag = _spelt(tool)
    if tag not in READERS:
        raise UnsupportedError(
            f"<{tool.tag}> is not a supported tool.",
            where=tool.where,
            remedy="supported: " + ", ".join(READERS),
        )
    update_old_setup(tool, version_of(root), loads_given=given.loads is not None)
    return READERS[tag](tool, path, given)


def _spelt(tool: Element) -> str:
    """Return which tool is meant: OpenSim does not look at the tag, and published files misspell it."""
    if tool.tag in (*READERS, *_OTHERS):
        return tool.tag
    if tool.tag in OLD_ROOTS:
        return OLD_ROOTS[tool.tag]
    near = difflib.get_close_matches(tool.tag, READERS, n=1, cutoff=_MISSPELT)
    if near:
        warn(f"{tool.where}: <{tool.tag}> is read as <{near[0]}>.")
    return near[0] if near else tool.tag


def _inverse_dynamics(tool: Element, path: str | os.PathLike[str], given: Given) -> InverseDynamicsSetup:
    frequency = number(tool, "lowpass_cutoff_frequency_for_coordinates", -1.0)
    return InverseDynamicsSetup(
        model=needed_file(tool, "model_file", path, given.model, "--model"),
        coordinates=needed_file(tool, "coordinates_file", path, given.motion, "--motion"),
        external_loads=optional_file(tool, "external_loads_file", path, given.loads),
        cutoff_hz=frequency if frequency >= 0.0 else None,
        time_range=time_range(tool),
        output=_table(tool, path, given.out),
        body_forces_output=_body_forces_table(tool, path, given.out),
        body_forces_joints=tuple(tool.text_of("joints_to_report_body_forces").split()),
        excluded_forces=tuple(tool.text_of("forces_to_exclude").split()),
        unknown=unknown_options(tool, _OPTIONS),
        source=os.fspath(path),
        in_degrees=given.in_degrees,
        allow_violations=given.allow_violations,
        loads_cutoff_hz=given.loads_cutoff_hz,
    )


def _table(tool: Element, path: str | os.PathLike[str], out: Path | None) -> Path:
    """Return the table to write: a file or a folder that the user gives, else what the setup says."""
    if out is not None and out.suffix and not out.is_dir():
        return out
    folder = folder_of_results(tool, path) if out is None else out
    return folder / _name(tool, "output_gen_force_file", "inverse_dynamics.sto")


def _body_forces_table(tool: Element, path: str | os.PathLike[str], out: Path | None) -> Path:
    """Return the table of body forces, which lies beside that of generalized forces."""
    return _table(tool, path, out).with_name(
        _name(tool, "output_body_forces_file", "body_forces_at_joints.sto")
    )


def _name(tool: Element, tag: str, default: str) -> str:
    """Name of a table: the tool, too, takes the file's name alone and puts it in the results folder."""
    text = tool.text_of(tag) or default
    return table_name(file_name(text.replace("\\", "/").rsplit("/", 1)[-1], tag, tool.where))


READERS: dict[str, Callable[[Element, str | os.PathLike[str], Given], Setup]] = {
    "InverseDynamicsTool": _inverse_dynamics,
    ANALYZE: read_analyze,
    SCALE: read_scale,
    INVERSE_KINEMATICS: read_inverse_kinematics,
    PLACER: read_placer,
    TRACKER: read_tracker,
}
