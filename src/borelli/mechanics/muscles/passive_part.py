"""What springs, ligaments, stops and bushings bear of the load, before muscles balance the rest."""

from __future__ import annotations

from borelli.errors import few, warn
from borelli.mechanics.forces.acting_forces import ActingForces
from borelli.mechanics.forces.contact_overlap import warn_of_double_contact
from borelli.mechanics.forces.passive_forces import left_out, passive_forces_of


def with_passive_part(outside: ActingForces, wanted: bool) -> ActingForces:
    """Add what acts by itself, unless it is not wanted; warn of what acts and is not evaluated."""
    model = outside.prepared.compiled.model
    found = passive_forces_of(outside) if wanted else outside
    warn_of_double_contact(found)
    ignored = left_out(model)
    if ignored:
        shown = few(map(repr, ignored), 5)
        warn(
            f"{len(ignored)} forces of model {model.name!r} take no part in static optimization, because their law is "
            f"not known here ({shown}); give what they do as loads."
        )
    return found
