"""Frame: a named frame fixed to a body or to another frame."""

from __future__ import annotations

from dataclasses import dataclass, field

from borelli.model.placement import Placement


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
    """

    name: str
    parent: str
    placement: Placement = field(default_factory=Placement)
    geometry: tuple[str, ...] = ()
