"""Muscles of a model → tables of the muscle kernels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from borelli.compiled.muscle_curves import can_fail_to_balance, curve_key, tabulated_curves
from borelli.errors import InvalidValueError, UnsupportedError
from borelli.kernels.muscle.tables import (
    DEGROOTEFREGLY2016,
    ISOMETRIC,
    MILLARD2012,
    RIGID_TENDON,
    SCHUTTE1993,
    THELEN2003,
    Curves,
    MuscleTables,
)
from borelli.model import (
    DeGrooteFregly2016Muscle,
    Millard2012EquilibriumMuscle,
    Muscle,
    RigidTendonMuscle,
    Schutte1993Muscle,
    Thelen2003Muscle,
)

_STEEPEST = math.acos(0.1)
"""Pennation beyond which OpenSim's muscles give no force, where a class has no parameter for it."""
_SHORTEST = 0.01
"""Shortest fibre without pennation, in optimal lengths."""
_UPRIGHT = 1e-9
_LEAST_TO_BALANCE = 0.01
"""Activation below which OpenSim does not let fibres fall that balance their tendon by their velocity alone."""


@dataclass(frozen=True)
class CompiledMuscles:
    """Muscles ready for the kernels."""

    names: tuple[str, ...]
    tables: MuscleTables
    tendon_strain: np.ndarray
    """(n,): strain of each tendon at maximum isometric force"""
    damping: np.ndarray
    """(n,): damping of the fibres, in maximum isometric forces at maximum velocity"""
    rigid: np.ndarray
    """(n,) bool: whether the tendon keeps its slack length"""
    least_activation: np.ndarray
    """(n,): below which activation does not fall"""


def compile_muscles(muscles: Sequence[Muscle], *, curves: bool = True) -> CompiledMuscles:
    """Compile muscles; without ``curves`` each is as strong as its maximum isometric force.

    Raises
    ------
    UnsupportedError
        If curves are wanted of a class that has none here.
    InvalidValueError
        If curves are wanted of a fibre without length, or without speed where they need one.
    """
    corners: list[np.ndarray] = []
    known: dict[object, np.ndarray] = {}
    kinds, values = np.zeros(len(muscles), np.int64), np.zeros((len(muscles), 6))
    ranges, strain = np.zeros((len(muscles), 4, 2), np.int64), np.zeros(len(muscles))
    for index, muscle in enumerate(muscles):
        kinds[index] = _kind(muscle) if curves else ISOMETRIC
        if not curves:
            continue
        _refuse_zero(muscle)
        values[index], strain[index] = _parameters(muscle)
        key = curve_key(muscle)
        if key is not None:
            if key not in known:
                known[key] = _add_corners(corners, tabulated_curves(muscle))
            ranges[index] = known[key]
    geometry = np.array([_geometry(muscle) for muscle in muscles]).reshape(-1, 7)
    force, fiber, tendon, height, shortest, along, fastest = np.ascontiguousarray(geometry.T)
    table = np.concatenate(corners) if corners else np.zeros((0, 12))
    return CompiledMuscles(
        tuple(muscle.name for muscle in muscles),
        MuscleTables(
            Curves(kinds, values, ranges, table), force, fiber, tendon, height, shortest, along, fastest
        ),
        strain,
        np.array([_damping(muscle) for muscle in muscles]),
        np.array(
            [m.ignore_tendon_compliance or isinstance(m, RigidTendonMuscle) for m in muscles], dtype=bool
        ),
        np.array([_least_activation(muscle) for muscle in muscles]),
    )


def _kind(muscle: Muscle) -> int:
    kinds = {
        Thelen2003Muscle: THELEN2003,
        Millard2012EquilibriumMuscle: MILLARD2012,
        DeGrooteFregly2016Muscle: DEGROOTEFREGLY2016,
        Schutte1993Muscle: SCHUTTE1993,
        RigidTendonMuscle: RIGID_TENDON,
    }
    if type(muscle) not in kinds:
        raise UnsupportedError(
            f"the curves of muscle class {getattr(muscle, 'class_name', muscle.kind)!r} are not known.",
            where=f"muscle {muscle.name!r}",
            remedy='use strength="isometric", or another class of muscle',
        )
    return kinds[type(muscle)]


