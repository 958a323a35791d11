"""Tables for the passes in ground axes: every speed is a link of its own.

In ground axes and about one common point, nothing has to be carried from body to body: inertias and twists of
different bodies simply add. A joint with several speeds is then a chain of links with one speed each, of which
only the last has mass. The common point of all bodies of a tree is the origin of its root, so that a subject
far from the laboratory's origin loses no digits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from borelli.kernels.lanes.tables.layout import TreeTables
from borelli.kernels.lanes.tables.record_types import COUPLING
from borelli.kernels.lanes.tables.release_tables import JointLinks, ReleaseTables
from borelli.kernels.lanes.tables.state_tables import StateTables
from borelli.kernels.lanes.tables.table_records import TABLE_INTEGER, RecordType
from borelli.kernels.lanes.tables.variable_tables import Variable
from borelli.kernels.tree.node import GROUND

LINKS_HEADER = RecordType(
    n_links=1,
    n_masses=1,
    n_joints=1,
    n_massless=1,
    n_sums=1,
    n_couplings=1,
    totals=1,
    ground_motion=1,
    n_states=1,
    ground_state=1,
)
TWISTS = RecordType(reference=1, turn=3, shift=3)
"""For each node: the row of the common point, and the six rows of the twist of each variable."""
MASS = RecordType(node=1, pose=1, reference=1, target=1, is_first=1)
"""A node with mass: the ten rows of its joint's inertia receive it; ``is_first``: nothing is in them yet."""
JOINT = RecordType(inertia=1, parent=1, state=1)
"""A joint: the ten rows of its inertia, and of the inertia that it is part of (-1 for none); the state of what it
carries itself. Six rows after its inertia take the wrench that this state needs."""
LINK = RecordType(
    twist=1,
    inertia=1,
    reference=1,
    first_pair=1,
    last_pair=1,
    has_mass=1,
    motion=1,
    parent_motion=1,
    speed=1,
    force=1,
    acceleration=1,
)
"""A speed; ``has_mass``: whether its joint's inertia is its own."""
PAIR = RecordType(twist=1, entry=1, force=1)
"""A speed that carries a link, the row of its force, and that of the entry of the mass matrix that the two share."""


