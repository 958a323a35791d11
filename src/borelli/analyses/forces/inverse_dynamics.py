"""Which generalized forces does a motion need?"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from borelli.arrays import all_plausible
from borelli.kernels.backend import using
from borelli.mechanics.engine import engine
from borelli.mechanics.forces.acting_forces import ActingForces
from borelli.mechanics.motion.ordered_motion import Load, Motion
from borelli.mechanics.motion.prepare import in_threads, require_threads
from borelli.model.force_units import FORCE_UNITS, force_units
from borelli.model.model import Model
from borelli.results.labelled.dataset import labelled, time_axis
from borelli.results.labelled.plain_result import PlainResult, plain_result
from borelli.results.labelled.returns_dataset import returns_dataset

_MANY = 8192
"""Most instants to find the pull of paths for at a time."""
CITATION = "Luh JYS, Walker MW, Paul RPC (1980) On-line computational scheme for mechanical manipulators."


@returns_dataset
def inverse_dynamics(
    model: Model,
    motion: Motion,
    loads: Iterable[Load] = (),
    *,
    passive: bool = False,
    threads: int = 1,
) -> PlainResult:
    """Generalized forces that produce a motion against gravity and external loads.

    tau = M(q) udot + c(q, u) + g(q) - J(q)^T (loads). Constraints and locks are ignored: each coordinate is
    taken as it moves.

    Parameters
    ----------
    model : Model
    motion : Motion
    loads : iterable of Load
        In ground axes; brought to the instants of the motion.
    passive : bool
        Take out as well what the springs, ligaments, stops and bushings of the model do by themselves.
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

    Examples
    --------
    >>> forces = bo.inverse_dynamics(model, motion, loads)["generalized_force"]
    >>> forces.dims
    ('time', 'coordinate')
    >>> float(forces.sel(coordinate="ankle_angle_r").min().round(-1))  # N m, at push-off
    -100.0
    """
    require_threads(threads)
    acting = ActingForces.of_loads(model, motion, loads, threads=threads)
    prepared, backend = acting.prepared, engine()
    mechanism = prepared.compiled.mechanism
    if passive:
        acting = _with_passive(acting)

    are_plausible: list[bool] = []

    def work(instants: slice) -> tuple[np.ndarray, ...]:
        q, u, udot = prepared.q[instants], prepared.u[instants], prepared.udot[instants]
        found = backend.inverse_dynamics(mechanism, q, u, udot, acting.on_nodes(instants))
        force, on_speeds = found.generalized_force, acting.on_speeds(instants)
        for _, speed, values in on_speeds:
            force[:, speed] -= values
        are_plausible.append(all_plausible(force) if on_speeds else found.is_plausible)
        return (force,)

    # The pull of paths needs scratch for every instant, so that long motions are taken in pieces.
    most = _MANY if acting.tensions.names else prepared.most_at_once
    if most is None:
        # The back end shares them among the threads by itself, which write where the result is.
        with using(threads=threads):
            (force,) = work(slice(0, len(prepared.q)))
    else:
        (force,) = in_threads(len(prepared.q), threads, work, most)
    return plain_result(
        {"generalized_force": labelled(("time", "coordinate"), prepared.whole(force), FORCE_UNITS)},
        {
            "time": time_axis(prepared.time),
            "coordinate": list(model.speed_names),
            "unit": ("coordinate", force_units(model)),
        },
        {"analysis": "inverse_dynamics", "model": model.name, "citations": [CITATION]},
        looked_at=("generalized_force",) if all(are_plausible) else (),
    )


def _with_passive(outside: ActingForces) -> ActingForces:
    """External loads, and what acts by itself in a model."""
    model = outside.prepared.compiled.model
    others = any(other.active and other.role == "force" for other in model.others)
    if not (others or any(force.applies_force for force in model.forces)):
        return outside
    # Loaded here, because the kernels of paths take long to load, and most models need none of them.
    from borelli.mechanics.forces.collect_forces import acting_forces

    return acting_forces(outside, {}, passive=True)
