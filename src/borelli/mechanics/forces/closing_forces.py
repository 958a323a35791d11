"""Forces of constraints that close loops, from what everything else leaves to them.

The joints of a tree and the constraints of its loops share what the given forces leave of a motion,
r = Gᵀ λ + τ. Where the forces cause the motion, τ is zero and λ exact, and so it is where reserves that are known
bear τ; else τ is what actuators would have to provide, and λ is the one that leaves least to them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from borelli.errors import few, warn
from borelli.kernels.tree.blocks import blocks
from borelli.kernels.tree.node import GROUND
from borelli.mechanics.constraints.loop_forces import held_frames, hold
from borelli.mechanics.constraints.system import ConstraintSystem, constraint_system
from borelli.mechanics.engine import engine
from borelli.mechanics.forces.acting_forces import ActingForces
from borelli.mechanics.forces.tensions import known_curve
from borelli.mechanics.motion.frame_motion import FrameMotion
from borelli.mechanics.motion.ordered_motion import Load
from borelli.mechanics.motion.prepare import Prepared
from borelli.model import Constraint, Model

# Singular values below this part of the largest belong to redundant constraints, which leave round-off.
_REDUNDANT = 1e-10


def tell_of_open_loops(closing: Sequence[str]) -> None:
    """Say that constraints between bodies, if there are any, bear nothing."""
    if closing:
        warn(
            f"constraints between bodies bear nothing here ({few(map(repr, closing), 6)}): generalized forces and "
            "reactions are those of joints that bear all alone. With loops=True (--loops, or loops in a trial file) "
            "each constraint bears its part and is a source of shares, as in OpenSim's JointReaction."
        )


def with_closed_loops(acting: ActingForces, reserves: Mapping[str, Any]) -> ActingForces:
    """Add the forces of constraints between bodies to what acts on them; nothing where no loop is closed.

    Parameters
    ----------
    reserves : mapping of speed to (n_times,) N m or N
        Generalized forces that somebody bears who does not act otherwise: constraints do not bear them.

    Raises
    ------
    UnsupportedError
        If the model keeps a constraint in force as data.
    """
    model = acting.prepared.compiled.model
    if not any(constraint.enforced for constraint in model.constraints) and not model.others:
        return acting
    system = constraint_system(model)
    if not system.loops:
        return acting
    ends = _Ends(acting, system, reserves)
    for part in blocks(len(acting.prepared.q)):
        ends.fill(part)
    return replace(acting, closing=ends.loads())


def unit_holds(prepared: Prepared) -> dict[str, tuple[Load, ...]]:
    """What a multiplier of one does, for every row of the loops: loads on those of its bodies that can move.

    Rows have the names and the order of :func:`constraint_system`, loads all instants of the motion.
    """
    compiled, found = prepared.compiled, {}
    system = constraint_system(compiled.model)
    motion = FrameMotion(compiled.mechanism, prepared.q) if system.loops else None
    for loop in system.loops:
        assert motion is not None
        for name, one in zip(loop.names, np.eye(len(loop.names)), strict=True):
            own = hold(compiled, loop.constraint, motion, np.tile(one, (len(prepared.q), 1)))
            force, moment, *places = (
                prepared.whole(x) for x in (own.force, own.moment, own.at_second, own.at_first)
            )
            found[name] = tuple(
                load
                for load in _action_and_reaction(compiled.model, loop.constraint, force, moment, places)
                if compiled.bodies[load.body].node != GROUND
            )
    return found


def _action_and_reaction(
    model: Model, constraint: Constraint, force: np.ndarray, moment: np.ndarray, places: Sequence[np.ndarray]
) -> tuple[Load, ...]:
    """Loads on the bodies that carry the second frame of a constraint and the first."""
    first, second = (model.place(frame)[0] for frame in held_frames(constraint))
    return tuple(
        Load(constraint.name, body, sign * force, place, sign * moment)
        for body, place, sign in zip((second, first), places, (1.0, -1.0), strict=True)
    )


class _Ends:
    """Both ends of every loop's constraint, filled block by block."""

    def __init__(self, acting: ActingForces, system: ConstraintSystem, reserves: Mapping[str, Any]) -> None:
        self.acting, self.system = acting, system
        prepared = acting.prepared
        self._reserves = [
            (prepared.compiled.speed_index(name), known_curve(name, values, prepared))
            for name, values in reserves.items()
        ]
        # Force, moment, and the two places where the force acts.
        self._table = np.zeros((len(system.loops), 4, len(acting.prepared.q), 3))

    def fill(self, part: slice) -> None:
        prepared = self.acting.prepared
        multiplier = self._multipliers(part)
        motion = FrameMotion(prepared.compiled.mechanism, prepared.q[part])
        start = 0
        for index, loop in enumerate(self.system.loops):
            rows = slice(start, start + len(loop.names))
            start = rows.stop
            own = hold(prepared.compiled, loop.constraint, motion, multiplier[:, rows])
            for row, values in enumerate((own.force, own.moment, own.at_second, own.at_first)):
                self._table[index, row, part] = values

    def _multipliers(self, part: slice) -> np.ndarray:
        """λ of the rows of loops, (n, n_rows); those of couplers and locks are found with them."""
        acting, prepared = self.acting, self.acting.prepared
        q, u, time = prepared.q[part], prepared.u[part], prepared.time[prepared.known][part]
        needed = engine().inverse_dynamics(
            prepared.compiled.mechanism, q, u, prepared.udot[part], acting.from_outside(part)
        )
        left = needed.generalized_force - acting.generalized_force(part)
        for speed, values in self._reserves:
            left[:, speed] -= values[part]
        rows = self.system.rows(q, u, time).jacobian
        across = np.linalg.pinv(np.swapaxes(rows, 1, 2), rcond=_REDUNDANT)
        n_loops = len(self.system.loop_names)
        return np.asarray(np.einsum("nij,nj->ni", across, left)[:, rows.shape[1] - n_loops :])

    def loads(self) -> dict[str, tuple[Load, ...]]:
        """Action and reaction of each constraint, on the bodies that carry its frames."""
        model = self.acting.prepared.compiled.model
        return {
            loop.constraint.name: _action_and_reaction(model, loop.constraint, force, moment, places)
            for loop, (force, moment, *places) in zip(self.system.loops, self._table, strict=True)
        }
