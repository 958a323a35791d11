"""What every analysis does first: put a motion and its loads in the order of a compiled model.

Instants in which something is NaN are left out of the computation; results are NaN there and nowhere else, and
one warning counts them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from threading import Lock

import numpy as np

from borelli.arrays import all_plausible
from borelli.compiled.compile import CompiledModel, compile_model
from borelli.errors import InvalidValueError, UnknownNameError, warn
from borelli.kernels.backend import NodeLoad
from borelli.kernels.side_by_side import side_by_side
from borelli.kernels.tree.blocks import BLOCK
from borelli.kernels.tree.node import GROUND
from borelli.mechanics.motion.axis_rates import fictitious_loads, has_fictitious_loads
from borelli.mechanics.motion.ordered_motion import Load, Motion, States, positions, states
from borelli.model.load import load_at
from borelli.model.model import Model
from borelli.records import dataclass

# Loads that stand for OpenSim's angular accelerations are made for so many instants at a time: memory stays bounded.
_MANY = 8 * BLOCK
_MOST_THREADS = 1024


@dataclass(frozen=True)
class Prepared:
    """A motion ready to be computed with; ``q``, ``u`` and ``udot`` hold the known instants only."""

    compiled: CompiledModel
    time: np.ndarray
    known: np.ndarray
    """(n_times,) bool: instants without NaN"""
    q: np.ndarray
    u: np.ndarray
    udot: np.ndarray

    @property
    def most_at_once(self) -> int | None:
        """Most instants to take at a time where loads are made on the way; None for any number."""
        return _MANY if has_fictitious_loads(self.compiled) else None

    def fictitious_in(self, instants: slice) -> tuple[NodeLoad, ...]:
        """Loads that stand for OpenSim's angular accelerations, in some of the known instants."""
        return tuple(fictitious_loads(self.compiled, self.q[instants], self.u[instants]))

    def whole(self, values: np.ndarray) -> np.ndarray:
        """Put the known instants back among all instants, NaN elsewhere."""
        if self.known.all():
            return values
        everything = np.full((self.known.size, *values.shape[1:]), np.nan)
        everything[self.known] = values
        return everything


def prepare_postures(model: Model, motion: Motion) -> Prepared:
    """Prepare what needs coordinates alone."""
    q = positions(model, motion)
    still = np.zeros((len(q), len(model.speed_names)))
    return _prepared(compile_model(model), States(motion.time, q, still, still))[0]


def prepare(model: Model, motion: Motion, threads: int = 1) -> Prepared:
    """Prepare coordinates, speeds and accelerations of a motion that nothing from outside acts on."""
    return _prepared(compile_model(model), states(model, motion, threads))[0]


def prepare_with_loads(
    model: Model,
    motion: Motion,
    loads: Iterable[Load],
    *,
    merge_welds: bool = True,
    threads: int = 1,
    look: bool = True,
) -> tuple[Prepared, tuple[NodeLoad, ...]]:
    """Prepare a motion and what acts on it from outside: an instant is known where all of it is.

    So many threads look for numbers that no body has. If ``look`` is false, the caller does, in all that it gets; and
    nobody is told of instants that are not known.
    :meth:`borelli.mechanics.forces.acting_forces.ActingForces.of_loads` keeps both together.

    Raises
    ------
    UnknownNameError
        If a load acts on a body that the model does not have.
    InvalidValueError
        If a load is NaN at every instant.
    """
    own, compiled = states(model, motion, threads, look=look), compile_model(model, merge_welds)

    def at_instants(load: Load) -> tuple[Load, bool]:
        # Nobody gets what the ground bears.
        is_borne = compiled.bodies[_on_a_body(model, load).body].node == GROUND
        return load_at(load, own.time, look or is_borne)

    return _prepared(compiled, own, [at_instants(load) for load in loads], tell=look)


def _on_a_body(model: Model, load: Load) -> Load:
    if load.body not in ("ground", *model.body_names):
        raise UnknownNameError.among(
            load.body, "body", model.body_names, of=f"model {model.name!r}", where=f"load {load.name!r}"
        )
    return load


