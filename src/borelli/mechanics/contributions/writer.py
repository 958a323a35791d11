"""Where the shares of a block go: into the columns of their groups, added up on the way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from borelli.compiled.links import Links
from borelli.kernels.tree.algebra import Matrix, Vector, cross, negate, subtract, transposed_times
from borelli.kernels.tree.coordinate_fields import Twist, link_speeds
from borelli.kernels.tree.node_force import Wrench
from borelli.kernels.tree.shares import Share, work_on
from borelli.mechanics.contributions.source_labels import Key, Sources

Note = Callable[[np.ndarray, np.ndarray, np.ndarray, bool], float]
"""Writes one share, adds it to the total, and returns its largest size."""
NoteVector = Callable[[tuple[np.ndarray, np.ndarray, np.ndarray], np.ndarray, np.ndarray, bool], float]
"""The same of three components."""


class BlockOutcome(NamedTuple):
    """What one block adds up to, for generalized forces, reaction forces and reaction moments."""

    sums: tuple[np.ndarray, ...]
    """(…, n): sum over all sources"""
    largest: list[float]
    """Size of the largest share"""


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

    def __init__(self, row: int, lever: Vector | None, rotation: Matrix | None, sign: float) -> None:
        self.row, self.lever, self.rotation, self.sign = row, lever, rotation, sign

    def apply(self, wrench: Wrench) -> Wrench:
        """Return the wrench about the point, on the side and in the axes asked for."""
        moment, force = wrench
        if self.lever is not None:
            moment = subtract(moment, cross(self.lever, force))
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
        note: tuple[Note, NoteVector],
    ) -> None:
        self.columns, self.expressions, self.moving = columns, expressions, moving
        self.note, self.note_vector = note
        self.generalized, self.force, self.moment = generalized, force, moment
        n = generalized.shape[-1]
        self.outcome = BlockOutcome(
            tuple(np.zeros((*out.shape[:-2], n)) for out in (generalized, force, moment)), [0.0, 0.0, 0.0]
        )
        self.speeds = [link_speeds(link) for link in found.links]
        self.written: set[tuple[int, int]] = set()
        """Links and columns that hold something already"""

    def write(self, share: Share) -> None:
        """Write one share; what a source does on a link may come in several parts."""
        column = self.columns.of_source[share.source]
        first = (share.link, column) not in self.written
        self.written.add((share.link, column))
        for speed in self.speeds[share.link]:
            value = work_on(self.moving[speed], share.wrench)
            self._put(0, self.generalized[speed, column], (speed,), value, first)
        expression = self.expressions.get(share.link)
        if expression is None:
            return
        row = expression.row
        moment, force = expression.apply(share.wrench)
        self._put_vector(1, self.force[row, :, column], row, force, first)
        self._put_vector(2, self.moment[row, :, column], row, moment, first)

    def add_generalized(self, source: Key, speed: int, value: np.ndarray) -> None:
        """Add to a share in a generalized force what goes with no reaction."""
        out = self.generalized[speed, self.columns.of_source[source]]
        out += value
        self.outcome.sums[0][speed] += value
        self.outcome.largest[0] = max(self.outcome.largest[0], out.max(), -out.min())

    def _put_vector(self, kind: int, out: np.ndarray, row: int, vector: Vector, first: bool) -> None:
        if any(isinstance(value, float) for value in vector):
            for axis in range(3):
                self._put(kind, out[axis], (row, axis), vector[axis], first)
            return
        x, y, z = (np.ascontiguousarray(value) for value in vector)
        alone = self.columns.alone and first
        size = self.note_vector((x, y, z), out, self.outcome.sums[kind][row], alone)
        self.outcome.largest[kind] = max(self.outcome.largest[kind], size)

    def _put(
        self, kind: int, out: np.ndarray, place: tuple[int, ...], value: np.ndarray | float, first: bool
    ) -> None:
        if isinstance(value, float):
            if value == 0.0:
                return
            value = np.full(out.shape, value)
        total = self.outcome.sums[kind][place]
        size = self.note(np.ascontiguousarray(value), out, total, self.columns.alone and first)
        self.outcome.largest[kind] = max(self.outcome.largest[kind], size)


def note_with_numpy(value: np.ndarray, out: np.ndarray, total: np.ndarray, alone: bool) -> float:
    """As the compiled :func:`~borelli.kernels.shares_paths.note_share`, for models that need no compiled kernels."""
    if alone:
        out[...] = value
    else:
        out += value
    total += value
    # While the numbers are at hand: looking at all shares again would cost as much as making them.
    return float(max(value.max(), -value.min()))


def note_vector_with_numpy(
    values: tuple[np.ndarray, np.ndarray, np.ndarray], out: np.ndarray, total: np.ndarray, alone: bool
) -> float:
    """As :func:`note_with_numpy` of three components."""
    largest = 0.0
    for axis in range(3):
        largest = max(largest, note_with_numpy(values[axis], out[axis], total[axis], alone))
    return largest
