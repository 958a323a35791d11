"""Frame: a named frame fixed to a body or to another frame."""

from __future__ import annotations

from dataclasses import field

from borelli.model.body import geometry_scales
from borelli.model.placement import Placement
from borelli.model.values import Vector
from borelli.records import dataclass


@dataclass(frozen=True, slots=True)
class Frame:
    """A named frame fixed to a body, directly or through other frames to any depth.

    Parameters
    ----------
    name : str
        Unique among bodies and frames.
    parent : str
        Body or frame that carries it; ``"ground"`` is a body.
    placement : Placement
        Where it sits in the parent.
    geometry : tuple of str
        Files that are shown at it; kept, never loaded.
    geometry_scale : tuple of 3 numbers
        How much each file is stretched along the frame's axes when shown; empty where none is.

    Examples
    --------
    >>> plate = bm.Frame(name="plate", parent="ground", placement=bm.Placement(translation=(0.5, 0.0, 0.0)))
    >>> plate.placement.of_point((0.1, 0.0, 0.0))
    (0.6, 0.0, 0.0)
    """

    name: str
    parent: str
    placement: Placement = field(default_factory=Placement)
    geometry: tuple[str, ...] = ()
    geometry_scale: tuple[Vector, ...] = ()

    def __post_init__(self) -> None:
        scales = geometry_scales(tuple(self.geometry), self.geometry_scale, f"frame {self.name!r}")
        object.__setattr__(self, "geometry_scale", scales)
