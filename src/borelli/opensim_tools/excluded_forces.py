"""Which forces of a model OpenSim's inverse dynamics counts: all that its setup does not exclude."""

from __future__ import annotations

import dataclasses
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from borelli.errors import BorelliWarning, UnsupportedError
from borelli.model.model import Model
from borelli.model.parts import Parts

if TYPE_CHECKING:
    from borelli.mechanics.motion.ordered_motion import Motion

_WORDS = ALL, ACTUATORS, MUSCLES = "all", "actuators", "muscles"


def without_excluded(model: Model, excluded: tuple[str, ...]) -> Model:
    """Switch off the forces of a model that are excluded by name or as ``Muscles``, ``Actuators`` or ``ALL``.

    What is no force of the model, such as the name of a group, is told by a warning.
    """
    words = {name.casefold() for name in excluded}
    known = {*model.forces.names, *model.muscle_names, *model.others.names}
    strange = [name for name in excluded if name.casefold() not in _WORDS and name not in known]
    if strange:
        warnings.warn(
            f"forces_to_exclude names what is no force of the model: {', '.join(strange)}.",
            BorelliWarning,
            stacklevel=2,
        )
    everything = ALL in words
    no_muscles = everything or bool(words & {ACTUATORS, MUSCLES})
    no_actuators = ACTUATORS in words
    muscles = [
        dataclasses.replace(muscle, applies_force=False) if no_muscles or muscle.name in excluded else muscle
        for muscle in model.muscles
    ]
    forces = [
        dataclasses.replace(force, applies_force=False)
        if everything or force.name in excluded or (no_actuators and hasattr(force, "optimal_force"))
        else force
        for force in model.forces
    ]
    others = [
        dataclasses.replace(other, active=False)
        if other.role == "force" and (everything or other.name in excluded)
        else other
        for other in model.others
    ]
    return dataclasses.replace(model, muscles=Parts(muscles), forces=Parts(forces), others=Parts(others))


def resting_forces(model: Model, motion: Motion, path: Path) -> np.ndarray | None:
    """Generalized forces of muscles and actuators that are not excluded, (n_times, n_u); None without any.

    That is what the tool counts where a setup does not exclude them: muscles in their default states, actuators
    as their default activations or the controllers of the model say.

    Parameters
    ----------
    path : Path
        The model file; tables of its controllers are found from there.
    """
    from borelli.mechanics.forces.acting_forces import acting_forces
    from borelli.mechanics.forces.passive_forces import loads_force
    from borelli.mechanics.motion.prepare import prepare
    from borelli.mechanics.paths.path_pass import path_forces, paths_of

    forces = {name: values for name, values in _driven(model, motion, path).items() if values.any()}
    forces |= _resting_muscles(model, motion)
    if not forces:
        return None
    prepared = prepare(model, motion)
    acting = acting_forces(prepared, forces, passive=False)
    total = loads_force(prepared.compiled, prepared.q, (x for own in acting.loads.values() for x in own))
    names = acting.table.names
    if names:
        unit = path_forces(prepared.compiled, paths_of(prepared.compiled, names), prepared.q).force
        total += np.einsum("npk,np->nk", unit, acting.table.values)
    for name, speed, values in acting.on_speeds(slice(0, len(prepared.q))):
        if name not in names:
            total[:, speed] += values
    return prepared.whole(total)


def _resting_muscles(model: Model, motion: Motion) -> dict[str, np.ndarray]:
    """Tensions of the muscles that act, in their default states (N)."""
    from borelli.analyses.muscle_states import muscle_states

    acting = [muscle.name for muscle in model.muscles if muscle.applies_force]
    if not acting:
        return {}
    try:
        force = muscle_states(model, motion)["tendon_force"]
    except UnsupportedError as error:
        warnings.warn(
            f"the setup does not exclude muscles, and they are not counted: {error.what}",
            BorelliWarning,
            stacklevel=3,
        )
        return {}
    warnings.warn(
        "the setup does not exclude muscles: they count with the forces of their default states, as in OpenSim",
        BorelliWarning,
        stacklevel=3,
    )
    return {name: force.sel(muscle=name).values for name in acting}


def _driven(model: Model, motion: Motion, path: Path) -> dict[str, np.ndarray]:
    """Forces of the actuators that act (N or N m)."""
    from borelli.mechanics.forces.actuators import actuators_of
    from borelli.opensim_tools.controllers import controllers_of
    from borelli.opensim_tools.driving import driving_of

    if not actuators_of(model).all:
        return {}
    return driving_of(model, controllers_of(model, path, ()), motion.time).forces
