"""Where the bodies of a model are, as plain arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from borelli.compiled.frames import body_nodes, frame_poses
from borelli.mechanics.engine import engine
from borelli.mechanics.motion.ordered_motion import Motion
from borelli.mechanics.motion.postures import in_every_posture
from borelli.mechanics.motion.prepare import prepare_postures
from borelli.model.model import Model
from borelli.model.plausibility.limits import refuse_impossible_places


class BodyPlaces(NamedTuple):
    """Bodies at n instants, in ground."""

    time: np.ndarray
    """(n,) s"""
    origin: np.ndarray
    """(n, n_bodies, 3) m"""
    com: np.ndarray
    """(n, n_bodies, 3) m: mass centres"""
    rotation: np.ndarray
    """(n, n_bodies, 3, 3): columns are the body's axes"""


def body_places(model: Model, motion: Motion, threads: int = 1) -> BodyPlaces:
    """Place every body of a model."""
    prepared = prepare_postures(model, motion)
    placed, backend, count = body_nodes(prepared.compiled), engine(), len(model.bodies)

    def poses(q: np.ndarray) -> tuple[np.ndarray, ...]:
        rotation, origin = frame_poses(backend, placed, q, count)
        return origin[:, :count], origin[:, count:], rotation

    origin, com, rotation = in_every_posture(prepared, threads, poses)
    for places in (origin, com):
        refuse_impossible_places(prepared.time[prepared.known], model.body_names, places[prepared.known])
    return BodyPlaces(prepared.time, origin, com, rotation)
