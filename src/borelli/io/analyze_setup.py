"""Setup files of OpenSim's AnalyzeTool: model, motion, loads, and the analyses to run on them.

An analysis or option that would change the answer and is not supported is refused by name when the file is
read, before anything is computed.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from pathlib import Path

from borelli.errors import FileFormatError, UnsupportedError
from borelli.io.contact_setup import ContactSetup, read_contact
from borelli.io.files import resolve_reference
from borelli.io.xml import Element

TOOL = "AnalyzeTool"
_UNASSIGNED = ("", "unassigned", "none")

# Analysis -> its options that are read; what is not listed must be empty or at its default.
_OPTIONS: dict[str, frozenset[str]] = {
    "JointReaction": frozenset({"forces_file", "joint_names", "apply_on_bodies", "express_in_frame"}),
    "MuscleAnalysis": frozenset({"muscle_list", "moment_arm_coordinate_list", "compute_moments"}),
    "InducedAccelerations": frozenset(
        {"coordinate_names", "body_names", "force_threshold", "report_constraint_reactions", "ConstraintSet"}
    ),
    "Kinematics": frozenset({"coordinates"}),
    "BodyKinematics": frozenset({"bodies", "express_results_in_body_local_frame"}),
    "PointKinematics": frozenset({"body_name", "relative_to_body_name", "point_name", "point"}),
    "StaticOptimization": frozenset(
        {
            "use_model_force_set",
            "activation_exponent",
            "use_muscle_physiology",
            "optimizer_convergence_criterion",
            "optimizer_max_iterations",
        }
    ),
}
_COMMON = frozenset({"on", "start_time", "end_time", "step_interval", "in_degrees", "print_results_files"})
_DEFAULTS = {
    "compute_potentials_only": "false",
}
_REFUSED_FILES = ("speeds_file",)
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
    }
)


@dataclass(frozen=True)
class AnalysisSetup:
    """One analysis.

    Attributes
    ----------
    kind : str
        Its class, such as ``JointReaction``.
    name : str
        Its name, a part of the names of its files.
    span : (float, float)
        First and last time (s), which the tool does not look at.
    every : int
        Only every so many frames are written.
    in_degrees : bool
        Whether angles are written in degrees.
    options : dict of str to str
        Its own options as text.
    where : str
        Place in the file, for messages.
    contacts : tuple of ContactSetup
        Constraints that take the place of external loads, in their order.
    """

    kind: str
    name: str
    span: tuple[float, float]
    every: int
    in_degrees: bool
    options: dict[str, str]
    where: str
    contacts: tuple[ContactSetup, ...] = ()

    def words(self, option: str) -> list[str]:
        """An option as a list of words."""
        return self.options.get(option, "").split()


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
        Whether fibres are brought into equilibrium with their tendons in every frame.
    force_sets : tuple of Path
        Files of actuators that are added to the model.
    external_loads : Path or None
    cutoff_hz : float or None
        Low-pass filter on the coordinates.
    time_range : (float, float)
        First and last time (s).
    results : Path
        Folder to write to.
    analyses : tuple of AnalysisSetup
    controllers : tuple of str
        Names of the controllers that are switched on; they are not used.
    unknown : tuple of str
        Options that the tool does not have, and does not use.
    source : str
        The setup file.
    """

    name: str
    model: Path
    coordinates: Path
    from_states: bool
    equilibrium: bool
    force_sets: tuple[Path, ...]
    external_loads: Path | None
    cutoff_hz: float | None
    time_range: tuple[float, float]
    results: Path
    analyses: tuple[AnalysisSetup, ...]
    controllers: tuple[str, ...]
    unknown: tuple[str, ...]
    source: str

    def file(self, reference: str) -> Path:
        """Find a file that the setup names."""
        return resolve_reference(self.source, reference)


