"""Forces that the springs and ligaments of a model exert by themselves, from posture and speed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from borelli.analyses.motion import Motion
from borelli.analyses.paths import paths
from borelli.errors import UnsupportedError
from borelli.model.force import (
    Blankevoort1991Ligament,
    CoordinateSpring,
    Force,
    Ligament,
    PathForce,
    PathSpring,
)
from borelli.model.model import Model

_PULLING = (PathSpring, Ligament, Blankevoort1991Ligament)
_ACTING_BY_THEMSELVES = (*_PULLING, CoordinateSpring)


@dataclass(frozen=True)
class PassiveForces:
    """What acts by itself.

    Parameters
    ----------
    tensions : dict of path to (n_times,) newtons
    generalized : dict of name to (speed name, (n_times,) force)
    left_out : tuple of str
        Acting forces whose law is not known here.
    """

    tensions: dict[str, np.ndarray]
    generalized: dict[str, tuple[str, np.ndarray]]
    left_out: tuple[str, ...]


def passive_forces(model: Model, motion: Motion, u: np.ndarray, q: np.ndarray) -> PassiveForces:
    """Evaluate the springs and ligaments of a model that act.

    Parameters
    ----------
    q, u : (n_times, …) float
        Coordinates and speeds in the order of the model.
    """
    acting = [force for force in model.forces if force.applies_force]
    pulling = [force for force in acting if isinstance(force, _PULLING)]
    tensions: dict[str, np.ndarray] = {}
    if pulling:
        found = paths(model, motion, names=[force.name for force in pulling])
        for index, force in enumerate(pulling):
            length, speed = found["length"].values[:, index], found["speed"].values[:, index]
            tensions[force.name] = path_tension(force, length, speed)
    springs = [force for force in acting if isinstance(force, CoordinateSpring)]
    generalized = {spring.name: _on_coordinate(model, spring, q, u) for spring in springs}
    left_out = [
        force.name
        for force in acting
        if not isinstance(force, _ACTING_BY_THEMSELVES) and not hasattr(force, "optimal_force")
    ]
    return PassiveForces(tensions, generalized, tuple(left_out))


def path_tension(force: PathForce, length: np.ndarray, speed: np.ndarray) -> np.ndarray:
    """Tension (N) of a spring or ligament along a path, never negative.

    Raises
    ------
    UnsupportedError
        If the ligament has no force–length curve.
    """
    if isinstance(force, PathSpring):
        stretch = np.maximum(length - force.resting_length, 0.0)
        return np.asarray(np.maximum(force.stiffness * stretch * (1.0 + force.dissipation * speed), 0.0))
    if isinstance(force, Ligament):
        if force.force_length_curve is None:
            raise UnsupportedError(
                f"ligament {force.name!r} has no force-length curve, so its tension is not known.",
                remedy="give its curve, or its tension among the tensions",
            )
        strain = length / force.resting_length
        curve = np.asarray(force.force_length_curve.evaluate(strain), dtype=float)
        return np.where(strain > 1.0, np.maximum(force.pcsa_force * curve, 0.0), 0.0)
    assert isinstance(force, Blankevoort1991Ligament)
    return _blankevoort(force, length, speed)


def _blankevoort(force: Blankevoort1991Ligament, length: np.ndarray, speed: np.ndarray) -> np.ndarray:
    """Quadratic toe up to the transition strain, then a line; damped while stretched [Blankevoort 1991]."""
    strain = length / force.slack_length - 1.0
    toe = 0.5 * force.linear_stiffness / force.transition_strain * strain**2
    line = force.linear_stiffness * (strain - 0.5 * force.transition_strain)
    spring = np.where(strain < force.transition_strain, toe, line)
    damping = force.linear_stiffness * force.damping_coefficient * speed / force.slack_length
    return np.where(strain > 0.0, np.maximum(spring + damping, 0.0), 0.0)


def _on_coordinate(model: Model, spring: Force, q: np.ndarray, u: np.ndarray) -> tuple[str, np.ndarray]:
    assert isinstance(spring, CoordinateSpring)
    if spring.coordinate not in model.speed_names:
        raise UnsupportedError(
            f"spring {spring.name!r} acts on {spring.coordinate!r}, which is a part of a quaternion.",
            remedy="describe the joint with angles",
        )
    angle = q[:, model.coordinate_names.index(spring.coordinate)]
    speed = u[:, model.speed_names.index(spring.coordinate)]
    return spring.coordinate, -spring.stiffness * (angle - spring.rest) - spring.viscosity * speed
