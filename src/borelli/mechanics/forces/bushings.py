"""Bushings: what resists the deviation of one frame from another, in turn and in place."""

from __future__ import annotations

import numpy as np

from borelli.compiled.compile import CompiledModel
from borelli.errors import unhandled
from borelli.mechanics.motion.frame_motion import FrameMotion, cross_rows
from borelli.model.forces.force import Bushing, BushingForce
from borelli.model.forces.formula_force import ExpressionBushingForce
from borelli.model.forces.function_force import FunctionBushingForce


def bushing_push(compiled: CompiledModel, moving: FrameMotion, force: Bushing) -> np.ndarray:
    """Force on the second frame at its origin, the origin, and the moment, (n, 9) in ground."""
    first = compiled.attachment(force.first, force.first_placement)
    second = compiled.attachment(force.second, force.second_placement)
    base, here = moving.rotation(first), moving.point(second)
    offset = here - moving.point(first)
    spin = moving.angular_velocity(first)
    velocity = moving.velocity(second, here) - moving.velocity(first, moving.point(first))

    def in_first(vector: np.ndarray) -> np.ndarray:
        return np.einsum("nij,ni->nj", base, vector)

    moment, push = bushing_wrench(
        force,
        np.einsum("nji,njk->nik", base, moving.rotation(second)),
        in_first(offset),
        in_first(moving.angular_velocity(second) - spin),
        in_first(velocity - cross_rows(spin, offset)),
    )
    return np.hstack([np.einsum("nij,nj->ni", base, push), here, np.einsum("nij,nj->ni", base, moment)])


def bushing_wrench(
    force: Bushing,
    rotation: np.ndarray,
    offset: np.ndarray,
    angular_velocity: np.ndarray,
    velocity: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Moment and force of a bushing on its second frame, in the axes of the first and about the second's origin.

    The turn between the frames counts as body-fixed XYZ angles, each with its own spring and damper; the
    moment is the one that does the work of these three.

    Parameters
    ----------
    rotation : (n, 3, 3) float
        Axes of the second frame in the first, as columns.
    offset : (n, 3) float
        Origin of the second frame in the first (m).
    angular_velocity, velocity : (n, 3) float
        Of the second frame relative to the first, in the axes of the first.
    """
    angles = xyz_angles(rotation)
    to_rates = _angle_rates(angles)
    spin = np.einsum("nij,ni->nj", rotation, angular_velocity)
    rates = np.einsum("nij,nj->ni", to_rates, spin)
    resistance = bushing_resistance(force, angles, offset)
    turning = -resistance[:, :3] - np.array(force.rotational_damping) * rates
    push = -resistance[:, 3:] - np.array(force.translational_damping) * velocity
    moment = np.einsum("nij,nkj,nk->ni", rotation, to_rates, turning)
    return moment, push


def bushing_resistance(force: Bushing, angles: np.ndarray, offset: np.ndarray) -> np.ndarray:
    """Resistance of a bushing at rest to three angles and three shifts, (n, 6); N m and N."""
    if isinstance(force, BushingForce):
        stiffness = np.array([*force.rotational_stiffness, *force.translational_stiffness])
        return np.hstack([angles, offset]) * stiffness
    deviation = np.hstack([angles, offset])
    if isinstance(force, ExpressionBushingForce):
        values = dict(zip(force.variables, deviation.T, strict=True))
        return np.stack([law.evaluate(values) for law in force.laws], axis=1)
    if not isinstance(force, FunctionBushingForce):
        raise unhandled(force, "has no law of resistance")
    functions = (*force.moments, *force.forces)
    return np.stack([each.evaluate(x) for each, x in zip(functions, deviation.T, strict=True)], axis=1)


def xyz_angles(rotation: np.ndarray) -> np.ndarray:
    """Body-fixed XYZ angles (rad) of rotation matrices, (n, 3)."""
    first = np.arctan2(-rotation[:, 1, 2], rotation[:, 2, 2])
    second = np.arcsin(np.clip(rotation[:, 0, 2], -1.0, 1.0))
    third = np.arctan2(-rotation[:, 0, 1], rotation[:, 0, 0])
    return np.stack([first, second, third], axis=1)


def _angle_rates(angles: np.ndarray) -> np.ndarray:
    """Rates of body-fixed XYZ angles per unit of angular velocity in the turned axes, (n, 3, 3)."""
    out = np.zeros((len(angles), 3, 3))
    cosine, tangent = np.cos(angles[:, 1]), np.tan(angles[:, 1])
    c, s = np.cos(angles[:, 2]), np.sin(angles[:, 2])
    out[:, 0, 0], out[:, 0, 1] = c / cosine, -s / cosine
    out[:, 1, 0], out[:, 1, 1] = s, c
    out[:, 2, 0], out[:, 2, 1], out[:, 2, 2] = -c * tangent, s * tangent, 1.0
    return out
