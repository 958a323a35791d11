"""Setup files of OpenSim's InverseKinematicsTool: which markers and coordinates are tracked, and where the motion goes.

The model is found from the setup file, as all other files are; OpenSim looks for it from where it was started.
"""

from __future__ import annotations

import math
import os
from pathlib import Path

from borelli.errors import FileFormatError
from borelli.io.setups.ik_tasks import IKTask, read_ik_tasks
from borelli.io.setups.setup_options import (
    Given,
    flag,
    folder_of_results,
    is_empty,
    needed_file,
    number,
    optional_file,
    time_range,
    unknown_options,
)
from borelli.io.text.references import file_name, results_folder, table_name
from borelli.io.text.xml import Element
from borelli.records import dataclass

TOOL = "InverseKinematicsTool"
OPENSIMS_ACCURACY = 1e-5
"""Of a setup that names none."""
_OPTIONS = frozenset(
    {
        "results_directory",
        "input_directory",
        "model_file",
        "constraint_weight",
        "accuracy",
        "time_range",
        "output_motion_file",
        "report_errors",
        "IKTaskSet",
        "marker_file",
        "coordinate_file",
        "report_marker_locations",
        "optimizer_algorithm",
    }
)


@dataclass(frozen=True)
class InverseKinematicsSetup:
    """Settings of OpenSim's inverse-kinematics tool.

    Attributes
    ----------
    name : str
        Of the tool; its tables begin with it.
    model, markers : Path
        Files of the model and of the recorded markers.
    coordinates : Path or None
        Table that tasks with the value type ``from_file`` read.
    tasks : tuple of IKTask
        Those that are switched on; where none is of a marker, all markers count alike.
    time_range : (float, float)
        First and last time (s); all of the recording where the setup does not say.
    accuracy : float
        Where OpenSim's solver stops; not used to compute, but to say how far that may be from the optimum.
    constraint_weight : float
        Infinite, or what is told to be ignored: constraints hold exactly.
    motion : Path
        Table of coordinates to write.
    results : Path
        Folder of the other tables.
    report_errors, report_locations : bool
        Whether the tables of errors and of places of markers are written.
    unknown : tuple of str
        Options that the tool does not have, and does not use.
    source : str
        The setup file.
    """

    name: str
    model: Path
    markers: Path
    coordinates: Path | None
    tasks: tuple[IKTask, ...]
    time_range: tuple[float, float]
    accuracy: float
    constraint_weight: float
    motion: Path
    results: Path
    report_errors: bool
    report_locations: bool
    unknown: tuple[str, ...]
    source: str


def read_inverse_kinematics(
    tool: Element, path: str | os.PathLike[str], given: Given
) -> InverseKinematicsSetup:
    """Read the element of the tool; what the user gives takes the place of what it names."""
    results = folder_of_results(tool, path) if given.out is None else given.out
    tasks = read_ik_tasks(tool.child("IKTaskSet"), path)
    coordinates = optional_file(tool, "coordinate_file", path, given.motion)
    if coordinates is None and any(task.value_type == "from_file" for task in tasks):
        name = next(task.name for task in tasks if task.value_type == "from_file")
        raise FileFormatError(
            f"The task of coordinate {name!r} takes its values from a file, but the setup names none.",
            where=tool.where,
            remedy="name it in <coordinate_file>, or give it with --motion",
        )
    return InverseKinematicsSetup(
        name=tool.name,
        model=needed_file(tool, "model_file", path, given.model, "--model"),
        markers=needed_file(tool, "marker_file", path, given.markers, "--markers"),
        coordinates=coordinates,
        tasks=tasks,
        time_range=time_range(tool),
        accuracy=number(tool, "accuracy", OPENSIMS_ACCURACY),
        constraint_weight=number(tool, "constraint_weight", math.inf),
        motion=_motion_file(tool, path, results, given.out),
        results=results,
        report_errors=flag(tool, "report_errors", True),
        report_locations=flag(tool, "report_marker_locations", False),
        unknown=unknown_options(tool, _OPTIONS),
        source=os.fspath(path),
    )


def _motion_file(tool: Element, path: str | os.PathLike[str], results: Path, out: Path | None) -> Path:
    """Return the table to write: from the setup's folder, or by its name alone in a folder that the user gives."""
    text = tool.text_of("output_motion_file").strip().replace("\\", "/")
    if is_empty(text):
        return results / f"{tool.name}_ik.mot"
    folder, _, name = text.rpartition("/")
    return (results if out is not None else results_folder(path, folder or ".")) / table_name(
        file_name(name, "output_motion_file", tool.where)
    )
