"""The shares of all outputs of a result as curves in steps, each curve once.

The foot's weight and the push of the ground pass through ankle, knee and hip alike: one curve stands for the share in
each of these forces, with its sign.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from borelli.report.blob import Blob
from borelli.report.steps import exponents_of, largest_of

_BITS = 27
"""Of the largest share of an output. The four digits that a page shows of shares down to a thousandth of it then
change as rarely as in single precision; with three bits less eight times as often, on a page a fifteenth smaller."""
_OWN_BITS = 24
"""Of the largest share of a source, where that is little beside the others: as in single precision."""

_SAME = 2.0**-10
"""Of a step: curves that differ by less are one."""
_SAME_SIZE = 2.0**-26
"""Of a size: curves whose sizes differ by more are not one, which differ by less than 2⁻³³ of it."""


class ShareRows:
    """Collects the shares of outputs; their references are complete once the curves are added to the block."""

    def __init__(self) -> None:
        self._shares: list[NDArray[np.float64]] = []
        self._sources: list[int] = []
        self._references: list[dict[str, Any]] = []

    def add(self, shares: NDArray[np.float64], sources: list[int]) -> dict[str, Any]:
        """Take the shares of an output (n_sources, n_times), and return what will refer to them."""
        self._shares.append(shares)
        self._sources += sources
        reference = {"shape": list(shares.shape), "kind": "d4"}
        self._references.append(reference)
        return reference

    def close(self, blob: Blob) -> None:
        """Add the curves to the block, each once, and tell all references where they are."""
        if not self._sources:
            return
        curves = np.concatenate(self._shares)
        sizes = largest_of(curves)
        exponents = self._finest(exponents_of(sizes))
        first, sign = _firsts(curves, sizes, np.array(self._sources), exponents)
        kept = first == np.arange(len(curves))
        added = blob.add_curves(curves[kept], exponents[kept])
        # Numbered from 1, so that a curve which is turned round can have a negative number.
        rows = (sign * np.cumsum(kept)[first]).tolist()
        start = 0
        for reference in self._references:
            end = start + reference["shape"][0]
            reference.update(rows=rows[start:end], at=added["at"], heads=added["heads"])
            start = end

    def _finest(self, own: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the exponents of the steps of all curves; `own` are those of their sizes."""
        counts = [len(shares) for shares in self._shares]
        ends = np.cumsum(counts)
        largest = [
            own[end - count : end].max(initial=-_BITS) for count, end in zip(counts, ends, strict=True)
        ]
        return np.minimum(np.repeat(largest, counts) - _BITS, own - _OWN_BITS)


def _firsts(
    curves: NDArray[np.float64],
    sizes: NDArray[np.float64],
    sources: NDArray[np.int64],
    exponents: NDArray[np.int64],
) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """Return the first curve that each is but for round-off, and its sign in it; the first gets the finest steps."""
    first, sign = np.arange(len(curves)), np.ones(len(curves), dtype=np.int64)
    order = np.lexsort((sizes, sources))
    size, source = sizes[order], sources[order]
    apart = (np.diff(source) != 0) | (np.diff(size) > _SAME_SIZE * size[1:])
    ends = np.append(np.flatnonzero(apart) + 1, len(order))
    starts = np.append(0, ends[:-1])
    # Most curves have a size that no other share of their source has.
    several = ends - starts > 1
    for start, end in zip(starts[several].tolist(), ends[several].tolist(), strict=True):
        known: list[int] = []
        for place in sorted(order[start:end].tolist()):
            for earlier in known:
                finer = min(exponents[place], exponents[earlier])
                turned = _turned(curves[earlier], curves[place], _SAME * 2.0**finer)
                if turned:
                    first[place], sign[place], exponents[earlier] = earlier, turned, finer
                    break
            else:
                known.append(place)
    return first, sign


def _turned(known: NDArray[np.float64], curve: NDArray[np.float64], least: float) -> int:
    """Return 1 where two curves are one, -1 where one is the other turned round, else 0."""
    for sign in (1, -1):
        # Most that differ do so at their first instant: that saves a look at all others.
        if abs(known[0] - sign * curve[0]) <= least and np.abs(known - sign * curve).max() <= least:
            return sign
    return 0
