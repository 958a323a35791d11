"""Setup files of OpenSim's AnalyzeTool: model, motion, loads, and the analyses to run on them.

An analysis or option that would change the answer and is not supported is refused by name when the file is
read; the other analyses can be run all the same.
"""

from __future__ import annotations

import os
from pathlib import Path

from borelli.errors import (
    BorelliError,
    FileFormatError,
    UnsupportedError,
    warn,
)
from borelli.io.setups.analysis_setup import AnalysisSetup, read_analysis
from borelli.io.setups.setup_options import (
    Given,
    flag,
    folder_of_results,
    is_empty,
    needed_file,
    number,
    objects,
    optional_file,
    span,
    unknown_options,
)
from borelli.io.text.references import file_name, find_file
from borelli.io.text.xml import Element
from borelli.records import dataclass

TOOL = "AnalyzeTool"
_FIRST, _LAST = 0.0, 1.0
"""Times of the tool where the setup does not say (s)."""
_TOOL_OPTIONS = frozenset(
    {
        "model_file",
        "replace_force_set",
        "force_set_files",
        "results_directory",
        "output_precision",
        "initial_time",
        "final_time",
        "solve_for_equilibrium_for_auxiliary_states",
        "maximum_number_of_integrator_steps",
        "maximum_integrator_step_size",
        "minimum_integrator_step_size",
        "integrator_error_tolerance",
        "AnalysisSet",
        "ControllerSet",
        "external_loads_file",
        "states_file",
        "coordinates_file",
        "speeds_file",
        "lowpass_cutoff_frequency_for_coordinates",
        "defaults",
    }
)


@dataclass(frozen=True)
class AnalyzeSetup:
    """Settings of OpenSim's AnalyzeTool.

    Attributes
    ----------
    name : str
        Of the tool; its files begin with it.
    model, coordinates : Path
        The motion is a file of coordinates or, if ``from_states``, of states.
    from_states : bool
        Whether the motion is a states file, with speeds and the states of muscles.
    equilibrium : bool
        Whether fibres are brought into equilibrium with their tendons in every instant.
    force_sets : tuple of Path
        Files of forces that are added to the model.
    replace_forces : bool
        Whether they take the place of the model's own.
    external_loads : Path or None
    cutoff_hz : float or None
        Low-pass filter on the coordinates.
    time_range : (float, float)
        First and last time (s).
    results : Path
        Folder to write to.
    analyses : tuple of AnalysisSetup
        Those that are switched on and supported.
    refused : tuple of BorelliError
        Why the others cannot be run.
    controllers : tuple of Element
        Controllers that are added to the model, switched on or not.
    unknown : tuple of str
        Options that the tool does not have, and does not use.
    source : str
        The setup file.
    in_degrees : bool or None
        Whether angles of the motion are in degrees, whatever its header says.
    allow_violations : bool
        Whether the motion may violate the constraints of the model.
    infeasible : str
        What comes of a load that muscles cannot balance: ``"raise"`` or ``"report"``.
    loads_cutoff_hz : float or None
        Low-pass filter on the loads.
    speeds : Path or None
        Table of the speeds of all coordinates, which are else derivatives of the coordinates.
    """

    name: str
    model: Path
    coordinates: Path
    from_states: bool
    equilibrium: bool
    force_sets: tuple[Path, ...]
    replace_forces: bool
    external_loads: Path | None
    cutoff_hz: float | None
    time_range: tuple[float, float]
    results: Path
    analyses: tuple[AnalysisSetup, ...]
    refused: tuple[BorelliError, ...]
    controllers: tuple[Element, ...]
    unknown: tuple[str, ...]
    source: str
    in_degrees: bool | None = None
    allow_violations: bool = False
    infeasible: str = "raise"
    loads_cutoff_hz: float | None = None
    speeds: Path | None = None

    def file(self, reference: str) -> Path:
        """Find a file that the setup names."""
        return find_file(self.source, reference)


def read_analyze(tool: Element, path: str | os.PathLike[str], given: Given) -> AnalyzeSetup:
    """Read an ``<AnalyzeTool>`` element of a setup file."""
    # Where both are named the tool, too, takes the states.
    from_states = given.motion is None and not is_empty(tool.text_of("states_file"))
    frequency = number(tool, "lowpass_cutoff_frequency_for_coordinates", -1.0)
    analyses, refused = _analyses(tool)
    return AnalyzeSetup(
        name=file_name(tool.name, "The name of the tool", tool.where),
        model=needed_file(tool, "model_file", path, given.model, "--model"),
        coordinates=needed_file(
            tool, "states_file" if from_states else "coordinates_file", path, given.motion, "--motion"
        ),
        from_states=from_states,
        equilibrium=flag(tool, "solve_for_equilibrium_for_auxiliary_states", False),
        force_sets=tuple(find_file(path, word) for word in tool.text_of("force_set_files").split()),
        replace_forces=flag(tool, "replace_force_set", False),
        external_loads=optional_file(tool, "external_loads_file", path, given.loads),
        cutoff_hz=frequency if frequency >= 0.0 and not from_states else None,
        time_range=span(number(tool, "initial_time", _FIRST), number(tool, "final_time", _LAST), tool.where),
        results=folder_of_results(tool, path) if given.out is None else given.out,
        analyses=analyses,
        refused=refused,
        controllers=tuple(objects(tool.child("ControllerSet"))),
        unknown=(
            *unknown_options(tool, _TOOL_OPTIONS),
            *dict.fromkeys(f"{one.kind}/{option}" for one in analyses for option in one.unknown),
        ),
        source=os.fspath(path),
        in_degrees=given.in_degrees,
        allow_violations=given.allow_violations,
        infeasible=given.infeasible,
        loads_cutoff_hz=given.loads_cutoff_hz,
        speeds=_speeds_file(tool, path, given, from_states, frequency),
    )


def _speeds_file(
    tool: Element, path: str | os.PathLike[str], given: Given, from_states: bool, frequency: float
) -> Path | None:
    """Return the table of speeds that the tool takes: one beside its own coordinates, which are not filtered."""
    named = tool.child("speeds_file")
    if named is None or is_empty(named.text):
        return None
    ignored = None
    if from_states:
        ignored = "the states file has its own speeds"
    elif given.motion is not None:
        ignored = "the motion is not that of the setup"
    if ignored is not None:
        warn(f"<speeds_file> is ignored: {ignored}.")
        return None
    if frequency >= 0.0:
        raise UnsupportedError(
            "<speeds_file> has unfiltered speeds of coordinates that "
            "<lowpass_cutoff_frequency_for_coordinates> filters.",
            where=named.where,
            remedy="leave speeds_file empty, or write -1 for the cut-off",
        )
    return find_file(path, named.text)


def _analyses(tool: Element) -> tuple[tuple[AnalysisSetup, ...], tuple[BorelliError, ...]]:
    """Read all analyses that are switched on: those that can be run, and why others cannot."""
    listed = [each for each in objects(tool.child("AnalysisSet")) if flag(each, "on", True)]
    if not listed:
        raise FileFormatError("The setup has no analysis that is on.", where=tool.where)
    found: list[AnalysisSetup] = []
    refused: list[BorelliError] = []
    for element in listed:
        try:
            found.append(read_analysis(element))
        except UnsupportedError as error:
            refused.append(error)
    if not found:
        raise refused[0]
    return tuple(found), tuple(refused)
