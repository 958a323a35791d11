"""Tables for the passes in ground axes: every speed is a link of its own.

In ground axes and about one common point, nothing has to be carried from body to body: inertias and twists of
different bodies simply add. A joint with several speeds is then a chain of links with one speed each, of which
only the last has mass. The common point of all bodies of a tree is the origin of its root, so that a subject
far from the laboratory's origin loses no digits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from borelli.kernels.lanes.layout import TreeTables
from borelli.kernels.lanes.record_types import COUPLING, NO_ROW
from borelli.kernels.lanes.table_records import TABLE_INTEGER, RecordType
from borelli.kernels.tree.node import BALL, GROUND

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
STATE = RecordType(twist=1, rate=1, acceleration=1, before=1, carrier=1, after=1)
"""A variable, its acceleration while all speeds stay as they are (-1 if it has none), and the rows of the states before
and after it: twelve rows each, for the velocity and that acceleration as twists; ``carrier``: the state that carries
its axis along."""
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
    kind=1,
    articulated=1,
    parent_articulated=1,
    is_first_child=1,
    kept=1,
    motion=1,
    parent_motion=1,
    speed=1,
    force=1,
    acceleration=1,
)
"""A speed; ``kind``: whether it has children, and whether its joint's inertia and wrench are its own. ``articulated``:
:data:`N_ARTICULATED` rows; ``kept``: seven rows from the backward to the forward pass."""
PAIR = RecordType(twist=1, entry=1, force=1)
"""A speed that carries a link, the row of its force, and that of the entry of the mass matrix that the two share."""

HAS_CHILDREN, HAS_MASS = 1, 2
N_ARTICULATED = 29
"""Rows: 21 of the articulated inertia, six of the wrench, mass and its spread"""


class LinkTables:
    """Tables of a mechanism for the passes in ground axes.

    Attributes
    ----------
    links_header, twists, states, masses, joints, links, pairs, twist_sums, twist_couplings : int32
        Records of the types above, or rows.
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
        self._add_twists()
        self._add_masses()
        self._add_links()
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
            "n_states": self._n_states,
            "ground_state": self._ground_state,
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
        self._add_states(variable)
        ties: dict[int, list[tuple[int, int]]] = {k: [] for k in range(self._mechanism.n_speeds)}
        for speed, slope, _, key in self._tables.ties:
            ties[speed].append((variable[key], slope))
        self.speed_twists: list[int] = []
        sums, couplings = [], []
        for speed in range(self._mechanism.n_speeds):
            own = ties[speed]
            if len(own) == 1 and own[0][1] == self._tables.ones:
                self.speed_twists.append(own[0][0])
                continue
            target = self.take(6)
            self.speed_twists.append(target)
            sums.append(target)
            couplings += [{"source": row, "slope": slope, "target": target} for row, slope in own]
        self.twist_sums = np.array(sums or [0], dtype=TABLE_INTEGER)
        self.twist_couplings = COUPLING.rows(couplings, TABLE_INTEGER)
        self._n_sums, self._n_couplings = len(sums), len(couplings)

    def _add_states(self, twists: Mapping[tuple[int, str, int], int]) -> None:
        """Carry the state of the ground on from variable to variable; nodes shift before they turn."""
        self._ground_state = self.take(12)
        self._states: list[int] = []
        records: list[dict[str, int]] = []
        n_speeds = self._mechanism.n_speeds
        # What is inside a joint has one child, and nobody else asks for its state.
        passed = {node for mobilizer in self._mechanism.mobilizers for node in mobilizer.nodes[:-1]}
        for index, (node, rows) in enumerate(zip(self._mechanism.nodes, self._tables.rows, strict=True)):
            state = self._ground_state if node.parent == GROUND else self._states[node.parent]
            for name, variables in (("shift", rows.shifts), ("turn", rows.turns)):
                in_place = node.kind != BALL and (node.parent in passed or (name == "turn" and rows.shifts))
                carrier, own = state, state if in_place or not variables else self.take(12)
                for k, variable in enumerate(variables):
                    # Speeds stay as they are: only what is a function of coordinates has an acceleration.
                    is_speed = 0 <= variable.acceleration - self._tables.udot < n_speeds
                    # The axes of a ball are carried by what is before all three of them.
                    record = {
                        "before": state,
                        "carrier": carrier,
                        "after": own,
                        "twist": twists[index, name, k],
                    }
                    acceleration = NO_ROW if is_speed else variable.acceleration
                    records.append(record | {"rate": variable.rate, "acceleration": acceleration})
                    state = own
            self._states.append(state)
        self.states = STATE.rows(records, TABLE_INTEGER)
        self._n_states = len(records)

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
                "state": self._states[joint.nodes[-1]],
            }
            for joint, row, parent in zip(self._joints, self._inertias, parents, strict=True)
        ]
        self.joints = JOINT.rows(joints, TABLE_INTEGER)
        self._parents = parents
        self._heavy = [joint in carriers for joint in range(len(self._joints))]
        massless = [row for row, heavy in zip(self._inertias, self._heavy, strict=True) if not heavy]
        # One entry at least, so that the table always has an address.
        self.massless = np.array(massless or [0], dtype=TABLE_INTEGER)

    def _parent_joint(self, first_node: int) -> int:
        parent = self._mechanism.nodes[first_node].parent
        return -1 if parent == GROUND else self._carrier[parent]

    def _add_links(self) -> None:
        """Chain the speeds; links are ordered by their distance from the ground, so a parent precedes its children.

        Links of one joint wait for each other. In this order they have links of other limbs between them, on which
        the processor works meanwhile: 3 % of the time of a solution, measured with 4 and 8 lanes.
        """
        first_depth: list[int] = []
        for joint in range(len(self._joints)):
            parent = self._parents[joint]
            carried = first_depth[parent] + len(self._joints[parent].speeds) if parent >= 0 else 0
            first_depth.append(carried)
        order = sorted(
            (first_depth[joint] + k, joint, k)
            for joint, mobilizer in enumerate(self._joints)
            for k in range(len(mobilizer.speeds))
        )
        self._links: list[dict[str, Any]] = []
        self._speeds: list[int] = []
        self._parent_link: list[int] = []
        self._joint_of_link: list[int] = []
        newest_link: dict[int, int] = {-1: -1}
        for _, joint, k in order:
            mobilizer = self._joints[joint]
            speed, is_last = mobilizer.speeds[k], k == len(mobilizer.speeds) - 1
            self._parent_link.append(newest_link[joint if k else self._parents[joint]])
            newest_link[joint] = len(self._links)
            self._speeds.append(speed)
            self._joint_of_link.append(joint)
            self._links.append(
                {
                    "twist": self.speed_twists[speed],
                    "inertia": self._inertias[joint],
                    "reference": self._reference(mobilizer.nodes[-1]),
                    "kind": HAS_MASS if is_last and self._heavy[joint] else 0,
                    "kept": self.take(7),
                    "speed": self._tables.u + speed,
                    "force": self._tables.force + speed,
                    "acceleration": self._tables.udot + speed,
                }
            )
        self._add_link_rows()

    def _add_link_rows(self) -> None:
        """Give rows to articulated inertias and motions, and take them back for others: few stay in the first cache."""
        self._ground_motion, discarded = self.take(6), self.take(N_ARTICULATED)
        spare: list[int] = []
        # From the tips: the last child of a link is the first to fill its rows, and a link has read its own by then.
        for link in reversed(range(len(self._links))):
            parent, record = self._parent_link[link], self._links[link]
            if record["kind"] & HAS_CHILDREN:
                spare.append(record["articulated"])
            else:
                record["articulated"] = discarded
            record["parent_articulated"], record["is_first_child"] = discarded, 1
            if parent >= 0 and record["kind"]:
                carrier = self._links[parent]
                record["is_first_child"] = int(not carrier["kind"] & HAS_CHILDREN)
                if record["is_first_child"]:
                    carrier["kind"] |= HAS_CHILDREN
                    carrier["articulated"] = spare.pop() if spare else self.take(N_ARTICULATED)
                record["parent_articulated"] = carrier["articulated"]
        self._add_motion_rows()

    def _add_motion_rows(self) -> None:
        last_child = {parent: link for link, parent in enumerate(self._parent_link)}
        spare: list[int] = []
        for link, record in enumerate(self._links):
            parent = self._parent_link[link]
            record["parent_motion"] = self._links[parent]["motion"] if parent >= 0 else self._ground_motion
            # What is known of a parent is read before the motion of its child is written.
            if parent >= 0 and last_child[parent] == link:
                spare.append(record["parent_motion"])
            record["motion"] = spare.pop() if spare else self.take(6)
            if link not in last_child:
                spare.append(record["motion"])

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
