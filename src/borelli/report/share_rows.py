"""The shares of all outputs of a result as curves in steps, each curve once.

The foot's weight and the push of the ground pass through ankle, knee and hip alike: one curve stands for the share in
each of these forces, with its sign.
"""

from __future__ import annotations

import math
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
_SIZES = 2**30
"""Sizes of curves told apart within a power of two: a step has less than a sixteenth of that, so that curves which are
one lie in the same of these parts or in the next."""


class ShareRows:
    """Collects the shares of outputs; their references are complete once the curves are added to the block."""

    def __init__(self) -> None:
        self._curves: list[NDArray[np.float64]] = []
        self._firsts: list[float] = []
        self._exponents: list[int] = []
        self._of: dict[tuple[int, int, int], list[int]] = {}
        self._references: list[dict[str, Any]] = []

    def add(self, shares: NDArray[np.float64], sources: list[int]) -> dict[str, Any]:
        """Take the shares of an output (n_sources, n_times), and return what will refer to them."""
        sizes = largest_of(shares)
        own = exponents_of(sizes)
        finest = np.minimum(own.max(initial=-_BITS) - _BITS, own - _OWN_BITS)
        rows = [
            self._place(*each)
            for each in zip(
                shares, shares[:, 0].tolist(), sizes.tolist(), sources, finest.tolist(), strict=True
            )
        ]
        reference = {"shape": list(shares.shape), "kind": "d4", "rows": rows}
        self._references.append(reference)
        return reference

    def _place(
        self, curve: NDArray[np.float64], first: float, size: float, source: int, exponent: int
    ) -> int:
        """Number of a curve from 1, negative where it is turned round; of one that is there but for round-off."""
        part, power = math.frexp(size)
        whole = round(part * _SIZES)
        # Curves of different size are not the same: hardly any has to be looked at.
        for nearby in (whole, whole - 1, whole + 1):
            for place in self._of.get((source, power, nearby), ()):
                finer = min(exponent, self._exponents[place])
                least = _SAME * 2.0**finer
                for sign in (1, -1):
                    # Most that differ do so at their first instant: that saves a look at all others.
                    if abs(self._firsts[place] - sign * first) > least:
                        continue
                    known = self._curves[place]
                    if np.abs(known - curve if sign > 0 else known + curve).max() <= least:
                        self._exponents[place] = finer
                        return sign * (place + 1)
        self._of.setdefault((source, power, whole), []).append(len(self._curves))
        self._curves.append(curve)
        self._firsts.append(first)
        self._exponents.append(exponent)
        return len(self._curves)

    def close(self, blob: Blob) -> None:
        """Add the curves to the block, and tell all references where they are."""
        if self._curves:
            added = blob.add_curves(np.array(self._curves), np.array(self._exponents))
            for reference in self._references:
                reference.update(at=added["at"], heads=added["heads"])
