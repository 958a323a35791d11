"""How much each frame of a model is stretched.

A body is scaled by three factors along its own axes: p → S p. Everything fixed to it is given in some frame, whose
axes may be turned against the body's by R; there the same stretch is A = Rᵀ S R. OpenSim leaves R out (its issues
4319 and 4327): it multiplies by the body's factors along the axes of whatever frame a vector happens to be given in.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from borelli.model import Model, Placement

Array = NDArray[np.float64]
Three = tuple[float, float, float]


class Stretch:
    """The factors of every body, seen from any frame.

    Parameters
    ----------
    model : Model
        Before scaling.
    factors : mapping of str to (3,) float
        By body, or ``"ground"``; bodies that are left out keep their size.
    as_opensim : bool
        Along the axes of the frame that carries a part, instead of those of its body.

    Attributes
    ----------
    notes : list of str
        Where the result is not the exact affine image of the part.
    """

    def __init__(self, model: Model, factors: Mapping[str, Array], as_opensim: bool) -> None:
        self.model = model
        self.as_opensim = as_opensim
        self.factors = {name: np.asarray(each, float) for name, each in factors.items()}
        self.notes: list[str] = []
        self._maps: dict[str, Array] = {}
        self._one = np.ones(3)

    def of_body(self, name: str) -> Array:
        """Return the factors (3,) of the body that carries a frame."""
        return self.factors.get(self.model.place(name)[0], self._one)

    def matrix(self, frame: str, inner: Placement | None = None) -> Array:
        """Return the stretch (3, 3) in the axes of a frame, or of what is placed in it."""
        if inner is None and frame in self._maps:
            return self._maps[frame]
        body, place = self.model.place(frame, inner)
        factors = self.factors.get(body, self._one)
        if self.as_opensim:
            found: Array = np.diag(factors)
        else:
            turn = np.array(place.rotation, float)
            found = turn.T @ (factors[:, None] * turn)
        if inner is None:
            self._maps[frame] = found
        return found

    def vector(self, frame: str, vector: object) -> Three:
        """Return a position or direction that is given in a frame, stretched with its body."""
        return _three(self.matrix(frame) @ np.array(vector, float))

    def placement(self, frame: str, place: Placement) -> Placement:
        """Return where something sits in a frame: its origin moves with the body, its axes stay."""
        return Placement(self.vector(frame, place.translation), place.rotation)

    def lengths(self, frame: str, inner: Placement) -> Array:
        """Return how much unit vectors along the axes of something placed in a frame are stretched, (3,)."""
        turn = np.array(inner.rotation, float)
        if not self.as_opensim:
            turn = np.array(self.model.place(frame, inner)[1].rotation, float)
        stretched: Array = np.linalg.norm(self.of_body(frame)[:, None] * turn, axis=0)
        return stretched


def _three(values: Array) -> Three:
    x, y, z = values.tolist()
    return (x, y, z)
