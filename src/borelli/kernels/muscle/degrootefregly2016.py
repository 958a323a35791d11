"""Curves of [De Groote, Kinney, Rao & Fregly 2016].

"Evaluation of direct collocation optimal control problem formulations for solving the muscle redundancy
problem", Ann Biomed Eng 44:2922–2936.

The paper prints three or four digits; here the first two constants of the active curve and two of the
velocity curve carry the digits that make the curves pass through (1, 1), and through (-1, 0) and (0, 1).
Lengths are in optimal fibre lengths or tendon slack lengths, forces in maximum isometric forces, velocities in
maximum contraction velocities (lengthening is positive).
"""

from __future__ import annotations

import math

from borelli.kernels.jit import jit

# b of the active curve, d of the velocity curve, k of the passive curve and c of the tendon, in the order of the paper.
# Its c2 = 0.995 and c3 = 0.25 leave a force at slack length; with 1 and 0.2, as in OpenSim, there is none.
_BELLS = (
    (0.8150671134243542, 1.055033428970575, 0.162384573599574, 0.063303448465465),
    (0.433004984392647, 0.716775413397760, -0.029947116970696, 0.200356847296188),
    (0.1, 1.0, 0.353553390593274, 0.0),
)
_VELOCITY = (-0.3211346127989808, -8.149, -0.374, 0.8825327733249912)
_PASSIVE_SHAPE, _SHORTEST = 4.0, 0.2
_TENDON = (0.200, 1.0, 0.200)


@jit
def active_force_length(length: float, width: float) -> float:
    """Sum of three bells; ``width`` stretches the curve about the optimal length."""
    x = (length - 1.0) / width + 1.0
    total = 0.0
    for height, middle, narrow, skew in _BELLS:
        total += height * math.exp(-0.5 * ((x - middle) / (narrow + skew * x)) ** 2)
    return total


@jit
def force_velocity(velocity: float) -> float:
    """Logarithmic curve."""
    scale, slope, shift, offset = _VELOCITY
    return scale * math.asinh(slope * velocity + shift) + offset


@jit
def passive_force_length(length: float, strain: float) -> float:
    """Exponential that is zero at 0.2 optimal lengths and one at ``strain``."""
    least = math.exp(_PASSIVE_SHAPE * (_SHORTEST - 1.0) / strain)
    return (math.exp(_PASSIVE_SHAPE * (length - 1.0) / strain) - least) / (math.exp(_PASSIVE_SHAPE) - least)


@jit
def tendon_force_length(length: float, strain: float) -> float:
    """Exponential that is zero at slack length and one at ``strain``."""
    scale, middle, offset = _TENDON
    stiffness = math.log((1.0 + offset) / scale) / (1.0 + strain - middle)
    return scale * math.exp(stiffness * (length - middle)) - offset
