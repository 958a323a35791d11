"""Which generalized forces does a motion need?"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import xarray as xr

from borelli.mechanics.engine import engine
from borelli.mechanics.motion.ordered_motion import Load, Motion
from borelli.mechanics.motion.prepare import in_threads, prepare
from borelli.model.force_units import FORCE_UNITS, force_units
from borelli.model.model import Model
from borelli.results.dataset import labelled, time_axis

CITATION = "Luh JYS, Walker MW, Paul RPC (1980) On-line computational scheme for mechanical manipulators."


def inverse_dynamics(
    model: Model, motion: Motion, loads: Iterable[Load] = (), *, threads: int = 1
) -> xr.Dataset:
    """Generalized forces that produce a motion against gravity and external loads.

    tau = M(q) udot + c(q, u) + g(q) - J(q)^T (loads). Constraints and locks are ignored: each coordinate is
    taken as it moves.

    Parameters
    ----------
    model : Model
    motion : Motion
    loads : iterable of Load
        In ground axes; brought to the instants of the motion.
    threads : int
        Threads to compute with; the result does not depend on it.

    Returns
    -------
    Dataset
        ``generalized_force`` (time, coordinate), conjugate to the speeds u; the coordinate ``unit`` says N m
        or N for each.

    Guarantees, each a test
    -----------------------
    - zero for a model in free fall
    - ``forward_dynamics`` of the result gives back the accelerations
    - force times speed is the growth of energy less the power of the loads
    """
    prepared = prepare(model, motion, loads)
    mechanism, backend = prepared.compiled.mechanism, engine()

    def work(frames: slice) -> tuple[np.ndarray, ...]:
        q, u, udot = prepared.q[frames], prepared.u[frames], prepared.udot[frames]
        loads_here = prepared.loads_in(frames)
        return (backend.inverse_dynamics(mechanism, q, u, udot, loads_here).generalized_force,)

    (force,) = in_threads(len(prepared.q), threads, work, prepared.most_at_once)
    return xr.Dataset(
        {"generalized_force": labelled(("time", "coordinate"), prepared.whole(force), FORCE_UNITS)},
        {
            "time": time_axis(prepared.time),
            "coordinate": list(model.speed_names),
            "unit": ("coordinate", force_units(model)),
        },
        {"analysis": "inverse_dynamics", "model": model.name, "citations": [CITATION]},
    )
