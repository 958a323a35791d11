"""The motion of an AnalyzeTool as OpenSim assembles it: constraints are obeyed before anything is analysed."""

from __future__ import annotations

import dataclasses
import warnings

import numpy as np

from borelli.analyses.assemble import assemble
from borelli.errors import BorelliWarning
from borelli.io.coupled_coordinates import coupled_value, couplers_of
from borelli.model.constraint import CoordinateCoupler
from borelli.model.model import Model
from borelli.model.motion import Motion


def assembled_motion(model: Model, motion: Motion, from_states: bool) -> Motion:
    """Return a motion whose coordinates obey the constraints of the model, with the speeds that it had.

    OpenSim moves coordinates alone, and leaves the speeds that a coordinate's own column gave it: none where the
    file lacks the coordinate. A coordinate that a coordinates_file lacks and no constraint determines is at zero
    there, whatever its default.

    Parameters
    ----------
    motion : Motion
        Of ``load_motion``, with all coordinates of the model.
    from_states : bool
        Whether it comes from a states file, where defaults count.
    """
    names = motion.coordinates
    q, rates = motion.q.copy(), [None if x is None else x.copy() for x in (motion.u, motion.udot)]
    if not from_states:
        absent = [name for name in motion.settings.get("at_default", ()) if not _held(model, name)]
        q[:, [names.index(name) for name in absent]] = 0.0
        moved = [name for name in absent if model.coordinates[name].default_value != 0.0]
        if moved:
            warnings.warn(
                f"not in the coordinates_file, so set to zero, as in OpenSim's AnalyzeTool: {', '.join(moved)}",
                BorelliWarning,
                stacklevel=2,
            )
        for name in motion.settings.get("from_couplers", ()):
            for table in rates:
                if table is not None and motion.speeds is not None and name in motion.speeds:
                    table[:, motion.speeds.index(name)] = 0.0
    for coupler in couplers_of(model):
        index = names.index(coupler.dependent)
        values = {name: q[:, names.index(name)] for name in coupler.independent}
        q[:, index] = coupled_value(coupler, values)
    found = dataclasses.replace(motion, q=q, u=rates[0], udot=rates[1])
    if not any(each.enforced and not isinstance(each, CoordinateCoupler) for each in model.constraints):
        return found
    return dataclasses.replace(found, q=np.asarray(assemble(model, found).q))


def _held(model: Model, name: str) -> bool:
    coordinate = model.coordinates[name]
    return bool(coordinate.locked or coordinate.prescribed)
