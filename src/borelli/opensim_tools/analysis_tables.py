"""Tables as OpenSim's analyses write them: the same names, columns and units."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from borelli.errors import BorelliWarning, MissingInputError, UnknownNameError, UnsupportedError
from borelli.io.analysis_setup import AnalysisSetup
from borelli.io.analyze_setup import AnalyzeSetup
from borelli.mechanics.forces.actuators import actuators_of
from borelli.model.model import Model
from borelli.opensim_tools.induced_accelerations import CENTRE, induced_accelerations
from borelli.opensim_tools.kinematics import body_kinematics, kinematics, point_kinematics
from borelli.opensim_tools.muscle_analysis import muscle_analysis
from borelli.opensim_tools.options import for_each, names_of
from borelli.opensim_tools.static_optimization import static_optimization
from borelli.results.table import Table

if TYPE_CHECKING:
    from borelli.opensim_tools.analyze_tool import Trial


def joint_reaction(trial: Trial, setup: AnalysisSetup) -> dict[str, Table]:
    """Loads on joints with the given forces of muscles and actuators."""
    from borelli.analyses.joint_reactions import joint_reactions

    model = trial.model
    joints = names_of(setup.words("joint_names"), model.joint_names, "joint", setup.where)
    sides = for_each(setup, "apply_on_bodies", "child", len(joints))
    frames = for_each(setup, "express_in_frame", "ground", len(joints))
    motion, loads, tensions = trial.driven(setup)
    columns, parts = [], []
    for joint, side, frame in zip(joints, sides, frames, strict=True):
        ends = {
            "child": model.child_of(model.joints[joint])[0],
            "parent": model.parent_of(model.joints[joint])[0],
        }
        # The words child and parent mean the body, not the joint's frame on it, as in OpenSim.
        axes = ends.get(frame, frame)
        found = joint_reactions(
            model, motion, loads, tensions=tensions, passive=True, joints=[joint], on=side, express_in=axes
        )
        stem = f"{joint}_on_{ends[side]}_in_{axes}"
        columns += [f"{stem}_{kind}{axis}" for kind in "fmp" for axis in "xyz"]
        parts += [found[name].values[:, 0] for name in ("force", "moment", "point")]
    table = Table(
        motion.time, tuple(columns), np.hstack(parts), in_degrees=False, name="Joint Reaction Loads"
    )
    return {"ReactionLoads": table}


def refuse_unsupported(trial: Trial, setup: AnalysisSetup) -> None:
    """Refuse, before anything is computed, what an analysis asks for and cannot have."""
    model = trial.model
    for option, kind, known in _names(model).get(setup.kind, ()):
        words = [word for word in setup.words(option) if word.casefold() != CENTRE]
        names_of(words, known, kind, setup.where)
    if setup.kind == "PointKinematics":
        for option in ("body_name", "relative_to_body_name"):
            model.place(setup.options.get(option, "").rsplit("/", 1)[-1] or "ground")
    elif setup.kind == "InducedAccelerations":
        _require_muscle_states(model, setup)
    elif setup.kind == "JointReaction":
        _refuse_frames(model, setup)
        if not forces_file(setup):
            _require_muscle_states(model, setup)
        elif not trial.setup.file(forces_file(setup)).is_file():
            raise MissingInputError(
                f"There is no forces_file {forces_file(setup)!r}.",
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


def _refuse_frames(model: Model, setup: AnalysisSetup) -> None:
    joints = names_of(setup.words("joint_names"), model.joint_names, "joint", setup.where)
    sides = ("child", "parent")
    for side in for_each(setup, "apply_on_bodies", "child", len(joints)):
        if side not in sides:
            raise UnknownNameError.among(side, "side of a joint", sides, where=setup.where)
    for frame in for_each(setup, "express_in_frame", "ground", len(joints)):
        if frame not in sides:
            model.place(frame)


def forces_file(setup: AnalysisSetup) -> str:
    """Name of the file of forces, or nothing."""
    reference = setup.options.get("forces_file", "")
    return "" if reference.casefold() == "unassigned" else reference


def refuse_controls(model: Model, setup: AnalyzeSetup) -> None:
    """Refuse controllers where an answer would depend on them; elsewhere say that they are not used."""
    if not setup.controllers:
        return
    names = ", ".join(setup.controllers)
    driven = (*actuators_of(model).names, *(m.name for m in model.muscles if m.ignore_activation_dynamics))
    for analysis in setup.analyses:
        by_states = analysis.kind == "JointReaction" and not forces_file(analysis)
        if driven and (by_states or analysis.kind == "InducedAccelerations"):
            raise UnsupportedError(
                f"{analysis.kind} would depend on the controllers {names}, which are not used: they drive "
                f"{', '.join(driven[:4])}{', …' if len(driven) > 4 else ''}.",
                where=analysis.where,
                remedy="take the ControllerSet out, or name the forces as forces_file of a JointReaction",
            )
    warnings.warn(f"controllers are not used: {names}", BorelliWarning, stacklevel=2)


def _require_muscle_states(model: Model, setup: AnalysisSetup) -> None:
    """Refuse muscles whose forces do not follow from their states."""
    from borelli.analyses.muscle_states import require_states

    try:
        require_states(model)
    except UnsupportedError as error:
        raise UnsupportedError(
            f"{setup.kind} takes the forces of muscles from their states: {error.what}",
            where=setup.where,
            remedy="name the forces of static optimization as forces_file"
            if setup.kind == "JointReaction"
            else "call borelli.induced with tensions",
        ) from None


RUNNERS: dict[str, Callable[..., dict[str, Table]]] = {
    "Kinematics": kinematics,
    "BodyKinematics": body_kinematics,
    "PointKinematics": point_kinematics,
    "MuscleAnalysis": muscle_analysis,
    "JointReaction": joint_reaction,
    "InducedAccelerations": induced_accelerations,
    "StaticOptimization": static_optimization,
}


def thinned(table: Table, every: int, first_row: int) -> Table:
    """Keep every so many rows, counted as the tool counts them, and the first and last in any case.

    Parameters
    ----------
    first_row : int
        Row of the tool's table of states in which this table begins.
    """
    rows = np.arange(len(table.time))
    kept = (rows + first_row) % every == 0
    kept[[0, -1]] = True
    return dataclasses.replace(table, time=table.time[kept], values=table.values[kept])


def tell_unused_times(trial: Trial, setup: AnalysisSetup) -> None:
    """Say that an analysis has times of its own that would leave frames out; the tool does not look at them."""
    first, last = setup.span
    time = trial.motion.time
    # The tool's times drift by less than a microsecond from those of the file.
    if first > time[0] + 1e-6 or last < time[-1] - 1e-6:
        warnings.warn(
            f"start_time and end_time of {setup.name} are not used, as in OpenSim: initial_time and final_time "
            "of the tool are",
            BorelliWarning,
            stacklevel=2,
        )
