"""A motion whose accelerations follow from forces: muscles, actuators and loads as given, constraints obeyed."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np

from borelli.analyses.simulation.forward_dynamics import forward_dynamics
from borelli.mechanics.forces.acting_forces import ActingForces
from borelli.mechanics.forces.collect_forces import acting_forces
from borelli.mechanics.motion.ordered_motion import Load, Motion
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
    model : Model
    motion : Motion
        Postures and speeds; its accelerations are not used.
    loads : sequence of Load
        In ground axes, a row for each instant.
    forces : mapping of path or actuator to (n_times,) N or N m
        Paths that are not named do not pull, but for springs and ligaments; actuators that are not named give
        nothing.

    Examples
    --------
    >>> arm = bo.planar.to_model(bo.library.two_link_arm())
    >>> hanging = bo.Motion.at_rest(arm.coordinate_names, np.zeros((1, 2)))
    >>> driven = bo.driven_motion(arm, hanging, [], {})  # nothing acts but weight
    >>> driven.udot.shape
    (1, 2)
    """
    acting = acting_forces(ActingForces.of_loads(model, motion, loads), forces, passive=True)
    prepared = acting.prepared
    force = prepared.whole(acting.generalized_force())
    udot = forward_dynamics(model, motion, force, loads)["acceleration"].values
    return dataclasses.replace(
        motion,
        coordinates=model.coordinate_names,
        q=prepared.whole(prepared.q),
        u=prepared.whole(prepared.u),
        udot=udot,
        speeds=model.speed_names,
    )
