"""The posture that a model has by itself: its default values, with its constraints obeyed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from borelli.analyses.movement.assemble import assemble
from borelli.analyses.movement.body_poses import body_poses
from borelli.analyses.movement.paths import paths
from borelli.mechanics.motion.ordered_motion import Motion
from borelli.mechanics.scaling.opensim_paths.model_lengths import opensim_lengths
from borelli.model.body import GROUND
from borelli.model.constraint import ConstantDistanceConstraint
from borelli.model.forces.force import PointToPointSpring
from borelli.model.model import Model


def default_posture(model: Model) -> Motion:
    """Return the model at rest in its default posture, one instant at time zero."""
    q = np.array([[float(value) for value in model.default_values().values()]])
    still = np.zeros((1, len(model.speed_names)))
    motion = Motion(np.zeros(1), model.coordinate_names, q, still, still, model.speed_names)
    if not any(constraint.enforced for constraint in model.constraints):
        return motion
    assembled = assemble(model, Motion(np.zeros(1), model.coordinate_names, q))
    return Motion(np.zeros(1), model.coordinate_names, assembled.q, still, still, model.speed_names)


def path_lengths(model: Model, names: Sequence[str] | None = None) -> dict[str, float]:
    """Return the length (m) of every path, or of those named, in the default posture."""
    if not model.paths or (names is not None and not names):
        return {}
    found = paths(model, default_posture(model), names=names)
    return dict(zip(found["path"].values.tolist(), found["length"].values[0].tolist(), strict=True))


def path_lengths_of_opensim(model: Model) -> dict[str, float]:
    """Return the length (m) that OpenSim gives every path in the default posture; ours where it has no such surface."""
    if not model.paths:
        return {}
    posture = default_posture(model)
    poses = body_poses(model, posture)
    turns, origins = poses["rotation"].values[0], poses["origin"].values[0]
    q = dict(zip(posture.coordinates, posture.q[0].tolist(), strict=True))
    placed = {name: (turns[k], origins[k]) for k, name in enumerate(model.body_names)}
    lengths = opensim_lengths(model, q, placed)
    lacking = [name for name in model.path_names if name not in lengths]
    return {**lengths, **path_lengths(model, lacking)}


def gap_lengths(model: Model) -> dict[str, float]:
    """Return how far apart (m) the ends of springs and rods are in the default posture."""
    spans = [
        part
        for part in (*model.forces, *model.constraints)
        if isinstance(part, PointToPointSpring | ConstantDistanceConstraint)
    ]
    if not spans:
        return {}
    poses = body_poses(model, default_posture(model))

    def in_ground(frame: str, point: object) -> np.ndarray:
        body, place = model.place(frame)
        local = np.array(place.of_point(point), float)
        if body == GROUND:
            return local
        turn, origin = poses["rotation"].sel(body=body).values[0], poses["origin"].sel(body=body).values[0]
        here: np.ndarray = origin + turn @ local
        return here

    return {
        part.name: float(
            np.linalg.norm(
                in_ground(part.first, part.first_location) - in_ground(part.second, part.second_location)
            )
        )
        for part in spans
    }
