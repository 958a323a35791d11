"""A mechanism as tables: which row of the workspace holds what, for every node, function and speed.

The workspace of one thread has rows of one block of frames each. Rows are handed out here, once per
mechanism; the emitted code finds them in the tables. A node variable that *is* a coordinate shares that
coordinate's rows. All others get rows of their own, filled by the pass over functions and balls, and are tied
to the speeds by *couplings*: rate of variable = sum of slope times speed, and therefore force on speed = sum
of slope times force on variable.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import cos, sin
from typing import Any

import numpy as np

from borelli.kernels.functions import Constant, CoordinateFunction, Linear, PiecewisePolynomial
from borelli.kernels.joint_maps import AxesMap, BallMap
from borelli.kernels.lanes.records import TABLE_INTEGER, RecordType
from borelli.kernels.lanes.screws import ScrewNode, screw_nodes
from borelli.kernels.lanes.variants import NODE_CONSTANTS, UnsupportedMechanism, chain_code
from borelli.kernels.mechanism import Mechanism, Mobilizer
from borelli.kernels.node import BALL, GROUND, HINGE

HEADER = RecordType(
    n_steps=1,
    n_coordinates=1,
    n_speeds=1,
    q=1,
    u=1,
    udot=1,
    force=1,
    zeros=1,
    ones=1,
    ground_motion=1,
    ground_pose=1,
    ground_wrench=1,
    n_hinges=1,
    n_functions=1,
    n_balls=1,
    n_uncoupled=1,
    n_couplings=1,
)
STEP = RecordType(chain=1, node=1)
"""What a pass visits at a time: the code of a chain and its first node; the others follow."""
NODE = RecordType(
    is_root=1,
    motion=1,
    parent_motion=1,
    pose=1,
    parent_pose=1,
    wrench=1,
    parent_wrench=1,
    turn=1,
    turn_rate=3,
    turn_acceleration=3,
    turn_force=3,
    shift=3,
    shift_rate=3,
    shift_acceleration=3,
    shift_force=3,
)
HINGES = RecordType(angle=1, turn=1, node=1)
FUNCTION = RecordType(
    degree=1, intervals=1, data=1, x=1, u=1, udot=1, value=1, rate=1, acceleration=1, slope=1
)
BALLS = RecordType(kind=1, q=4, u=3, udot=3, turn=1, rate=1, acceleration=1, shift=1, shift_slope=1)
COUPLING = RecordType(source=1, slope=1, target=1)

WANTED = RecordType(first=1, second=1)
"""For each node, the rows that receive the two parts of what is asked about it; -1 for nothing."""
LOADED = RecordType(pose=1, wrench=1, rows=1)
"""A node under a load, and the nine rows of force, point and moment."""

NO_ROW = -1

DEGREES = (1, 3, 5, 9)
"""Polynomial degrees that have code of their own; a function is padded to the next one."""


@dataclass
class VariableRows:
    """Rows of one node variable, its time derivatives and the force conjugate to it."""

    value: int
    rate: int
    acceleration: int
    force: int


@dataclass
class NodeRows:
    """Rows of the variables of one node."""

    turn: int = 0
    turns: list[VariableRows] = field(default_factory=list)
    shifts: list[VariableRows] = field(default_factory=list)


class TreeTables:
    """All tables of one mechanism.

    Attributes
    ----------
    mechanism : Mechanism
        The same, its nodes in the order of the tables.
    position : list of int
        Where each node of the original is in that order.
    inside_joints : set of int
        Nodes (numbered as in the original) that a chain passes through: nobody knows their wrenches.
    header, steps, nodes, hinges, functions, balls, uncoupled, couplings : (n, width) int32
        Records of the types of the same names.
    constants, function_data, ball_data, gravity : float64
    n_rows : int
        Rows of the workspace, without what single calls add for their outcome.
    """

    def __init__(self, mechanism: Mechanism, chained: bool = True) -> None:
        self.mechanism, self.position = by_depth(mechanism)
        self._chained = chained
        mechanism = self.mechanism
        self.n_rows = 0
        self.screws = screw_nodes(mechanism.nodes)
        self._functions: list[dict[str, Any]] = []
        self._function_data: list[float] = []
        self._balls: list[dict[str, Any]] = []
        self._radii: list[tuple[float, ...]] = []
        self._direct: set[int] = set()
        # speed, row of the slope, row of the force on the variable, (node, "turn" or "shift", position)
        self.ties: list[tuple[int, int, int, tuple[int, str, int]]] = []
        n_q, n_u = mechanism.n_coordinates, mechanism.n_speeds
        self.q, self.u, self.udot = (self.take(n) for n in (n_q, n_u, n_u))
        # Forces take the place of accelerations, which nobody needs any more by then (or not yet).
        self.force = self.udot
        self.zeros, self.ones = self.take(1), self.take(1)
        self.rows = [NodeRows() for _ in mechanism.nodes]
        for mobilizer in mechanism.mobilizers:
            self._add_mobilizer(mobilizer)
        self._add_nodes()
        self._finish()

    def take(self, count: int) -> int:
        """Return the first of so many new rows."""
        first = self.n_rows
        self.n_rows += count
        return first

    # Variables ------------------------------------------------------------------------------------------

    def _add_mobilizer(self, mobilizer: Mobilizer) -> None:
        joint = mobilizer.map
        if type(joint) is AxesMap:
            first = self.rows[mobilizer.nodes[0]]
            for k, function in enumerate(joint.shifts):
                key = (mobilizer.nodes[0], "shift", k)
                first.shifts.append(self._variable(mobilizer, function, key))
            for node, function in zip(mobilizer.nodes, joint.hinges, strict=False):
                rows = self.rows[node]
                rows.turns.append(self._variable(mobilizer, function, (node, "turn", 0)))
                rows.turn = self.take(2)
        elif type(joint) is BallMap:
            self._add_ball(mobilizer, joint)
        else:
            raise UnsupportedMechanism(f"joint map {type(joint).__name__}")

    def _variable(
        self, mobilizer: Mobilizer, function: CoordinateFunction, key: tuple[int, str, int]
    ) -> VariableRows:
        """Return the rows of a function of coordinates: those of the coordinate itself if that is all."""
        if isinstance(function, Linear) and function.is_identity:
            k = function.arguments[0]
            coordinate, speed = mobilizer.coordinates[k], mobilizer.speeds[k]
            if speed not in self._direct:
                self._direct.add(speed)
                rows = self._direct_rows(coordinate, speed)
                self.ties.append((speed, self.ones, rows.force, key))
                return rows
        return self._function(mobilizer, function, key)

    def _direct_rows(self, coordinate: int, speed: int) -> VariableRows:
        return VariableRows(self.q + coordinate, self.u + speed, self.udot + speed, self.force + speed)

    def _function(
        self, mobilizer: Mobilizer, function: CoordinateFunction, key: tuple[int, str, int]
    ) -> VariableRows:
        breaks, origins, coefficients = polynomial_table(function)
        # The code for straight lines knows a single interval: a broken line is padded to a cubic.
        least = coefficients.shape[1] - 1 if len(origins) == 1 else 2
        degree = next(d for d in DEGREES if d >= max(least, coefficients.shape[1] - 1))
        padded = np.zeros((len(origins), degree + 1))
        padded[:, : coefficients.shape[1]] = coefficients
        value, rate, acceleration, slope, force = (self.take(1) for _ in range(5))
        record: dict[str, Any] = {
            "degree": degree,
            "intervals": len(origins),
            "data": len(self._function_data),
            "x": self.zeros,
            "u": self.zeros,
            "udot": self.zeros,
            "value": value,
            "rate": rate,
            "acceleration": acceleration,
            "slope": slope,
        }
        self._function_data += [*breaks, *np.column_stack([origins, padded]).ravel()]
        if function.arguments:
            k = function.arguments[0]
            record["x"] = self.q + mobilizer.coordinates[k]
            record["u"] = self.u + mobilizer.speeds[k]
            record["udot"] = self.udot + mobilizer.speeds[k]
            self.ties.append((mobilizer.speeds[k], slope, force, key))
        self._functions.append(record)
        return VariableRows(value, rate, acceleration, force)

    def _add_ball(self, mobilizer: Mobilizer, joint: BallMap) -> None:
        (node,) = mobilizer.nodes
        rows, speeds = self.rows[node], mobilizer.speeds
        rows.turn = self.take(9)
        n_angles = 4 if joint.quaternion else 3
        record: dict[str, Any] = {
            "kind": int(joint.quaternion) + 2 * (joint.radii is not None),
            "q": [self.q + k for k in mobilizer.coordinates[:n_angles]],
            "u": [self.u + k for k in speeds[:3]],
            "udot": [self.udot + k for k in speeds[:3]],
            "turn": rows.turn,
        }
        if joint.quaternion:
            for k, speed in enumerate(speeds[:3]):
                rows.turns.append(VariableRows(0, self.u + speed, self.udot + speed, self.force + speed))
                self._direct.add(speed)
                self.ties.append((speed, self.ones, self.force + speed, (node, "turn", k)))
        else:
            record["rate"], record["acceleration"], force = self.take(3), self.take(3), self.take(3)
            for k in range(3):
                rows.turns.append(VariableRows(0, record["rate"] + k, record["acceleration"] + k, force + k))
                # The rate in child axes is R^T u.
                for j, speed in enumerate(speeds[:3]):
                    self.ties.append((speed, rows.turn + 3 * j + k, force + k, (node, "turn", k)))
        if joint.free:
            for k, (coordinate, speed) in enumerate(
                zip(mobilizer.coordinates[n_angles:], speeds[3:], strict=True)
            ):
                rows.shifts.append(self._direct_rows(coordinate, speed))
                self._direct.add(speed)
                self.ties.append((speed, self.ones, self.force + speed, (node, "shift", k)))
        elif joint.radii is not None:
            record["shift"], record["shift_slope"], force = self.take(9), self.take(9), self.take(3)
            for k in range(3):
                shift = record["shift"] + k
                rows.shifts.append(VariableRows(shift, shift + 3, shift + 6, force + k))
                for j, speed in enumerate(speeds[:3]):
                    self.ties.append(
                        (speed, record["shift_slope"] + 3 * j + k, force + k, (node, "shift", k))
                    )
        self._radii.append(tuple(float(r) for r in joint.radii or (0.0, 0.0, 0.0)))
        self._balls.append(record)

    # Nodes ----------------------------------------------------------------------------------------------

    def _add_nodes(self) -> None:
        nodes = self.mechanism.nodes
        self.ground_motion, self.ground_pose, self.ground_wrench = self.take(9), self.take(12), self.take(6)
        self.steps = self._steps()
        self.motions = self._motion_rows()
        self.poses = [self.take(12) for _ in nodes]
        ends = set(self._last)
        self.wrenches = [self.take(6) if node in ends else NO_ROW for node in range(len(nodes))]
        records, constants, hinges = [], [], []
        for index, (screw, rows) in enumerate(zip(self.screws, self.rows, strict=True)):
            parent = screw.node.parent
            root = parent == GROUND
            record: dict[str, Any] = {
                "is_root": int(root),
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
                n_axes = len(self.screws[node].node.axes)
                raise UnsupportedMechanism(f"a joint with {n_axes} translation axes")
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

    def _finish(self) -> None:
        self.functions = FUNCTION.rows(self._functions, TABLE_INTEGER)
        self.function_data = np.array(self._function_data or [0.0])
        self.balls = BALLS.rows(self._balls, TABLE_INTEGER)
        self.ball_data = np.array(self._radii or [(0.0, 0.0, 0.0)])
        uncoupled = [self.force + k for k in range(self.mechanism.n_speeds) if k not in self._direct]
        self.uncoupled = np.array(uncoupled or [0], dtype=TABLE_INTEGER)
        ties = [t for t in self.ties if t[2] != self.force + t[0]]
        couplings = [
            {"source": force, "slope": slope, "target": self.force + speed} for speed, slope, force, _ in ties
        ]
        self.couplings = COUPLING.rows(couplings, TABLE_INTEGER)
        self.gravity = np.array([float(g) for g in self.mechanism.gravity])
        rows = ("q", "u", "udot", "force", "zeros", "ones", "ground_motion", "ground_pose", "ground_wrench")
        header = {name: getattr(self, name) for name in rows} | {
            "n_steps": len(self._last),
            "n_coordinates": self.mechanism.n_coordinates,
            "n_speeds": self.mechanism.n_speeds,
            "n_hinges": self._n_hinges,
            "n_functions": len(self._functions),
            "n_balls": len(self._balls),
            "n_uncoupled": len(uncoupled),
            "n_couplings": len(couplings),
        }
        self.header = HEADER.rows([header], TABLE_INTEGER)


def by_depth(mechanism: Mechanism) -> tuple[Mechanism, list[int]]:
    """Order the joints by their distance from the ground; return also the new position of each node.

    Neighbours in this order do not wait for each other: the processor works on several limbs at once. The
    nodes of a joint stay together.
    """
    chains = {m.nodes[0]: m.nodes for m in mechanism.mobilizers}
    inner = {node for nodes in chains.values() for node in nodes[1:]}
    starts = [node for node in range(len(mechanism.nodes)) if node not in inner]
    depths = {node: sum(k not in inner for k in mechanism.path(node)) for node in starts}
    order = [k for node in sorted(starts, key=depths.__getitem__) for k in chains.get(node, (node,))]
    position = [0] * len(order)
    for new, old in enumerate(order):
        position[old] = new
    nodes = [mechanism.nodes[old] for old in order]
    ordered = replace(
        mechanism,
        nodes=tuple(n if n.parent == GROUND else replace(n, parent=position[n.parent]) for n in nodes),
        mobilizers=tuple(replace(m, nodes=tuple(position[k] for k in m.nodes)) for m in mechanism.mobilizers),
    )
    return ordered, position


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
        record |= {"mass": mass, "first_moment": first, "second_moment": second}
    return record


def polynomial_table(function: CoordinateFunction) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a function of at most one coordinate as breaks, origins and coefficients of polynomials."""
    if isinstance(function, Constant):
        return np.empty(0), np.zeros(1), np.array([[float(function.value)]])
    if isinstance(function, Linear):
        return np.empty(0), np.zeros(1), np.array([[float(function.intercept), float(function.slope)]])
    if isinstance(function, PiecewisePolynomial) and function.coefficients.shape[1] - 1 <= DEGREES[-1]:
        return function.breaks, function.origins, function.coefficients
    raise UnsupportedMechanism(f"function {type(function).__name__}")
