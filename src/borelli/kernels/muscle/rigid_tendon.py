"""What a muscle can give while its tendon keeps its slack length.

The fibres then follow from the path alone: between aponeuroses at a constant distance h they have the length
√(h² + x²), x what the path leaves them along the tendon, and lengthen with the path's speed times the cosine
of their pennation.
"""

from __future__ import annotations

import math

import numpy as np

from borelli.kernels.jit import jit
from borelli.kernels.muscle.curves import (
    ISOMETRIC,
    active_force,
    passive_force,
    velocity_force,
)
from borelli.kernels.muscle.tables import MuscleTables


@jit
def rigid_tendon(
    tables: MuscleTables,
    length: np.ndarray,
    speed: np.ndarray,
    with_passive: bool,
    active: np.ndarray,
    passive: np.ndarray,
    fiber: np.ndarray,
) -> None:
    """Force along the tendon at full activation and of the passive fibres, at every instant.

    Parameters
    ----------
    length, speed : (n_instants, n_muscles) float
        Path length (m) and lengthening speed (m/s).
    with_passive : bool
        Whether the passive fibres are asked for; otherwise their force is zero.
    active, passive : (n_instants, n_muscles) float
        Filled (N).
    fiber : (n_instants, n_muscles) float
        Filled: fibre length (m).
    """
    curves, kind = tables.curves, tables.curves.kind
    force, optimal, slack = tables.force, tables.fiber, tables.tendon
    height, shortest, shortest_along, fastest = (
        tables.height,
        tables.shortest,
        tables.shortest_along,
        tables.fastest,
    )
    for instant in range(len(length)):
        for muscle in range(length.shape[1]):
            most = force[muscle]
            if kind[muscle] == ISOMETRIC:
                active[instant, muscle], passive[instant, muscle], fiber[instant, muscle] = (
                    most,
                    0.0,
                    math.nan,
                )
                continue
            along = length[instant, muscle] - slack[muscle]
            if along <= shortest_along[muscle]:
                active[instant, muscle], passive[instant, muscle] = 0.0, 0.0
                fiber[instant, muscle] = shortest[muscle]
                continue
            own = math.sqrt(along * along + height[muscle] * height[muscle])
            fiber[instant, muscle] = own
            cosine, norm = along / own, own / optimal[muscle]
            passive[instant, muscle] = 0.0
            if with_passive:
                passive[instant, muscle] = most * passive_force(curves, muscle, norm) * cosine
            velocity = speed[instant, muscle] * cosine / fastest[muscle]
            factor = active_force(curves, muscle, norm) * velocity_force(curves, muscle, velocity, 1.0)
            active[instant, muscle] = most * factor * cosine
