"""The shares of a block by one call of a compiled kernel, into the columns of their groups."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from borelli.compiled.links import Links
from borelli.kernels.share_writer import (
    END_SPEED,
    FIRST_SPEED,
    GIVEN,
    HAS_OFFSET,
    HAS_ROTATION,
    IS_FIRST,
    IS_OPPOSITE,
    LINK_WIDTH,
    MOVED,
    PUSHED,
    ROW,
    SHARE_WIDTH,
    LinkTables,
    Sums,
    Written,
    write_shares,
)
from borelli.kernels.tree.algebra import Vector
from borelli.kernels.tree.coordinate_fields import Twist, link_speeds
from borelli.kernels.tree.link_states import LinkState
from borelli.kernels.tree.node_force import Wrench
from borelli.kernels.tree.shares import Moved, Pushed, Share
from borelli.mechanics.contributions.source_labels import Key
from borelli.mechanics.contributions.writer import BlockOutcome, Columns, Expression
from borelli.mechanics.memory import scratch


class BlockWriter:
    """Collects the shares of a block and writes all of them at once.

    Parameters
    ----------
    written : Written
        The whole result.
    block : slice
        The instants of this block in it.
    """

    def __init__(
        self,
        columns: Columns,
        found: Links,
        expressions: dict[int, Expression],
        moving: dict[int, Twist],
        states: Sequence[LinkState],
        written: Written,
        block: slice,
    ) -> None:
        self.columns, self.found, self.written, self.block = columns, found, written, block
        self.n = block.stop - block.start
        self.sums = Sums(*(np.zeros((*out.shape[:-2], self.n)) for out in written))
        self.outcome = BlockOutcome(tuple(self.sums), np.zeros(3))
        self.tables = self._tables(expressions, moving, states)

    def _tables(
        self, expressions: dict[int, Expression], moving: dict[int, Twist], states: Sequence[LinkState]
    ) -> LinkTables:
        own = [link_speeds(link) for link in self.found.links]
        speeds = np.array([speed for several in own for speed in several], dtype=np.int64)
        links = np.zeros((len(own), LINK_WIDTH), dtype=np.int64)
        links[:, END_SPEED] = np.cumsum([len(several) for several in own])
        links[1:, FIRST_SPEED] = links[:-1, END_SPEED]
        links[:, ROW] = -1
        twist = scratch("twists of shares", (len(self.written.generalized), 6, self.n))
        for speed, (omega, velocity) in moving.items():
            for k, value in enumerate((*omega, *velocity)):
                twist[speed, k] = value
        told = any(each.offset is not None or each.rotation is not None for each in expressions.values())
        frame = scratch("frames of shares", (len(own) if told else 0, 12, self.n))
        for link, each in expressions.items():
            offset, rotation = each.offset, each.rotation
            links[link, ROW] = each.row
            links[link, IS_OPPOSITE] = each.sign < 0.0
            links[link, HAS_OFFSET], links[link, HAS_ROTATION] = offset is not None, rotation is not None
            for place, numbers in ((0, rotation or ()), (9, offset or ())):
                for k, value in enumerate(numbers, start=place):
                    frame[link, k] = value
        mass = np.array([float(state.composite.mass) for state in states])
        first_moment = _filled(
            "first moments of shares", [state.composite.first_moment for state in states], self.n
        )
        return LinkTables(links, speeds, twist, frame, joint_points(states, self.n), mass, first_moment)

    def collect(self, shares: Sequence[Share], spanned: Sequence[tuple[Key, int]]) -> np.ndarray:
        """Collect all shares of the block: those given, and memory for those of paths on the joints they span.

        Returns
        -------
        (n_spanned, 6, n) float
            To be filled with the wrenches of the latter, before :meth:`finish`.
        """
        wrenches: dict[int, Wrench] = {}
        pushes: dict[int, Vector] = {}
        rows: list[tuple[int, int, int, int, int]] = []
        for link, source, what in shares:
            column = self.columns.of_source[source]
            if isinstance(what, Pushed):
                pushes[id(what.acceleration)] = what.acceleration
                rows.append((link, column, PUSHED, id(what.acceleration), -1))
            else:
                wrench, origin = what if isinstance(what, Moved) else (what, link)
                wrenches[id(wrench)] = wrench
                rows.append((link, column, GIVEN if origin == link else MOVED, id(wrench), origin))
        place = {key: row for several in (wrenches, pushes) for row, key in enumerate(several)}
        self.push = _filled("accelerations of shares", list(pushes.values()), self.n)
        self.wrench = scratch("wrenches of shares", (len(wrenches) + len(spanned), 6, self.n))
        for own, wrench in zip(self.wrench, wrenches.values(), strict=False):
            for k, value in enumerate((*wrench.moment, *wrench.force)):
                own[k] = value
        table = [(link, column, kind, place[key], origin) for link, column, kind, key, origin in rows]
        table += [
            (link, self.columns.of_source[source], GIVEN, len(wrenches) + k, link)
            for k, (source, link) in enumerate(spanned)
        ]
        self.table = np.zeros((len(table), SHARE_WIDTH), dtype=np.int64)
        self.table[:, :IS_FIRST] = np.array(table, dtype=np.int64).reshape(-1, IS_FIRST)
        seen: set[tuple[int, int]] = set()
        for row, (link, column, *_) in enumerate(table):
            self.table[row, IS_FIRST] = self.columns.alone and (link, column) not in seen
            seen.add((link, column))
        return self.wrench[len(wrenches) :]

    def finish(self) -> None:
        """Write everything."""
        write_shares(
            self.wrench,
            self.push,
            self.table,
            self.tables,
            self.block.start,
            self.written,
            self.sums,
            self.outcome.largest,
        )

    def add_generalized(self, source: Key, speed: int, value: np.ndarray) -> None:
        """Add to a share in a generalized force what goes with no reaction."""
        out = self.written.generalized[speed, self.columns.of_source[source], self.block]
        out += value
        self.sums.generalized[speed] += value
        self.outcome.largest[0] = max(self.outcome.largest[0], out.max(), -out.min())


def joint_points(states: Sequence[LinkState], n: int) -> np.ndarray:
    """Joint points of all links, (n_links, 3, n), in memory that the thread uses again."""
    return _filled("joints of shares", [state.joint for state in states], n)


def _filled(name: str, vectors: Sequence[Vector], n: int) -> np.ndarray:
    out = scratch(name, (len(vectors), 3, n))
    for row, vector in zip(out, vectors, strict=True):
        for axis in range(3):
            row[axis] = vector[axis]
    return out
