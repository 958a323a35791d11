"""Forces that a model exerts by itself, from posture and speed: springs, ligaments, stops, bushings."""

from __future__ import annotations

import numpy as np

from borelli.errors import UnsupportedError
from borelli.mechanics.forces.acting_forces import ActingForces
from borelli.mechanics.forces.body_forces import OnBodies, body_forces
from borelli.mechanics.forces.passive_laws import coordinate_force, path_tension
from borelli.mechanics.forces.tensions import TensionTable
from borelli.mechanics.motion.ordered_motion import Motion
from borelli.mechanics.motion.prepare import Prepared
from borelli.mechanics.paths.path_pass import path_forces, paths_of
from borelli.model.forces.force import (
    Blankevoort1991Ligament,
    CoordinateActuator,
    CoordinateLimitForce,
    CoordinateSpring,
    Ligament,
    PathActuator,
    PathSpring,
    PointActuator,
    PointToPointActuator,
    TorqueActuator,
)
from borelli.model.forces.formula_force import ExpressionCoordinateForce, ExpressionPathForce
from borelli.model.model import Model
from borelli.model.plausibility.possible import refuse_force

Pulling = PathSpring | Ligament | Blankevoort1991Ligament | ExpressionPathForce
OnCoordinate = CoordinateSpring | CoordinateLimitForce | ExpressionCoordinateForce
_DRIVEN = (PathActuator, CoordinateActuator, TorqueActuator, PointActuator, PointToPointActuator)
"""Without a control signal they do nothing."""
DRIVEN_KINDS = ("ClutchedPathSpring", "McKibbenActuator", "BodyActuator")
"""Classes of OpenSim that are kept as data and do nothing without a control signal either."""


def passive_generalized_forces(model: Model, motion: Motion) -> dict[str, np.ndarray]:
    """Generalized forces of everything that acts by itself, name -> (n_times, n_u); NaN where the motion is."""
    return passive_forces_of(ActingForces.of_loads(model, motion, ())).generalized_forces()


def passive_forces(model: Model, motion: Motion) -> ActingForces:
    """Evaluate what acts by itself in a model, (n_times,) each; NaN where the motion is.

    Raises
    ------
    UnsupportedError
        If a spring acts on a part of a quaternion.
    """
    return passive_forces_of(ActingForces.of_loads(model, motion, ())).everywhere()


def passive_forces_of(outside: ActingForces) -> ActingForces:
    """Evaluate what acts by itself in the known instants of a motion, beside its external loads."""
    prepared, model = outside.prepared, outside.prepared.compiled.model
    acting = [force for force in model.forces if force.applies_force]
    pulling = _tensions(prepared, [force for force in acting if isinstance(force, Pulling)])
    return ActingForces(
        prepared,
        TensionTable((), np.zeros((len(prepared.q), 0))).completed(model, pulling),
        {force.name: _on_coordinate(prepared, force) for force in acting if isinstance(force, OnCoordinate)},
        body_forces(prepared, [force for force in acting if isinstance(force, OnBodies)]),
        passive=True,
        left_out=left_out(model),
        external=outside.external,
    )


def left_out(model: Model) -> tuple[str, ...]:
    """Names of the acting forces of a model that are neither muscles nor actuators nor evaluated here."""
    known = (*_DRIVEN, *Pulling.__args__, *OnCoordinate.__args__, *OnBodies.__args__)
    own = [force.name for force in model.forces if force.applies_force and not isinstance(force, known)]
    acting = [other for other in model.others if other.active and other.role == "force"]
    return (*own, *(other.name for other in acting if other.kind not in DRIVEN_KINDS))


def _tensions(prepared: Prepared, pulling: list[Pulling]) -> dict[str, np.ndarray]:
    if not pulling:
        return {}
    for force in pulling:
        refuse_force(force)
    compiled = prepared.compiled
    paths = paths_of(compiled, tuple(force.name for force in pulling))
    found = path_forces(compiled, paths, prepared.q, u=prepared.u)
    return {
        force.name: path_tension(force, found.length[:, index], found.speed[:, index])
        for index, force in enumerate(pulling)
    }


def _on_coordinate(prepared: Prepared, force: OnCoordinate) -> tuple[str, np.ndarray]:
    model = prepared.compiled.model
    if force.coordinate not in model.speed_names:
        raise UnsupportedError(
            f"{force.kind} {force.name!r} acts on {force.coordinate!r}, which is a part of a quaternion.",
            remedy="describe the joint with angles",
        )
    q = prepared.q[:, model.coordinate_names.index(force.coordinate)]
    u = prepared.u[:, model.speed_names.index(force.coordinate)]
    return force.coordinate, coordinate_force(force, q, u)
