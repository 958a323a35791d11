"""What a force plate reads while nothing stands on it.

An amplifier that was not set to zero adds the same few newtons to every sample. The plate then never reads zero, a
centre of pressure is computed where nobody stands, and every force is wrong by as much. While nothing stands on the
plate it reads one small number for a while, as no foot does: that is looked for.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

MOST_N = 100.0
"""A level further from zero is a load: a child stands on one foot with more."""
TOLD_N = 5.0
"""A level beyond this is told of: half of what makes a centre of pressure."""
_WIDTH_N = 6.0
"""Noise of a plate stays within it."""
_LEAST_SHARE, _LEAST_SAMPLES = 0.05, 20
"""A foot passes through the range between zero and the first load in less of the time."""


class Offset(NamedTuple):
    """The level of an unloaded plate.

    Attributes
    ----------
    rows : (n_times,) bool
        Samples in which nothing stands on the plate.
    normal : float
        Mean force along the normal in them, positive where it would carry a subject (N).
    """

    rows: NDArray[np.bool_]
    normal: float

    @property
    def share(self) -> float:
        """Share of the samples in which nothing stands on the plate."""
        return float(self.rows.mean())


def find_offset(normal: Array) -> Offset | None:
    """Find the samples in which nothing stands on a plate.

    Parameters
    ----------
    normal : (n_times,) float
        Force along the plate's normal, positive where it carries a subject (N).

    Returns
    -------
    Offset or None
        None where the plate is loaded all the time, so that its level is not known.
    """
    small = np.sort(normal[np.abs(normal) <= MOST_N])
    least = max(_LEAST_SAMPLES, int(np.ceil(_LEAST_SHARE * normal.size)))
    if small.size < least:
        return None
    # The narrow band that holds most samples: they are sorted, so each band is a run of them.
    ends = np.searchsorted(small, small + _WIDTH_N, side="right")
    counts = ends - np.arange(small.size)
    first = int(np.argmax(counts))
    if counts[first] < least:
        return None
    level = float(np.median(small[first : ends[first]]))
    rows = np.abs(normal - level) <= _WIDTH_N / 2
    return Offset(rows, float(normal[rows].mean()))
