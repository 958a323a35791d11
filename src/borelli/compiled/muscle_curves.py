"""Curves of muscles that are tabulated: Bézier corners and pieces of splines."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from borelli.errors import InvalidValueError, UnsupportedError, unhandled
from borelli.kernels.muscle import delp1990, millard2012, splines
from borelli.model import (
    Function,
    Millard2012EquilibriumMuscle,
    Muscle,
    RigidTendonMuscle,
    Schutte1993Muscle,
    SimmSpline,
)

# OpenSim's own, for muscles whose balance would be singular: least active force, and part of the slope near the largest
# velocity that the slope at it has at least.
_LEAST_FORCE, _LEAST_BEND = 0.1, 0.5
# The kernels keep eight coefficients a piece.
_HIGHEST_DEGREE = 7
_NO_CURVE = np.zeros((0, 12))


def curve_key(muscle: Muscle) -> object:
    """What tells the tabulated curves of muscles apart; None where a muscle has no such curves."""
    if isinstance(muscle, Millard2012EquilibriumMuscle):
        return (
            muscle.active_force_length_curve,
            muscle.force_velocity_curve,
            muscle.fiber_force_length_curve,
            muscle.tendon_force_length_curve,
            muscle.can_fail_to_balance,
        )
    if isinstance(muscle, Schutte1993Muscle):
        curves = muscle.active_force_length_curve, muscle.passive_force_length_curve
        return "Schutte1993", *curves, muscle.tendon_force_length_curve
    if isinstance(muscle, RigidTendonMuscle):
        curves = muscle.active_force_length_curve, muscle.passive_force_length_curve
        return "RigidTendon", *curves, muscle.force_velocity_curve
    return None


def tabulated_curves(muscle: Muscle) -> list[np.ndarray]:
    """Rows of the active, velocity, passive and tendon curves."""
    if isinstance(muscle, Millard2012EquilibriumMuscle):
        return _millard_curves(muscle)

    def rows(function: Function | None, points: tuple[tuple[float, float], ...]) -> np.ndarray:
        return _spline_rows(muscle, function or SimmSpline(*zip(*points, strict=True)))

    if isinstance(muscle, RigidTendonMuscle):
        return [
            rows(muscle.active_force_length_curve, delp1990.ACTIVE),
            rows(muscle.force_velocity_curve, delp1990.VELOCITY),
            rows(muscle.passive_force_length_curve, delp1990.PASSIVE),
            _NO_CURVE,
        ]
    if not isinstance(muscle, Schutte1993Muscle):
        raise unhandled(muscle, "has no tabulated curves")
    passive = muscle.passive_force_length_curve
    return [
        rows(muscle.active_force_length_curve, delp1990.ACTIVE),
        _NO_CURVE,
        _NO_CURVE if passive is None else rows(passive, ()),
        rows(muscle.tendon_force_length_curve, delp1990.TENDON),
    ]


def _spline_rows(muscle: Muscle, function: Function) -> np.ndarray:
    table = function.as_piecewise_polynomials()
    if table.degree > _HIGHEST_DEGREE:
        raise UnsupportedError(
            f"a curve of muscle {muscle.name!r} has degree {table.degree}; {_HIGHEST_DEGREE} is the highest.",
            remedy="give the curve as a spline",
        )
    return splines.pieces(table.breaks, table.origins, table.coefficients)


def _millard_curves(muscle: Millard2012EquilibriumMuscle) -> list[np.ndarray]:
    active, velocity = muscle.active_force_length_curve, muscle.force_velocity_curve
    passive, tendon = muscle.fiber_force_length_curve, muscle.tendon_force_length_curve
    # OpenSim's own rules, whatever the file says.
    least, shortening, lengthening = 0.0, 0.0, 0.0
    if muscle.can_fail_to_balance:
        least = max(active.minimum_value, _LEAST_FORCE)
        shortening = max(velocity.concentric_slope_at_vmax, _LEAST_BEND * velocity.concentric_slope_near_vmax)
        lengthening = max(velocity.eccentric_slope_at_vmax, _LEAST_BEND * velocity.eccentric_slope_near_vmax)
    return [
        _drawn(
            muscle,
            "active_force_length_curve",
            millard2012.active_force_length,
            active.min_norm_active_fiber_length,
            active.transition_norm_fiber_length,
            active.max_norm_active_fiber_length,
            active.shallow_ascending_slope,
            least,
        ),
        _drawn(
            muscle,
            "force_velocity_curve",
            millard2012.force_velocity,
            velocity.max_eccentric_velocity_force_multiplier,
            shortening,
            velocity.concentric_slope_near_vmax,
            velocity.isometric_slope,
            lengthening,
            velocity.eccentric_slope_near_vmax,
            velocity.concentric_curviness,
            velocity.eccentric_curviness,
        ),
        _drawn(
            muscle,
            "fiber_force_length_curve",
            millard2012.passive_force_length,
            passive.strain_at_zero_force,
            passive.strain_at_one_norm_force,
            passive.stiffness_at_low_force,
            passive.stiffness_at_one_norm_force,
            passive.curviness,
        ),
        _drawn(
            muscle,
            "tendon_force_length_curve",
            millard2012.tendon_force_length,
            tendon.strain_at_one_norm_force,
            tendon.stiffness_at_one_norm_force,
            tendon.norm_force_at_toe_end,
            tendon.curviness,
        ),
    ]


def _drawn(
    muscle: Millard2012EquilibriumMuscle,
    name: str,
    draw: Callable[..., np.ndarray],
    *numbers: float | None,
) -> np.ndarray:
    """Rows of a curve; refused where its numbers give none."""
    try:
        rows = draw(*numbers)
    except ArithmeticError:
        rows = np.full(1, np.nan)
    if not np.isfinite(rows).all():
        raise InvalidValueError(
            f"no curve has the numbers of the {name} of muscle {muscle.name!r}.",
            where=str(getattr(muscle, name)),
            remedy="give those of a real muscle, or leave them out",
        )
    return rows
