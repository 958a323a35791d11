"""What one actuator answers to a multiplier: the activation that minimizes cost(a) - drive a within its bounds.

Two costs are answered in closed form: ``(a - center)² / (2 compliance)`` (power 2), and
``|a|^p / (p compliance)`` (any other power p above 1).
"""

from __future__ import annotations

import math

from borelli.kernels.jit import jit

_STEEPEST = 1e12
"""Largest slope over the compliance: above power two it is infinite at zero drive, and the matrix must stay finite."""


@jit
def respond(
    drive: float, compliance: float, center: float, lower: float, upper: float, power: float
) -> tuple[float, float]:
    """Activation, and its slope with the drive (zero at a bound)."""
    if power == 2.0:
        activation, slope = center + drive * compliance, compliance
    else:
        exponent = 1.0 / (power - 1.0)
        ratio = abs(drive) * compliance
        # Beyond this the activation is at a bound or out of range; its power must not overflow.
        size = ratio**exponent if exponent * math.log(max(ratio, 1e-300)) < 600.0 else math.inf
        activation = math.copysign(size, drive)
        # Above power 2 the slope has no limit at zero drive.
        steepest = _STEEPEST * compliance
        slope = min(exponent * size / abs(drive), steepest) if drive != 0.0 else steepest
        if power < 2.0 and drive == 0.0:
            slope = 0.0
    if activation <= lower:
        return lower, 0.0
    if activation >= upper:
        return upper, 0.0
    return activation, slope


@jit
def cost_slope(activation: float, weight: float, power: float) -> float:
    """First derivative of ``weight |a|^p / p``."""
    if power == 2.0:
        return weight * activation
    return math.copysign(weight * abs(activation) ** (power - 1.0), activation)
