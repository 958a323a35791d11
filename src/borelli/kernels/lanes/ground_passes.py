"""Passes in ground axes about a common point: twists, inertias, mass matrix, articulated bodies, energy."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from borelli.kernels.lanes.control import Switch, count_down, count_up, only_if
from borelli.kernels.lanes.links import (
    HAS_CHILDREN,
    HAS_MASS,
    JOINT,
    LINK,
    LINKS_HEADER,
    MASS,
    N_ARTICULATED,
    PAIR,
    TWISTS,
)
from borelli.kernels.lanes.record_types import COUPLING, LOADED_LINK
from borelli.kernels.lanes.record_views import FloatRecord, IntegerRecord
from borelli.kernels.lanes.tables import Tables
from borelli.kernels.lanes.tree_passes import (
    NodeAt,
    freedoms_alone,
    load_matrix,
    load_pose,
    load_wrench,
    pose_pass,
    visit,
)
from borelli.kernels.lanes.values import Integer, Integers
from borelli.kernels.lanes.variants import NODE_CONSTANTS, node_inertia
from borelli.kernels.lanes.workspace import Workspace
from borelli.kernels.tree.algebra import (
    ZERO,
    Matrix,
    Vector,
    add,
    cross,
    dot,
    scale,
    spin_matrix,
    subtract,
    times,
)
from borelli.kernels.tree.articulated import (
    LEAST_RESISTANCE,
    ArticulatedInertia,
    Spread,
    apply_inertia,
    released,
    rigid_inertia,
    rigid_resistance,
    spread,
)
from borelli.kernels.tree.composite_inertia import add_inertias, inertia_in_parent, momentum
from borelli.kernels.tree.motion_subspace import power
from borelli.kernels.tree.node import BALL, GROUND, HINGE, Inertia, Node, NodeVariables
from borelli.kernels.tree.node_force import Wrench, inertial_wrench
from borelli.kernels.tree.node_motion import NodeMotion, NodePose, NodeVelocity, along_axes
from borelli.kernels.tree.numbers import Number
from borelli.kernels.tree.rotation import SameAxes
from borelli.records import dataclass


@dataclass(frozen=True)
class Links:
    """Arguments of a kernel that describe the links; see links.py for their records."""

    links_header: Integers
    twists: Integers
    masses: Integers
    joints: Integers
    massless: Integers
    links: Integers
    pairs: Integers
    twist_sums: Integers
    twist_couplings: Integers
    entries: Integers

    def header(self, name: str) -> Integer:
        """Return a size or a row of the header."""
        return IntegerRecord(LINKS_HEADER, self.links_header, 0)(name)

    def link(self, index: Integer) -> IntegerRecord:
        """Return the record of a link."""
        return IntegerRecord(LINK, self.links, index)


def placed_twist_pass(
    tables: Tables,
    links: Links,
    work: Workspace,
    meanwhile: Callable[[Integer], None] | None = None,
    wanted: Integers | None = None,
    from_root: bool = False,
    moving: bool = False,
) -> None:
    """Place every node as in :func:`pose_pass`, with the twists about the point that places are measured from.

    Parameters
    ----------
    moving : bool
        Find the state of every node, too: its velocity, and its acceleration while all speeds stay as they are.
    """

    def along(nodes: Sequence[NodeAt]) -> Callable[[NodeAt, NodePose, Matrix], None]:
        records = {node: IntegerRecord(TWISTS, links.twists, node.index) for node in nodes}
        state = load_state(nodes[0].at, records[nodes[0]]("parent_state")) if moving else None

        def at_each(node: NodeAt, pose: NodePose, parent: Matrix) -> None:
            nonlocal state
            shifts, turns = _node_twists(node, pose.rotation, pose.origin, parent)
            _store_twists(node, records[node], shifts, turns)
            if state is None:
                return
            state = carried_on(node, state, shifts, turns)
            if node is nodes[-1]:
                (omega, velocity), (alpha, acceleration) = state
                node.at.store_numbers(records[node]("state"), (*omega, *velocity, *alpha, *acceleration))

        return at_each

    pose_pass(tables, work, meanwhile, wanted, from_root, along)
    _add_up_twists(links, work)


def twist_pass(tables: Tables, links: Links, work: Workspace) -> None:
    """Twist about the root's origin that the unit rate of each variable gives, then that of each speed.

    For places measured from the ground's origin.
    """

    def body(nodes: Sequence[NodeAt]) -> None:
        for node in nodes:
            add_twists(node)

    def add_twists(node: NodeAt) -> None:
        at, record = node.at, IntegerRecord(TWISTS, links.twists, node.index)
        pose = load_pose(at, node.row("pose"))
        parent = load_matrix(at, node.row("parent_pose"))
        offset = subtract(pose.origin, at.vector(record("reference")))
        _store_twists(node, record, *_node_twists(node, pose.rotation, offset, parent))

    with count_up(work.emitter, 0, tables.header("n_steps")) as index:
        visit(tables, work, index, body, freedoms_alone)
    _add_up_twists(links, work)


def _node_twists(
    node: NodeAt, r: Matrix, offset: Vector, parent: Matrix
) -> tuple[list[NodeVelocity], list[NodeVelocity]]:
    """Return the twists of a node's shifts and turns."""
    columns = {HINGE: (2,), BALL: (0, 1, 2)}.get(node.variant.kind, ())
    axes = [(r[column], r[3 + column], r[6 + column]) for column in columns]
    turns = [NodeVelocity(axis, cross(offset, axis)) for axis in axes]
    return [NodeVelocity(ZERO, times(parent, axis)) for axis in node.node.axes], turns


