"""Generalized forces of what pulls at rest in a model: what OpenSim's inverse dynamics counts besides the motion."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from borelli.analyses.muscles.muscle_states import fiber_states, require_states
from borelli.errors import UnsupportedError, warn
from borelli.mechanics.forces.acting_forces import ActingForces
from borelli.mechanics.forces.actuators import actuators_of
from borelli.mechanics.forces.collect_forces import acting_forces
from borelli.model.model import Model
from borelli.opensim_tools.controllers import controllers_of
from borelli.opensim_tools.driving import driving_of
from borelli.opensim_tools.no_fibers import warn_of_no_fibers

if TYPE_CHECKING:
    from borelli.mechanics.motion.ordered_motion import Motion


def resting_forces(model: Model, motion: Motion, path: Path) -> np.ndarray | None:
    """Generalized forces of muscles and actuators that are not excluded, (n_times, n_u); None without any.

    That is what the tool counts where a setup does not exclude them: muscles in their default states, actuators
    as their default activations or the controllers of the model say.

    Parameters
    ----------
    path : Path
        The model file; tables of its controllers are found from there.
    """
    forces = {name: values for name, values in _driven(model, motion, path).items() if values.any()}
    forces |= _resting_muscles(model, motion)
    if not forces:
        return None
    acting = acting_forces(ActingForces.of_loads(model, motion, ()), forces, passive=False)
    return acting.prepared.whole(acting.generalized_force())


def _resting_muscles(model: Model, motion: Motion) -> dict[str, np.ndarray]:
    """Tensions of the muscles that act, in their default states (N)."""
    acting = [muscle.name for muscle in model.muscles if muscle.applies_force]
    if not acting:
        return {}
    try:
        require_states(model)
        force = fiber_states(model, motion)["tendon_force"]
    except UnsupportedError as error:
        warn(f"the setup does not exclude muscles, but they are ignored: {error.what}")
        return {}
    warn_of_no_fibers(model)
    warn("the setup does not exclude muscles: their forces at default activation are included, as in OpenSim")
    return {name: force.sel(muscle=name).values for name in acting}


def _driven(model: Model, motion: Motion, path: Path) -> dict[str, np.ndarray]:
    """Forces of the actuators that act (N or N m)."""
    if not actuators_of(model).all:
        return {}
    return driving_of(model, controllers_of(model, path, ()), motion.time).forces
