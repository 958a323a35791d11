"""OpenSim's JointReaction: loads on joints, in its table."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from borelli.analyses.forces.joint_reactions import joint_reactions
from borelli.errors import UnknownNameError
from borelli.io.setups.analysis_setup import AnalysisSetup
from borelli.opensim_tools.options import for_each, names_of
from borelli.results.labelled.table import Table

if TYPE_CHECKING:
    from borelli.model.model import Model
    from borelli.opensim_tools.analyze_tool import AnalyzeTool


class Reaction(NamedTuple):
    """What a setup asks of one joint."""

    joint: str
    side: str
    """On which the load is reported: ``"child"`` or ``"parent"``."""
    axes: str
    """As ``joint_reactions`` calls them."""
    label: str
    """Of OpenSim's columns."""


def asked_reactions(model: Model, setup: AnalysisSetup) -> list[Reaction]:
    """Resolve joints, sides and axes of a setup.

    Raises
    ------
    UnknownNameError
        If the model does not have one of them.
    """
    joints = names_of(setup.words("joint_names"), model.joint_names, "joint", setup.where)
    sides = for_each(setup, "apply_on_bodies", "child", len(joints))
    frames = for_each(setup, "express_in_frame", "ground", len(joints))
    asked = []
    for joint, side, frame in zip(joints, sides, frames, strict=True):
        ends = {
            "child": model.child_of(model.joints[joint])[0],
            "parent": model.parent_of(model.joints[joint])[0],
        }
        if side not in ends:
            raise UnknownNameError.among(side, "side of a joint", tuple(ends), where=setup.where)
        axes, shown = _axes(model, setup, joint, frame, ends)
        asked.append(Reaction(joint, side, axes, f"{joint}_on_{ends[side]}_in_{shown}"))
    return asked


def joint_reaction(tool: AnalyzeTool, setup: AnalysisSetup) -> dict[str, Table]:
    """Loads on joints with the given forces of muscles and actuators."""
    model, asked = tool.model, asked_reactions(tool.model, setup)
    motion, loads, tensions = tool.driven(setup)
    columns, parts = [], []
    for joint, side, axes, label in asked:
        found = joint_reactions(
            model,
            motion,
            loads,
            tensions=tensions,
            passive=True,
            loops=True,
            joints=[joint],
            on=side,
            express_in=axes,
        )
        columns += [f"{label}_{kind}{axis}" for kind in "fmp" for axis in "xyz"]
        parts += [found[name].values[:, 0] for name in ("force", "moment", "point")]
    table = Table(
        motion.time, tuple(columns), np.hstack(parts), in_degrees=False, name="Joint Reaction Loads"
    )
    return {"ReactionLoads": table}


def _axes(
    model: Model, setup: AnalysisSetup, joint: str, frame: str, ends: dict[str, str]
) -> tuple[str, str]:
    """Return the axes that a setup names, as `joint_reactions` calls them, and their name in OpenSim's columns.

    A setup gives a body, a frame, or the path of either (``/bodyset/tibia_r``, ``knee_r/femur_r_offset``). Older
    models do not name the frames of their joints: OpenSim calls each by its body, ``femur_r_offset``.
    """
    known = ("ground", *model.body_names, *model.frames.names)
    parts = [part for part in frame.split("/") if part]
    own = parts[1:] if len(parts) > 1 and parts[0] in ("bodyset", "jointset") else parts
    name = "/".join(own)
    if name in known:
        return name, own[-1]
    # A frame that no other shares its name with is known without its joint, and asked for with it.
    if len(own) == 2 and own[0] in model.joint_names:
        joined = model.joints[own[0]]
        if own[1] in known and own[1] in (joined.parent, joined.child):
            return own[1], own[1]
    # The words child and parent mean the body, not the joint's frame on it, as in OpenSim.
    if frame.casefold() in ends:
        body = ends[frame.casefold()]
        return body, body
    for side, body in ends.items():
        if name == f"{joint}/{body}_offset":
            return side, own[-1]
    raise UnknownNameError.among(frame, "body or frame", known, of=f"model {model.name!r}", where=setup.where)
