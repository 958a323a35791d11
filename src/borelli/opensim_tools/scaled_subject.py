"""What comes of scaling: the model of a subject, how it was measured, and what was written."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from borelli.analyses.recordings.scale_factors import ScaleFactors
from borelli.model import Model

if TYPE_CHECKING:
    from borelli.analyses.recordings.place_markers import PlacedMarkers


@dataclass
class ScaledSubject:
    """The model of a subject.

    Attributes
    ----------
    model : Model
        Scaled, and with its markers placed where that was asked for.
    factors : ScaleFactors
        By body.
    placed : PlacedMarkers or None
        How far markers were from where they were seen, and how far they were moved.
    written : list of Path
        Files.
    notes : list of str
        What is worth knowing beside: how far the markers are that the output had before, of OpenSim for instance.

    Examples
    --------
    >>> tall = bo.make_subject(walk.model, out="tall.osim", factors={"femur_r": (1.05, 1.05, 1.05)})
    >>> tall.model.name
    'borelli_walk'
    """

    model: Model
    factors: ScaleFactors
    placed: PlacedMarkers | None = None
    written: list[Path] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
