"""Shares of what acts between two bodies: it loads the joints between them, and no others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from borelli.compiled.compile import CompiledModel
from borelli.compiled.links import Links
from borelli.kernels.tree.algebra import ZERO
from borelli.kernels.tree.blocks import vector_columns
from borelli.kernels.tree.link_states import LinkState
from borelli.kernels.tree.node import GROUND
from borelli.kernels.tree.node_force import Wrench
from borelli.kernels.tree.shares import Share, load_shares
from borelli.mechanics.contributions.source_labels import CONSTRAINT, OTHER, Key
from borelli.mechanics.forces.acting_forces import ActingForces, action_and_reaction
from borelli.mechanics.motion.ordered_motion import Load

_ROUND_OFF = 16.0 * float(np.finfo(float).eps)
"""Of a moment, against force times distance: a rod turns nothing, but for this."""


class _Between(NamedTuple):
    """What acts on one body or two in a block of instants, the second body first."""

    pair: tuple[Load, ...]
    block: slice
    links: tuple[int | None, ...]
    """That the loads of the pair act on; None for the ground"""
    shared: frozenset[int]
    """Links that carry both bodies"""

    @classmethod
    def of(cls, pair: tuple[Load, ...], block: slice, compiled: CompiledModel, found: Links) -> _Between:
        nodes = [compiled.bodies[load.body].node for load in pair]
        links = tuple(None if node == GROUND else found.holding(node) for node in nodes)
        lines = [set() if link is None else {link, *found.tree.ancestors[link]} for link in links]
        return cls(
            pair,
            block,
            links,
            frozenset.intersection(*map(frozenset, lines)) if len(lines) > 1 else frozenset(),
        )

    def shares(self, found: Links, states: Sequence[LinkState], key: Key) -> Iterator[Share]:
        """Shares in the joints between the two."""
        for load, link in zip(self.pair, self.links, strict=True):
            if link is None:
                continue
            parts = (vector_columns(part[self.block]) for part in (load.force, load.point, load.moment))
            for share in load_shares(found.tree, states, link, key, *parts):
                if share.link not in self.shared:
                    yield share

    def gap_shares(self, key: Key) -> Iterator[Share]:
        """Shares of the couple that a constraint exerts where the motion leaves its loop open.

        Its forces then act at two places, apart by the gap, and joints that carry both bodies bear the couple.
        """
        if not self.shared:
            return
        (force, point), (_, other) = ((load.force[self.block], load.point[self.block]) for load in self.pair)
        couple = np.cross(point - other, force)
        size = np.abs(force).max() * max(np.abs(point).max(), np.abs(other).max())
        if np.abs(couple).max() <= _ROUND_OFF * size:
            return
        needed = Wrench(vector_columns(-couple), ZERO)
        for link in self.shared:
            yield Share(link, key, needed)


def inner_load_shares(
    acting: ActingForces, found: Links, states: Sequence[LinkState], block: slice
) -> Iterator[Share]:
    """Shares of bushings, contact, actuators and constraints that close loops, pair by pair."""
    compiled = acting.prepared.compiled
    for name, several in acting.loads.items():
        for pair in action_and_reaction(several):
            yield from _Between.of(pair, block, compiled, found).shares(found, states, (OTHER, name))
    for name, pair in acting.closing.items():
        between, key = _Between.of(pair, block, compiled, found), (CONSTRAINT, name)
        yield from between.shares(found, states, key)
        yield from between.gap_shares(key)
