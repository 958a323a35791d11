"""Ranges of joint angles: which are worth a look, and how far outside an angle is."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from borelli.model.joints.coordinate import Coordinate, MotionType
from borelli.model.model import Model

FAR_OUTSIDE = 0.5
"""rad outside its range: more than a filter's overshoot or a careless range."""


def joint_angles(model: Model) -> tuple[Coordinate, ...]:
    """Return the angles of joints within the body: where a floating root stands and looks is nobody's mistake."""
    root = model.joints_from_ground()[0].coordinate_names
    floating = set(root) if len(root) > 1 else set()
    return tuple(
        each
        for each in model.coordinates
        if each.motion is MotionType.ROTATIONAL and each.name not in floating
    )


def outside_range(coordinate: Coordinate, values: ArrayLike) -> NDArray[np.float64]:
    """How far values of a coordinate are outside its range (rad or m); negative inside."""
    low, high = coordinate.range
    given = np.asarray(values, dtype=float)
    return np.maximum(low - given, given - high)
