"""What given forces of actuators do: loads on bodies, and generalized forces on coordinates."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from borelli.arrays import unit_rows
from borelli.errors import UnsupportedError, unhandled
from borelli.kernels.tree.blocks import blocks
from borelli.mechanics.forces.actuators import Straight
from borelli.mechanics.motion.frame_motion import FrameMotion
from borelli.mechanics.motion.ordered_motion import Load
from borelli.mechanics.motion.prepare import Prepared
from borelli.model.forces.force import CoordinateActuator, PointActuator, PointToPointActuator, TorqueActuator


def coordinate_forces(
    prepared: Prepared, forces: Mapping[str, np.ndarray]
) -> dict[str, tuple[str, np.ndarray]]:
    """Coordinate actuators by name: the speed that each acts on, and its force (N m or N).

    Raises
    ------
    UnsupportedError
        If one acts on a part of a quaternion.
    """
    model = prepared.compiled.model
    found = {}
    for name, values in forces.items():
        actuator = model.forces[name]
        if isinstance(actuator, CoordinateActuator):
            if actuator.coordinate not in model.speed_names:
                raise UnsupportedError(
                    f"actuator {name!r} acts on {actuator.coordinate!r}, which is a part of a quaternion.",
                    remedy="describe the joint with angles",
                )
            found[name] = (actuator.coordinate, values)
    return found


def actuator_loads(prepared: Prepared, forces: Mapping[str, np.ndarray]) -> dict[str, tuple[Load, ...]]:
    """Point, two-point and torque actuators by name: the loads that they exert, in ground axes and the known instants.

    Parameters
    ----------
    forces : mapping of actuator to (n_known,)
        N or N m.
    """
    model, n = prepared.compiled.model, len(prepared.q)
    chosen: dict[str, Straight] = {}
    for name in forces:
        actuator = model.forces[name]
        if isinstance(actuator, PointActuator | TorqueActuator | PointToPointActuator):
            chosen[name] = actuator
    tables = {name: np.zeros((n, 6)) for name in chosen}
    for block in blocks(n) if chosen else ():
        moving = FrameMotion(prepared.compiled.mechanism, prepared.q[block])
        for name, actuator in chosen.items():
            tables[name][block] = _direction_and_point(prepared, moving, actuator)
    found: dict[str, tuple[Load, ...]] = {}
    for name, actuator in chosen.items():
        along, point = tables[name][:, :3] * forces[name][:, None], tables[name][:, 3:]
        if isinstance(actuator, PointActuator):
            found[name] = (Load(name, model.place(actuator.body)[0], along, point),)
        elif isinstance(actuator, TorqueActuator):
            ends = (model.place(actuator.first)[0], model.place(actuator.second)[0])
            found[name] = (Load(name, ends[0], moment=along), Load(name, ends[1], moment=-along))
        elif isinstance(actuator, PointToPointActuator):
            ends = (model.place(actuator.first)[0], model.place(actuator.second)[0])
            # One line of action: a single point on it serves both.
            found[name] = (Load(name, ends[0], along, point), Load(name, ends[1], -along, point))
    return found


def _direction_and_point(prepared: Prepared, moving: FrameMotion, actuator: Straight) -> np.ndarray:
    """Unit direction or axis in ground, and where a force acts, (n, 6)."""
    compiled = prepared.compiled
    if isinstance(actuator, PointToPointActuator):
        first, second = (
            np.tile(x, (moving.n, 1)) for x in (actuator.first_location, actuator.second_location)
        )
        if not actuator.points_in_ground:
            first = moving.point(compiled.attachment(actuator.first), actuator.first_location)
            second = moving.point(compiled.attachment(actuator.second), actuator.second_location)
        return np.hstack([unit_rows(first - second), first])
    if isinstance(actuator, TorqueActuator):
        place, given, in_ground = compiled.attachment(actuator.first), actuator.axis, actuator.axis_in_ground
        point = np.zeros((moving.n, 3))
    else:
        if not isinstance(actuator, PointActuator):
            raise unhandled(actuator, "acts on bodies in no way that is known")
        place, given = compiled.attachment(actuator.body), actuator.direction
        in_ground = actuator.direction_in_ground
        point = np.tile(np.array(actuator.point, dtype=float), (moving.n, 1))
        if not actuator.point_in_ground:
            point = moving.point(place, actuator.point)
    axis = np.array(given, dtype=float)
    axis = axis / np.linalg.norm(axis)
    along = np.tile(axis, (moving.n, 1)) if in_ground else moving.rotation(place) @ axis
    return np.hstack([along, point])
