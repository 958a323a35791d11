"""Frames as nodes: a mechanism in which every frame of interest has a node of its own.

The kernels then place bodies, markers and joint frames themselves, in the layout of the result.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

import numpy as np

from borelli.compiled.compile import Attachment, CompiledModel
from borelli.compiled.placements import constant_rotation
from borelli.kernels.backend import Backend
from borelli.kernels.tree.mechanism import Mechanism
from borelli.kernels.tree.node import NONE, Node
from borelli.records import dataclass


@dataclass(frozen=True, eq=False)
class FrameNodes:
    """A mechanism with extra nodes, rigid and without mass, for some frames."""

    mechanism: Mechanism
    nodes: tuple[int, ...]
    """Node of each frame, in the order they were asked for."""


def frames_as_nodes(mechanism: Mechanism, frames: Iterable[Attachment]) -> FrameNodes:
    """Append a node for every frame; without frames the mechanism stays the same."""
    frames, nodes = list(frames), list(mechanism.nodes)
    if not frames:
        return FrameNodes(mechanism, ())
    own = []
    for frame in frames:
        rotation = constant_rotation(frame.placement.rotation)
        own.append(len(nodes))
        nodes.append(Node(frame.node, NONE, frame.placement.translation, rotation))
    return FrameNodes(replace(mechanism, nodes=tuple(nodes)), tuple(own))


# A study goes from subject to subject: the last models are kept, not all of them.
@lru_cache(maxsize=32)
def body_nodes(compiled: CompiledModel) -> FrameNodes:
    """Nodes for the frames of all bodies, then for frames at their mass centres."""
    frames = [compiled.bodies[body.name] for body in compiled.model.bodies]
    centres = [
        Attachment(frame.node, replace(frame.placement, translation=frame.placement.of_point(body.com)))
        for body, frame in zip(compiled.model.bodies, frames, strict=True)
    ]
    return frames_as_nodes(compiled.mechanism, [*frames, *centres])


@lru_cache(maxsize=32)
def marker_nodes(compiled: CompiledModel) -> FrameNodes:
    """Nodes at all markers."""
    frames = []
    for marker in compiled.model.markers:
        frame = compiled.attachment(marker.frame)
        place = frame.placement.of_point(marker.location)
        frames.append(Attachment(frame.node, replace(frame.placement, translation=place)))
    return frames_as_nodes(compiled.mechanism, frames)


def frame_poses(
    backend: Backend, placed: FrameNodes, q: np.ndarray, n_turned: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Rotation (n_instants, n_turned, 3, 3) and origin (n_instants, n, 3) of the frames in ground.

    Rotations are given of the first ``n_turned`` frames, by default of all.
    """
    if not placed.nodes:
        return np.empty((len(q), 0, 3, 3)), np.empty((len(q), 0, 3))
    return backend.poses(placed.mechanism, q, placed.nodes, n_turned)
