"""A motion whose accelerations follow from forces: muscles, actuators and loads as given, constraints obeyed."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np

from borelli.analyses.forward_dynamics import forward_dynamics
from borelli.mechanics.forces.acting_forces import acting_forces
from borelli.mechanics.motion.ordered_motion import Load, Motion
from borelli.mechanics.motion.prepare import prepare
from borelli.mechanics.paths.path_pass import path_forces, paths_of
from borelli.model.model import Model


def driven_motion(
    model: Model,
    motion: Motion,
    loads: Sequence[Load],
    forces: Mapping[str, np.ndarray],
) -> Motion:
    """Return the motion with the accelerations that the forces cause in its states.

    Springs, ligaments, stops and bushings of the model act besides.

    Parameters
    ----------
    forces : mapping of path or actuator to (n_times,) N or N m
        Paths that are not named do not pull, but for springs and ligaments; actuators that are not named give
        nothing.
    """
    prepared = prepare(model, motion, loads)
    acting = acting_forces(prepared, forces, passive=True)
    everywhere = slice(0, len(prepared.q))
    force = np.zeros((motion.n_times, len(model.speed_names)))
    table = acting.table
    if table.names:
        # All work that the paths do, that on the guides of moving points included: -dl/du.
        unit = path_forces(prepared.compiled, paths_of(prepared.compiled, table.names), prepared.q).force
        force += np.einsum("npk,np->nk", unit, table.values)
    for name, speed, values in acting.on_speeds(everywhere):
        if name not in table.names:
            force[:, speed] += values
    inner = [load for several in acting.loads.values() for load in several]
    udot = forward_dynamics(model, motion, force, (*loads, *inner))["acceleration"].values
    return dataclasses.replace(
        motion,
        coordinates=model.coordinate_names,
        q=prepared.q,
        u=prepared.u,
        udot=udot,
        speeds=model.speed_names,
    )
