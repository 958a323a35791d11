"""Equilibrium of fibres and tendon: the force that an activation gives on a path of given length.

Fibres at rest pull with (a f_active + f_passive) cos(pennation); the tendon, stretched by what the fibres leave
of the path, pulls back with the same force. The difference of the two changes sign between a slack tendon and
fibres as short as they can be, so that a bracketed search always ends.
"""

from __future__ import annotations

import math

import numpy as np

from borelli.kernels.jit import jit
from borelli.kernels.muscle.bracket import MOST, Bracket, guess, narrowed
from borelli.kernels.muscle.curves import (
    ISOMETRIC,
    active_force,
    passive_force,
    tendon_force,
)
from borelli.kernels.muscle.tables import MuscleTables

SLACK, BALANCED, TAUT = 1, 0, 2
"""The tendon is slack; forces balance; even the shortest fibres are overstretched by the path (too short)."""


@jit
def compliant_tendon(
    tables: MuscleTables,
    strain: np.ndarray,
    length: np.ndarray,
    activation: np.ndarray,
    force: np.ndarray,
    fiber: np.ndarray,
    gap: np.ndarray,
    status: np.ndarray,
) -> None:
    """Tendon force and fibre length at rest, at every instant.

    Parameters
    ----------
    strain : (n_muscles,) float
        Tendon strain at maximum isometric force.
    length, activation : (n_instants, n_muscles) float
        Path length (m); activation.
    force, fiber, gap : (n_instants, n_muscles) float
        Filled: tendon force (N), fibre length (m), tendon less fibre force that is left (N).
    status : (n_instants, n_muscles) int
        Filled.
    """
    for instant in range(len(length)):
        for muscle in range(length.shape[1]):
            most, level = tables.force[muscle], activation[instant, muscle]
            if tables.curves.kind[muscle] == ISOMETRIC:
                force[instant, muscle], fiber[instant, muscle] = level * most, math.nan
                gap[instant, muscle], status[instant, muscle] = 0.0, BALANCED
                continue
            along, status[instant, muscle] = balance(
                tables, muscle, strain[muscle], length[instant, muscle], level
            )
            fiber[instant, muscle] = math.sqrt(along * along + tables.height[muscle] ** 2)
            pull = tendon_pull(tables, muscle, strain[muscle], length[instant, muscle], along)
            force[instant, muscle] = most * pull
            gap[instant, muscle] = most * (pull - _fiber(tables, muscle, along, level))


@jit
def tendon_pull(tables: MuscleTables, muscle: int, strain: float, length: float, along: float) -> float:
    """Force of the tendon, over the maximum force, where fibres take ``along`` of a path."""
    return tendon_force(tables.curves, muscle, (length - along) / tables.tendon[muscle], strain)


@jit
def _fiber(tables: MuscleTables, muscle: int, along: float, activation: float) -> float:
    own = math.sqrt(along * along + tables.height[muscle] ** 2)
    norm = own / tables.fiber[muscle]
    total = activation * active_force(tables.curves, muscle, norm) + passive_force(
        tables.curves, muscle, norm
    )
    return total * along / own


@jit
def balance(
    tables: MuscleTables, muscle: int, strain: float, length: float, activation: float
) -> tuple[float, int]:
    """Length of the fibres along the tendon at which tendon and fibres balance, by bisection and secants."""
    low = tables.shortest_along[muscle]
    high = length - tables.tendon[muscle]
    if high <= low:
        return low, SLACK
    below = _fiber(tables, muscle, low, activation) - tendon_pull(tables, muscle, strain, length, low)
    above = _fiber(tables, muscle, high, activation) - tendon_pull(tables, muscle, strain, length, high)
    if below > 0.0:
        return low, TAUT
    if above <= 0.0:
        return high, BALANCED
    bracket = Bracket(low, below, high, above)
    for step in range(MOST):
        middle = guess(bracket, step)
        value = _fiber(tables, muscle, middle, activation) - tendon_pull(
            tables, muscle, strain, length, middle
        )
        bracket = narrowed(bracket, middle, value)
        # Some five units in the last place of the path: no middle is better than the ends.
        if value == 0.0 or bracket.high - bracket.low <= 1e-15 * length:
            break
    # The end that is nearer to balance: the middle may be neither, where the search stopped at its last digit.
    return (bracket.low if -bracket.below < bracket.above else bracket.high), BALANCED
