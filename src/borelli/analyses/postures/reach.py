"""How far can a coordinate go before the loops that it is part of stop it?"""

from __future__ import annotations

import numpy as np

from borelli.analyses.movement.assemble import assemble
from borelli.errors import UnsolvableError
from borelli.mechanics.constraints.free_speeds import Closure
from borelli.mechanics.constraints.loop_closure import close_loops, require_solved
from borelli.mechanics.constraints.nearest_posture import nearest_posture
from borelli.mechanics.constraints.system import ConstraintSystem, constraint_system
from borelli.mechanics.motion.ordered_motion import Motion
from borelli.model.model import Model
from borelli.records import dataclass

_STEPS = 40
"""Into how many steps the way to each end is cut where nothing stops it."""
_CLOSE = 1e-4
"""The end is known to this part of the whole range."""
_TOLERANCE = 1e-9
"""Largest error of a constraint (m or rad)."""


@dataclass(frozen=True)
class Reach:
    """Postures on the way of a coordinate through its range, those of a loop following continuously.

    Parameters
    ----------
    values : (k,) float
        Ascending (rad or m); the first and the last are as far as it goes.
    q : (k, n_q) float
        Postures that obey the constraints.
    """

    values: np.ndarray
    q: np.ndarray

    def between(self, values: np.ndarray) -> np.ndarray:
        """Postures between those known, (n, n_q): close to the constraints, on the same branch."""
        return np.stack([np.interp(values, self.values, column) for column in self.q.T], axis=1)


def reach(model: Model, coordinate: str, low: float, high: float) -> Reach:
    """Follow a coordinate both ways from where it is when the model is assembled, or from the end next to that.

    Where constraints stop it, its rate has no bound: the last hundredth of the way is left out.

    Raises
    ------
    UnsolvableError
        If even there the constraints cannot be met.
    """
    position = model.coordinate_names.index(coordinate)
    defaults = np.array([[float(part.default_value) for part in model.coordinates]])
    q = assemble(model, Motion(np.zeros(1), model.coordinate_names, defaults)).q[0]
    system = constraint_system(model)
    loop = _Loop(system, Closure.of(system, {coordinate}, {}), position)
    first = loop.posture(q, float(np.clip(q[position], low, high)))
    down = _followed(loop, first, low, _CLOSE * (high - low))
    up = _followed(loop, first, high, _CLOSE * (high - low))
    whole = np.stack([*reversed(down), first, *up])
    return Reach(whole[:, position], whole)


@dataclass(frozen=True)
class _Loop:
    """Constraints that are prepared once for all postures on the way of a coordinate.

    Parameters
    ----------
    position : int
        Of the coordinate in q; it is held while the loops are closed.
    """

    system: ConstraintSystem
    closure: Closure
    position: int

    def posture(self, q: np.ndarray, value: float) -> np.ndarray:
        """Posture next to q in which the coordinate has a value.

        Raises
        ------
        UnsolvableError
            If the constraints cannot be met there.
        """
        wanted, now = q[None].copy(), np.zeros(1)
        wanted[:, self.position] = value
        closed = close_loops(self.system, self.closure, wanted, now, _TOLERANCE)
        # Before a nearer one is looked for: most of what is tried near an end cannot be closed.
        require_solved(self.system, closed, now, np.arange(1), _TOLERANCE)
        found = nearest_posture(self.system, self.closure, closed, wanted, now, _TOLERANCE)
        return np.array(found[0])


def _followed(loop: _Loop, first: np.ndarray, end: float, close: float) -> list[np.ndarray]:
    """Postures from one to the end of the way, or to where it ends: steps that fail are halved."""
    position = loop.position
    found: list[np.ndarray] = []
    here = first
    step = (end - first[position]) / _STEPS
    # What round-off of forty sums leaves of the way.
    while abs(end - here[position]) > 1e-12:
        ahead = here[position] + step
        if (end - ahead) * step <= 0.0:
            ahead = end
        try:
            here = loop.posture(here, ahead)
        except UnsolvableError:
            step *= 0.5
            if abs(step) < close:
                return _short_of_the_end(loop, [first, *found])
            continue
        found.append(here)
    return found


def _short_of_the_end(loop: _Loop, found: list[np.ndarray]) -> list[np.ndarray]:
    """Postures up to a hundredth of the way before the last one, without the first."""
    position = loop.position
    start, end = found[0][position], found[-1][position]
    last = start + 0.99 * (end - start)
    kept = [q for q in found[1:] if (last - q[position]) * (end - start) > 0.0]
    if last == start:
        return []
    return [*kept, loop.posture([found[0], *kept][-1], last)]
