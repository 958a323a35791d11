"""What drives the muscles and actuators of an AnalyzeTool: controls of controllers, activations of states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from borelli.errors import UnsupportedError
from borelli.mechanics.forces.actuators import actuators_of
from borelli.mechanics.forces.passive_forces import DRIVEN_KINDS
from borelli.model.forces.force import ActivationCoordinateActuator
from borelli.opensim_tools.controllers import Controller, Controls, evaluate
from borelli.records import dataclass

if TYPE_CHECKING:
    from borelli.model.model import Model


@dataclass(frozen=True)
class Driving:
    """What follows from controls.

    Attributes
    ----------
    controls : dict of muscle or actuator to (n_times,)
        Of those that a controller drives; that of the others is zero.
    forces : dict of actuator to (n_times,) N or N m
        Of all actuators that act and are no muscles: optimal force times control, or times activation.
    activations : dict of actuator to (n_times,)
        Of actuators that have one.
    excited : dict of muscle to (n_times,)
        Activations of driven muscles without activation dynamics: their control.
    """

    controls: Controls
    forces: dict[str, np.ndarray]
    activations: dict[str, np.ndarray]
    excited: dict[str, np.ndarray]


def driving_of(
    model: Model,
    controllers: tuple[Controller, ...],
    time: np.ndarray,
    activations: Mapping[str, np.ndarray] | None = None,
) -> Driving:
    """Evaluate controllers, and what follows from them.

    Parameters
    ----------
    time : (n_times,) float
        s.
    activations : mapping of actuator to (n_times,), optional
        Of a states file; others have their defaults.
    """
    acting = {force.name: force for force in actuators_of(model).all}
    names = (*model.muscle_names, *(force.name for force in model.forces if hasattr(force, "optimal_force")))
    kept = tuple(other.name for other in model.others if other.kind in DRIVEN_KINDS)
    controls = evaluate(controllers, (*names, *kept), time)
    for name in kept:
        if np.any(controls.get(name, 0.0)):
            raise UnsupportedError(
                f"a controller drives {name!r}, a {model.others[name].kind}, which cannot be evaluated.",
                where=f"model {model.name!r}",
                remedy="remove it from the model or from the controls",
            )
    given = activations or {}
    own = {
        force.name: np.asarray(given.get(force.name, np.full(len(time), float(force.default_activation))))
        for force in model.forces
        if isinstance(force, ActivationCoordinateActuator)
    }
    idle = np.zeros(len(time))
    # An actuator's limits bind those who look for controls, not the actuator.
    forces = {
        name: float(acting[name].optimal_force) * own.get(name, controls.get(name, idle))
        for name in model.forces.names
        if name in acting
    }
    excited = {
        muscle.name: np.minimum(controls[muscle.name], 1.0)
        for muscle in model.muscles
        if muscle.ignore_activation_dynamics and muscle.name in controls
    }
    return Driving(controls, forces, own, excited)
