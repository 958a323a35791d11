"""How far can a coordinate go before the loops that it is part of stop it?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from borelli.analyses.assemble import assemble
from borelli.errors import UnsolvableError
from borelli.mechanics.motion.ordered_motion import Motion
from borelli.model.model import Model

_STEPS = 40
"""Into how many steps the way to each end is cut where nothing stops it."""
_CLOSE = 1e-4
"""The end is known to this part of the whole range."""


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
    first = _posture(model, position, q, float(np.clip(q[position], low, high)))
    down = _followed(model, position, first, low, _CLOSE * (high - low))
    up = _followed(model, position, first, high, _CLOSE * (high - low))
    whole = np.stack([*reversed(down), first, *up])
    return Reach(whole[:, position], whole)


def _posture(model: Model, position: int, q: np.ndarray, value: float) -> np.ndarray:
    """Posture next to q in which the coordinate has a value."""
    name, wanted = model.coordinate_names[position], q.copy()
    wanted[position] = value
    motion = Motion(np.zeros(1), model.coordinate_names, wanted[None])
    return np.array(assemble(model, motion, hold=(name,)).q[0])


def _followed(model: Model, position: int, first: np.ndarray, end: float, close: float) -> list[np.ndarray]:
    """Postures from one to the end of the way, or to where it ends: steps that fail are halved."""
    found: list[np.ndarray] = []
    here = first
    step = (end - first[position]) / _STEPS
    # What round-off of forty sums leaves of the way.
    while abs(end - here[position]) > 1e-12:
        ahead = here[position] + step
        if (end - ahead) * step <= 0.0:
            ahead = end
        try:
            here = _posture(model, position, here, ahead)
        except UnsolvableError:
            step *= 0.5
            if abs(step) < close:
                return _short_of_the_end(model, position, [first, *found])
            continue
        found.append(here)
    return found


def _short_of_the_end(model: Model, position: int, found: list[np.ndarray]) -> list[np.ndarray]:
    """Postures up to a hundredth of the way before the last one, without the first."""
    start, end = found[0][position], found[-1][position]
    last = start + 0.99 * (end - start)
    kept = [q for q in found[1:] if (last - q[position]) * (end - start) > 0.0]
    if last == start:
        return []
    return [*kept, _posture(model, position, [found[0], *kept][-1], last)]
