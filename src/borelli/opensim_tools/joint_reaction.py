"""OpenSim's JointReaction: loads on joints, in its table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from borelli.analyses.joint_reactions import joint_reactions
from borelli.io.analysis_setup import AnalysisSetup
from borelli.opensim_tools.options import for_each, names_of
from borelli.results.table import Table

if TYPE_CHECKING:
    from borelli.opensim_tools.analyze_tool import AnalyzeTool


def joint_reaction(tool: AnalyzeTool, setup: AnalysisSetup) -> dict[str, Table]:
    """Loads on joints with the given forces of muscles and actuators."""
    model = tool.model
    joints = names_of(setup.words("joint_names"), model.joint_names, "joint", setup.where)
    sides = for_each(setup, "apply_on_bodies", "child", len(joints))
    frames = for_each(setup, "express_in_frame", "ground", len(joints))
    motion, loads, tensions = tool.driven(setup)
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
