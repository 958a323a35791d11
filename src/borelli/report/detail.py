"""How much of a result a page holds: every frame while there is room, else only the frames that are drawn.

What is given up first is what weighs most and is easiest found elsewhere: shares (``shares.parquet`` holds them), then
curves of muscles (``result.nc``), then totals (``totals.csv``), then the number of drawn frames. A table has every
frame or is not offered.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from borelli.records import dataclass

PAGE_BYTES = 3_900_000
"""Bytes for the numbers of a page: three seconds of walking at 100 Hz with 92 muscles are whole."""
# At ten bytes each (`_EXACT`), a tenth of the page.
_MOST_DOUBLES = 40_000
# Bytes a number takes on a page, compressed and in letters: measured on walking and rounded up.
_EXACT = 10.0
_IN_STEPS, _IN_FAR_STEPS = 2.4, 3.2
"""Of every frame, and of frames that lie farther apart."""
_PLACE, _FAR_PLACE = 0.5, 0.9
"""Of a coordinate of a point, likewise."""
# Instants that are drawn where not all are: fewer make a smaller page and coarser curves.
_FRAMES = 240


@dataclass(frozen=True, slots=True)
class Amount:
    """Numbers that a result has for a page in every frame, and how many frames there are."""

    frames: int
    shares: int
    muscles: int
    totals: int
    places: int
    """Coordinates of points in the drawing"""
    peaks: tuple[int, ...]
    """Frames that are drawn whatever else is left out"""


@dataclass(frozen=True, slots=True)
class Detail:
    """What of a result is on a page."""

    whole_shares: bool = True
    whole_muscles: bool = True
    whole_totals: bool = True
    drawn: int = _FRAMES
    """Evenly spaced frames that are drawn, besides peaks"""

    def frames(self, amount: Amount) -> NDArray[np.intp]:
        """Frames to draw: evenly spaced, and the peak of every output, so that thinning hides none."""
        even = np.linspace(0, amount.frames - 1, min(amount.frames, self.drawn)).round().astype(np.intp)
        if amount.frames <= self.drawn:
            return even
        return np.unique(np.concatenate([even, np.array(amount.peaks, dtype=np.intp)]))

    def weight(self, amount: Amount) -> float:
        """Bytes that the numbers take on the page, about."""
        drawn = len(self.frames(amount))
        total = (_PLACE if drawn == amount.frames else _FAR_PLACE) * amount.places * drawn
        total += _EXACT * amount.totals * (amount.frames if self.whole_totals else drawn)
        for each, whole in ((amount.shares, self.whole_shares), (amount.muscles, self.whole_muscles)):
            count = each * (amount.frames if whole else drawn)
            steps = _IN_STEPS if whole or drawn == amount.frames else _IN_FAR_STEPS
            total += count * (_EXACT if is_exact(count, whole) else steps)
        return total


# Given up first is what weighs most and is in the tables of the folder anyway; the drawing thins out last.
_LADDER = (
    Detail(),
    Detail(whole_shares=False),
    Detail(whole_shares=False, whole_muscles=False),
    Detail(whole_shares=False, whole_muscles=False, whole_totals=False),
    Detail(whole_shares=False, whole_muscles=False, whole_totals=False, drawn=_FRAMES // 2),
    Detail(whole_shares=False, whole_muscles=False, whole_totals=False, drawn=_FRAMES // 4),
)


def detail_for(amount: Amount, room: float = PAGE_BYTES) -> Detail:
    """Return the most detail that fits into so many bytes, or the least there is."""
    return next((detail for detail in _LADDER if detail.weight(amount) <= room), _LADDER[-1])


def is_exact(count: int, whole: bool) -> bool:
    """Whether numbers are few enough to have all digits, for tables; else they have seven."""
    return whole and count <= _MOST_DOUBLES
