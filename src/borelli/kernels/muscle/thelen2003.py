"""Curves of [Thelen 2003].

"Adjustment of muscle mechanics model parameters to simulate dynamic contractions in older adults", J Biomech
Eng 125:70–77.

Lengths are in optimal fibre lengths or tendon slack lengths, forces in maximum isometric forces, velocities in
maximum contraction velocities (lengthening is positive).
"""

from __future__ import annotations

import math

from borelli.kernels.jit import jit

# k_toe, and the force at the end of the toe, as the paper takes them.
_TOE_SHAPE, _TOE_FORCE = 3.0, 0.33
# The paper rounds the end of the toe to 0.609 of the strain at maximum force; this value makes the slope
# continuous there and the force one at that strain.
_TOE_END = 99.0 * math.exp(3.0) / (166.0 * math.exp(3.0) - 67.0)


@jit
def active_force_length(length: float, shape: float) -> float:
    """Bell curve, eq. 4."""
    return math.exp(-((length - 1.0) ** 2) / shape)


@jit
def passive_force_length(length: float, strain: float, shape: float) -> float:
    """Exponential above the optimal length that reaches one at ``strain``, eq. 3."""
    if length <= 1.0:
        return 0.0
    return math.expm1(shape * (length - 1.0) / strain) / math.expm1(shape)


@jit
def tendon_force_length(length: float, strain: float) -> float:
    """Exponential toe, then a line that reaches one at ``strain``, eq. 1 and 2."""
    stretch, toe = length - 1.0, _TOE_END * strain
    if stretch <= 0.0:
        return 0.0
    if stretch <= toe:
        return _TOE_FORCE * math.expm1(_TOE_SHAPE * stretch / toe) / math.expm1(_TOE_SHAPE)
    return _TOE_FORCE + (1.0 - _TOE_FORCE) * (stretch - toe) / (strain - toe)


@jit
def force_velocity(
    velocity: float, activation: float, shape: float, longest: float, threshold: float
) -> float:
    """Eq. 6 and 7 solved for the force: hyperbolas of shortening and lengthening.

    Beyond ``threshold`` of the largest lengthening force ``longest``, and beyond the fastest shortening, the
    curve goes on as a straight line, which makes it strictly rising.
    """
    fastest = 0.25 + 0.75 * activation
    if velocity <= -fastest:
        return (velocity + fastest) / (fastest * (1.0 + 1.0 / shape))
    if velocity <= 0.0:
        return (fastest + velocity) / (fastest - velocity / shape)
    steep = (2.0 + 2.0 / shape) / (longest - 1.0)
    last = threshold * longest
    last_velocity = fastest * (last - 1.0) / (steep * (longest - last))
    if velocity <= last_velocity:
        return (fastest + velocity * steep * longest) / (fastest + velocity * steep)
    rise = fastest * (longest - 1.0) / (steep * (longest - last) ** 2)
    return last + (velocity - last_velocity) / rise
