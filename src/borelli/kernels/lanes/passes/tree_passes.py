"""Passes over all nodes: poses and motions from the ground outwards, wrenches back to it.

Each pass switches on the variant of a node and calls the same node functions as the other back ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from borelli.kernels.lanes.code.control import Switch, count_down, count_up, only_if
from borelli.kernels.lanes.code.record_views import FloatRecord, IntegerRecord
from borelli.kernels.lanes.code.values import Integer, Integers
from borelli.kernels.lanes.code.workspace import Workspace
from borelli.kernels.lanes.passes.tables import Tables
from borelli.kernels.lanes.tables.record_types import NODE, STEP, WANTED
from borelli.kernels.lanes.tables.variants import FULL, NODE_CONSTANTS, Variant, grouped
from borelli.kernels.tree.algebra import IDENTITY, Matrix, spin_matrix, times
from borelli.kernels.tree.node import BALL, HINGE, Node, NodeVariables
from borelli.kernels.tree.node_force import (
    Wrench,
    inertial_wrench,
    node_generalized_force,
    wrench_in_parent,
)
from borelli.kernels.tree.node_motion import (
    NodeMotion,
    NodePose,
    node_motion,
    node_pose,
    node_rotation,
)
from borelli.kernels.tree.numbers import Number


class NodeAt:
    """One node in a block of instants: its constants, variables and rows."""

    def __init__(self, variant: Variant, tables: Tables, index: Integer, at: Workspace) -> None:
        self.variant = variant
        self.at = at
        self.constants = FloatRecord(NODE_CONSTANTS, tables.constants, index)
        self.index = index
        self._record = IntegerRecord(NODE, tables.nodes, index)
        self._rows: dict[tuple[str, int], Integer] = {}

    def row(self, name: str, k: int = 0) -> Integer:
        """Return a row of the node's record."""
        if (name, k) not in self._rows:
            self._rows[name, k] = self._record(name, k)
        return self._rows[name, k]

    @contextmanager
    def if_wanted(self, wanted: Integers) -> Iterator[tuple[Integer, Integer]]:
        """Emit code that runs only for nodes asked for; yield the rows of the two parts of the answer."""
        record = IntegerRecord(WANTED, wanted, self.index)
        first = record("first")
        with only_if(self.at.emitter, first.compare(">=", 0)):
            yield first, record("second")

    @property
    def node(self) -> Node:
        """Constants of the node."""
        return self.variant.node(self.constants)

    def _each(self, name: str, count: int) -> tuple[Number, ...]:
        return tuple(self.at.load(self.row(name, k)) for k in range(count))

    def variables(self, rates: bool) -> NodeVariables:
        """Variables of the node, with or without their time derivatives."""
        kind, n_axes, at = self.variant.kind, self.variant.n_axes, self.at
        shift = self._each("shift", n_axes)
        turn = at.numbers(self.row("turn"), {HINGE: 2, BALL: 9}.get(kind, 0)) or None
        if not rates:
            return NodeVariables(turn=turn, shift=shift)
        n_turns = {HINGE: 1, BALL: 3}.get(kind, 0)
        rate, acceleration = (self._each(name, n_turns) for name in ("turn_rate", "turn_acceleration"))
        return NodeVariables(
            turn,
            rate[0] if kind == HINGE else rate,
            acceleration[0] if kind == HINGE else acceleration,
            shift,
            self._each("shift_rate", n_axes),
            self._each("shift_acceleration", n_axes),
        )


def everything(variant: Variant) -> Variant:
    """For a pass that treats all variants differently."""
    return variant


def but_inertia(variant: Variant) -> Variant:
    """For a pass that does not care whether a node has mass."""
    return replace(variant, has_inertia=False)


def freedoms_alone(variant: Variant) -> Variant:
    """For a pass that cares for the kind of a node and its translation axes alone."""
    return replace(variant, form=FULL, has_offset=False, has_inertia=False)


