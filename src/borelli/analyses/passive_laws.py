"""How hard springs, ligaments, stops and bushings pull, from how far they are stretched and how fast."""

from __future__ import annotations

import numpy as np

from borelli.model.force import (
    Blankevoort1991Ligament,
    BushingForce,
    CoordinateLimitForce,
    CoordinateSpring,
    Ligament,
    PathForce,
    PathSpring,
)
from borelli.model.tabulated import SimmSpline

# Curve of a ligament that has none of its own: the default of OpenSim's Ligament.
_LENGTHS = (-5.0, 0.998, 0.999, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.601, 1.602, 5.0)
_FORCES = (0.0, 0.0, 0.0, 0.0, 0.035, 0.12, 0.26, 0.55, 1.17, 2.0, 2.0, 2.0, 2.0)


def path_tension(force: PathForce, length: np.ndarray, speed: np.ndarray) -> np.ndarray:
    """Tension (N) of a spring or ligament along a path, never negative.

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
        norm = length / force.resting_length
        value = np.asarray(curve.evaluate(norm), dtype=float)
        return np.where(norm > 1.0, np.maximum(force.pcsa_force * value, 0.0), 0.0)
    assert isinstance(force, Blankevoort1991Ligament)
    return _blankevoort(force, length, speed)


def _blankevoort(force: Blankevoort1991Ligament, length: np.ndarray, speed: np.ndarray) -> np.ndarray:
    """Quadratic toe up to the transition strain, then a line; damped while lengthening [Blankevoort 1991]."""
    strain = length / force.slack_length - 1.0
    toe = 0.5 * force.linear_stiffness / force.transition_strain * strain**2
    line = force.linear_stiffness * (strain - 0.5 * force.transition_strain)
    spring = np.where(strain < force.transition_strain, toe, line)
    # In OpenSim the coefficient is newtons per strain rate, and shortening is not damped.
    damping = force.damping_coefficient * np.maximum(speed, 0.0) / force.slack_length
    return np.where(strain > 0.0, spring + damping, 0.0)


def coordinate_force(
    force: CoordinateSpring | CoordinateLimitForce, q: np.ndarray, u: np.ndarray
) -> np.ndarray:
    """Generalized force on the coordinate of a spring or a soft stop, (n,)."""
    if isinstance(force, CoordinateSpring):
        return np.asarray(-force.stiffness * (q - force.rest) - force.viscosity * u, dtype=float)
    above = smooth_step(q - force.upper_limit, force.transition)
    below = smooth_step(force.lower_limit - q, force.transition)
    spring = force.lower_stiffness * below * (force.lower_limit - q)
    spring = spring - force.upper_stiffness * above * (q - force.upper_limit)
    return np.asarray(spring - force.damping * (above + below) * u, dtype=float)


def smooth_step(x: np.ndarray, width: float) -> np.ndarray:
    """From 0 at x = 0 to 1 at the width, with continuous second derivative: 10 s³ - 15 s⁴ + 6 s⁵."""
    s = np.clip(x / width, 0.0, 1.0) if width > 0.0 else (x > 0.0).astype(float)
    return np.asarray(s**3 * (10.0 - 15.0 * s + 6.0 * s * s))


def bushing_wrench(
    force: BushingForce,
    rotation: np.ndarray,
    offset: np.ndarray,
    angular_velocity: np.ndarray,
    velocity: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Moment and force of a bushing on its second frame, in the axes of the first and about the second's origin.

    The turn between the frames counts as body-fixed XYZ angles, each with its own spring and damper; the
    moment is the one that does the work of these three.

    Parameters
    ----------
    rotation : (n, 3, 3) float
        Axes of the second frame in the first, as columns.
    offset : (n, 3) float
        Origin of the second frame in the first (m).
    angular_velocity, velocity : (n, 3) float
        Of the second frame relative to the first, in the axes of the first.
    """
    angles = xyz_angles(rotation)
    to_rates = _angle_rates(angles)
    spin = np.einsum("nij,ni->nj", rotation, angular_velocity)
    rates = np.einsum("nij,nj->ni", to_rates, spin)
    turning = -np.array(force.rotational_stiffness) * angles - np.array(force.rotational_damping) * rates
    push = (
        -np.array(force.translational_stiffness) * offset - np.array(force.translational_damping) * velocity
    )
    moment = np.einsum("nij,nkj,nk->ni", rotation, to_rates, turning)
    return moment, push


def xyz_angles(rotation: np.ndarray) -> np.ndarray:
    """Body-fixed XYZ angles (rad) of rotation matrices, (n, 3)."""
    first = np.arctan2(-rotation[:, 1, 2], rotation[:, 2, 2])
    second = np.arcsin(np.clip(rotation[:, 0, 2], -1.0, 1.0))
    third = np.arctan2(-rotation[:, 0, 1], rotation[:, 0, 0])
    return np.stack([first, second, third], axis=1)


def _angle_rates(angles: np.ndarray) -> np.ndarray:
    """Rates of body-fixed XYZ angles per unit of angular velocity in the turned axes, (n, 3, 3)."""
    out = np.zeros((len(angles), 3, 3))
    cosine, tangent = np.cos(angles[:, 1]), np.tan(angles[:, 1])
    c, s = np.cos(angles[:, 2]), np.sin(angles[:, 2])
    out[:, 0, 0], out[:, 0, 1] = c / cosine, -s / cosine
    out[:, 1, 0], out[:, 1, 1] = s, c
    out[:, 2, 0], out[:, 2, 1], out[:, 2, 2] = -c * tangent, s * tangent, 1.0
    return out
