"""Forces at points of bodies: springs and formulas between two points, and forces that follow time."""

from __future__ import annotations

import numpy as np

from borelli.arrays import unit_rows
from borelli.compiled.compile import CompiledModel
from borelli.mechanics.motion.frame_motion import FrameMotion
from borelli.model.forces.force import PointToPointSpring
from borelli.model.forces.formula_force import ExpressionPointToPointForce
from borelli.model.forces.function_force import PrescribedForce
from borelli.model.functions.function import Function


def pull_between_points(
    compiled: CompiledModel, moving: FrameMotion, force: PointToPointSpring | ExpressionPointToPointForce
) -> np.ndarray:
    """Force on the second point, the point, and no moment, (n, 9) in ground: it pulls or pushes along the line."""
    one, other = compiled.attachment(force.first), compiled.attachment(force.second)
    first = moving.point(one, force.first_location)
    second = moving.point(other, force.second_location)
    line = first - second
    # Points that coincide have no line between them: nothing to pull along.
    distance, along = np.linalg.norm(line, axis=1), unit_rows(line)
    if isinstance(force, PointToPointSpring):
        tension = np.asarray(force.stiffness * (distance - force.rest_length))
    else:
        parting = moving.velocity(one, first) - moving.velocity(other, second)
        tension = force.law.evaluate({"d": distance, "ddot": (parting * along).sum(axis=1)})
    pull = tension[:, None] * along
    return np.hstack([pull, second, np.zeros_like(pull)])


def prescribed_push(
    compiled: CompiledModel, moving: FrameMotion, force: PrescribedForce, time: np.ndarray
) -> np.ndarray:
    """Force that is given over time, the point where it acts, and the torque, (n, 9) in ground."""
    frame = compiled.attachment(force.body)
    axes = moving.rotation(frame)
    push, point, torque = (_curves(each, time) for each in (force.force, force.point, force.torque))
    if not force.in_ground:
        push, torque = (np.einsum("nij,nj->ni", axes, each) for each in (push, torque))
    if not (force.point and force.point_in_ground):
        point = moving.point(frame) + np.einsum("nij,nj->ni", axes, point)
    return np.hstack([push, point, torque])


def _curves(functions: tuple[Function, ...], time: np.ndarray) -> np.ndarray:
    """Three functions of time, (n, 3); zero where there are none."""
    if not functions:
        return np.zeros((len(time), 3))
    return np.stack([np.broadcast_to(each.evaluate(time), time.shape) for each in functions], axis=1)