def visit(
    tables: Tables,
    work: Workspace,
    index: Integer,
    body: Callable[[Sequence[NodeAt]], None],
    matters: Callable[[Variant], Variant] = but_inertia,
) -> None:
    """Emit ``body(nodes)`` for one step, once for every chain of nodes that the pass must tell apart.

    Parameters
    ----------
    matters : callable
        Drops from a variant what makes no difference to the pass.
    """
    record = IntegerRecord(STEP, tables.steps, index)
    with Switch(record("chain")) as switch:
        for chain, codes in grouped(matters):
            with switch.case(*codes):
                at, first = work.fresh(), record("node")
                body([NodeAt(variant, tables, first + k, at) for k, variant in enumerate(chain)])


def prepare_ground(tables: Tables, work: Workspace) -> None:
    """Set the rows of the ground, which no pass changes: motion (against gravity) and pose."""
    motion, pose = tables.header("ground_motion"), tables.header("ground_pose")
    work.fill(motion, 9, 0.0)
    work.fill(pose, 12, 0.0)
    for k in range(3):
        work.fill(motion + (6 + k), 1, -tables.gravity.spread(k))
        work.fill(pose + 4 * k, 1, 1.0)
    work.fill(tables.header("zeros"), 1, 0.0)
    work.fill(tables.header("ones"), 1, 1.0)


def load_matrix(at: Workspace, row: Integer) -> Matrix:
    """Read nine rows."""
    r = at.numbers(row, 9)
    return (r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8])


def load_pose(at: Workspace, row: Integer) -> NodePose:
    """Read the pose of a node."""
    return NodePose(load_matrix(at, row), at.vector(row, 9))


def load_wrench(at: Workspace, row: Integer) -> Wrench:
    """Read the wrench of a node."""
    return Wrench(at.vector(row), at.vector(row, 3))


def pose_pass(
    tables: Tables,
    work: Workspace,
    meanwhile: Callable[[Integer], None] | None = None,
    wanted: Integers | None = None,
    from_root: bool = False,
    at_each: Callable[[NodeAt, NodePose, Matrix], None] | None = None,
) -> None:
    """Place every node in ground.

    Parameters
    ----------
    at_each : callable, optional
        Uses the pose of each node and the rotation of its parent on the spot. Inside chains of nodes poses are then not
        kept: writing rows that nobody else reads takes longer than computing them.
    meanwhile : callable, optional
        Emits something else after each node.
    wanted : Integers, optional
        Nodes whose rotation and origin are written out.
    from_root : bool
        Measure positions from the origin of the tree's root instead of the ground's, so that a subject far
        away loses no digits; the place of the root is kept in its rows ``root_origin``.
    """

    def body(nodes: Sequence[NodeAt]) -> None:
        at = nodes[0].at
        pose = load_pose(at, nodes[0].row("parent_pose"))
        for node in nodes:
            parent = pose.rotation
            pose = node_pose(node.node, node.variables(rates=False), pose)
            if from_root and node is nodes[0]:
                row = node.row("root_origin")
                is_root = row.compare(">=", 0)
                with only_if(work.emitter, is_root):
                    at.fresh().store_numbers(row, pose.origin)
                zero = work.emitter.lanes(0.0)
                x, y, z = (zero.where(is_root, c) for c in pose.origin)
                pose = NodePose(pose.rotation, (x, y, z))
            if at_each is not None:
                at_each(node, pose, parent)
            if at_each is None or node is nodes[-1]:
                at.store_numbers(node.row("pose"), (*pose.rotation, *pose.origin))
            if wanted is None:
                continue
            with node.if_wanted(wanted) as (first, second):
                at.store_numbers(first, _untwisted(node, pose.rotation))
                at.store_numbers(second, pose.origin)

    with count_up(work.emitter, 0, tables.header("n_steps")) as index:
        visit(tables, work, index, body)
        if meanwhile is not None:
            meanwhile(index)


