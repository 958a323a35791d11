"""Lengths that follow the size of the body: fibres, tendons, ligaments, springs.

Each is multiplied by the length of its path after scaling over that before, both in the default posture.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from borelli.model import (
    Blankevoort1991Ligament,
    ConstantDistanceConstraint,
    Constraint,
    DeGrooteFregly2016Muscle,
    ExpressionPathForce,
    Force,
    Ligament,
    Millard2012EquilibriumMuscle,
    Muscle,
    OtherMuscle,
    PathSpring,
    PointToPointSpring,
    Schutte1993Muscle,
    Thelen2003Muscle,
)

_SCALED_BY_OPENSIM = (
    Thelen2003Muscle,
    Millard2012EquilibriumMuscle,
    DeGrooteFregly2016Muscle,
    Schutte1993Muscle,
)
_OTHERS_SCALED_BY_OPENSIM = ("Millard2012AccelerationMuscle", "MeyerFregly2016Muscle")
_RESTING: dict[type, str] = {
    Ligament: "resting_length",
    PathSpring: "resting_length",
    ExpressionPathForce: "resting_length",
    Blankevoort1991Ligament: "slack_length",
}


def with_muscle_lengths(muscle: Muscle, ratio: float, as_opensim: bool) -> Muscle:
    """Return a muscle whose fibres and tendon have grown with its path.

    OpenSim forgets rigid-tendon muscles, and the fibre length that its simulations start from.
    """
    if as_opensim and not _scaled_by_opensim(muscle):
        return muscle
    changes: dict[str, object] = {
        "optimal_fiber_length": float(muscle.optimal_fiber_length) * ratio,
        "tendon_slack_length": float(muscle.tendon_slack_length) * ratio,
    }
    if not as_opensim and isinstance(muscle, Thelen2003Muscle | Millard2012EquilibriumMuscle):
        changes["default_fiber_length"] = float(muscle.default_fiber_length) * ratio
    return replace(muscle, **changes)  # type: ignore[arg-type]


def _scaled_by_opensim(muscle: Muscle) -> bool:
    if isinstance(muscle, OtherMuscle):
        return muscle.class_name in _OTHERS_SCALED_BY_OPENSIM or muscle.class_name.endswith("_Deprecated")
    return isinstance(muscle, _SCALED_BY_OPENSIM)


def with_force_lengths(force: Force, path_ratio: float, gap_ratio: float) -> Force:
    """Return a ligament or spring whose length at rest has grown with its path, or with the gap it spans."""
    for kind, field in _RESTING.items():
        if isinstance(force, kind):
            grown: dict[str, Any] = {field: float(getattr(force, field)) * path_ratio}
            return replace(force, **grown)
    if isinstance(force, PointToPointSpring):
        return replace(force, rest_length=float(force.rest_length) * gap_ratio)
    return force


def with_rod_length(constraint: Constraint, gap_ratio: float) -> Constraint:
    """Return a rod that has grown with the gap it spans."""
    if isinstance(constraint, ConstantDistanceConstraint):
        return replace(constraint, distance=float(constraint.distance) * gap_ratio)
    return constraint


def ratios(before: Mapping[str, float], after: Mapping[str, float]) -> dict[str, float]:
    """Return after over before by name; nothing where there was no length."""
    return {name: after[name] / length for name, length in before.items() if length > 0.0 and name in after}
