"""What OpenSim's table of forces has besides muscles and actuators: forces of the model, and external loads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from borelli.analyses.movement.body_poses import body_poses
from borelli.analyses.movement.paths import paths
from borelli.io.setups.external_loads import read_external_loads
from borelli.mechanics.forces.passive_forces import passive_forces
from borelli.mechanics.forces.passive_laws import ligament_parts, stop_energy
from borelli.mechanics.motion.ordered_motion import positions
from borelli.model.forces.force import (
    Blankevoort1991Ligament,
    CoordinateLimitForce,
    CoordinateSpring,
    PathSpring,
)
from borelli.model.forces.formula_force import ExpressionPathForce
from borelli.opensim_tools.pushing_columns import PushingColumns

if TYPE_CHECKING:
    from pathlib import Path

    from borelli.mechanics.motion.ordered_motion import Load, Motion
    from borelli.model.model import Model

Columns = dict[str, np.ndarray]
_ENERGY = "PotentialEnergy"


def element_columns(model: Model, motion: Motion) -> Columns:
    """Forces that a model exerts by itself, (n_times,) each, by the labels that OpenSim gives them.

    Springs and stops on coordinates give a generalized force, path springs and ligaments a tension, forces on bodies
    what they do to each.
    """
    found = passive_forces(model, motion)
    values = {name: found.tensions[name] for name in found.tensions.names}
    values |= {name: force for name, (_, force) in found.generalized.items()}
    endings = {CoordinateSpring: "_Force", PathSpring: "_tension", ExpressionPathForce: "_tension"}
    pushing = PushingColumns(model, motion, found.loads) if found.loads else None
    columns: Columns = {}
    for force in model.forces:
        if isinstance(force, Blankevoort1991Ligament) and force.name in values:
            columns |= _ligament_columns(model, motion, force)
        elif isinstance(force, CoordinateLimitForce) and force.name in values:
            columns[force.name] = values[force.name]
            # OpenSim calls the energy of every stop the same; a table has one column of a name.
            energy = _ENERGY if _ENERGY not in columns else f"{force.name}.{_ENERGY}"
            q = positions(model, motion)[:, model.coordinate_names.index(force.coordinate)]
            columns[energy] = stop_energy(force, q)
        elif force.name in values:
            columns[force.name + endings.get(type(force), "")] = values[force.name]
        elif pushing is not None and force.name in found.loads:
            columns |= pushing.of(force)
    return columns


def _ligament_columns(model: Model, motion: Motion, force: Blankevoort1991Ligament) -> Columns:
    path = paths(model, motion, names=[force.name])
    length, speed = path["length"].values[:, 0], path["speed"].values[:, 0]
    spring, damping = ligament_parts(force, length, speed)
    parts = {
        "force_spring": spring,
        "force_damping": damping,
        "force_total": spring + damping,
        "length": length,
        "lengthening_speed": speed,
        "strain": length / force.slack_length - 1.0,
        "strain_rate": speed / force.slack_length,
    }
    return {f"{force.name}.{part}": column for part, column in parts.items()}


def load_columns(model: Model, motion: Motion, loads: list[Load], description: Path | None) -> Columns:
    """External loads by the labels that OpenSim gives them.

    Forces and moments are in ground axes, points in the axes of the body that the load acts on, because OpenSim
    moves them there before it starts.
    """
    if description is None or not loads:
        return {}
    poses = body_poses(model, motion)
    known = {force.name: force for force in read_external_loads(description).forces}
    columns: Columns = {}
    for load in loads:
        given, pose = known[load.name], poses.sel(body=load.body)
        away = load.point - pose["origin"].values
        point = np.einsum("tij,ti->tj", pose["rotation"].values, away)
        parts = (("F", given.force, load.force), ("p", given.point, point), ("T", given.torque, load.moment))
        for letter, identifier, values in parts:
            if identifier:
                columns |= {
                    f"{load.body}_{load.name}_{letter}{axis}": values[:, index]
                    for index, axis in enumerate("xyz")
                }
    return columns
