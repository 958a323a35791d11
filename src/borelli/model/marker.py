"""Marker: a point of a body that a camera sees."""

from __future__ import annotations

from borelli.model.values import Vector, vector
from borelli.records import dataclass


@dataclass(frozen=True, slots=True)
class Marker:
    """A point fixed to a body or frame.

    Parameters
    ----------
    name : str
        Unique among markers.
    frame : str
        Body or frame that carries it.
    location : 3 numbers
        Position in that frame (m).
    fixed : bool
        Whether scaling must leave it where it is.

    Examples
    --------
    >>> bm.Marker(name="R.Heel", frame="foot_r", location=(-0.05, 0.02, 0.0)).location  # m, in the frame
    (-0.05, 0.02, 0.0)
    """

    name: str
    frame: str
    location: Vector
    fixed: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "location", vector(self.location, f"the location of marker {self.name!r}"))
