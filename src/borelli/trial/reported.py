"""Which motion and forces of an AnalyzeTool its result folder explains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from borelli.trial.forces import Forces

if TYPE_CHECKING:
    from borelli.mechanics.motion.ordered_motion import Motion
    from borelli.opensim_tools.analyze_tool import Trial


def as_reported(trial: Trial) -> tuple[Motion, Forces]:
    """Return what the first JointReaction bears, or the first StaticOptimization shares, or the loads alone."""
    first = {analysis.kind: analysis for analysis in reversed(trial.setup.analyses)}
    if "JointReaction" in first:
        motion, loads, forces = trial.driven(first["JointReaction"])
        return motion, Forces.told_apart(trial.model, loads, forces)
    if "StaticOptimization" in first:
        motion, found = trial.sharing(first["StaticOptimization"])
        return motion, Forces.from_sharing(trial.model, trial.loads, found)
    return trial.motion, Forces(trial.loads)
