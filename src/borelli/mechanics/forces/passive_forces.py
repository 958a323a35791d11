"""Forces that a model exerts by itself, from posture and speed: springs, ligaments, stops, bushings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from borelli.compiled.compile import CompiledModel
from borelli.errors import UnsupportedError
from borelli.kernels.tree.frames import blocks
from borelli.mechanics.forces.body_forces import OnBodies, body_forces
from borelli.mechanics.forces.passive_laws import coordinate_force, path_tension
from borelli.mechanics.motion.frame_motion import FrameMotion
from borelli.mechanics.motion.ordered_motion import Load, Motion
from borelli.mechanics.motion.prepare import Prepared, prepare
from borelli.mechanics.paths.path_pass import path_forces, paths_of
from borelli.model.force import (
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
from borelli.model.formula_force import ExpressionCoordinateForce, ExpressionPathForce
from borelli.model.model import Model
from borelli.model.possible import refuse_force

Pulling = PathSpring | Ligament | Blankevoort1991Ligament | ExpressionPathForce
OnCoordinate = CoordinateSpring | CoordinateLimitForce | ExpressionCoordinateForce
_DRIVEN = (PathActuator, CoordinateActuator, TorqueActuator, PointActuator, PointToPointActuator)
"""Without a control signal they do nothing."""
_DRIVEN_KINDS = ("ClutchedPathSpring", "McKibbenActuator", "BodyActuator")
"""Classes of OpenSim that are kept as data and do nothing without a control signal either."""


@dataclass(frozen=True)
class PassiveForces:
    """What the springs, ligaments, stops and bushings of a model do, each by its name.

    Parameters
    ----------
    tensions : dict of path to (n,) newtons
        Path springs and ligaments.
    generalized : dict of name to (speed name, (n,) force)
        Springs and stops on coordinates; N m or N.
    loads : dict of name to the loads it exerts
        Bushings and springs between two points: on the second body and its opposite on the first, in ground.
        Prescribed forces: on their body.
    left_out : tuple of str
        Forces of the model that act and whose law is not known here, such as contact.
    """

    tensions: dict[str, np.ndarray]
    generalized: dict[str, tuple[str, np.ndarray]]
    loads: dict[str, tuple[Load, ...]]
    left_out: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Everything that is evaluated."""
        return (*self.tensions, *self.generalized, *self.loads)


def passive_forces(model: Model, motion: Motion) -> PassiveForces:
    """Evaluate what acts by itself in a model, (n_times,) each; NaN where the motion is.

    Parameters
    ----------
    model : Model
    motion : Motion
        Coordinates and speeds.

    Raises
    ------
    UnsupportedError
        If a spring acts on a part of a quaternion.
    """
    prepared = prepare(model, motion)
    known = passive_forces_of(prepared)
    whole = prepared.whole

    def everywhere(load: Load) -> Load:
        return Load(load.name, load.body, *(whole(x) for x in (load.force, load.point, load.moment)))

    return PassiveForces(
        {name: whole(values) for name, values in known.tensions.items()},
        {name: (speed, whole(values)) for name, (speed, values) in known.generalized.items()},
        {name: tuple(map(everywhere, loads)) for name, loads in known.loads.items()},
        known.left_out,
    )


def passive_generalized_forces(model: Model, motion: Motion) -> dict[str, np.ndarray]:
    """Generalized forces of everything that acts by itself, name -> (n_times, n_u); NaN where the motion is.

    Those of paths are their work, that on the guides of moving points included: tension times -dl/du.
    """
    prepared = prepare(model, motion)
    compiled, found = prepared.compiled, passive_forces_of(prepared)
    shape = (len(prepared.q), compiled.mechanism.n_speeds)
    out: dict[str, np.ndarray] = {}
    if found.tensions:
        unit = path_forces(compiled, paths_of(compiled, tuple(found.tensions)), prepared.q).force
        for index, (name, tension) in enumerate(found.tensions.items()):
            out[name] = unit[:, index] * tension[:, None]
    for name, (speed, values) in found.generalized.items():
        out[name] = np.zeros(shape)
        out[name][:, compiled.speed_index(speed)] = values
    out |= {name: loads_force(compiled, prepared.q, both) for name, both in found.loads.items()}
    return {name: prepared.whole(values) for name, values in out.items()}


def loads_force(compiled: CompiledModel, q: np.ndarray, loads: Iterable[Load]) -> np.ndarray:
    """Generalized force of loads on bodies, (n, n_u)."""
    loads, total = tuple(loads), np.zeros((len(q), compiled.mechanism.n_speeds))
    for block in blocks(len(q)) if loads else ():
        moving = FrameMotion(compiled.mechanism, q[block])
        for load in loads:
            place = compiled.attachment(load.body)
            push = moving.point_jacobian(place, load.point[block])
            total[block] += np.einsum("nik,ni->nk", push, load.force[block])
            total[block] += np.einsum("nik,ni->nk", moving.angular_jacobian(place), load.moment[block])
    return total


def passive_forces_of(prepared: Prepared) -> PassiveForces:
    """Evaluate what acts by itself in the known frames of a prepared motion."""
    model = prepared.compiled.model
    acting = [force for force in model.forces if force.applies_force]
    return PassiveForces(
        _tensions(prepared, [force for force in acting if isinstance(force, Pulling)]),
        {force.name: _on_coordinate(prepared, force) for force in acting if isinstance(force, OnCoordinate)},
        body_forces(prepared, [force for force in acting if isinstance(force, OnBodies)]),
        left_out(model),
    )


def left_out(model: Model) -> tuple[str, ...]:
    """Names of the acting forces of a model that are neither muscles nor actuators nor evaluated here."""
    known = (*_DRIVEN, *Pulling.__args__, *OnCoordinate.__args__, *OnBodies.__args__)
    own = [force.name for force in model.forces if force.applies_force and not isinstance(force, known)]
    acting = [other for other in model.others if other.active and other.role == "force"]
    return (*own, *(other.name for other in acting if other.kind not in _DRIVEN_KINDS))


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
