"""Tables for forward dynamics: which speeds yield together, and where their articulated bodies stand.

The speeds of one joint wait for each other. The last two, or three turns about one point, are therefore released at
once: one small system is solved where links would follow each other. A root that can move every way resists nothing:
its six speeds are solved from the weight of the whole tree, and nothing is left to pass on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from borelli.kernels.lanes.tables.table_records import TABLE_INTEGER, RecordType
from borelli.kernels.lanes.tables.variable_tables import Variable
from borelli.kernels.tree.mechanism import Mechanism
from borelli.kernels.tree.node import GROUND

HAS_NOTHING, HAS_MASS, HAS_CHILDREN = range(3)
"""What a group carries; its own mass is with its children's, if it has any."""
KINDS = (HAS_MASS, HAS_CHILDREN)
LARGEST_GROUP = 2
"""Speeds with code of their own; three that are no turns about one point are too rare for theirs."""
N_TOGETHER = range(1, LARGEST_GROUP + 1)
TURNS = LARGEST_GROUP + 1
"""In place of a number of speeds: three turns about one point."""
N_ARTICULATED = 29
"""Rows: 21 of the articulated inertia, six of the wrench, mass and its spread"""
N_FREE = 6

RELEASE_HEADER = RecordType(n_groups=1, n_roots=1, ground_motion=1, no_mass=1)
"""``no_mass``: sixteen rows for the inertia and wrench of what has no mass of its own."""
GROUP = RecordType(
    form=1,
    twist=3,
    force=3,
    acceleration=3,
    inertia=1,
    articulated=1,
    parent_articulated=1,
    parent_inertia=1,
    is_first_child=1,
    kept=1,
    motion=1,
    parent_motion=1,
    origin=1,
)
"""Speeds of one joint that are released together; ``form``: see :func:`form_of`. ``articulated``:
:data:`N_ARTICULATED` rows; ``kept``: :func:`n_kept` rows from the backward to the forward pass; ``origin``: of turns
about one point."""
ROOT = RecordType(kind=1, twist=N_FREE, force=N_FREE, acceleration=N_FREE, inertia=1, articulated=1, motion=1)
"""A joint on the ground with three turns about one point, and three shifts, in this order."""


def form_of(speeds: int, kind: int) -> int:
    """Return the number of the code for so many speeds, or :data:`TURNS`, that carry something."""
    return 3 * speeds + kind


def n_speeds(speeds: int) -> int:
    """Return how many speeds there are."""
    return 3 if speeds == TURNS else speeds


def n_kept(speeds: int) -> int:
    """Return how many rows a group keeps: seven for each speed, one for each pair, and the dual axes of turns."""
    count = n_speeds(speeds)
    return 7 * count + count * (count - 1) // 2 + (9 if speeds == TURNS else 0)


@dataclass(frozen=True)
class JointLinks:
    """A joint with its speeds.

    Attributes
    ----------
    nodes : tuple of int
    parent : int
        Place of the joint that carries it; -1 for none.
    depth : int
        Speeds between it and the ground.
    inertia : int or None
        First row of the inertia that it carries itself.
    links : list of dict
        Records of its speeds, in order.
    variables : list of tuple or None
        The variable that each speed is, where it is one.
    """

    nodes: tuple[int, ...]
    parent: int
    depth: int
    inertia: int | None
    links: list[dict[str, Any]]
    variables: list[Variable | None]


@dataclass
class _Member:
    """A group or a root while the tables are made; ``parent``: its place in their order, -1 for none."""

    joint: int
    depth: int
    links: list[dict[str, Any]]
    inertia: int | None
    parent: int = -1
    kind: int = HAS_NOTHING
    record: dict[str, Any] = field(default_factory=dict)


