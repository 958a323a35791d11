"""What OpenSim's table of forces has besides muscles and actuators: forces of the model, and external loads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from borelli.analyses.body_poses import body_poses
from borelli.io.external_loads import read_external_loads
from borelli.mechanics.forces.passive_forces import passive_forces
from borelli.model.force import Blankevoort1991Ligament, CoordinateSpring, PathSpring
from borelli.model.formula_force import ExpressionPathForce
from borelli.opensim_tools.pushing_columns import PushingColumns

if TYPE_CHECKING:
    from pathlib import Path

    from borelli.mechanics.motion.ordered_motion import Load, Motion
    from borelli.model.model import Model

Columns = dict[str, np.ndarray]


def element_columns(model: Model, motion: Motion) -> Columns:
    """Forces that a model exerts by itself, (n_times,) each, by the labels that OpenSim gives them.

    Springs and stops on coordinates give a generalized force, path springs and ligaments a tension, forces on bodies
    what they do to each.
    """
    found = passive_forces(model, motion)
    values = {name: found.tensions[name] for name in found.tensions.names}
    values |= {name: force for name, (_, force) in found.generalized.items()}
    endings = {
        CoordinateSpring: "_Force",
        PathSpring: "_tension",
        ExpressionPathForce: "_tension",
        Blankevoort1991Ligament: ".force_total",
    }
    pushing = PushingColumns(model, motion, found.loads) if found.loads else None
    columns: Columns = {}
    for force in model.forces:
        if force.name in values:
            columns[force.name + endings.get(type(force), "")] = values[force.name]
        elif pushing is not None and force.name in found.loads:
            columns |= pushing.of(force)
    return columns


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
