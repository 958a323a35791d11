"""OpenSim's AnalyzeTool: every analysis of a setup file, in tables of the same names, columns and units."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from borelli.analyses.muscles.muscle_states import require_states
from borelli.errors import (
    InvalidValueError,
    MissingInputError,
    UnsolvableError,
    UnsupportedError,
    warn,
)
from borelli.io.setups.analysis_setup import AnalysisSetup
from borelli.io.text.references import table_name
from borelli.model.model import Model
from borelli.model.plausibility.limits import refuse_absurd_results
from borelli.opensim_tools.actuation_tables import actuation, force_reporter
from borelli.opensim_tools.analyze_tool import AnalyzeTool
from borelli.opensim_tools.induced_accelerations import induced_accelerations, refuse_contacts
from borelli.opensim_tools.joint_reaction import asked_reactions, joint_reaction
from borelli.opensim_tools.kinematics import CENTRE, body_kinematics, kinematics, point_kinematics
from borelli.opensim_tools.muscle_analysis import muscle_analysis
from borelli.opensim_tools.options import forces_file, names_of
from borelli.opensim_tools.output_tables import output_reporter
from borelli.opensim_tools.states_table import states_reporter
from borelli.opensim_tools.static_optimization import static_optimization
from borelli.results.labelled.table import Table


def refuse_unsupported(tool: AnalyzeTool, setup: AnalysisSetup) -> None:
    """Refuse, before anything is computed, what an analysis asks for and cannot have."""
    model = tool.model
    for option, kind, known in _names(model).get(setup.kind, ()):
        words = [word for word in setup.words(option) if word.casefold() != CENTRE]
        names_of(words, known, kind, setup.where)
    if setup.kind == "PointKinematics":
        for option in ("body_name", "relative_to_body_name"):
            model.place(setup.options.get(option, "").rsplit("/", 1)[-1] or "ground")
    elif setup.kind == "InducedAccelerations":
        _require_muscle_states(model, setup)
    elif setup.kind == "JointReaction":
        asked_reactions(model, setup)
        if not forces_file(setup):
            _require_muscle_states(model, setup)
        elif not tool.setup.file(forces_file(setup)).is_file():
            raise MissingInputError(
                f"The file does not exist: forces_file {forces_file(setup)!r}.",
                where=setup.where,
                remedy="run the static optimization that writes it, or correct the name",
            )


def _names(model: Model) -> dict[str, tuple[tuple[str, str, tuple[str, ...]], ...]]:
    """Options of every analysis that are lists of names: option, kind of name, names there are."""
    coordinates, bodies = model.coordinate_names, model.body_names
    return {
        "JointReaction": (("joint_names", "joint", model.joint_names),),
        "Kinematics": (("coordinates", "coordinate", coordinates),),
        "BodyKinematics": (("bodies", "body", bodies),),
        "MuscleAnalysis": (
            ("muscle_list", "muscle", model.muscle_names),
            ("moment_arm_coordinate_list", "coordinate", coordinates),
        ),
        "InducedAccelerations": (
            ("coordinate_names", "coordinate", model.speed_names),
            ("body_names", "body", bodies),
        ),
    }


def _require_muscle_states(model: Model, setup: AnalysisSetup) -> None:
    """Refuse muscles whose forces do not follow from their states."""
    try:
        require_states(model)
    except UnsupportedError as error:
        raise UnsupportedError(
            f"{setup.kind} needs muscle forces, which it takes from the muscle states: {error.what}",
            where=setup.where,
            remedy="name the forces of static optimization as forces_file"
            if setup.kind == "JointReaction"
            else "call borelli.induced with tensions",
        ) from None


RUNNERS: dict[str, Callable[..., dict[str, Table]]] = {
    "Actuation": actuation,
    "ForceReporter": force_reporter,
    "StatesReporter": states_reporter,
    "OutputReporter": output_reporter,
    "Kinematics": kinematics,
    "BodyKinematics": body_kinematics,
    "PointKinematics": point_kinematics,
    "MuscleAnalysis": muscle_analysis,
    "JointReaction": joint_reaction,
    "InducedAccelerations": induced_accelerations,
    "StaticOptimization": static_optimization,
}


def tell_unused_times(tool: AnalyzeTool, setup: AnalysisSetup) -> None:
    """Say that an analysis has times of its own that would leave instants out; the tool does not look at them."""
    first, last = setup.span
    time = tool.motion.time
    # The tool's times drift by less than a microsecond from those of the file.
    if first > time[0] + 1e-6 or last < time[-1] - 1e-6:
        warn(
            f"start_time and end_time of {setup.called} are ignored, as in OpenSim: initial_time and final_time "
            "of the tool apply"
        )


def run_analyses(tool: AnalyzeTool) -> dict[Path, Table]:
    """Run all analyses of a setup; return their tables by the files that they belong in.

    Each analysis is run at the instants that it writes, and nowhere else. One that cannot be run is left out, and so is
    a table with numbers of no body; ``tool.refused`` says why. If nothing is left, that is the error.
    """
    setup, refused = tool.setup, tool.refused
    possible = []
    for analysis in setup.analyses:
        try:
            refuse_contacts(setup, analysis)
            refuse_unsupported(tool, analysis)
            possible.append(analysis)
        except UnsupportedError as error:
            refused.append(error)
    # Controllers that cannot be evaluated are refused before anything is computed.
    _ = tool.controllers
    tables: dict[Path, Table] = {}
    for analysis in possible:
        tell_unused_times(tool, analysis)
        # Alone among the analyses, an OutputReporter does not put its own name into those of its files.
        own = "" if analysis.kind == "OutputReporter" else f"{analysis.name}_"
        try:
            found = RUNNERS[analysis.kind](tool.every(analysis.every), analysis)
        except (UnsupportedError, UnsolvableError, InvalidValueError) as error:
            refused.append(error)
            continue
        tool.done.append(analysis)
        for end, table in found.items():
            flat = table.flat()
            try:
                refuse_absurd_results(f"{analysis.kind} {end}", flat.time, flat.columns, flat.values)
            except UnsolvableError as error:
                refused.append(error)
                continue
            path = setup.results / table_name(f"{setup.name}_{own}{end}")
            if path in tables:
                warn(
                    f"several analyses of the setup write {path.name}: the last of them, {analysis.called}, stands "
                    "there, as in OpenSim; give every analysis a name of its own"
                )
            tables[path] = table
    if not tables and refused:
        raise refused[0]
    return tables
