"""The tables of a mechanism with everything that calls need of them again and again, made when first needed."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from borelli.kernels.lanes.signatures import LINK_ARGUMENTS, TABLE_ARGUMENTS
from borelli.kernels.lanes.tables.layout import TreeTables
from borelli.kernels.lanes.tables.record_types import WANTED
from borelli.kernels.lanes.tables.table_records import TABLE_INTEGER
from borelli.kernels.tree.mechanism import Mechanism
from borelli.kernels.tree.node import GROUND
from borelli.records import dataclass

if TYPE_CHECKING:
    # Loaded here: only shares and Jacobians need links.
    from borelli.kernels.lanes.tables.links import LinkTables

# Choices of nodes to remember; whoever asks for more in turn waits a few microseconds longer.
_KEPT = 16
_MOTIONS = -1
"""In place of a number of rotations."""


def address_of(array: np.ndarray) -> int:
    """Return where the numbers of an array begin."""
    return int(array.__array_interface__["data"][0])


@dataclass(frozen=True)
class Places:
    """Rows of the workspace in which a kernel leaves its answers about some nodes.

    Attributes
    ----------
    arguments : dict of str to int
        The same as arguments of the kernel: numbers, and addresses of ``tables``.
    tables : tuple of (n,) int32
    n_rows : int
        Rows that the workspace needs in all.
    """

    arguments: dict[str, int]
    tables: tuple[np.ndarray, ...]
    n_rows: int


class MechanismTables(TreeTables):
    """Tables of a mechanism, their addresses, those of its links, and places of answers."""

    def __init__(self, mechanism: Mechanism, chained: bool = True) -> None:
        super().__init__(mechanism, chained)
        # By the number of rotations (None for wrenches, negative for motions) and the nodes.
        self._places: dict[tuple[int | None, tuple[int, ...]], Places] = {}

    @functools.cached_property
    def links(self) -> LinkTables:
        """Tables for the passes in ground axes."""
        # Loaded here: only shares and Jacobians need links.
        from borelli.kernels.lanes.tables.links import LinkTables

        return LinkTables(self)

    @functools.cached_property
    def addresses(self) -> dict[str, int]:
        """Addresses of the tables, by the names of their arguments."""
        return {name: address_of(getattr(self, name.removesuffix("_table"))) for name in TABLE_ARGUMENTS}

    @functools.cached_property
    def link_addresses(self) -> dict[str, int]:
        """Addresses of the tables of links, by the names of their arguments."""
        return {name: address_of(getattr(self.links, name)) for name in LINK_ARGUMENTS}

    def pose_places(self, nodes: tuple[int, ...], n_turned: int) -> Places:
        """Return where the origins of nodes, each named once, and the rotations of the first are left."""
        return self._remembered((n_turned, nodes), lambda: self._make_pose_places(nodes, n_turned))

    def wrench_places(self, nodes: tuple[int, ...]) -> Places:
        """Return where the wrenches of nodes, each named once, are left."""
        return self._remembered((None, nodes), lambda: self._make_wrench_places(nodes))

    def motion_places(self, nodes: tuple[int, ...]) -> Places:
        """Return where the poses of nodes, each named once, and the twists of all speeds are left."""
        return self._remembered((_MOTIONS, nodes), lambda: self._make_motion_places(nodes))

    def _remembered(self, key: tuple[int | None, tuple[int, ...]], make: Callable[[], Places]) -> Places:
        places = self._places.get(key)
        if places is None:
            # A copy, so that other threads may read the old one meanwhile.
            kept = dict(list(self._places.items())[1 - _KEPT :])
            places = kept[key] = make()
            self._places = kept
        return places

    def _make_pose_places(self, nodes: tuple[int, ...], n_turned: int) -> Places:
        # Rotations that nobody wants share nine rows that are never read.
        unread = self.n_rows
        first = unread + 9
        second = first + 9 * n_turned
        records = [{"first": -1} for _ in self.poses]
        for position, node in enumerate(nodes):
            rotation = first + 9 * position if position < n_turned else unread
            records[self.position[node]] = {"first": rotation, "second": second + 3 * position}
        wanted = WANTED.rows(records, TABLE_INTEGER)
        arguments = {
            "n_wanted": len(nodes),
            "n_turned": n_turned,
            "wanted": address_of(wanted),
            "rotation_row": first,
            "origin_row": second,
        }
        return Places(arguments, (wanted,), second + 3 * len(nodes))

    def _make_motion_places(self, nodes: tuple[int, ...]) -> Places:
        first = self.links.n_rows
        records: list[dict[str, int]] = [{"first": -1} for _ in self.poses]
        rows: list[int] = []
        for node in nodes:
            pose = self.ground_pose
            if node != GROUND:
                pose, first = first, first + 12
                records[self.position[node]] = {"first": pose, "second": pose + 9}
            rows += range(pose, pose + 12)
        for twist in self.links.speed_twists:
            rows += range(twist, twist + 6)
        wanted, listed = WANTED.rows(records, TABLE_INTEGER), np.array(rows, TABLE_INTEGER)
        arguments = {"wanted": address_of(wanted), "n_listed": len(rows), "listed": address_of(listed)}
        return Places(arguments, (wanted, listed), first)

    def _make_wrench_places(self, nodes: tuple[int, ...]) -> Places:
        rows = [self.wrenches[self.position[node]] for node in nodes]
        flags = np.array([int(row in rows) for row in self.wrenches], TABLE_INTEGER)
        # One entry at least, so that the tables always have an address.
        force = np.array([row + 3 + k for row in rows for k in range(3)] or [0], TABLE_INTEGER)
        moment = np.array([row + k for row in rows for k in range(3)] or [0], TABLE_INTEGER)
        arguments = {
            "n_wanted": len(nodes),
            "wanted": address_of(flags),
            "force_rows": address_of(force),
            "moment_rows": address_of(moment),
        }
        return Places(arguments, (flags, force, moment), self.n_rows)