class ReleaseTables:
    """Tables of a mechanism for forward dynamics, beside those of its links.

    Parameters
    ----------
    mechanism : Mechanism
    joints : sequence of JointLinks
    turned_about : mapping
        Rows of the point that three turns have in common, by the rows of their twists.
    take : callable
        Gives rows that nobody else uses while bodies are released.

    Attributes
    ----------
    header, roots, groups : int32
        Records of the types above.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        joints: Sequence[JointLinks],
        turned_about: Mapping[frozenset[int], int],
        take: Callable[[int], int],
    ) -> None:
        self._mechanism, self._joints, self._take = mechanism, joints, take
        self._turned_about = turned_about
        roots, groups = self._members()
        self._members_in_order = [*roots, *groups]
        self._n_roots = len(roots)
        self._no_mass = take(16)
        self._find_parents()
        self._add_articulated_rows()
        ground_motion = self._add_motion_rows()
        for member in self._members_in_order:
            self._complete(member)
        header = {"n_groups": len(groups), "n_roots": len(roots), "ground_motion": ground_motion}
        header["no_mass"] = self._no_mass
        self.header = RELEASE_HEADER.rows([header], TABLE_INTEGER)
        self.roots = ROOT.rows([root.record for root in roots], TABLE_INTEGER)
        self.groups = GROUP.rows([group.record for group in groups], TABLE_INTEGER)

    def _members(self) -> tuple[list[_Member], list[_Member]]:
        """Cut joints into groups, ordered by their distance from the ground: a parent precedes its children.

        Neighbours in this order do not wait for each other: the processor works on several limbs at once.
        """
        roots, groups = [], []
        for place, joint in enumerate(self._joints):
            free = self._turns_and_shifts(joint)
            if free:
                roots.append(_Member(place, joint.depth, free, joint.inertia))
                continue
            n_last = self._n_last(joint)
            n_single = len(joint.links) - n_last
            parts = [joint.links[k : k + 1] for k in range(n_single)]
            groups += [_Member(place, joint.depth + k, part, None) for k, part in enumerate(parts)]
            if n_last:
                last = joint.links[n_single:]
                groups.append(_Member(place, joint.depth + n_single, last, joint.inertia))
        return roots, sorted(groups, key=lambda group: (group.depth, group.joint))

    def _n_last(self, joint: JointLinks) -> int:
        """Return how many speeds are released at once: the last, which carry the joint's mass; others one by one."""
        if _twists(joint.links[-3:]) in self._turned_about and joint.inertia is not None:
            return 3
        return min(len(joint.links), 1 if joint.inertia is None else LARGEST_GROUP)

    def _turns_and_shifts(self, joint: JointLinks) -> list[dict[str, Any]]:
        """Return three turns about the root's origin, then three shifts; nothing for joints that have others."""
        nodes = [self._mechanism.nodes[k] for k in joint.nodes]
        if joint.inertia is None or nodes[0].parent != GROUND:
            return []
        found: dict[str, list[dict[str, Any]]] = {"turn": [], "shift": []}
        for link, variable in zip(joint.links, joint.variables, strict=True):
            if variable is None:
                return []
            node, name, _ = variable
            within = nodes[1 : joint.nodes.index(node) + 1]
            # A turn about another point than the root's origin shifts the root as well.
            if any(any(inner.offset) or inner.axes for inner in within):
                return []
            found[name].append(link)
        turns, shifts = found["turn"], found["shift"]
        complete = len(shifts) == N_FREE // 2 and _twists(turns) in self._turned_about
        return [*turns, *shifts] if complete else []

    def _find_parents(self) -> None:
        newest: dict[int, int] = {}
        for place, member in enumerate(self._members_in_order):
            carrier = self._joints[member.joint].parent
            member.parent = newest.get(member.joint, newest.get(carrier, -1))
            newest[member.joint] = place

    def _add_articulated_rows(self) -> None:
        """Give rows to articulated inertias, and take them back for others: few stay in the first cache."""
        discarded = self._take(N_ARTICULATED)
        spare: list[int] = []
        # From the tips: the last child of a group is the first to fill its rows, and a group has read its own by then.
        for place in reversed(range(len(self._members_in_order))):
            member = self._members_in_order[place]
            is_root = place < self._n_roots
            if member.kind != HAS_CHILDREN:
                member.record["articulated"] = discarded
                member.kind = HAS_NOTHING if member.inertia is None else HAS_MASS
            elif not is_root:
                spare.append(member.record["articulated"])
            if is_root:
                continue
            member.record |= {"parent_articulated": discarded, "is_first_child": 1}
            member.record["parent_inertia"] = self._no_mass
            if member.parent >= 0 and member.kind != HAS_NOTHING:
                carrier = self._members_in_order[member.parent]
                if carrier.kind == HAS_CHILDREN:
                    member.record["is_first_child"] = 0
                else:
                    carrier.kind = HAS_CHILDREN
                    carrier.record["articulated"] = spare.pop() if spare else self._take(N_ARTICULATED)
                if carrier.inertia is not None:
                    member.record["parent_inertia"] = carrier.inertia
                member.record["parent_articulated"] = carrier.record["articulated"]

    def _add_motion_rows(self) -> int:
        """Give rows to motions, and take them back for others; return those of the ground."""
        ground = self._take(6)
        last_child = {member.parent: place for place, member in enumerate(self._members_in_order)}
        spare: list[int] = []
        for place, member in enumerate(self._members_in_order):
            before = ground
            if member.parent >= 0:
                before = self._members_in_order[member.parent].record["motion"]
                # What is known of a parent is read before the motion of its child is written.
                if last_child[member.parent] == place:
                    spare.append(before)
            member.record["motion"] = spare.pop() if spare else self._take(6)
            if place not in last_child:
                spare.append(member.record["motion"])
            if place >= self._n_roots:
                member.record["parent_motion"] = before
        return ground

    def _complete(self, member: _Member) -> None:
        record, count = member.record, len(member.links)
        for name in ("twist", "force", "acceleration"):
            record[name] = [link[name] for link in member.links]
        record["inertia"] = member.inertia or 0
        if "parent_motion" not in record:
            record["kind"] = member.kind
            return
        speeds, origin = count, self._turned_about.get(_twists(member.links))
        if origin is not None and member.inertia is not None:
            speeds, record["origin"] = TURNS, origin
        record |= {"form": form_of(speeds, member.kind), "kept": self._take(n_kept(speeds))}


def _twists(links: Sequence[dict[str, Any]]) -> frozenset[int]:
    return frozenset(link["twist"] for link in links)
