"""Where the shares of a block go: into the columns of their groups, added up on the way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from borelli.compiled.links import Links
from borelli.kernels.tree.algebra import Matrix, Vector, cross, negate, subtract, transposed_times
from borelli.kernels.tree.coordinate_fields import Twist, link_speeds
from borelli.kernels.tree.node_force import Wrench
from borelli.kernels.tree.shares import Share, work_on
from borelli.mechanics.contributions.source_labels import Key, Sources


class BlockOutcome(NamedTuple):
    """What one block adds up to, for generalized forces, reaction forces and reaction moments."""

    sums: tuple[np.ndarray, ...]
    """(…, n): sum over all sources"""
    largest: np.ndarray
    """(3,): size of the largest share"""


class Columns:
    """Column of every source: that of its group."""

    def __init__(self, sources: Sources, groups: Sequence[str]) -> None:
        self.names = list(dict.fromkeys(groups))
        position = {name: index for index, name in enumerate(self.names)}
        self.of_source = {key: position[groups[place]] for key, place in sources.places.items()}
        self.alone = len(self.names) == len(groups)
        """Whether every source has a column of its own."""


class Expression:
    """How the wrench of one link becomes the reaction asked for."""

    def __init__(self, row: int, offset: Vector | None, rotation: Matrix | None, sign: float) -> None:
        self.row, self.offset, self.rotation, self.sign = row, offset, rotation, sign

    def apply(self, wrench: Wrench) -> Wrench:
        """Return the wrench about the point, on the side and in the axes asked for."""
        moment, force = wrench
        if self.offset is not None:
            moment = subtract(moment, cross(self.offset, force))
        if self.sign < 0.0:
            moment, force = negate(moment), negate(force)
        if self.rotation is not None:
            moment, force = transposed_times(self.rotation, moment), transposed_times(self.rotation, force)
        return Wrench(moment, force)


class ShareWriter:
    """Puts shares into the columns of their groups."""

    def __init__(
        self,
        columns: Columns,
        found: Links,
        expressions: dict[int, Expression],
        moving: dict[int, Twist],
        generalized: np.ndarray,
        force: np.ndarray,
        moment: np.ndarray,
    ) -> None:
        self.columns, self.expressions, self.moving = columns, expressions, moving
        self.generalized, self.force, self.moment = generalized, force, moment
        n = generalized.shape[-1]
        self.outcome = BlockOutcome(
            tuple(np.zeros((*out.shape[:-2], n)) for out in (generalized, force, moment)), np.zeros(3)
        )
        self.speeds = [link_speeds(link) for link in found.links]
        self.written: set[tuple[int, int]] = set()
        """Links and columns that hold something already"""

    def write(self, share: Share, wrench: Wrench) -> None:
        """Write one share, settled as a wrench; what a source does on a link may come in several parts."""
        column = self.columns.of_source[share.source]
        first = (share.link, column) not in self.written
        self.written.add((share.link, column))
        for speed in self.speeds[share.link]:
            value = work_on(self.moving[speed], wrench)
            self._put(0, self.generalized[speed, column], (speed,), value, first)
        expression = self.expressions.get(share.link)
        if expression is None:
            return
        row = expression.row
        moment, force = expression.apply(wrench)
        for axis in range(3):
            self._put(1, self.force[row, axis, column], (row, axis), force[axis], first)
            self._put(2, self.moment[row, axis, column], (row, axis), moment[axis], first)

    def add_generalized(self, source: Key, speed: int, value: np.ndarray) -> None:
        """Add to a share in a generalized force what goes with no reaction."""
        out = self.generalized[speed, self.columns.of_source[source]]
        out += value
        self.outcome.sums[0][speed] += value
        self.outcome.largest[0] = max(self.outcome.largest[0], out.max(), -out.min())

    def _put(
        self, kind: int, out: np.ndarray, place: tuple[int, ...], value: np.ndarray | float, first: bool
    ) -> None:
        if isinstance(value, float):
            if value == 0.0:
                return
            value = np.full(out.shape, value)
        if self.columns.alone and first:
            out[...] = value
        else:
            out += value
        self.outcome.sums[kind][place] += value
        # While the numbers are at hand: looking at all shares again would cost as much as making them.
        size = float(max(value.max(), -value.min()))
        self.outcome.largest[kind] = max(self.outcome.largest[kind], size)
