"""Everything inside a model that acts in the known frames of a motion: given tensions, and what acts by itself."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from borelli.analyses.passive_forces import PassiveForces, passive_forces_of
from borelli.analyses.path_pass import path_forces, paths_of
from borelli.analyses.prepare import Prepared
from borelli.analyses.pulls import pull_loads
from borelli.analyses.tensions import Tensions, TensionTable, tension_table
from borelli.errors import BorelliWarning
from borelli.kernels.backend import NodeLoad
from borelli.kernels.node import GROUND

_NOTHING = PassiveForces({}, {}, {}, ())


@dataclass(frozen=True)
class ActingForces:
    """Tensions of paths, springs and stops on speeds, bushings between bodies.

    Parameters
    ----------
    prepared : Prepared
    table : TensionTable
        Of all paths that pull, given or by themselves.
    passive : PassiveForces
        Whatever acts by itself.
    """

    prepared: Prepared
    table: TensionTable
    passive: PassiveForces

    def as_arguments(self) -> dict[str, Any]:
        """Return the arguments ``tensions`` and ``passive`` that let an analysis have the same forces act."""
        whole = self.prepared.whole
        tensions = dict(zip(self.table.names, whole(self.table.values).T, strict=True))
        return {"tensions": tensions, "passive": self.passive is not _NOTHING}

    def pulls(self, frames: slice) -> tuple[NodeLoad, ...]:
        """Pull of the paths on the nodes."""
        if not self.table.names:
            return ()
        prepared = self.prepared
        return pull_loads(prepared.compiled, prepared.q[frames], self.table.names, self.table.values[frames])

    def between_bodies(self, frames: slice) -> tuple[NodeLoad, ...]:
        """Bushings and springs between points, as loads on the nodes."""
        found = []
        for load in (load for both in self.passive.loads.values() for load in both):
            node = self.prepared.compiled.bodies[load.body].node
            if node != GROUND:
                found.append(NodeLoad(node, load.force[frames], load.point[frames], load.moment[frames]))
        return tuple(found)

    def on_speeds(self, frames: slice) -> list[tuple[str, int, np.ndarray]]:
        """Generalized forces that need no reaction: path or spring, speed, and (n,) values.

        Springs and stops on coordinates, and what paths do on the guides of their moving points.
        """
        compiled = self.prepared.compiled
        found = [
            (name, compiled.speed_index(speed), values[frames])
            for name, (speed, values) in self.passive.generalized.items()
        ]
        guided = tuple(name for name in self.table.names if name in self._guided())
        if guided:
            guide = path_forces(compiled, paths_of(compiled, guided), self.prepared.q[frames]).guide
            for index, name in enumerate(guided):
                tension = self.table.values[frames, self.table.names.index(name)]
                for speed in np.flatnonzero(guide[:, index].any(axis=0)):
                    found.append((name, int(speed), guide[:, index, speed] * tension))
        return found

    def _guided(self) -> set[str]:
        return {moving.path for moving in paths_of(self.prepared.compiled, self.table.names).moving}


def acting_forces(prepared: Prepared, tensions: Tensions, passive: bool, stacklevel: int = 3) -> ActingForces:
    """Collect what acts; a tension that is given takes the place of the one that a path has by itself."""
    model = prepared.compiled.model
    given = tension_table(model, prepared, tensions)
    if not passive:
        return ActingForces(prepared, given, _NOTHING)
    own = passive_forces_of(prepared)
    if own.left_out:
        warnings.warn(
            f"these forces of the model are not evaluated and count as provided: {', '.join(own.left_out)}.",
            BorelliWarning,
            stacklevel=stacklevel,
        )
    return ActingForces(prepared, given.completed(model, own.tensions), own)
