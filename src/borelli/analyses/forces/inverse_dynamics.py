"""Which generalized forces does a motion need?"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from borelli.arrays import all_plausible
from borelli.compiled.compile import compile_model
from borelli.kernels.backend import using
from borelli.mechanics.engine import engine
from borelli.mechanics.forces.acting_forces import ActingForces
from borelli.mechanics.motion.axis_rates import has_fictitious_loads
from borelli.mechanics.motion.ordered_motion import Load, Motion
from borelli.mechanics.motion.prepare import Prepared, in_threads, require_threads
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
    loads = tuple(loads)
    at_once = None if passive else _in_one_pass(model, motion, loads, threads)
    prepared, force, is_plausible = at_once or _block_by_block(model, motion, loads, passive, threads)
    return plain_result(
        {"generalized_force": labelled(("time", "coordinate"), prepared.whole(force), FORCE_UNITS)},
        {
            "time": time_axis(prepared.time),
            "coordinate": list(model.speed_names),
            "unit": ("coordinate", force_units(model)),
        },
        {"analysis": "inverse_dynamics", "model": model.name, "citations": [CITATION]},
        looked_at=("generalized_force",) if is_plausible else (),
    )


def _in_one_pass(
    model: Model, motion: Motion, loads: tuple[Load, ...], threads: int
) -> tuple[Prepared, np.ndarray, bool] | None:
    """Compute forces of what nobody looked at yet; None if something in it is no number, or one of no body.

    To look at everything before takes as long as to read it, a third of the whole.
    """
    # Splines look at what they go through.
    if not isinstance(model, Model) or getattr(motion, "udot", None) is None:
        return None
    if has_fictitious_loads(compile_model(model)):
        return None
    acting = ActingForces.of_loads(model, motion, loads, look=False)
    prepared, backend = acting.prepared, engine()
    if not prepared.known.all():
        return None
    # The back end shares the instants among the threads by itself, which write where the result is.
    with using(threads=threads):
        found = backend.inverse_dynamics(
            prepared.compiled.mechanism,
            prepared.q,
            prepared.u,
            prepared.udot,
            acting.on_nodes(slice(None)),
            looked_at=False,
        )
    return (prepared, found.generalized_force, found.is_plausible) if found.given_is_plausible else None


def _block_by_block(
    model: Model, motion: Motion, loads: tuple[Load, ...], passive: bool, threads: int
) -> tuple[Prepared, np.ndarray, bool]:
    """Look at everything, and compute forces of what is known, with all that acts."""
    acting = ActingForces.of_loads(model, motion, loads, threads=threads)
    prepared, backend = acting.prepared, engine()
    if passive:
        acting = _with_passive(acting)
    are_plausible: list[bool] = []

    def work(instants: slice) -> tuple[np.ndarray, ...]:
        q, u, udot = prepared.q[instants], prepared.u[instants], prepared.udot[instants]
        found = backend.inverse_dynamics(prepared.compiled.mechanism, q, u, udot, acting.on_nodes(instants))
        force, on_speeds = found.generalized_force, acting.on_speeds(instants)
        for _, speed, values in on_speeds:
            force[:, speed] -= values
        are_plausible.append(all_plausible(force) if on_speeds else found.is_plausible)
        return (force,)

    # The pull of paths needs scratch for every instant, so that long motions are taken in pieces.
    most = _MANY if acting.tensions.names else prepared.most_at_once
    (force,) = in_threads(len(prepared.q), threads, work, most)
    return prepared, force, all(are_plausible)


def _with_passive(outside: ActingForces) -> ActingForces:
    """External loads, and what acts by itself in a model."""
    model = outside.prepared.compiled.model
    others = any(other.active and other.role == "force" for other in model.others)
    if not (others or any(force.applies_force for force in model.forces)):
        return outside
    # Loaded here, because the kernels of paths take long to load, and most models need none of them.
    from borelli.mechanics.forces.collect_forces import acting_forces

    return acting_forces(outside, {}, passive=True)
