"""Contact that a model evaluates and a load that was measured may be the same force, counted twice."""

from __future__ import annotations

import numpy as np

from borelli.errors import warn
from borelli.kernels.tree.node import GROUND
from borelli.mechanics.forces.acting_forces import ActingForces
from borelli.model.forces.contact import HuntCrossleyForce, MeyerFregly2016Force, SmoothSphereHalfSpaceForce

ModelContact = HuntCrossleyForce | SmoothSphereHalfSpaceForce | MeyerFregly2016Force


def warn_of_double_contact(found: ActingForces) -> None:
    """Warn where contact of the model and external loads push on the same bodies."""
    compiled = found.prepared.compiled
    model, bodies = compiled.model, compiled.bodies
    loaded = {load.node for load in found.external}
    contacts = [name for name in found.loads if isinstance(model.forces[name], ModelContact)]
    twice = sorted(
        {
            load.body
            for name in contacts
            for load in found.loads[name]
            if bodies[load.body].node != GROUND and bodies[load.body].node in loaded and np.any(load.force)
        }
    )
    if twice:
        warn(
            f"contact of the model ({', '.join(contacts)}) and external loads both push on {', '.join(twice)}: "
            "if the loads were measured there, switch the contact off (applies_force=False)."
        )
