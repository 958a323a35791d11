"""How well shares add up to totals that were found without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

import numpy as np

from borelli.arrays import FARTHEST
from borelli.planar.checks import Array
from borelli.planar.every_instant import Way, compiled
from borelli.records import dataclass


@dataclass(frozen=True, slots=True)
class Gaps:
    """Largest gaps between sums of shares and totals, and the largest shares."""

    torque: float  # N m
    reaction: float  # N
    torque_share: float  # N m
    reaction_share: float  # N

    @classmethod
    def of(cls, torque: Array, torque_share: Array, reaction: Array, reaction_share: Array, way: Way) -> Gaps:
        """Compare totals ([axis,] joint, time) with their shares ([axis,] joint, source, time)."""
        measure = compiled(_in_one_pass) if way is compiled else _at_once
        n_sources, n_times = torque_share.shape[-2:]
        torque_gap, largest_torque = measure(torque_share, torque)
        reaction_gap, largest_reaction = measure(
            reaction_share.reshape(-1, n_sources, n_times), reaction.reshape(-1, n_times)
        )
        return cls(float(torque_gap), float(reaction_gap), float(largest_torque), float(largest_reaction))

    @classmethod
    def largest(cls, gaps: Sequence[Gaps]) -> Gaps:
        """Return the largest of each kind."""
        return cls(*(max(getattr(gap, field.name) for gap in gaps) for field in fields(cls)))

    @property
    def shares_are_plausible(self) -> bool:
        """Whether no share is NaN, infinite or beyond what a body bears."""
        return max(self.torque_share, self.reaction_share) <= FARTHEST and np.isfinite(self.closure)

    @property
    def closure(self) -> float:
        """The larger gap, over the largest share of its kind."""
        return max(_ratio(self.torque, self.torque_share), _ratio(self.reaction, self.reaction_share))


def _at_once(share: Array, total: Array) -> tuple[float, float]:
    """Largest gap of totals (output, time) to sums of shares (output, source, time), and largest share."""
    gap = share.sum(axis=1) - total
    return max(gap.max(), -gap.min()), max(share.max(), -share.min())


def _in_one_pass(share: Array, total: Array) -> tuple[float, float]:
    """As :func:`_at_once`, reading each share once; meant to be compiled."""
    n_outputs, n_sources, n_times = share.shape
    gap, largest_gap, largest_share = np.empty(n_times), np.zeros(n_times), np.zeros(n_times)
    for output in range(n_outputs):
        for t in range(n_times):
            gap[t] = -total[output, t]
        for source in range(n_sources):
            for t in range(n_times):
                gap[t] += share[output, source, t]
                largest_share[t] = np.maximum(largest_share[t], np.abs(share[output, source, t]))
        for t in range(n_times):
            largest_gap[t] = np.maximum(largest_gap[t], np.abs(gap[t]))
    return largest_gap.max(), largest_share.max()


def _ratio(gap: float, largest: float) -> float:
    return gap / largest if largest > 0.0 else gap