def _prepared(
    compiled: CompiledModel,
    own: States,
    at_instants: Sequence[tuple[Load, bool]] = (),
    *,
    tell: bool = True,
) -> tuple[Prepared, tuple[NodeLoad, ...]]:
    loads = [load for load, _ in at_instants]
    # What is known to be numbers needs no second look.
    parts = [] if own.are_known else [own.q, own.u, own.udot]
    for load, is_known in at_instants:
        parts += [] if is_known else [load.force, load.point, load.moment]
    known = _known_instants(parts, own.time.size)
    rows: slice | np.ndarray = slice(None) if known.all() else known
    if tell:
        warn_of_unknown(own.time, [known])
    on_nodes = []
    for load in loads:
        node = compiled.bodies[load.body].node
        # The ground bears any load without moving.
        if node != GROUND:
            on_nodes.append(NodeLoad(node, load.force[rows], load.point[rows], load.moment[rows]))
    prepared = Prepared(compiled, own.time, known, own.q[rows], own.u[rows], own.udot[rows])
    return prepared, tuple(on_nodes)


def warn_of_unknown(time: np.ndarray, parts: list[np.ndarray]) -> None:
    """Count, in one warning, the instants in which something that was given is NaN.

    Parameters
    ----------
    time : (n_times,) float
        s.
    parts : list of (n_times, …) float, or of (n_times,) bool
        What was given; or whether it is known.
    """
    known = np.ones(len(time), dtype=bool)
    for part in parts:
        here = part if part.dtype == bool else np.isfinite(part)
        known &= here.reshape(len(time), -1).all(axis=1)
    if known.all():
        return
    first = float(time[int(np.argmin(known))])
    warn(
        f"{int((~known).sum())} of {known.size} instants contain NaN (the first at {first:g} s): "
        "the results are NaN in these instants."
    )


def _known_instants(parts: list[np.ndarray], n_instants: int) -> np.ndarray:
    """Return the instants in which no part is NaN, (n_instants,) bool."""
    known = np.ones(n_instants, dtype=bool)
    for part in parts:
        if not all_plausible(part):
            known &= np.isfinite(part).all(axis=1)
    return known


def require_threads(threads: int) -> None:
    """Refuse to work in no thread, or in more than any computer has."""
    if threads < 1:
        raise InvalidValueError(f"threads must be at least 1, but is {threads}.")
    if threads > _MOST_THREADS:
        raise InvalidValueError(f"threads must be at most {_MOST_THREADS}, but is {str(threads)[:20]}.")


def in_threads(
    n_instants: int,
    threads: int,
    work: Callable[[slice], tuple[np.ndarray, ...]],
    most_at_once: int | None = None,
) -> tuple[np.ndarray, ...]:
    """Compute pieces of the instants side by side and put their results together.

    The pieces meet at borders of the kernels' blocks, so the outcome does not depend on their number.

    Parameters
    ----------
    work : function of a slice of instants
        Returns arrays whose first axis is that of the instants.
    most_at_once : int, optional
        Most instants in a piece, where the work needs scratch for every instant.
    """
    require_threads(threads)
    n_blocks = -(-n_instants // BLOCK)
    pieces = min(threads, n_blocks)
    if most_at_once is not None:
        pieces = max(pieces, -(-n_instants // most_at_once))
    if pieces <= 1:
        return work(slice(0, n_instants))
    borders = [BLOCK * (n_blocks * piece // pieces) for piece in range(pieces)] + [n_instants]
    whole: list[tuple[np.ndarray, ...]] = []
    one_at_a_time = Lock()

    def copied(instants: slice) -> None:
        parts = work(instants)
        with one_at_a_time:
            if not whole:
                whole.append(tuple(np.empty((n_instants, *part.shape[1:]), part.dtype) for part in parts))
        for out, part in zip(whole[0], parts, strict=True):
            out[instants] = part

    side_by_side(copied, [slice(*ends) for ends in pairwise(borders)], threads)
    return whole[0]
