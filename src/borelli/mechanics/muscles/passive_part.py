"""What springs, ligaments, stops and bushings bear of the load, before muscles share the rest."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from borelli.errors import BorelliWarning
from borelli.mechanics.forces.contact_overlap import warn_of_double_contact
from borelli.mechanics.forces.passive_forces import PassiveForces, left_out, loads_force, passive_forces_of
from borelli.mechanics.motion.ordered_motion import Load
from borelli.mechanics.motion.prepare import Prepared
from borelli.mechanics.paths.path_pass import path_forces, paths_of

_NOTHING = PassiveForces({}, {}, {}, ())


@dataclass(frozen=True)
class PassiveShare:
    """Everything that acts by itself in the known frames of a motion."""

    prepared: Prepared
    found: PassiveForces

    @property
    def names(self) -> tuple[str, ...]:
        """Springs, ligaments, stops and bushings that act."""
        return self.found.names

    def generalized_force(self, frames: slice) -> np.ndarray:
        """Generalized force of all of them in some of the known frames, (n, n_u)."""
        compiled, found, q = self.prepared.compiled, self.found, self.prepared.q[frames]
        total = np.zeros((len(q), compiled.mechanism.n_speeds))
        if found.tensions:
            tension = np.column_stack([values[frames] for values in found.tensions.values()])
            unit = path_forces(compiled, paths_of(compiled, tuple(found.tensions)), q).force
            total += np.einsum("npk,np->nk", unit, tension)
        for speed, values in found.generalized.values():
            total[:, compiled.speed_index(speed)] += values[frames]
        loads = [
            Load(load.name, load.body, load.force[frames], load.point[frames], load.moment[frames])
            for both in found.loads.values()
            for load in both
        ]
        return total + loads_force(compiled, q, loads)


def passive_share(prepared: Prepared, wanted: bool) -> PassiveShare:
    """Evaluate what acts by itself, unless it is not wanted; warn of what acts and is not evaluated."""
    model = prepared.compiled.model
    found = passive_forces_of(prepared) if wanted else _NOTHING
    warn_of_double_contact(prepared, found, stacklevel=5)
    ignored = left_out(model)
    if ignored:
        shown = ", ".join(map(repr, ignored[:5])) + (", …" if len(ignored) > 5 else "")
        warnings.warn(
            f"{len(ignored)} forces of model {model.name!r} take no part in sharing the load, because their law is "
            f"not known here ({shown}); give what they do as loads.",
            BorelliWarning,
            stacklevel=5,
        )
    return PassiveShare(prepared, found)
