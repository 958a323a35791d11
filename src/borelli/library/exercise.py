"""An exercise: a chain, how it moves, and what it works against."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from borelli import planar
from borelli.records import dataclass

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True, slots=True)
class Exercise:
    """A chain with its motion and its loads, ready to be analysed, saved or changed with ``dataclasses.replace``.

    Parameters
    ----------
    chain : planar.Chain
        Who does it.
    motion : planar.Motion
        How.
    contacts : tuple of planar.Contact
        Outside forces that are given.
    equipment : tuple of planar.Equipment
        Weights, bands, cables and springs.

    Examples
    --------
    >>> lift = bo.library.box_lift(box_kg=10.0)
    >>> isinstance(lift, bo.library.Exercise), lift.chain.n_links
    (True, 6)
    """

    chain: planar.Chain
    motion: planar.Motion
    contacts: tuple[planar.Contact, ...] = ()
    equipment: tuple[planar.Equipment, ...] = ()

    @property
    def loads(self) -> dict[str, Any]:
        """Contacts and equipment, as the analyses take them."""
        return {"contacts": self.contacts, "equipment": self.equipment}

    def analyze(self, tensions: Mapping[str, ArrayLike] | None = None, **options: Any) -> xr.Dataset:
        """Analyse the exercise; options as of :func:`borelli.planar.analyze`."""
        return planar.analyze(self.chain, self.motion, **self.loads, tensions=tensions, **options)
