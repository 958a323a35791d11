"""Which forces of a model OpenSim's inverse dynamics counts: all that its setup does not exclude."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from borelli.errors import warn
from borelli.model.model import Model
from borelli.model.parts import Parts

if TYPE_CHECKING:
    pass

_WORDS = ALL, ACTUATORS, MUSCLES = "all", "actuators", "muscles"


def without_excluded(model: Model, excluded: tuple[str, ...]) -> Model:
    """Switch off the forces of a model that are excluded by name or as ``Muscles``, ``Actuators`` or ``ALL``.

    What is no force of the model, such as the name of a group, is told by a warning.
    """
    words = {name.casefold() for name in excluded}
    known = {*model.forces.names, *model.muscle_names, *model.others.names}
    strange = [name for name in excluded if name.casefold() not in _WORDS and name not in known]
    if strange:
        warn(f"forces_to_exclude names forces that the model does not have: {', '.join(strange)}.")
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
