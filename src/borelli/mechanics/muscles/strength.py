"""Force of muscles at full activation and at rest, from the lengths and speeds of their paths."""

from __future__ import annotations

import enum

import numpy as np

from borelli.compiled.muscles import CompiledMuscles
from borelli.kernels.muscle.opensim_strength import as_opensim
from borelli.kernels.muscle.rigid_tendon import rigid_tendon
from borelli.model.model import Model
from borelli.records import dataclass


class Strength(enum.Enum):
    """What a muscle can give at full activation."""

    ISOMETRIC = "isometric"
    """Its maximum isometric force, always."""
    RIGID_TENDON = "rigid_tendon"
    """Force–length–velocity with a rigid tendon, along the tendon."""
    OPENSIM = "opensim"
    """The same as OpenSim's static optimization takes it, which is not always the force along the tendon."""


@dataclass(frozen=True)
class Strengths:
    """Force at full activation, passive force and fibre length, each (n_instants, n_muscles)."""

    active: np.ndarray
    passive: np.ndarray
    fiber: np.ndarray


def strengths(
    muscles: CompiledMuscles, length: np.ndarray, speed: np.ndarray, kind: Strength, passive: bool
) -> Strengths:
    """Strengths from path lengths and speeds, (n_instants, n_muscles)."""
    active, resting, fiber = (np.empty(length.shape) for _ in range(3))
    rigid_tendon(
        muscles.tables,
        np.ascontiguousarray(length),
        np.ascontiguousarray(speed),
        passive,
        active,
        resting,
        fiber,
    )
    if kind is Strength.OPENSIM:
        as_opensim(
            muscles.tables,
            muscles.tendon_strain,
            np.ascontiguousarray(length),
            np.ascontiguousarray(speed),
            fiber,
            active,
        )
    return Strengths(active, resting, fiber)


def citations(model: Model) -> list[str]:
    """Papers behind the muscles of a model."""
    return list(dict.fromkeys(muscle.citation for muscle in model.muscles if muscle.citation))
