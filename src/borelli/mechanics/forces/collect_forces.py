"""What acts in a motion is collected: what is given, and what acts by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from borelli.errors import warn
from borelli.mechanics.forces.acting_forces import ActingForces
from borelli.mechanics.forces.actuator_loads import actuator_loads, coordinate_forces
from borelli.mechanics.forces.actuators import Straight
from borelli.mechanics.forces.contact_overlap import warn_of_double_contact
from borelli.mechanics.forces.passive_forces import passive_forces_of
from borelli.mechanics.forces.tensions import known_curve, tension_table


def acting_forces(outside: ActingForces, tensions: Mapping[str, Any], passive: bool) -> ActingForces:
    """Collect what acts beside external loads; a given tension takes the place of the one that a path has by itself.

    Among the tensions may be forces of actuators (N or N m).
    """
    prepared, model = outside.prepared, outside.prepared.compiled.model
    given = dict(tensions)
    straight = [name for name in given if model.forces.has(name) and isinstance(model.forces[name], Straight)]
    driven = {name: known_curve(name, given.pop(name), prepared) for name in straight}
    table = tension_table(model, prepared, given)
    own = passive_forces_of(outside) if passive else outside
    warn_of_double_contact(own)
    if own.left_out:
        warn(f"these forces of the model are not evaluated and count as provided: {', '.join(own.left_out)}.")
    return ActingForces(
        prepared,
        table.completed(model, {name: own.tensions[name] for name in own.tensions.names}),
        {**own.generalized, **coordinate_forces(prepared, driven)},
        {**own.loads, **actuator_loads(prepared, driven)},
        driven,
        passive,
        own.left_out,
        outside.external,
    )