def _store_twists(
    node: NodeAt, record: IntegerRecord, shifts: list[NodeVelocity], turns: list[NodeVelocity]
) -> None:
    for name, twists in (("turn", turns), ("shift", shifts)):
        for k, twist in enumerate(twists):
            node.at.store_numbers(record(name, k), (*twist.omega, *twist.velocity))


def _add_up_twists(links: Links, work: Workspace) -> None:
    """Twist of each speed that drives several variables, or one by a slope."""
    with count_up(work.emitter, 0, links.header("n_sums")) as i:
        work.fill(links.twist_sums[i], 6, 0.0)
    with count_up(work.emitter, 0, links.header("n_couplings")) as i:
        record, at = IntegerRecord(COUPLING, links.twist_couplings, i), work.fresh()
        slope = at.load(record("slope"))
        at.add_numbers(record("target"), [slope * x for x in at.numbers(record("source"), 6)])


def inertia_pass(
    tables: Tables, links: Links, work: Workspace, from_root: bool, moving: bool = False
) -> None:
    """Mass distribution that each joint carries itself, without its children.

    Parameters
    ----------
    from_root : bool
        Whether the pose pass has measured positions from the root; otherwise it is done here.
    moving : bool
        Find the wrench that the masses need, too, while all speeds stay as they are.
    """
    with count_up(work.emitter, 0, links.header("n_massless")) as i:
        work.fill(links.massless[i], 10, 0.0)
    with count_up(work.emitter, 0, links.header("n_masses")) as i:
        record, at = IntegerRecord(MASS, links.masses, i), work.fresh()
        constants = FloatRecord(NODE_CONSTANTS, tables.constants, record("node"))
        pose = load_pose(at, record("pose"))
        offset = pose.origin if from_root else subtract(pose.origin, at.vector(record("reference")))
        placed = Node(GROUND, BALL, offset, SameAxes())
        turn = NodeVariables(turn=pose.rotation)
        mass, first, second = inertia = inertia_in_parent(placed, turn, node_inertia(constants))
        numbers: tuple[Number, ...] = (mass, *first, *second)
        if moving:
            moment, force = inertial_wrench(inertia, load_state(at, record("state")).motion())
            numbers = (*numbers, *moment, *force)
        _store_or_add(at, record("target"), record("is_first"), numbers)


def link_load_pass(links: Links, work: Workspace, n_loads: Integer, loaded: Integers) -> None:
    """Add to the force of each speed what external loads do on what it carries."""
    with count_up(work.emitter, 0, n_loads) as i:
        record, at = IntegerRecord(LOADED_LINK, loaded, i), work.fresh()
        row = record("rows")
        force, point, free = at.vector(row), at.vector(row, 3), at.vector(row, 6)
        moment = add(free, cross(subtract(point, at.vector(record("root_origin"))), force))
        with count_up(work.emitter, record("first_pair"), record("last_pair")) as p:
            pair, at = IntegerRecord(PAIR, links.pairs, p), work.fresh()
            at.add_numbers(pair("force"), [power(load_twist(at, pair("twist")), Wrench(moment, force))])


def _store_or_add(at: Workspace, row: Integer, is_first: Integer, numbers: Sequence[Number]) -> None:
    """Write rows if nothing has been written to them yet, else add to them."""
    with at.emitter.builder.if_else(is_first.compare("==", 1)) as (then, otherwise):
        with then:
            at.fresh().store_numbers(row, numbers)
        with otherwise:
            at.fresh().add_numbers(row, numbers)


