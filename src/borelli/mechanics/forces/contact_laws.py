"""How hard surfaces in contact push and rub, from how deep they sink in and how fast they slide.

Normals point from the first body to the second, velocities are those of the first relative to the second at the
point of contact; what comes out is the force on the second.
"""

from __future__ import annotations

import numpy as np

from borelli.arrays import unit_rows
from borelli.model.forces.contact import ContactMaterial, MeyerFregly2016Force, SmoothSphereHalfSpaceForce

# Constants of [Meyer et al. 2016]: pull above the floor (N/m), softness of the edge and its place, height at which the
# pull ends, and the height that is never exceeded (m); slip (m/s) that keeps directions defined.
_PULL, _SOFT, _EDGE, _HIGHEST, _LIMIT, _SLIP = 0.1, 1e-3, 1e-3, 1e-2, 0.7, 1e-4


def split_velocity(velocity: np.ndarray, normal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Approach along the normal, (n,), and slip across it, (n, 3); m/s."""
    approach = (velocity * normal).sum(axis=1)
    return approach, velocity - approach[:, None] * normal


def hunt_crossley(
    first: ContactMaterial,
    second: ContactMaterial,
    transition_velocity: float,
    depth: np.ndarray,
    radius: float,
    velocity: np.ndarray,
    normal: np.ndarray,
) -> np.ndarray:
    """Force on the second of two surfaces, (n, 3) N; none where they do not touch.

    Hertz's contact of two elastic bodies with the dissipation of [Hunt & Crossley 1975], never pulling:
    4/3 k d √(R k d) (1 + 3/2 c v) with k = k₁k₂/(k₁+k₂) and c = (k₂c₁ + k₁c₂)/(k₁+k₂), where each material has
    k = stiffness^(2/3), and friction that first grows and then falls with slip [Sherman et al. 2011].

    Parameters
    ----------
    depth : (n,) float
        How far they overlap (m), negative where they are apart.
    radius : float
        Effective radius of curvature (m).
    velocity, normal : (n, 3) float
    """
    weight = first_share(first, second)
    stiffness = first.stiffness ** (2.0 / 3.0) * weight
    dissipation = first.dissipation * weight + second.dissipation * (1.0 - weight)
    overlap = np.maximum(depth, 0.0)
    approach, slip = split_velocity(velocity, normal)
    hertz = 4.0 / 3.0 * stiffness * overlap * np.sqrt(radius * stiffness * overlap)
    push = np.maximum(hertz * (1.0 + 1.5 * dissipation * approach), 0.0)
    speed = np.linalg.norm(slip, axis=1)
    coefficients = [
        _harmonic_mean(getattr(first, name), getattr(second, name))
        for name in ("static_friction", "dynamic_friction", "viscous_friction")
    ]
    rubbing = push * _friction(speed, transition_velocity, *coefficients)
    return push[:, None] * normal + rubbing[:, None] * unit_rows(slip)


def first_share(first: ContactMaterial, second: ContactMaterial) -> float:
    """Share of the first surface in the depth: the softer one gives way more."""
    one, other = first.stiffness ** (2.0 / 3.0), second.stiffness ** (2.0 / 3.0)
    return float(other / (one + other)) if one + other > 0.0 else 0.5


def smooth_contact(
    force: SmoothSphereHalfSpaceForce,
    depth: np.ndarray,
    radius: float,
    velocity: np.ndarray,
    normal: np.ndarray,
) -> np.ndarray:
    """Force on the half space, (n, 3) N; smooth also where the two part [Serrancolí et al. 2019].

    Parameters
    ----------
    depth : (n,) float
        How far they overlap (m), negative where they are apart.
    radius : float
        Of the sphere (m).
    velocity, normal : (n, 3) float
    """
    approach, slip = split_velocity(velocity, normal)
    small = force.constant_contact_force
    stiffness = 0.5 * force.stiffness ** (2.0 / 3.0)
    hertz = 4.0 / 3.0 * stiffness * np.sqrt(radius * stiffness) * (depth * depth + small) ** 0.75
    push = hertz * _onset(force.hertz_smoothing * depth) * (1.0 + 1.5 * force.dissipation * approach)
    if force.dissipation > 0.0:
        # The push fades out where the surfaces part faster than the material follows.
        fastest = 2.0 / (3.0 * force.dissipation)
        push = push * _onset(force.hunt_crossley_smoothing * (approach + fastest))
    speed = np.sqrt((slip * slip).sum(axis=1) + small)
    rubbing = push * _friction(
        speed,
        force.transition_velocity,
        force.static_friction,
        force.dynamic_friction,
        force.viscous_friction,
    )
    # Without rounding off, a speed of zero has no direction.
    drag = np.divide(rubbing, speed, out=np.zeros_like(speed), where=speed > 0.0)
    return push[:, None] * normal + drag[:, None] * slip


def meyer_fregly(force: MeyerFregly2016Force, height: np.ndarray, velocity: np.ndarray) -> np.ndarray:
    """Force of the floor on a point at a height above its resting length, (n, 3) N [Meyer et al. 2016].

    Parameters
    ----------
    height : (n,) float
        m.
    velocity : (n, 3) float
        Of the point in ground (m/s); up is y.
    """
    limited = _LIMIT * np.tanh(height / _LIMIT)
    spring = _two_slopes(force.stiffness, limited) - _two_slopes(force.stiffness, np.array(_HIGHEST))
    push = spring * (1.0 - force.dissipation * velocity[:, 1])
    speed = np.hypot(velocity[:, 0], velocity[:, 2])
    rubbing = force.dynamic_friction * np.tanh(speed / force.latch_velocity) + force.viscous_friction * speed
    drag = push * rubbing / (speed + _SLIP)
    return np.stack([-drag * velocity[:, 0], push, -drag * velocity[:, 2]], axis=1)


def _two_slopes(stiffness: float, height: np.ndarray) -> np.ndarray:
    """A line of slope -stiffness far below the edge and -pull far above, rounded off by log cosh."""
    x = np.abs((height + _EDGE) / _SOFT)
    rounded = _SOFT * (x + np.log1p(np.exp(-2.0 * x)) - np.log(2.0))
    return -0.5 * (stiffness + _PULL) * height + 0.5 * (stiffness - _PULL) * rounded


def _onset(x: np.ndarray) -> np.ndarray:
    """From 0 far below zero to 1 far above."""
    return 0.5 + 0.5 * np.tanh(x)


def _friction(
    speed: np.ndarray, transition: float, static: float, dynamic: float, viscous: float
) -> np.ndarray:
    """Coefficient of friction at a slip speed: largest at the transition velocity, then down to the dynamic one."""
    relative = speed / transition
    dry = np.minimum(relative, 1.0) * (dynamic + 2.0 * (static - dynamic) / (1.0 + relative * relative))
    return dry + viscous * speed


def _harmonic_mean(a: float, b: float) -> float:
    return 2.0 * a * b / (a + b) if a + b > 0.0 else 0.0
