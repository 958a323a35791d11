"""OpenSim's lengths of the paths of a model in one posture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from borelli.mechanics.scaling.opensim_paths.path_length import (
    OPENSIM_SURFACES,
    PlacedSurface,
    opensim_path_length,
)
from borelli.model.body import GROUND
from borelli.model.model import Model
from borelli.model.paths.path import AnyPathPoint, ConditionalPathPoint, MovingPathPoint, Path

# OpenSim widens the range of a conditional point by this much at both ends.
_RANGE_SLACK = 1e-5

Pose = tuple[np.ndarray, np.ndarray]
"""Rotation (3, 3) and origin (3,) of a body in ground."""


def opensim_lengths(
    model: Model, q: Mapping[str, float], poses: Mapping[str, Pose], names: Sequence[str] | None = None
) -> dict[str, float]:
    """Return the length (m) that OpenSim gives every path, or those named.

    Parameters
    ----------
    model : Model
    q : mapping of coordinate to float
        The posture (rad, m).
    poses : mapping of body to (rotation, origin)
        The same posture: where the bodies are in ground.
    names : sequence of str, optional

    Returns
    -------
    dict
        Paths over surfaces that OpenSim does not have are left out.
    """
    poses = {GROUND: (np.eye(3), np.zeros(3)), **poses}
    surfaces = {}
    for wrap in model.wrap_objects:
        if isinstance(wrap, OPENSIM_SURFACES):
            rotation, origin = _placed(model, poses, wrap.frame)
            own = wrap.placement
            surfaces[wrap.name] = PlacedSurface(
                wrap,
                rotation @ np.array(own.rotation, float),
                origin + rotation @ np.array(own.translation, float),
            )
    lengths = {}
    for name, path in model.paths.items():
        known = all(wrap.wrap_object in surfaces for wrap in path.wraps)
        if known and (names is None or name in names):
            lengths[name] = opensim_path_length(path, _places(model, path, q, poses), surfaces)
    return lengths


def _placed(model: Model, poses: Mapping[str, Pose], frame: str) -> Pose:
    body, place = model.place(frame)
    rotation, origin = poses[body]
    if place.is_identity:
        return rotation, origin
    turn, shift = np.array(place.rotation, float), np.array(place.translation, float)
    return rotation @ turn, origin + rotation @ shift


def _places(
    model: Model, path: Path, q: Mapping[str, float], poses: Mapping[str, Pose]
) -> dict[int, np.ndarray]:
    """Places in ground of the points that belong to the path in this posture."""
    places = {}
    for index, point in enumerate(path.points):
        if isinstance(point, ConditionalPathPoint):
            low, high = point.range
            if not low - _RANGE_SLACK <= q[point.coordinate] <= high + _RANGE_SLACK:
                continue
        rotation, origin = _placed(model, poses, point.frame)
        places[index] = origin + rotation @ _location(model, point, q)
    return places


def _location(model: Model, point: AnyPathPoint, q: Mapping[str, float]) -> np.ndarray:
    if not isinstance(point, MovingPathPoint):
        return np.array(point.location, float)
    values = []
    for part in point.components:
        x = 0.0
        if part.coordinate is not None:
            x = float(np.clip(q[part.coordinate], *model.coordinates[part.coordinate].range))
        values.append(float(np.ravel(part.function.value(np.array([x])))[0]))
    return np.array(values)