def read_analyze(tool: Element, path: str | os.PathLike[str]) -> AnalyzeSetup:
    """Read an ``<AnalyzeTool>`` element of a setup file."""
    for tag in _REFUSED_FILES:
        if tool.text_of(tag).casefold() not in _UNASSIGNED:
            raise UnsupportedError(
                f"<{tag}> is not used: speeds are derivatives of the coordinates.",
                where=tool.where,
                remedy=f"leave {tag} empty",
            )
    if _flag(tool, "replace_force_set", False):
        raise UnsupportedError(
            "<replace_force_set> true is not supported: forces of the model are kept.",
            where=tool.where,
            remedy="set it to false, and take the forces out of the model instead",
        )
    states, coordinates = tool.text_of("states_file"), tool.text_of("coordinates_file")
    # Where both are named the tool, too, takes the states.
    from_states = states.casefold() not in _UNASSIGNED
    coordinates = states if from_states else coordinates
    if coordinates.casefold() in _UNASSIGNED:
        raise FileFormatError(
            "The setup names neither a coordinates_file nor a states_file.", where=tool.where
        )
    model = tool.text_of("model_file")
    if model.casefold() in _UNASSIGNED:
        raise FileFormatError("The setup does not name a model_file.", where=tool.where)
    loads = tool.text_of("external_loads_file")
    frequency = _number(tool, "lowpass_cutoff_frequency_for_coordinates", -1.0)
    listed = _objects(tool.child("AnalysisSet"))
    analyses = tuple(_analysis(element) for element in listed if _flag(element, "on", True))
    if not analyses:
        raise FileFormatError("The setup has no analysis that is switched on.", where=tool.where)
    return AnalyzeSetup(
        name=tool.name or "analyze",
        model=resolve_reference(path, model),
        coordinates=resolve_reference(path, coordinates),
        from_states=from_states,
        equilibrium=_flag(tool, "solve_for_equilibrium_for_auxiliary_states", False),
        force_sets=tuple(resolve_reference(path, word) for word in tool.text_of("force_set_files").split()),
        external_loads=None if loads.casefold() in _UNASSIGNED else resolve_reference(path, loads),
        cutoff_hz=frequency if frequency >= 0.0 and not from_states else None,
        time_range=(_number(tool, "initial_time", -math.inf), _number(tool, "final_time", math.inf)),
        results=resolve_reference(path, tool.text_of("results_directory", "./")),
        analyses=analyses,
        controllers=tuple(
            each.name for each in _objects(tool.child("ControllerSet")) if _flag(each, "enabled", True)
        ),
        unknown=unknown_options(tool, _TOOL_OPTIONS),
        source=os.fspath(path),
    )


def unknown_options(tool: Element, known: frozenset[str]) -> tuple[str, ...]:
    """Options with a content that a tool does not have: misspelt, or of another version."""
    return tuple(
        child.tag
        for child in tool.children
        if child.tag not in known and (child.children or child.text.casefold() not in _UNASSIGNED)
    )


def _analysis(element: Element) -> AnalysisSetup:
    if element.tag not in _OPTIONS:
        raise UnsupportedError(
            f"<{element.tag}> is not an analysis that can be run.",
            where=element.where,
            remedy="supported: " + ", ".join(_OPTIONS),
        )
    options = {}
    for child in element.children:
        if child.tag in _COMMON or child.tag in _OPTIONS[element.tag]:
            options[child.tag] = child.text.strip()
        else:
            _refuse_unless_default(element, child)
    every = _number(element, "step_interval", 1.0)
    return AnalysisSetup(
        kind=element.tag,
        name=element.name or element.tag,
        span=(_number(element, "start_time", -math.inf), _number(element, "end_time", math.inf)),
        every=max(int(every), 1),
        in_degrees=_flag(element, "in_degrees", True),
        options=options,
        where=element.where,
        contacts=tuple(read_contact(child) for child in _objects(element.child("ConstraintSet"))),
    )


def _objects(holder: Element | None) -> list[Element]:
    objects = None if holder is None else holder.child("objects")
    return [] if objects is None else list(objects.children)


def _refuse_unless_default(owner: Element, option: Element) -> None:
    expected = _DEFAULTS.get(option.tag, "")
    if option.text.strip().casefold() == expected:
        return
    raise UnsupportedError(
        f"The option <{option.tag}> of {owner.tag} is not supported.",
        where=option.where,
        remedy=f"leave it {repr(expected) if expected else 'empty'}",
    )


def _flag(owner: Element, tag: str, default: bool) -> bool:
    child = owner.child(tag)
    return default if child is None or not child.text.strip() else child.flag()


def _number(owner: Element, tag: str, default: float) -> float:
    child = owner.child(tag)
    return default if child is None or not child.text.strip() else child.number()
