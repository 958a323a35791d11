"""Which forces of a model OpenSim's inverse dynamics counts: all that its setup does not exclude."""

from __future__ import annotations

import dataclasses
import warnings
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
    muscles = [
        dataclasses.replace(muscle, applies_force=False) if no_muscles or muscle.name in excluded else muscle
        for muscle in model.muscles
    ]
    forces = [
        dataclasses.replace(force, applies_force=False) if everything or force.name in excluded else force
        for force in model.forces
    ]
    others = [
        dataclasses.replace(other, active=False)
        if other.role == "force" and (everything or other.name in excluded)
        else other
        for other in model.others
    ]
    return dataclasses.replace(model, muscles=Parts(muscles), forces=Parts(forces), others=Parts(others))


def resting_muscles(model: Model, motion: Motion) -> np.ndarray | None:
    """Generalized forces of the muscles that are not excluded, in their default states, (n_times, n_u).

    That is what the tool counts where a setup does not exclude muscles.
    """
    acting = [muscle for muscle in model.muscles if muscle.applies_force]
    if not acting:
        return None
    # Loaded here, because most setups exclude muscles and should not wait for their kernels.
    from borelli.analyses.muscle_states import muscle_states
    from borelli.mechanics.motion.prepare import prepare
    from borelli.mechanics.paths.path_pass import path_forces, paths_of

    try:
        states = muscle_states(model, motion).sel(muscle=[muscle.name for muscle in acting])
    except UnsupportedError as error:
        warnings.warn(
            f"the setup does not exclude muscles, and they are not counted: {error.what}",
            BorelliWarning,
            stacklevel=2,
        )
        return None
    warnings.warn(
        "the setup does not exclude muscles: they count with the forces of their default states, as in OpenSim",
        BorelliWarning,
        stacklevel=2,
    )
    prepared = prepare(model, motion)
    names = tuple(muscle.name for muscle in acting)
    unit = path_forces(prepared.compiled, paths_of(prepared.compiled, names), prepared.q).force
    return prepared.whole(np.einsum("npk,np->nk", unit, states["tendon_force"].values[prepared.known]))
