"""Curves of [Geyer & Herr 2010].

"A muscle-reflex model that encodes principles of legged mechanics produces human walking dynamics and muscle
activities", IEEE Trans Neural Syst Rehabil Eng 18:263–273, appendix.

Lengths are in optimal fibre lengths or tendon slack lengths, forces in maximum isometric forces, velocities in
maximum contraction velocities (lengthening is positive). The paper lets the parallel element feel the velocity
too and adds a buffer that pushes fibres apart when they are very short; both are left out here: passive force is
a function of length alone, and fibres do not push.
"""

from __future__ import annotations

import math

from borelli.kernels.jit import jit

# Active force that is left where the fibre is shorter or longer than optimal by the width.
_LEFT = math.log(0.05)
# Slope of lengthening against that of shortening [Aubert 1956], as the paper takes it.
_STEEPER = 7.56


@jit
def active_force_length(length: float, width: float) -> float:
    """Bell with a flat top: 5 % of the force is left at ``width`` from the optimal length."""
    return math.exp(_LEFT * abs((length - 1.0) / width) ** 3)


@jit
def force_velocity(velocity: float, curvature: float, largest: float) -> float:
    """Hill's hyperbola while shortening; while lengthening, one that reaches ``largest`` at full velocity."""
    if velocity < 0.0:
        return (1.0 + velocity) / (1.0 - curvature * velocity)
    return largest + (largest - 1.0) * (velocity - 1.0) / (_STEEPER * curvature * velocity + 1.0)


@jit
def passive_force_length(length: float, width: float) -> float:
    """Square above the optimal length that reaches one at ``width``."""
    return ((length - 1.0) / width) ** 2 if length > 1.0 else 0.0


@jit
def tendon_force_length(length: float, strain: float) -> float:
    """Square of the strain, one at ``strain``."""
    return ((length - 1.0) / strain) ** 2 if length > 1.0 else 0.0