def _untwisted(node: NodeAt, r: Matrix) -> Matrix:
    """Undo the twist that the screw form gave to the x and y axes of a hinge."""
    if node.variant.kind != HINGE:
        return r
    c, s = node.constants.numbers("untwist", 2)
    x = (c * r[0] - s * r[1], c * r[3] - s * r[4], c * r[6] - s * r[7])
    y = (s * r[0] + c * r[1], s * r[3] + c * r[4], s * r[6] + c * r[7])
    return (x[0], y[0], r[2], x[1], y[1], r[5], x[2], y[2], r[8])


def ground_wrench_pass(
    tables: Tables, work: Workspace, wanted: Integers, meanwhile: Callable[[Integer], None]
) -> None:
    """Turn the wrenches of the wanted nodes into ground axes, each in its place."""

    def body(nodes: Sequence[NodeAt]) -> None:
        at, last = nodes[0].at, nodes[-1]
        # The rows of motions are no longer needed: rotations take their place.
        rotation = load_matrix(at, nodes[0].row("parent_motion"))
        for node in nodes:
            rotation = node_rotation(node.node, node.variables(rates=False), rotation)
        at.store_numbers(last.row("motion"), rotation)
        with only_if(at.emitter, wanted[last.index].compare("!=", 0)):
            moment, force = load_wrench(at, last.row("wrench"))
            turned = (*times(rotation, moment), *times(rotation, force))
            at.store_numbers(last.row("wrench"), turned)

    ground = tables.header("ground_motion")
    at = work.fresh()
    at.store_numbers(ground, IDENTITY)
    with count_up(work.emitter, 0, tables.header("n_steps")) as index:
        visit(tables, work, index, body)
        meanwhile(index)
    at.store_numbers(ground, (0.0,) * 6)
    at.store_numbers(ground, [-tables.gravity.spread(k) for k in range(3)], 6)


def motion_pass(tables: Tables, work: Workspace, meanwhile: Callable[[Integer], None]) -> None:
    """Motion of every node, and the wrench that its own mass needs; something else after each step."""

    def body(nodes: Sequence[NodeAt]) -> None:
        at, last, row = nodes[0].at, nodes[-1], nodes[0].row("parent_motion")
        omega, alpha = at.vector(row), at.vector(row, 3)
        motion = NodeMotion(omega, alpha, at.vector(row, 6), spin_matrix(omega, alpha))
        for node in nodes:
            motion = node_motion(node.node, node.variables(rates=True), motion)
        at.store_numbers(last.row("motion"), (*motion.omega, *motion.alpha, *motion.acceleration))
        wrench: tuple[Number, ...] = (0.0,) * 6
        inertia = last.node.inertia
        if inertia is not None:
            moment, force = inertial_wrench(inertia, motion)
            wrench = (*moment, *force)
        at.store_numbers(last.row("wrench"), wrench)

    with count_up(work.emitter, 0, tables.header("n_steps")) as index:
        visit(tables, work, index, body, everything)
        meanwhile(index)


def wrench_pass(tables: Tables, work: Workspace, meanwhile: Callable[[Integer], None] | None = None) -> None:
    """Sum up wrenches from the tips to the ground; give each variable the force it feels."""

    def body(nodes: Sequence[NodeAt]) -> None:
        at = nodes[0].at
        wrench = load_wrench(at, nodes[-1].row("wrench"))
        for node in reversed(nodes):
            constants = node.node
            carried = wrench_in_parent(constants, node.variables(rates=False), wrench)
            force = node_generalized_force(constants, wrench, carried.force)
            turns = {HINGE: (force.turn,), BALL: force.turn}.get(constants.kind, ())
            for k, value in enumerate(turns):
                at.store(node.row("turn_force", k), value)
            for k, value in enumerate(force.shift):
                at.store(node.row("shift_force", k), value)
            wrench = carried
        at.add_numbers(nodes[0].row("parent_wrench"), (*wrench.moment, *wrench.force))

    with count_down(work.emitter, 0, tables.header("n_steps")) as index:
        visit(tables, work, index, body)
        if meanwhile is not None:
            meanwhile(index)
