"""What acts in a trial beside weight: external loads, tensions along paths, and other actuators."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from borelli.mechanics.forces.actuator_loads import actuator_loads
from borelli.mechanics.motion.prepare import prepare
from borelli.model.force_units import force_units
from borelli.model.forces.force import CoordinateActuator, PointActuator, PointToPointActuator
from borelli.records import dataclass
from borelli.results.labelled.tensions import GivenForces, curves_of, reserves_of

if TYPE_CHECKING:
    from borelli.mechanics.motion.ordered_motion import Load, Motion
    from borelli.model.model import Model
    from borelli.results.labelled.plain_result import PlainResult


@dataclass(frozen=True)
class Forces:
    """Forces in all instants of a motion."""

    external: list[Load]
    """What was measured: ground reactions, and whatever else acts from outside"""
    tensions: Mapping[str, np.ndarray] = field(default_factory=dict)
    """Of muscles and path actuators, (n_times,) newtons"""
    actuators: Mapping[str, np.ndarray] = field(default_factory=dict)
    """Of actuators that are not along paths, (n_times,) newtons or newton metres"""
    optimized: PlainResult | None = None
    """Of ``muscle_forces``, where the forces come from it"""

    @classmethod
    def told_apart(
        cls,
        model: Model,
        external: list[Load],
        forces: Mapping[str, np.ndarray],
        optimized: PlainResult | None = None,
    ) -> Forces:
        """Tell forces along paths of the model from those of other actuators."""
        tensions = {name: values for name, values in forces.items() if name in model.paths}
        others = {name: values for name, values in forces.items() if name not in tensions}
        return cls(external, tensions, others, optimized)

    @classmethod
    def from_optimization(cls, model: Model, external: list[Load], optimized: PlainResult) -> Forces:
        """Take muscles and actuators as static optimization has them."""
        forces = {**curves_of(optimized, "force"), **curves_of(optimized, "actuator_force")}
        return cls.told_apart(model, external, forces, optimized)

    def loads(self, model: Model, motion: Motion) -> list[Load]:
        """Return external loads, and those of point and torque actuators, each on its bodies."""
        if not self.actuators:
            return self.external
        prepared = prepare(model, motion)
        known = {name: values[prepared.known] for name, values in self.actuators.items()}
        acting = actuator_loads(prepared, known).values()
        return [
            *self.external,
            *(_whole(load, prepared.known, len(own) > 1) for own in acting for load in own),
        ]

    def beside_loads(self, model: Model) -> GivenForces:
        """Return the forces along paths and on coordinates, those that are not among the loads; and reserves."""
        turning = {
            name: values
            for name, values in self.actuators.items()
            if isinstance(model.forces[name], CoordinateActuator)
        }
        reserves = {} if self.optimized is None else reserves_of(self.optimized)
        return GivenForces({**self.tensions, **turning}, reserves)

    def borne_by_constraints(self, model: Model, motion: Motion) -> np.ndarray:
        """Return the generalized forces of constraints that close loops under these forces, (n_times, n_u)."""
        # Loaded here, because results that are up to date need no engine.
        from borelli.mechanics.forces.closing_forces import with_closed_loops
        from borelli.mechanics.forces.joint_wrenches import bearing

        given = self.beside_loads(model)
        acting = bearing(model, motion, self.loads(model, motion), given.forces, passive=True)
        return acting.prepared.whole(with_closed_loops(acting, given.reserves).closing_force())

    def largest_of_actuators(self, model: Model) -> dict[str, tuple[float, str]]:
        """Largest force and moment of actuators that are not along paths, by the name of the residual."""
        found: dict[str, tuple[float, str]] = {}
        for name, values in self.actuators.items():
            unit = _unit(model, name)
            kind = {"N": "force", "N m": "moment"}.get(unit)
            if kind is not None and np.isfinite(values).any():
                key, size = f"largest_actuator_{kind}", float(np.nanmax(np.abs(values)))
                found[key] = (max(size, found.get(key, (0.0, unit))[0]), unit)
        return found


def _whole(load: Load, known: np.ndarray, several: bool) -> Load:
    """Put the known instants back among all, and tell the loads of one actuator apart by their bodies."""

    def among_all(values: np.ndarray) -> np.ndarray:
        # Zero in the other instants, where the motion is not known and nothing is computed.
        everything = np.zeros((known.size, 3))
        everything[known] = values
        return everything

    return dataclasses.replace(
        load,
        name=f"{load.name} on {load.body}" if several else load.name,
        force=among_all(load.force),
        point=among_all(load.point),
        moment=among_all(load.moment),
    )


def _unit(model: Model, actuator: str) -> str:
    own = model.forces[actuator]
    if isinstance(own, CoordinateActuator):
        units = dict(zip(model.speed_names, force_units(model), strict=True))
        return units.get(own.coordinate, "")
    return "N" if isinstance(own, PointActuator | PointToPointActuator) else "N m"