class LinkTables:
    """Tables of a mechanism for the passes in ground axes.

    Attributes
    ----------
    links_header, twists, states, masses, joints, links, pairs, twist_sums, twist_couplings : int32
        Records of the types above, or rows.
    release_header, roots, groups : int32
        See :class:`~borelli.kernels.lanes.tables.release_tables.ReleaseTables`.
    massless : int32
        First row of the inertia of each joint that carries no mass itself.
    entries : (n_speeds, n_speeds) int32
        Row of each entry of the mass matrix.
    speed_twists : list of int
        First of the six rows that hold the twist of each speed.
    n_rows : int
        Rows of the workspace in all.
    floating_mass : bool
        False if some mass hangs on the ground without a joint.
    """

    def __init__(self, tables: TreeTables) -> None:
        self._tables = tables
        self._mechanism = tables.mechanism
        self.n_rows = tables.n_rows
        self._joints = sorted(self._mechanism.mobilizers, key=lambda m: m.nodes[-1])
        self._joint_at = {m.nodes[-1]: k for k, m in enumerate(self._joints)}
        self._carrier = [self._find_carrier(node) for node in range(len(self._mechanism.nodes))]
        self._spare_rows = range(0)
        self._add_twists()
        self._add_masses()
        self._add_links()
        self._add_release()
        self.totals = self.take(8)
        self._add_pairs()
        header = {
            "n_links": len(self._links),
            "n_masses": self._n_masses,
            "n_joints": len(self._joints),
            "n_massless": len(self._joints) - sum(self._heavy),
            "n_sums": self._n_sums,
            "n_couplings": self._n_couplings,
            "totals": self.totals,
            "ground_motion": self._ground_motion,
            "n_states": self._steps.count,
            "ground_state": self._steps.ground,
        }
        self.links_header = LINKS_HEADER.rows([header], TABLE_INTEGER)
        self.links = LINK.rows(self._links, TABLE_INTEGER)

    def load_record(self, node: int, rows: int) -> dict[str, int] | None:
        """Return the record of a load on the last node of a joint, or on what is fixed to it; None on the ground."""
        joint = self._carrier[node]
        if joint < 0:
            return None
        link = self._links[max(k for k, own in enumerate(self._joint_of_link) if own == joint)]
        return {
            "root_origin": self._tables.root_origins[self._mechanism.path(node)[-1]],
            "first_pair": link["first_pair"],
            "last_pair": link["last_pair"],
            "rows": rows,
        }

    def take(self, count: int) -> int:
        """Return the first of so many new rows."""
        first = self.n_rows
        self.n_rows += count
        return first

    def _take_again(self, count: int) -> int:
        """Return new rows, or those of states: nobody reads them any more when bodies are released."""
        if count > len(self._spare_rows):
            return self.take(count)
        first, self._spare_rows = self._spare_rows[0], self._spare_rows[count:]
        return first

    def _find_carrier(self, node: int) -> int:
        """Return the joint that moves a node (-1 for none)."""
        return next((self._joint_at[k] for k in self._mechanism.path(node) if k in self._joint_at), -1)

    def _reference(self, node: int) -> int:
        return self._tables.poses[self._mechanism.path(node)[-1]] + 9

    def _add_twists(self) -> None:
        """Give six rows to the twist of every variable, and find or make those of every speed."""
        rows = self._tables.rows
        variable: dict[tuple[int, str, int], int] = {}
        records = []
        for index, node in enumerate(rows):
            for name, count in (("turn", len(node.turns)), ("shift", len(node.shifts))):
                variable |= {(index, name, k): self.take(6) for k in range(count)}
            records.append(
                {
                    "reference": self._reference(index),
                    "turn": [variable[index, "turn", k] for k in range(len(node.turns))],
                    "shift": [variable[index, "shift", k] for k in range(len(node.shifts))],
                }
            )
        self.twists = TWISTS.rows(records, TABLE_INTEGER)
        first = self.n_rows
        self._steps = StateTables(self._tables, variable, self.take)
        self.states = self._steps.states
        self._spare_rows = range(first, self.n_rows)
        ties: dict[int, list[tuple[int, int, Variable]]] = {k: [] for k in range(self._mechanism.n_speeds)}
        for speed, slope, _, key in self._tables.ties:
            ties[speed].append((variable[key], slope, key))
        self.speed_twists: list[int] = []
        self._sole_variables: list[Variable | None] = []
        sums, couplings = [], []
        for speed in range(self._mechanism.n_speeds):
            own = ties[speed]
            if len(own) == 1 and own[0][1] == self._tables.ones:
                self.speed_twists.append(own[0][0])
                self._sole_variables.append(own[0][2])
                continue
            target = self.take(6)
            self.speed_twists.append(target)
            self._sole_variables.append(None)
            sums.append(target)
            couplings += [{"source": row, "slope": slope, "target": target} for row, slope, _ in own]
        self.twist_sums = np.array(sums or [0], dtype=TABLE_INTEGER)
        self.twist_couplings = COUPLING.rows(couplings, TABLE_INTEGER)
        self._n_sums: int = len(sums)
        self._n_couplings: int = len(couplings)

    def _add_masses(self) -> None:
        self._inertias = [self.take(16) for _ in self._joints]
        records = []
        carriers: set[int] = set()
        self.floating_mass = True
        for index, node in enumerate(self._mechanism.nodes):
            if node.inertia is None:
                continue
            if self._carrier[index] < 0:
                self.floating_mass = False
                continue
            records.append(
                {
                    "node": index,
                    "pose": self._tables.poses[index],
                    "reference": self._reference(index),
                    "target": self._inertias[self._carrier[index]],
                    "is_first": int(self._carrier[index] not in carriers),
                }
            )
            carriers.add(self._carrier[index])
        self.masses = MASS.rows(records, TABLE_INTEGER)
        self._n_masses = len(records)
        parents = [self._parent_joint(m.nodes[0]) for m in self._joints]
        joints = [
            {
                "inertia": row,
                "parent": self._inertias[parent] if parent >= 0 else -1,
                "state": self._steps.of_nodes[joint.nodes[-1]],
            }
            for joint, row, parent in zip(self._joints, self._inertias, parents, strict=True)
        ]
        self.joints = JOINT.rows(joints, TABLE_INTEGER)
        self._parents = parents
        self._depths: list[int] = []
        for parent in parents:
            before = self._depths[parent] + len(self._joints[parent].speeds) if parent >= 0 else 0
            self._depths.append(before)
        self._heavy: list[bool] = [joint in carriers for joint in range(len(self._joints))]
        massless = [row for row, heavy in zip(self._inertias, self._heavy, strict=True) if not heavy]
        # One entry at least, so that the table always has an address.
        self.massless = np.array(massless or [0], dtype=TABLE_INTEGER)

    def _parent_joint(self, first_node: int) -> int:
        parent = self._mechanism.nodes[first_node].parent
        return -1 if parent == GROUND else self._carrier[parent]

    def _add_links(self) -> None:
        """Chain the speeds; links are ordered by their distance from the ground, so a parent precedes its children."""
        order = sorted(
            (self._depths[joint] + k, joint, k)
            for joint, mobilizer in enumerate(self._joints)
            for k in range(len(mobilizer.speeds))
        )
        self._ground_motion = self.take(6)
        self._links: list[dict[str, Any]] = []
        self._speeds: list[int] = []
        self._parent_link: list[int] = []
        self._joint_of_link: list[int] = []
        newest_link: dict[int, int] = {-1: -1}
        for _, joint, k in order:
            mobilizer = self._joints[joint]
            speed, is_last = mobilizer.speeds[k], k == len(mobilizer.speeds) - 1
            parent = newest_link[joint if k else self._parents[joint]]
            newest_link[joint] = len(self._links)
            self._parent_link.append(parent)
            self._speeds.append(speed)
            self._joint_of_link.append(joint)
            self._links.append(
                {
                    "twist": self.speed_twists[speed],
                    "inertia": self._inertias[joint],
                    "reference": self._reference(mobilizer.nodes[-1]),
                    "has_mass": int(is_last and self._heavy[joint]),
                    "motion": self.take(6),
                    "parent_motion": self._links[parent]["motion"] if parent >= 0 else self._ground_motion,
                    "speed": self._tables.u + speed,
                    "force": self._tables.force + speed,
                    "acceleration": self._tables.udot + speed,
                }
            )

    def _add_release(self) -> None:
        own: list[list[dict[str, Any]]] = [[] for _ in self._joints]
        variables: list[list[Variable | None]] = [[] for _ in self._joints]
        for link, speed, joint in zip(self._links, self._speeds, self._joint_of_link, strict=True):
            own[joint].append(link)
            variables[joint].append(self._sole_variables[speed])
        joints = [
            JointLinks(
                nodes=mobilizer.nodes,
                parent=self._parents[joint],
                depth=self._depths[joint],
                inertia=self._inertias[joint] if self._heavy[joint] else None,
                links=own[joint],
                variables=variables[joint],
            )
            for joint, mobilizer in enumerate(self._joints)
        ]
        release = ReleaseTables(self._mechanism, joints, self._steps.turned_about, self._take_again)
        self.release_header, self.roots, self.groups = release.header, release.roots, release.groups

    def _add_pairs(self) -> None:
        """List, for every link, itself and the speeds that carry it: only those share mass with it."""
        n = self._mechanism.n_speeds
        # Entries (i, j) and (j, i) are one row; all entries without common mass are the row of zeros.
        entries = np.full((n, n), self._tables.zeros, dtype=TABLE_INTEGER)
        pairs: list[dict[str, int]] = []
        for link, record in enumerate(self._links):
            record["first_pair"] = len(pairs)
            j, other = self._speeds[link], link
            while other >= 0:
                i = self._speeds[other]
                entries[i, j] = entries[j, i] = self.take(1)
                carrier = self._links[other]
                pairs.append({"twist": carrier["twist"], "entry": entries[i, j], "force": carrier["force"]})
                other = self._parent_link[other]
            record["last_pair"] = len(pairs)
        self.pairs = PAIR.rows(pairs, TABLE_INTEGER)
        self.entries = entries
