"""Everything inside a model that acts in the known frames of a motion: what is given, and what acts by itself."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from borelli.errors import BorelliWarning
from borelli.kernels.backend import NodeLoad
from borelli.kernels.tree.node import GROUND
from borelli.mechanics.forces.actuator_loads import actuator_loads, coordinate_forces
from borelli.mechanics.forces.actuators import Straight
from borelli.mechanics.forces.contact_overlap import warn_of_double_contact
from borelli.mechanics.forces.passive_forces import PassiveForces, passive_forces_of
from borelli.mechanics.forces.tensions import TensionTable, known_curve, tension_table
from borelli.mechanics.motion.ordered_motion import Load
from borelli.mechanics.motion.prepare import Prepared
from borelli.mechanics.paths.path_pass import path_forces, paths_of
from borelli.mechanics.paths.pulls import pull_loads

_NOTHING = PassiveForces({}, {}, {}, ())


def action_and_reaction(loads: tuple[Load, ...]) -> list[tuple[Load, ...]]:
    """Loads of one force two by two, each with what pushes back; a load that is alone acts from outside."""
    return [loads] if len(loads) == 1 else [loads[at : at + 2] for at in range(0, len(loads), 2)]


@dataclass(frozen=True)
class ActingForces:
    """Tensions of paths, forces on speeds, loads on bodies.

    Parameters
    ----------
    prepared : Prepared
    table : TensionTable
        Of all paths that pull, given or by themselves.
    generalized : dict of name to (speed name, (n_known,) force)
        Springs, stops and actuators of coordinates.
    loads : dict of name to loads
        Bushings, springs between points, contact, torque actuators: action and reaction in turns. Prescribed
        forces and point actuators: one load.
    driven : dict of name to (n_known,) force
        Actuators whose force is given.
    passive : bool
        Whether what acts by itself is among these.
    """

    prepared: Prepared
    table: TensionTable
    generalized: dict[str, tuple[str, np.ndarray]]
    loads: dict[str, tuple[Load, ...]]
    driven: dict[str, np.ndarray]
    passive: bool

    def as_arguments(self) -> dict[str, Any]:
        """Return the arguments ``tensions`` and ``passive`` that let an analysis have the same forces act."""
        whole = self.prepared.whole
        tensions = dict(zip(self.table.names, whole(self.table.values).T, strict=True))
        driven = {name: whole(values) for name, values in self.driven.items()}
        return {"tensions": {**tensions, **driven}, "passive": self.passive}

    @property
    def others(self) -> tuple[str, ...]:
        """Names of everything that is no path."""
        return (*self.generalized, *self.loads)

    def pulls(self, frames: slice) -> tuple[NodeLoad, ...]:
        """Pull of the paths on the nodes."""
        if not self.table.names:
            return ()
        prepared = self.prepared
        return pull_loads(prepared.compiled, prepared.q[frames], self.table.names, self.table.values[frames])

    def between_bodies(self, frames: slice) -> tuple[NodeLoad, ...]:
        """Bushings, springs between points and actuators, as loads on the nodes."""
        found = []
        for load in (load for several in self.loads.values() for load in several):
            node = self.prepared.compiled.bodies[load.body].node
            if node != GROUND:
                found.append(NodeLoad(node, load.force[frames], load.point[frames], load.moment[frames]))
        return tuple(found)

    def on_speeds(self, frames: slice) -> list[tuple[str, int, np.ndarray]]:
        """Generalized forces that need no reaction: name, speed, and (n,) values.

        Springs, stops and actuators of coordinates, and what paths do on the guides of their moving points.
        """
        compiled = self.prepared.compiled
        found = [
            (name, compiled.speed_index(speed), values[frames])
            for name, (speed, values) in self.generalized.items()
        ]
        moving = {point.path for point in paths_of(compiled, self.table.names).moving}
        guided = tuple(name for name in self.table.names if name in moving)
        if guided:
            guide = path_forces(compiled, paths_of(compiled, guided), self.prepared.q[frames]).guide
            for index, name in enumerate(guided):
                tension = self.table.values[frames, self.table.names.index(name)]
                for speed in np.flatnonzero(guide[:, index].any(axis=0)):
                    found.append((name, int(speed), guide[:, index, speed] * tension))
        return found


def acting_forces(
    prepared: Prepared, tensions: Mapping[str, Any], passive: bool, stacklevel: int = 3
) -> ActingForces:
    """Collect what acts; a tension that is given takes the place of the one that a path has by itself.

    Among the tensions may be forces of actuators (N or N m).
    """
    model = prepared.compiled.model
    given = dict(tensions)
    straight = [name for name in given if model.forces.has(name) and isinstance(model.forces[name], Straight)]
    driven = {name: known_curve(name, given.pop(name), prepared) for name in straight}
    table = tension_table(model, prepared, given)
    own = passive_forces_of(prepared) if passive else _NOTHING
    warn_of_double_contact(prepared, own, stacklevel)
    if own.left_out:
        warnings.warn(
            f"these forces of the model are not evaluated and count as provided: {', '.join(own.left_out)}.",
            BorelliWarning,
            stacklevel=stacklevel,
        )
    return ActingForces(
        prepared,
        table.completed(model, own.tensions),
        {**own.generalized, **coordinate_forces(prepared, driven)},
        {**own.loads, **actuator_loads(prepared, driven)},
        driven,
        passive,
    )
