"""A motion whose accelerations follow from forces: muscles, actuators and loads as given, constraints obeyed."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from borelli.analyses.body_poses import body_poses
from borelli.analyses.constrained_dynamics import Dynamics
from borelli.analyses.forward_dynamics import forward_dynamics
from borelli.analyses.motion import Load, Motion
from borelli.analyses.passive_forces import passive_generalized_forces
from borelli.analyses.path_pass import path_forces, paths_of
from borelli.analyses.prepare import prepare
from borelli.analyses.tensions import tension_table
from borelli.model.force import CoordinateActuator, Force, PointActuator, TorqueActuator
from borelli.model.model import Model


@dataclass(frozen=True)
class ActuatorForces:
    """What actuators do: loads on bodies, and generalized forces on coordinates.

    Parameters
    ----------
    loads : list of Load
    generalized : dict of coordinate to (n_times,) float
    """

    loads: list[Load] = field(default_factory=list)
    generalized: dict[str, np.ndarray] = field(default_factory=dict)


def actuator_forces(
    model: Model, motion: Motion, actuators: Sequence[Force], forces: Mapping[str, np.ndarray]
) -> ActuatorForces:
    """Turn the forces of point, torque and coordinate actuators (N or N m) into loads in ground."""
    found = ActuatorForces()
    named = [actuator for actuator in actuators if actuator.name in forces]
    poses = body_poses(model, motion) if any(not isinstance(a, CoordinateActuator) for a in named) else None

    def pose(name: str) -> tuple[np.ndarray, np.ndarray]:
        body, placement = model.place(name)
        turn = np.array(placement.rotation, dtype=float)
        if body == "ground" or poses is None:
            n = motion.n_times
            return np.broadcast_to(turn, (n, 3, 3)), np.zeros((n, 3)) + np.array(placement.translation, float)
        own = poses.sel(body=body)
        rotation = own["rotation"].values
        return rotation @ turn, own["origin"].values + rotation @ np.array(placement.translation, float)

    for actuator in named:
        size = forces[actuator.name][:, None]
        if isinstance(actuator, CoordinateActuator):
            before = found.generalized.get(actuator.coordinate, 0.0)
            found.generalized[actuator.coordinate] = before + size[:, 0]
        elif isinstance(actuator, PointActuator):
            rotation, origin = pose(actuator.body)
            direction, point = np.array(actuator.direction, float), np.array(actuator.point, float)
            direction = direction / np.linalg.norm(direction)
            along = direction if actuator.direction_in_ground else rotation @ direction
            place = point if actuator.point_in_ground else origin + rotation @ point
            found.loads.append(Load(actuator.name, model.place(actuator.body)[0], size * along, place))
        elif isinstance(actuator, TorqueActuator):
            axis = np.array(actuator.axis, float) / np.linalg.norm(np.array(actuator.axis, float))
            about = axis if actuator.axis_in_ground else pose(actuator.first)[0] @ axis
            for name, sign in ((actuator.first, 1.0), (actuator.second, -1.0)):
                body = model.place(name)[0]
                found.loads.append(Load(f"{actuator.name} on {body}", body, moment=sign * size * about))
    return found


def driven_motion(
    model: Model,
    motion: Motion,
    loads: Sequence[Load],
    tensions: Mapping[str, np.ndarray],
    generalized: Mapping[str, np.ndarray],
) -> Motion:
    """Return the motion with the accelerations that the forces cause in its states.

    Springs, ligaments, stops and bushings of the model act besides.

    Parameters
    ----------
    tensions : mapping of path to (n_times,) newtons
    generalized : mapping of coordinate to (n_times,) N m or N
    """
    prepared = prepare(model, motion, loads)
    force = np.zeros((motion.n_times, len(model.speed_names)))
    for name, values in generalized.items():
        force[:, model.speed_names.index(name)] += values
    table = tension_table(model, prepared, tensions)
    if table.names:
        # All work that the paths do, that on the guides of moving points included: -dl/du.
        unit = path_forces(prepared.compiled, paths_of(prepared.compiled, table.names), prepared.q).force
        force += np.einsum("npk,np->nk", unit, table.values)
    for name, own in passive_generalized_forces(model, motion).items():
        if name not in table.names:
            force += own
    udot = _accelerations(model, motion, prepared.q, prepared.u, force, tuple(loads))
    return dataclasses.replace(
        motion,
        coordinates=model.coordinate_names,
        q=prepared.q,
        u=prepared.u,
        udot=udot,
        speeds=model.speed_names,
    )


def _accelerations(
    model: Model, motion: Motion, q: np.ndarray, u: np.ndarray, force: np.ndarray, loads: tuple[Load, ...]
) -> np.ndarray:
    rows = {float(instant): row for row, instant in enumerate(motion.time)}
    dynamics = Dynamics(model, motion.time, lambda t, _q, _u: force[rows[t]], loads)
    if dynamics.constrained:
        return dynamics.accelerations(motion.time, q, u)[0]
    return np.asarray(forward_dynamics(model, motion, force, loads)["acceleration"].values)
