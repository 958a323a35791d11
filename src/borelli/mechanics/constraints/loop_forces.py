"""With what force and moment does a constraint between bodies hold them together?"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from borelli.arrays import unit_rows
from borelli.compiled.compile import Attachment, CompiledModel
from borelli.mechanics.constraints.constraint_rows import two_normals
from borelli.mechanics.motion.frame_motion import FrameMotion
from borelli.model import (
    ConstantDistanceConstraint,
    Constraint,
    Model,
    PointConstraint,
    PointOnLineConstraint,
    RollingConstraint,
    WeldConstraint,
)


class Hold(NamedTuple):
    """A force and a moment on the second frame, and their opposites on the first; (n, 3) in ground axes."""

    first: Attachment
    at_first: np.ndarray
    """m: where the force acts on the first"""
    second: Attachment
    at_second: np.ndarray
    """m"""
    force: np.ndarray
    """N"""
    moment: np.ndarray
    """N m"""


def held_frames(constraint: Constraint) -> tuple[str, str]:
    """Frames that a constraint holds together, the first and the second of its :class:`Hold`."""
    if isinstance(constraint, PointOnLineConstraint):
        return constraint.line_frame, constraint.follower
    if isinstance(constraint, RollingConstraint):
        return constraint.surface_frame, constraint.roller
    assert isinstance(constraint, WeldConstraint | PointConstraint | ConstantDistanceConstraint)
    return constraint.first, constraint.second


def joints_of_loop(model: Model, constraint: Constraint) -> set[str]:
    """Joints that a constraint between bodies closes a loop with: those between its two bodies, which it loads."""
    carried_by = {model.child_of(joint)[0]: joint for joint in model.joints}
    lines: list[set[str]] = []
    for frame in held_frames(constraint):
        body, line = model.place(frame)[0], set[str]()
        while body in carried_by:
            line.add(carried_by[body].name)
            body = model.parent_of(carried_by[body])[0]
        lines.append(line)
    return lines[0] ^ lines[1]


def hold(
    compiled: CompiledModel, constraint: Constraint, motion: FrameMotion, multiplier: np.ndarray
) -> Hold:
    """Return the hold whose generalized force is Gᵀ λ, for the rows of :func:`loop_rows`.

    Parameters
    ----------
    multiplier : (n, n_rows) float
        λ of the rows of this constraint.
    """
    still = np.zeros((motion.n, 3))
    if isinstance(constraint, WeldConstraint):
        first = compiled.attachment(constraint.first, constraint.first_placement)
        second = compiled.attachment(constraint.second, constraint.second_placement)
        places = motion.point(first), motion.point(second)
        return Hold(first, places[0], second, places[1], multiplier[:, :3], multiplier[:, 3:])
    if isinstance(constraint, PointOnLineConstraint):
        first, second = map(compiled.attachment, held_frames(constraint))
        place = motion.point(second, constraint.follower_location)
        across = two_normals(np.array(constraint.line_direction, dtype=float))
        force = _along(motion, first, across, multiplier)
        return Hold(first, place, second, place, force, still)
    if isinstance(constraint, RollingConstraint):
        first, second = map(compiled.attachment, held_frames(constraint))
        normal = np.array(constraint.normal, dtype=float)
        normal = normal / np.linalg.norm(normal)
        up = _along(motion, first, normal[None], np.ones((motion.n, 1)))
        place = motion.point(second, constraint.centre) - float(constraint.radius) * up
        axes = np.vstack([normal, two_normals(normal)])
        return Hold(first, place, second, place, _along(motion, first, axes, multiplier), still)
    assert isinstance(constraint, PointConstraint | ConstantDistanceConstraint)
    first, second = compiled.attachment(constraint.first), compiled.attachment(constraint.second)
    a = motion.point(first, constraint.first_location)
    b = motion.point(second, constraint.second_location)
    force = multiplier if isinstance(constraint, PointConstraint) else multiplier * unit_rows(b - a)
    return Hold(first, a, second, b, force, still)


def _along(motion: FrameMotion, frame: Attachment, axes: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Sum of axes of a frame (k, 3), each with its sizes (n, k), in ground."""
    return np.asarray(np.einsum("nij,kj,nk->ni", motion.rotation(frame), axes, sizes))
