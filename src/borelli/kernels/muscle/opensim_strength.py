"""What OpenSim's static optimization takes for the strength of a muscle, where it is not the force along the tendon.

OpenSim projects the forces of Thelen's muscle on the tendon; Millard's with the pennation of a fibre whose length
is counted in optimal lengths but taken for metres; De Groote's not at all. Fibres of its muscle with a rigid tendon
move as fast as the path, whatever their pennation. The strength of its oldest muscles is the force that full
activation gives in equilibrium with the tendon, passive fibres included, times a velocity factor of its own.
"""

from __future__ import annotations

import math

import numpy as np

from borelli.kernels.jit import jit
from borelli.kernels.muscle.compliant_tendon import balance, tendon_pull
from borelli.kernels.muscle.curves import (
    DEGROOTEFREGLY2016,
    MILLARD2012,
    RIGID_TENDON,
    SCHUTTE1993,
    velocity_force,
)
from borelli.kernels.muscle.tables import MuscleTables

# OpenSim's velocity factor of its oldest muscles: one at rest, 1.8 where lengthening is fast.
_LARGEST, _SHIFT, _WIDTH = 1.8, 0.04, 0.18


@jit
def _old_velocity_factor(shortening: float) -> float:
    return _LARGEST - _LARGEST / (1.0 + math.exp((_SHIFT - shortening) / _WIDTH))


@jit
def as_opensim(
    tables: MuscleTables,
    strain: np.ndarray,
    length: np.ndarray,
    speed: np.ndarray,
    fiber: np.ndarray,
    active: np.ndarray,
) -> None:
    """Replace forces along the tendon at full activation by OpenSim's strengths, at every instant.

    Parameters
    ----------
    strain : (n_muscles,) float
        Tendon strain at maximum isometric force.
    length, speed, fiber : (n_instants, n_muscles) float
        Path length (m), lengthening speed (m/s), fibre length with a rigid tendon (m).
    active : (n_instants, n_muscles) float
        Changed in place (N).
    """
    for muscle in range(length.shape[1]):
        kind, height, optimal = tables.curves.kind[muscle], tables.height[muscle], tables.fiber[muscle]
        for instant in range(len(length)):
            own = fiber[instant, muscle]
            # Not below 1e-12: fibres across the tendon divide nothing by zero.
            cosine = math.sqrt(max(1.0 - (height / own) ** 2, 1e-24))
            if kind == MILLARD2012:
                active[instant, muscle] *= math.sqrt(max(1.0 - (height * optimal / own) ** 2, 0.0)) / cosine
            elif kind == DEGROOTEFREGLY2016:
                active[instant, muscle] /= cosine
            elif kind == RIGID_TENDON:
                rate = speed[instant, muscle] / tables.fastest[muscle]
                right = velocity_force(tables.curves, muscle, rate * cosine, 1.0)
                if right > 0.0:
                    active[instant, muscle] *= velocity_force(tables.curves, muscle, rate, 1.0) / right
            elif kind == SCHUTTE1993:
                path = length[instant, muscle]
                along, _ = balance(tables, muscle, strain[muscle], path, 1.0)
                pull = tendon_pull(tables, muscle, strain[muscle], path, along)
                slant = math.sqrt(1.0 - (height / optimal) ** 2)
                shortening = -slant * speed[instant, muscle] / tables.curves.values[muscle, 0]
                active[instant, muscle] = tables.force[muscle] * pull * _old_velocity_factor(shortening)
