"""Joint frames as OpenSim 4 names them when it brings an old document up to date.

Before version 3.5 a joint had a place in each of its bodies; since then it has two frames, ``<body>_offset``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from borelli.model import Frame, Joint, Model, Placement


def with_offset_frames(model: Model) -> Model:
    """Return the model with a named frame for each side of every joint that has none.

    Poses stay the same. Joints that are connected to frames already keep them.
    """
    frames: list[Frame] = list(model.frames)
    joints: list[Joint] = []
    for joint in model.joints:
        changes: dict[str, Any] = {}
        for side in ("parent", "child"):
            on = getattr(joint, side)
            if model.frames.has(on):
                continue
            name = f"{joint.name}/{on}_offset"
            frames.append(Frame(name, on, getattr(joint, f"{side}_placement")))
            changes |= {side: name, f"{side}_placement": Placement()}
        joints.append(replace(joint, **changes))
    parts: dict[str, Any] = {"frames": frames, "joints": joints}
    return replace(model, **parts)
