"""Tables of states: how velocities, and accelerations while all speeds stay as they are, follow from joint to joint."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from borelli.kernels.lanes.tables.layout import TreeTables
from borelli.kernels.lanes.tables.record_types import NO_ROW
from borelli.kernels.lanes.tables.table_records import TABLE_INTEGER, RecordType
from borelli.kernels.lanes.tables.variable_tables import Variable, VariableRows
from borelli.kernels.tree.node import BALL, GROUND, Node

ANY_VARIABLE, ONE_TURN, TWO_TURNS, THREE_TURNS, BALL_TURNS, SHIFTS_FROM_REST = range(6)
HINGE_TURNS = (ONE_TURN, TWO_TURNS, THREE_TURNS)
STATE = RecordType(kind=1, twist=3, rate=3, acceleration=1, before=1, carrier=1, after=1, origin=1)
"""One step from state to state: the rows of the states ``before`` and ``after`` it, twelve rows each, for the velocity
and that acceleration as twists. Either one variable with its acceleration (-1 if it has none); ``carrier`` is the state
that carries its axis along. Or several variables that are speeds: turns about one point (``origin``), one after the
other or as a ball, or three shifts of a root."""


class StateTables:
    """Steps of a mechanism.

    Parameters
    ----------
    tables : TreeTables
    twists : mapping
        Row of the twist of each variable.
    take : callable
        Gives new rows.

    Attributes
    ----------
    states : int32
        Records.
    count, ground : int
        How many, and the row of the ground's state.
    of_nodes : list of int
        Row of the state of each node.
    turned_about : dict
        Rows of the point that three turns have in common, by the rows of their twists.
    """

    def __init__(
        self, tables: TreeTables, twists: Mapping[Variable, int], take: Callable[[int], int]
    ) -> None:
        self._tables, self._twists = tables, twists
        self._records: list[dict[str, Any]] = []
        self.ground = take(12)
        self.of_nodes: list[int] = []
        nodes = tables.mechanism.nodes
        # What is inside a joint has one child, and nobody else asks for its state.
        inside = {node for mobilizer in tables.mechanism.mobilizers for node in mobilizer.nodes[:-1]}
        self._joint = {node: joint.nodes for joint in tables.mechanism.mobilizers for node in joint.nodes}
        for index, (node, rows) in enumerate(zip(nodes, tables.rows, strict=True)):
            state = self.ground if node.parent == GROUND else self.of_nodes[node.parent]
            may_overwrite = node.parent in inside
            # Nodes shift before they turn.
            for name, variables in (("shift", rows.shifts), ("turn", rows.turns)):
                if variables:
                    # The axes of a ball are carried by what is before all three of them.
                    after = state if may_overwrite and node.kind != BALL else take(12)
                    self._add(index, name, variables, state, after)
                    state, may_overwrite = after, True
            self.of_nodes.append(state)
        self.states = STATE.rows(self._records, TABLE_INTEGER)
        self.count = len(self._records)
        self.turned_about = {
            frozenset(record["twist"]): record["origin"]
            for record in self._records
            if record["kind"] in (THREE_TURNS, BALL_TURNS)
        }

    def _add(self, index: int, name: str, variables: Sequence[VariableRows], before: int, after: int) -> None:
        """Add the steps of the shifts or turns of a node."""
        node = self._tables.mechanism.nodes[index]
        twists = [self._twists[index, name, k] for k in range(len(variables))]
        rates = [variable.rate for variable in variables]
        kind = self._kind(index, name, variables)
        if kind == ONE_TURN and before == after and self._continues(node):
            turns = self._records[-1]
            turns["kind"] += 1
            # Inside a chain of hinges only the pose of the last is kept.
            turns["origin"] = self._tables.poses[index] + 9
            turns["twist"] += twists
            turns["rate"] += rates
            return
        if kind != ANY_VARIABLE:
            origin = self._tables.poses[index] + 9
            record = {"kind": kind, "twist": twists, "rate": rates, "origin": origin}
            self._records.append(record | {"before": before, "after": after})
            return
        carrier = before
        for twist, variable in zip(twists, variables, strict=True):
            own = {"twist": twist, "rate": variable.rate, "acceleration": self._acceleration(variable)}
            places = {"kind": kind, "before": before, "carrier": carrier, "after": after}
            self._records.append(places | own)
            before = after

    def _continues(self, node: Node) -> bool:
        """Tell whether a hinge turns about the same point as the step before it."""
        last = self._records[-1]
        return last["kind"] in HINGE_TURNS[:-1] and not any(node.offset) and not node.axes

    def _acceleration(self, variable: VariableRows) -> int:
        """Return the row of a variable's acceleration while speeds stay; only functions of coordinates have one."""
        is_speed = 0 <= variable.acceleration - self._tables.udot < self._tables.mechanism.n_speeds
        return NO_ROW if is_speed else variable.acceleration

    def _kind(self, index: int, name: str, variables: Sequence[VariableRows]) -> int:
        node = self._tables.mechanism.nodes[index]
        beside = (
            [row for k in self._joint[index] for row in self._tables.rows[k].turns] if name == "turn" else []
        )
        # One that is a function would part the hinges of a chain, of which only the last has a pose.
        if any(self._acceleration(variable) != NO_ROW for variable in (*variables, *beside)):
            return ANY_VARIABLE
        if name == "turn":
            return BALL_TURNS if node.kind == BALL else ONE_TURN
        return SHIFTS_FROM_REST if node.parent == GROUND and len(variables) == 3 else ANY_VARIABLE
