"""How a point and its frame move with every speed, as plain arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from borelli.kernels.tree.blocks import blocks
from borelli.mechanics.motion.frame_motion import FrameMotion
from borelli.mechanics.motion.ordered_motion import Motion
from borelli.mechanics.motion.prepare import prepare_postures
from borelli.model.model import Model


class FrameJacobian(NamedTuple):
    """Velocities in ground per unit of every speed, at n instants; NaN where the posture is not known."""

    time: np.ndarray
    """(n,) s"""
    linear: np.ndarray
    """(n, 3, n_speeds) of the point, m or 1"""
    angular: np.ndarray
    """(n, 3, n_speeds) of the frame, 1 or 1/m"""


def frame_jacobian(model: Model, motion: Motion, frame: str, point: Sequence[float]) -> FrameJacobian:
    """Return the Jacobian of a point (m) of a body or frame."""
    prepared = prepare_postures(model, motion)
    mechanism, place = prepared.compiled.mechanism, prepared.compiled.attachment(frame)
    shape = (len(prepared.q), 3, mechanism.n_speeds)
    linear, angular = np.empty(shape), np.empty(shape)
    for block in blocks(len(prepared.q)):
        own = FrameMotion(mechanism, prepared.q[block])
        linear[block] = own.point_jacobian(place, own.point(place, point))
        angular[block] = own.angular_jacobian(place)
    return FrameJacobian(prepared.time, prepared.whole(linear), prepared.whole(angular))