def _geometry(muscle: Muscle) -> tuple[float, ...]:
    """Force, fibre, tendon, height, shortest fibre, the same along the tendon, fastest."""
    fiber, pennation = float(muscle.optimal_fiber_length), float(muscle.pennation_angle_at_optimal)
    steepest = float(getattr(muscle, "maximum_pennation_angle", _STEEPEST))
    height = fiber * math.sin(pennation)
    shortest = height / math.sin(steepest) if pennation > 0.0 else _SHORTEST * fiber
    along = shortest * math.cos(steepest)
    if isinstance(muscle, Millard2012EquilibriumMuscle):
        least = muscle.active_force_length_curve.min_norm_active_fiber_length * fiber
        if least > shortest:
            shortest = least
            along = math.sqrt(max(shortest**2 - height**2, 0.0))
    if isinstance(muscle, Schutte1993Muscle | RigidTendonMuscle):
        # These have no steepest pennation; fibres give no force along the tendon when they stand upright.
        along = _UPRIGHT * fiber
        shortest = math.hypot(height, along)
    fastest = float(muscle.max_contraction_velocity) * fiber
    if isinstance(muscle, Schutte1993Muscle):
        fastest = fiber / muscle.time_scale
    force = float(muscle.max_isometric_force)
    return force, fiber, float(muscle.tendon_slack_length), height, shortest, along, fastest


def _refuse_zero(muscle: Muscle) -> None:
    """Refuse a fibre without length, or without speed where the curves are drawn over it."""
    needed = {"optimal_fiber_length": "m"}
    if not isinstance(muscle, Schutte1993Muscle):
        needed["max_contraction_velocity"] = "optimal fibre lengths per second"
    for name, unit in needed.items():
        if not float(getattr(muscle, name)) > 0.0:
            raise InvalidValueError(
                f"{name} of muscle {muscle.name!r} is {float(getattr(muscle, name)):g} {unit}, "
                "with which its curves cannot be drawn.",
                remedy=f'give a {name} above zero, or use strength="isometric"',
            )


def _parameters(muscle: Muscle) -> tuple[tuple[float, ...], float]:
    if isinstance(muscle, Thelen2003Muscle):
        values = (
            muscle.active_shape,
            muscle.max_muscle_strain,
            muscle.passive_shape,
            muscle.force_velocity_shape,
            muscle.max_lengthening_force,
            muscle.force_velocity_extrapolation_threshold,
        )
        return values, muscle.max_tendon_strain
    if isinstance(muscle, DeGrooteFregly2016Muscle):
        strain = muscle.passive_fiber_strain_at_one_norm_force
        off = float(muscle.ignore_passive_fiber_force)
        return (muscle.active_force_width_scale, strain, off, 0, 0, 0), muscle.tendon_strain_at_one_norm_force
    if isinstance(muscle, Schutte1993Muscle):
        fastest = float(muscle.max_contraction_velocity) * float(muscle.optimal_fiber_length)
        return (fastest, 0, 0, 0, 0, 0), 0.0
    strain = 0.0
    if isinstance(muscle, Millard2012EquilibriumMuscle):
        strain = muscle.tendon_force_length_curve.strain_at_one_norm_force
    return (0.0,) * 6, strain


def _damping(muscle: Muscle) -> float:
    if isinstance(muscle, Schutte1993Muscle):
        return muscle.damping
    return float(getattr(muscle, "fiber_damping", 0.0))


def _least_activation(muscle: Muscle) -> float:
    own = float(getattr(muscle, "minimum_activation", 0.0))
    return max(own, _LEAST_TO_BALANCE) if can_fail_to_balance(muscle) else own


def _add_corners(corners: list[np.ndarray], curves: list[np.ndarray]) -> np.ndarray:
    """Append the corners of some curves; return where each begins and ends."""
    ranges = np.zeros((4, 2), np.int64)
    for index, curve in enumerate(curves):
        first = sum(map(len, corners))
        corners.append(curve)
        ranges[index] = first, first + len(curve)
    return ranges
