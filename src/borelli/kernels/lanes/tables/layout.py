"""A mechanism as tables: which row of the workspace holds what, for every node and speed.

The workspace of one thread has rows of one block of instants each. Rows are handed out here, once per
mechanism; the emitted code finds them in the tables.
"""

from __future__ import annotations

from math import cos, sin
from typing import Any

import numpy as np

from borelli.kernels.lanes.tables.node_order import by_depth
from borelli.kernels.lanes.tables.record_types import HEADER, HINGES, NO_ROW, NODE, STEP
from borelli.kernels.lanes.tables.screws import ScrewNode, screw_nodes
from borelli.kernels.lanes.tables.table_records import TABLE_INTEGER
from borelli.kernels.lanes.tables.variable_tables import VariableTables
from borelli.kernels.lanes.tables.variants import NODE_CONSTANTS, UnsupportedMechanism, chain_code
from borelli.kernels.tree.composite_inertia import about_mass_centre
from borelli.kernels.tree.mechanism import Mechanism
from borelli.kernels.tree.node import BALL, GROUND, HINGE


class TreeTables(VariableTables):
    """All tables of one mechanism.

    Parameters
    ----------
    mechanism : Mechanism
    chained : bool
        Whether the hinges of a joint may be one step of the passes.

    Attributes
    ----------
    mechanism : Mechanism
        The same, its nodes in the order of the tables.
    position : list of int
        Where each node of the original is in that order.
    inside_joints : set of int
        Nodes (numbered as in the original) that a chain passes through: nobody knows their wrenches.
    header, steps, nodes, hinges : (n, width) int32
        Records of the types of the same names.
    constants, gravity : float64
    n_rows : int
        Rows of the workspace, without what single calls add for their outcome.
    """

    def __init__(self, mechanism: Mechanism, chained: bool = True) -> None:
        self.mechanism, self.position = by_depth(mechanism)
        super().__init__(self.mechanism)
        self._chained = chained
        self.screws = screw_nodes(self.mechanism.nodes)
        self.gravity = np.array([float(g) for g in self.mechanism.gravity])
        self._add_nodes()
        self.header = self._make_header()

    def _add_nodes(self) -> None:
        nodes = self.mechanism.nodes
        self.ground_motion, self.ground_pose, self.ground_wrench = self.take(9), self.take(12), self.take(6)
        self.steps = self._steps()
        self.motions = self._motion_rows()
        self.poses = [self.take(12) for _ in nodes]
        ends = set(self._last)
        self.root_origins = [self.take(3) if node.parent == GROUND else NO_ROW for node in nodes]
        self.wrenches = [self.take(6) if node in ends else NO_ROW for node in range(len(nodes))]
        records, constants, hinges = [], [], []
        for index, (screw, rows) in enumerate(zip(self.screws, self.rows, strict=True)):
            parent = screw.node.parent
            root = parent == GROUND
            record: dict[str, Any] = {
                "root_origin": self.root_origins[index],
                "motion": self.motions[index],
                "parent_motion": self.ground_motion if root else self.motions[parent],
                "pose": self.poses[index],
                "parent_pose": self.ground_pose if root else self.poses[parent],
                "wrench": self.wrenches[index],
                "parent_wrench": self.ground_wrench if root else self.wrenches[parent],
                "turn": rows.turn,
            }
            for name, variables in (("turn", rows.turns), ("shift", rows.shifts)):
                record[f"{name}_rate"] = [v.rate for v in variables]
                record[f"{name}_acceleration"] = [v.acceleration for v in variables]
                record[f"{name}_force"] = [v.force for v in variables]
            record["shift"] = [v.value for v in rows.shifts]
            records.append(record)
            constants.append(_constants(screw))
            if screw.node.kind == HINGE:
                hinges.append({"angle": rows.turns[0].value, "turn": rows.turn, "node": index})
            if screw.node.kind == BALL and screw.twist != 0.0:
                raise AssertionError("only hinges are twisted")
        self.nodes = NODE.rows(records, TABLE_INTEGER)
        self.constants = NODE_CONSTANTS.rows(constants, np.float64)
        self.hinges = HINGES.rows(hinges, TABLE_INTEGER)
        self._n_hinges = len(hinges)

    def _steps(self) -> np.ndarray:
        """Cut the nodes into chains: whole joints where there is code for them, else single nodes."""
        joints = {m.nodes[0]: len(m.nodes) for m in self.mechanism.mobilizers} if self._chained else {}
        records: list[dict[str, int]] = []
        self._last: list[int] = []
        node = 0
        while node < len(self.screws):
            count = joints.get(node, 1)
            code = chain_code(self.screws[node : node + count])
            if code is None:
                count, code = 1, chain_code(self.screws[node : node + 1])
            if code is None:
                raise self._no_code_for(node)
            records.append({"chain": code, "node": node})
            node += count
            self._last.append(node - 1)
        ends = set(self._last)
        self.inside_joints = {node for node, place in enumerate(self.position) if place not in ends}
        return STEP.rows(records, TABLE_INTEGER)

    def _motion_rows(self) -> list[int]:
        """Return rows for the motion of each node, reused once all its children have been visited."""
        last_use: dict[int, int] = {}
        first = 0
        for last in self._last:
            last_use[last] = last
            parent = self.mechanism.nodes[first].parent
            if parent != GROUND:
                last_use[parent] = last
            first = last + 1
        free: list[int] = []
        rows = [NO_ROW] * len(self.screws)
        for last in self._last:
            rows[last] = free.pop() if free else self.take(9)
            free += [rows[node] for node, end in last_use.items() if end == last]
        return rows

    def _no_code_for(self, node: int) -> UnsupportedMechanism:
        owners = [m.coordinates for m in self.mechanism.mobilizers if node in m.nodes]
        n_axes = len(self.screws[node].node.axes)
        return UnsupportedMechanism(f"a joint with {n_axes} translation axes", owners[0] if owners else ())

    def _make_header(self) -> np.ndarray:
        rows = ("q", "u", "udot", "force", "zeros", "ones", "ground_motion", "ground_pose", "ground_wrench")
        sizes = {
            "n_steps": len(self._last),
            "n_coordinates": self.mechanism.n_coordinates,
            "n_speeds": self.mechanism.n_speeds,
            "n_hinges": self._n_hinges,
        }
        header = {name: getattr(self, name) for name in rows} | sizes | self.counts
        return HEADER.rows([header], TABLE_INTEGER)


def _constants(screw: ScrewNode) -> dict[str, Any]:
    node = screw.node
    record: dict[str, Any] = {
        "screw": (cos(screw.gamma), sin(screw.gamma), cos(screw.alpha), sin(screw.alpha)),
        "phase": screw.delta,
        "offset": node.offset,
        "axes": [number for axis in node.axes for number in axis],
        "matrix": screw.matrix.ravel().tolist(),
        "untwist": (cos(screw.twist), sin(screw.twist)),
    }
    if node.inertia is not None:
        mass, first, second = node.inertia
        centre, central = about_mass_centre(node.inertia)
        record |= {"mass": mass, "first_moment": first, "second_moment": second}
        record |= {"centre": centre, "central_moment": central}
    return record
