"""A model with the forces of force-set files, as OpenSim's tools put them together."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from pathlib import Path

from borelli.errors import warn
from borelli.io.load_model import load_model
from borelli.io.osim import read_osim
from borelli.io.setups.actuator_set import load_force_set
from borelli.model.model import Model
from borelli.model.parts import Parts


def load_with_forces(
    path: str | os.PathLike[str], force_sets: Sequence[str | os.PathLike[str]] = (), replace: bool = False
) -> Model:
    """Read a model and add the forces of files to it.

    Parameters
    ----------
    path : path
        The model.
    force_sets : sequence of path
        Force-set files, with forces of every kind that a model may have; for a model that is no OpenSim file with
        actuators alone. A force whose name the model has already is left out and told, as in OpenSim.
    replace : bool
        Leave the model's own forces and muscles out.
    """
    if Path(path).suffix.casefold() == ".osim" and (force_sets or replace):
        return read_osim(path, force_sets=force_sets, replace_forces=replace)
    model = load_model(path)
    if replace:
        model = dataclasses.replace(model, forces=Parts(()), muscles=Parts(()))
    for file in force_sets:
        taken = {*model.forces.names, *model.muscle_names}
        found = load_force_set(file)
        kept = [force.name for force in found if force.name in taken]
        if kept:
            warn(
                f"{os.path.basename(file)} has forces with names that the model already uses; the model's "
                f"forces are kept, as in OpenSim: {', '.join(kept)}"
            )
        added = [force for force in found if force.name not in taken]
        model = dataclasses.replace(model, forces=Parts((*model.forces, *added)))
    return model
