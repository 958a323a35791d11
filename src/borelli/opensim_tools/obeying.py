"""A motion and the constraints of its model: loops complete what it lacks, and what it violates is refused."""

from __future__ import annotations

import numpy as np

from borelli.analyses.movement.assemble import assemble
from borelli.analyses.movement.constraints import residuals_if_known
from borelli.errors import InvalidValueError, warn
from borelli.io.signals.coupled_coordinates import tolerance
from borelli.model.constraint import CoordinateCoupler
from borelli.model.model import Model
from borelli.model.motion import Motion

_OPEN = 0.01
"""A loop that gapes by this much is not closed: filters and digits leave less than a tenth of it (m or rad)."""


def obeying(model: Model, motion: Motion, allow_violations: bool = False) -> Motion:
    """Return a motion with the coordinates that loops of the model determine and its file lacks.

    Couplers are obeyed, or refused, when a motion is read; this is for constraints between bodies.

    Parameters
    ----------
    motion : Motion
        Of ``load_motion``.
    allow_violations : bool
        Warn of violations instead of refusing them.

    Raises
    ------
    InvalidValueError
        If the motion violates a constraint by more than 0.01 m or rad, naming it and the instant.
    """
    if not any(each.enforced and not isinstance(each, CoordinateCoupler) for each in model.constraints):
        return motion
    lacking = motion.settings.get("at_default", ())
    if lacking:
        known = [index for index, name in enumerate(motion.coordinates) if name not in lacking]
        names = tuple(motion.coordinates[index] for index in known)
        found = assemble(model, Motion(motion.time, names, motion.q[:, known], settings=motion.settings))
        warn(f"computed from the constraints of the model: {', '.join(lacking)}")
        return found
    errors = residuals_if_known(model, motion)
    if errors is None:
        return motion
    size = np.nan_to_num(np.abs(errors["position_error"].values))
    rows = errors.labels("constraint_row").names
    over = size / np.array([_limit(model, row) for row in rows])
    if not over.size or over.max() <= 1.0:
        return motion
    instant, row = np.unravel_index(int(np.argmax(over)), over.shape)
    what = (
        f"The motion violates constraint {rows[int(row)]!r} by {size[instant, row]:.3g} (rad or m) at "
        f"{motion.time[int(instant)]:g} s."
    )
    if not allow_violations:
        raise InvalidValueError(
            what,
            where=str(motion.settings.get("source", "")) or None,
            remedy="check units and model; leave out the columns that constraints determine, which are then computed; "
            "or accept the motion as it is (--allow-violations)",
        )
    warn(what)
    return motion


def _limit(model: Model, row: str) -> float:
    """Largest accepted error of one row (rad or m)."""
    name = row.partition(":")[0]
    own = model.constraints[name] if model.constraints.has(name) else None
    if isinstance(own, CoordinateCoupler):
        return tolerance(model, own.dependent)
    return _OPEN