class State(NamedTuple):
    """Velocity of a node, and its acceleration while all speeds stay as they are, as twists about one point."""

    velocity: NodeVelocity
    acceleration: NodeVelocity

    def motion(self) -> NodeMotion:
        """Motion of the point of the node that passes the common point, in ground axes."""
        (omega, velocity), (alpha, acceleration) = self
        return NodeMotion(omega, alpha, add(acceleration, cross(omega, velocity)), spin_matrix(omega, alpha))


def load_state(at: Workspace, row: Integer) -> State:
    """Read twelve rows."""
    return State(
        NodeVelocity(at.vector(row), at.vector(row, 3)), NodeVelocity(at.vector(row, 6), at.vector(row, 9))
    )


def carried_on(node: NodeAt, parent: State, shifts: list[NodeVelocity], turns: list[NodeVelocity]) -> State:
    """State of a node from that of its parent and the rates of its own variables, which shift before they turn."""
    state = parent
    for name, twists in (("shift", shifts), ("turn", turns)):
        if not twists:
            continue
        (omega, velocity), (alpha, acceleration) = state
        rates, gains = (
            [node.at.load(node.row(f"{name}_{of}", k)) for k in range(len(twists))]
            for of in ("rate", "acceleration")
        )
        linear = along_axes(tuple(twist.velocity for twist in twists), tuple(rates))
        # The state before carries the axes along.
        acceleration = add(acceleration, cross(omega, linear))
        acceleration = add(acceleration, along_axes(tuple(twist.velocity for twist in twists), tuple(gains)))
        if name == "turn":
            own = along_axes(tuple(twist.omega for twist in twists), tuple(rates))
            acceleration = add(acceleration, cross(velocity, own))
            alpha = add(
                add(alpha, cross(omega, own)),
                along_axes(tuple(twist.omega for twist in twists), tuple(gains)),
            )
            omega = add(omega, own)
        state = State(NodeVelocity(omega, add(velocity, linear)), NodeVelocity(alpha, acceleration))
    return state


def load_inertia(at: Workspace, row: Integer) -> Inertia:
    """Read ten rows."""
    mass, *rest = at.numbers(row, 10)
    return Inertia(mass, (rest[0], rest[1], rest[2]), (rest[3], rest[4], rest[5], rest[6], rest[7], rest[8]))


def load_twist(at: Workspace, row: Integer) -> NodeVelocity:
    """Read six rows."""
    return NodeVelocity(at.vector(row), at.vector(row, 3))


def composite_pass(links: Links, work: Workspace) -> None:
    """Add to each joint the mass of all that it carries."""
    with count_down(work.emitter, 0, links.header("n_joints")) as i:
        record = IntegerRecord(JOINT, links.joints, i)
        parent = record("parent")
        with only_if(work.emitter, parent.compare(">=", 0)):
            at = work.fresh()
            both = add_inertias(load_inertia(at, parent), load_inertia(at, record("inertia")))
            at.store_numbers(parent, (both.mass, *both.first_moment, *both.second_moment))


def mass_matrix_pass(links: Links, work: Workspace) -> None:
    """Momentum of each composite body under a unit speed, seen by every speed that carries it."""
    with count_up(work.emitter, 0, links.header("n_links")) as i:
        link, at = links.link(i), work.fresh()
        carried = momentum(load_inertia(at, link("inertia")), load_twist(at, link("twist")))
        with count_up(work.emitter, link("first_pair"), link("last_pair")) as p:
            pair, at = IntegerRecord(PAIR, links.pairs, p), work.fresh()
            entry = power(load_twist(at, pair("twist")), carried)
            at.store(pair("entry"), entry)


def release_pass(links: Links, work: Workspace, moving: bool = False) -> None:
    """Articulated inertias from the tips to the ground: what each link weighs when its joint yields.

    Parameters
    ----------
    moving : bool
        Whether masses need wrenches while all speeds stay as they are.
    """
    with count_down(work.emitter, 0, links.header("n_links")) as i, Switch(links.link(i)("kind")) as switch:
        for kind in (HAS_CHILDREN, HAS_MASS, HAS_CHILDREN | HAS_MASS):
            with switch.case(kind):
                _release(kind, moving, links.link(i), work.fresh())
        with switch.otherwise():
            # Nothing to move: the acceleration of such a speed is zero.
            work.fresh().store_numbers(links.link(i)("kept"), (0.0,) * 8)


