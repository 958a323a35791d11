"""What a root joint that floats would have to provide, and the height that its moments are measured by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from borelli.results.labelled.plain_result import PlainResult

if TYPE_CHECKING:
    from borelli.model.joints.joint import Joint
    from borelli.model.model import Model
    from borelli.model.motion import Motion

_FREE = 6
"""Speeds of a joint that holds nothing: what it transmits is what the model cannot explain."""


def root_vectors(
    result: PlainResult, model: Model, motion: Motion
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Force and moment at a root joint that floats, (n_times, n_axes): nothing in the model can provide them.

    A joint with six freedoms transmits nothing else. One with fewer (a model that walks in a plane) floats if it slides
    and turns: its residuals are along its freedoms. None where they are not known.
    """
    root = model.joints_from_ground()[0]
    known = result.labels("coordinate").places
    names = [known[name] for name in root.speed_names if name in known]
    own = result["total_generalized_force"].transpose("time", "coordinate").values[:, names]
    units = np.asarray(result["unit"].values, dtype=str)[names]
    if not (units == "N").any() or not (units == "N m").any():
        return None, None
    force, moment = (own[:, units == unit] for unit in ("N", "N m"))
    if len(names) != _FREE:
        return force, moment
    if "total_reaction_force" not in result:
        # The generalized forces of its angles are no components of a moment.
        return _wrench(model, motion, root, own)
    place = result.labels("joint").places[root.name]
    vectors = [
        result[f"total_reaction_{kind}"].transpose("joint", "time", "axis").values[place]
        for kind in ("force", "moment")
    ]
    return vectors[0], vectors[1]


def _wrench(
    model: Model, motion: Motion, root: Joint, generalized: np.ndarray
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Force and moment about the origin of the joint's child frame whose work is that of six generalized forces."""
    # Loaded here, because a result that is up to date needs no engine.
    from borelli.mechanics.motion.frame_jacobian import frame_jacobian

    origin = [float(part) for part in root.child_placement.translation]
    found = frame_jacobian(model, motion, root.child, origin)
    own = [model.speed_names.index(name) for name in root.speed_names]
    rows = np.concatenate([found.linear, found.angular], axis=1)[:, :, own]
    try:
        wrench = np.linalg.solve(rows.transpose(0, 2, 1), generalized[..., None])[..., 0]
    except np.linalg.LinAlgError:
        # Its angles are in gimbal lock.
        return None, None
    return wrench[:, :3], wrench[:, 3:]


def mass_centre_height(result: PlainResult, model: Model, motion: Motion) -> float | None:
    """Height of the mass centre above the lowest point of the body, on average (m); None where nothing has mass."""
    masses = np.array([float(body.mass) for body in model.bodies])
    if not masses.sum() > 0.0:
        return None
    heights, points = _heights(result, model, motion)
    # Where the motion is not known, nothing has a height.
    known = np.isfinite(heights).all(axis=1)
    if not known.any():
        return None
    lowest = np.nanmin(np.concatenate([points[known], heights[known]], axis=1), axis=1)
    height = float(np.mean(heights[known] @ masses / masses.sum() - lowest))
    return height if height > 0.0 else None


def _heights(result: PlainResult, model: Model, motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    """Heights of the mass centres of all bodies, and of other points of the body, (n_times, n) each (m)."""
    if {"com_position", "joint_position"} <= set(result.data_vars):
        up = np.asarray(result["joint_position"].attrs.get("up", (0.0, 1.0, 0.0)), dtype=float)
        places = (
            result["com_position"].transpose("time", "link", "axis").values,
            result["joint_position"].transpose("time", "point", "axis").values,
        )
    else:
        # Loaded here, because a result that is up to date needs no engine.
        from borelli.mechanics.motion.body_places import body_places

        found, gravity = body_places(model, motion), np.asarray(model.gravity, dtype=float)
        size = float(np.linalg.norm(gravity))
        up = -gravity / size if size else np.array([0.0, 1.0, 0.0])
        places = (found.com, found.origin)
    return places[0] @ up, places[1] @ up
