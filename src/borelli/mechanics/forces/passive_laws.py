"""How hard springs, ligaments and stops pull, from how far they are stretched and how fast."""

from __future__ import annotations

import numpy as np

from borelli.errors import unhandled
from borelli.model.forces.force import (
    Blankevoort1991Ligament,
    CoordinateLimitForce,
    CoordinateSpring,
    Ligament,
    PathForce,
    PathSpring,
)
from borelli.model.forces.formula_force import ExpressionCoordinateForce, ExpressionPathForce
from borelli.model.functions.tabulated import SimmSpline

# Curve of a ligament that has none of its own: the default of OpenSim's Ligament.
_LENGTHS = (-5.0, 0.998, 0.999, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.601, 1.602, 5.0)
_FORCES = (0.0, 0.0, 0.0, 0.0, 0.035, 0.12, 0.26, 0.55, 1.17, 2.0, 2.0, 2.0, 2.0)


_DAMPED_STRAIN = 0.01
"""Strain of a ligament at which it is damped in full: the Step of OpenSim's Blankevoort1991Ligament."""


def path_tension(force: PathForce, length: np.ndarray, speed: np.ndarray) -> np.ndarray:
    """Tension (N) of a spring, ligament or formula along a path; only a formula may push.

    Parameters
    ----------
    length, speed : (n,) float
        m and m/s.
    """
    if isinstance(force, PathSpring):
        stretch = np.maximum(length - force.resting_length, 0.0)
        return np.asarray(np.maximum(force.stiffness * stretch * (1.0 + force.dissipation * speed), 0.0))
    if isinstance(force, Ligament):
        curve = force.force_length_curve or SimmSpline(_LENGTHS, _FORCES)
        if force.pcsa_force == 0.0:
            return np.zeros_like(length)
        norm = length / force.resting_length
        value = np.asarray(curve.evaluate(norm), dtype=float)
        return np.where(norm > 1.0, np.maximum(force.pcsa_force * value, 0.0), 0.0)
    if isinstance(force, ExpressionPathForce):
        stretch = length - force.resting_length
        stretch = np.maximum(stretch, 0.0) if force.clamp_stretch else stretch
        return force.law.evaluate({"s": stretch, "ldot": speed})
    if not isinstance(force, Blankevoort1991Ligament):
        raise unhandled(force, "has no law along a path")
    spring, damping = ligament_parts(force, length, speed)
    return spring + damping


def ligament_parts(
    force: Blankevoort1991Ligament, length: np.ndarray, speed: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Tension of a ligament from stretch and from stretching, N: a quadratic toe, then a line [Blankevoort 1991].

    In OpenSim the coefficient of damping is newtons per strain rate, shortening is not damped, and damping sets
    in smoothly over the first hundredth of strain.
    """
    strain = length / force.slack_length - 1.0
    toe = 0.5 * force.linear_stiffness / force.transition_strain * strain**2
    line = force.linear_stiffness * (strain - 0.5 * force.transition_strain)
    spring = np.where(strain < force.transition_strain, toe, line)
    damping = force.damping_coefficient * np.maximum(speed, 0.0) / force.slack_length
    return np.where(strain > 0.0, spring, 0.0), damping * smooth_step(strain, _DAMPED_STRAIN)


def stop_energy(force: CoordinateLimitForce, q: np.ndarray) -> np.ndarray:
    """Energy in the spring of a soft stop, the integral of its force over the excess, J."""
    beyond = np.stack([q - force.upper_limit, force.lower_limit - q])
    stiffness = np.array([[force.upper_stiffness], [force.lower_stiffness]])
    width = max(force.transition, np.finfo(float).tiny)
    excess = np.maximum(beyond, 0.0)
    s = np.minimum(excess / width, 1.0)
    # Of 10 s³ - 15 s⁴ + 6 s⁵ times the excess, within the transition; beyond it the spring is a plain one.
    smooth = s**3 * (2.0 - 2.5 * s + 6.0 / 7.0 * s * s) * np.minimum(excess, width) ** 2
    plain = 0.5 * (excess**2 - np.minimum(excess, width) ** 2)
    return np.asarray(np.sum(stiffness * (smooth + plain), axis=0))


def coordinate_force(
    force: CoordinateSpring | CoordinateLimitForce | ExpressionCoordinateForce, q: np.ndarray, u: np.ndarray
) -> np.ndarray:
    """Generalized force on the coordinate of a spring, a soft stop or a formula, (n,)."""
    if isinstance(force, ExpressionCoordinateForce):
        return force.law.evaluate({"q": q, "qdot": u})
    if isinstance(force, CoordinateSpring):
        return np.asarray(-force.stiffness * (q - force.rest) - force.viscosity * u, dtype=float)
    if not isinstance(force, CoordinateLimitForce):
        raise unhandled(force, "has no law on a coordinate")
    above = smooth_step(q - force.upper_limit, force.transition)
    below = smooth_step(force.lower_limit - q, force.transition)
    spring = force.lower_stiffness * below * (force.lower_limit - q)
    spring = spring - force.upper_stiffness * above * (q - force.upper_limit)
    return np.asarray(spring - force.damping * (above + below) * u, dtype=float)


def smooth_step(x: np.ndarray, width: float) -> np.ndarray:
    """From 0 at x = 0 to 1 at the width, with continuous second derivative: 10 s³ - 15 s⁴ + 6 s⁵."""
    s = np.clip(x / width, 0.0, 1.0) if width > 0.0 else (x > 0.0).astype(float)
    return np.asarray(s**3 * (10.0 - 15.0 * s + 6.0 * s * s))