def _release(kind: int, moving: bool, link: IntegerRecord, at: Workspace) -> None:
    inertia, wrench, carried = _articulated(kind, moving, link, at)
    twist = load_twist(at, link("twist"))
    reaction = apply_inertia(inertia, twist)
    softness = 1.0 / power(twist, reaction)
    rest = at.load(link("force")) - power(twist, wrench)
    # NaN where nothing resists the speed once the joints beyond it yield; what the links before it feel stays a number.
    lost = (LEAST_RESISTANCE * rigid_resistance(carried, twist) * softness).absolute().exceeds(1.0)
    answer = at.emitter.lanes(math.nan).where(lost, softness)
    at.store_numbers(link("kept"), (*reaction.moment, *reaction.force, answer, rest))
    soft = Wrench(scale(softness, reaction.moment), scale(softness, reaction.force))
    a, b, d = released(inertia, [reaction], [soft])
    moment = add(wrench.moment, scale(rest, soft.moment))
    force = add(wrench.force, scale(rest, soft.force))
    numbers = (*a, *b, *d, *moment, *force, *carried)
    _store_or_add(at, link("parent_articulated"), link("is_first_child"), numbers)


def _articulated(
    kind: int, moving: bool, link: IntegerRecord, at: Workspace
) -> tuple[ArticulatedInertia, Wrench, Spread]:
    """Return inertia, wrench and mass of a link: its own and what its children left."""
    row = link("articulated")
    left = at.numbers(row, N_ARTICULATED) if kind & HAS_CHILDREN else (0.0,) * N_ARTICULATED
    if kind & HAS_MASS:
        inertia = load_inertia(at, link("inertia"))
        wrench = load_wrench(at, link("inertia") + 10) if moving else Wrench(ZERO, ZERO)
        own = (
            *(number for part in rigid_inertia(inertia) for number in part),
            *wrench.moment,
            *wrench.force,
            *spread(inertia),
        )
        left = tuple(
            x if isinstance(y, float) and y == 0.0 else x + y for x, y in zip(left, own, strict=True)
        )
    a, b, d = left[:6], left[6:15], left[15:21]
    articulated = ArticulatedInertia(
        (a[0], a[1], a[2], a[3], a[4], a[5]),
        (b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8]),
        (d[0], d[1], d[2], d[3], d[4], d[5]),
    )
    felt = Wrench((left[21], left[22], left[23]), (left[24], left[25], left[26]))
    return articulated, felt, Spread(left[27], left[28])


def acceleration_pass(links: Links, work: Workspace) -> None:
    """Accelerations of the speeds, from the ground to the tips."""
    work.fill(links.header("ground_motion"), 6, 0.0)
    with count_up(work.emitter, 0, links.header("n_links")) as i:
        link, at = links.link(i), work.fresh()
        motion, twist = load_twist(at, link("parent_motion")), load_twist(at, link("twist"))
        kept = link("kept")
        reaction = Wrench(at.vector(kept), at.vector(kept, 3))
        softness, rest = at.numbers(kept, 2, 6)
        value = (rest - power(motion, reaction)) * softness
        at.store(link("acceleration"), value)
        at.store_numbers(link("motion"), _moved(motion, twist, value))


def _moved(motion: NodeVelocity, twist: NodeVelocity, value: Number) -> tuple[Number, ...]:
    omega = add(motion.omega, scale(value, twist.omega))
    return (*omega, *add(motion.velocity, scale(value, twist.velocity)))


def energy_pass(tables: Tables, links: Links, work: Workspace) -> None:
    """Sum up kinetic and potential energy, momentum and angular momentum (rows ``totals``)."""
    work.fill(links.header("ground_motion"), 6, 0.0)
    work.fill(links.header("totals"), 8, 0.0)
    gravity: Vector = tuple(tables.gravity.spread(k) for k in range(3))  # type: ignore[assignment]
    with count_up(work.emitter, 0, links.header("n_links")) as i:
        link, at = links.link(i), work.fresh()
        motion, twist = load_twist(at, link("parent_motion")), load_twist(at, link("twist"))
        moved = _moved(motion, twist, at.load(link("speed")))
        at.store_numbers(link("motion"), moved)
        with only_if(work.emitter, (link("kind") & HAS_MASS).compare(">", 0)):
            velocity = NodeVelocity((moved[0], moved[1], moved[2]), (moved[3], moved[4], moved[5]))
            inertia = load_inertia(at, link("inertia"))
            own = momentum(inertia, velocity)
            point = at.vector(link("reference"))
            place = add(inertia.first_moment, scale(inertia.mass, point))
            angular = add(own.moment, cross(point, own.force))
            totals = (0.5 * power(velocity, own), -dot(gravity, place), *own.force, *angular)
            at.add_numbers(links.header("totals"), totals)
