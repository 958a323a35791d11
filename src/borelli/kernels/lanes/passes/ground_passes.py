"""Passes in ground axes about a common point: twists, inertias, states, mass matrix, energy."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from borelli.kernels.lanes.code.control import Switch, count_down, count_up, only_if
from borelli.kernels.lanes.code.record_views import FloatRecord, IntegerRecord
from borelli.kernels.lanes.code.values import Integer, Integers
from borelli.kernels.lanes.code.workspace import Workspace
from borelli.kernels.lanes.passes.tables import Tables
from borelli.kernels.lanes.passes.tree_passes import (
    NodeAt,
    freedoms_alone,
    load_matrix,
    load_pose,
    pose_pass,
    visit,
)
from borelli.kernels.lanes.tables.links import (
    JOINT,
    LINK,
    LINKS_HEADER,
    MASS,
    PAIR,
    TWISTS,
)
from borelli.kernels.lanes.tables.record_types import COUPLING, LOADED_LINK
from borelli.kernels.lanes.tables.state_tables import (
    ANY_VARIABLE,
    BALL_TURNS,
    HINGE_TURNS,
    SHIFTS_FROM_REST,
    STATE,
)
from borelli.kernels.lanes.tables.variants import NODE_CONSTANTS, node_mass_centre
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
from borelli.kernels.tree.composite_inertia import add_inertias, displaced, momentum, rotate_symmetric
from borelli.kernels.tree.motion_subspace import power
from borelli.kernels.tree.node import BALL, GROUND, HINGE, Inertia, Node, NodeVariables
from borelli.kernels.tree.node_force import Wrench, inertial_wrench
from borelli.kernels.tree.node_motion import NodeMotion, NodePose, NodeVelocity
from borelli.kernels.tree.numbers import Number
from borelli.kernels.tree.rotation import SameAxes
from borelli.records import dataclass


@dataclass(frozen=True)
class Links:
    """Arguments of a kernel that describe the links; see links.py for their records."""

    links_header: Integers
    twists: Integers
    states: Integers
    masses: Integers
    joints: Integers
    massless: Integers
    links: Integers
    release_header: Integers
    roots: Integers
    groups: Integers
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
) -> None:
    """Place every node as in :func:`pose_pass`, with the twists about the point that places are measured from."""

    def at_each(node: NodeAt, pose: NodePose, parent: Matrix) -> None:
        record = IntegerRecord(TWISTS, links.twists, node.index)
        _store_twists(node, record, pose.rotation, pose.origin, parent)

    pose_pass(tables, work, meanwhile, wanted, from_root, at_each)
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
        _store_twists(node, record, pose.rotation, offset, parent)

    with count_up(work.emitter, 0, tables.header("n_steps")) as index:
        visit(tables, work, index, body, freedoms_alone)
    _add_up_twists(links, work)


def _store_twists(node: NodeAt, record: IntegerRecord, r: Matrix, offset: Vector, parent: Matrix) -> None:
    at = node.at
    for k, column in enumerate({HINGE: (2,), BALL: (0, 1, 2)}.get(node.variant.kind, ())):
        axis = (r[column], r[3 + column], r[6 + column])
        at.store_numbers(record("turn", k), (*axis, *cross(offset, axis)))
    for k, axis in enumerate(node.node.axes):
        at.store_numbers(record("shift", k), (*ZERO, *times(parent, axis)))


def _add_up_twists(links: Links, work: Workspace) -> None:
    """Twist of each speed that drives several variables, or one by a slope."""
    with count_up(work.emitter, 0, links.header("n_sums")) as i:
        work.fill(links.twist_sums[i], 6, 0.0)
    with count_up(work.emitter, 0, links.header("n_couplings")) as i:
        record, at = IntegerRecord(COUPLING, links.twist_couplings, i), work.fresh()
        slope = at.load(record("slope"))
        at.add_numbers(record("target"), [slope * x for x in at.numbers(record("source"), 6)])


def inertia_pass(tables: Tables, links: Links, work: Workspace, from_root: bool) -> None:
    """Mass distribution that each joint carries itself, without its children.

    Parameters
    ----------
    from_root : bool
        Whether the pose pass has measured positions from the root; otherwise it is done here.
    """
    with count_up(work.emitter, 0, links.header("n_massless")) as i:
        work.fill(links.massless[i], 10, 0.0)
    with count_up(work.emitter, 0, links.header("n_masses")) as i:
        record, at = IntegerRecord(MASS, links.masses, i), work.fresh()
        constants = FloatRecord(NODE_CONSTANTS, tables.constants, record("node"))
        pose = load_pose(at, record("pose"))
        offset = pose.origin if from_root else subtract(pose.origin, at.vector(record("reference")))
        mass, (centre, central) = constants("mass"), node_mass_centre(constants)
        turned = rotate_symmetric(_PLACED, NodeVariables(turn=pose.rotation), central)
        mass, first, second = displaced(mass, add(offset, times(pose.rotation, centre)), turned)
        _store_or_add(at, record("target"), record("is_first"), (mass, *first, *second))


def state_pass(tables: Tables, links: Links, work: Workspace) -> None:
    """Velocity of every node, and its acceleration while all speeds stay as they are; the wrenches these need."""
    ground = links.header("ground_state")
    work.fill(ground, 9, 0.0)
    work.fresh().store_numbers(ground, [-tables.gravity.spread(k) for k in range(3)], 9)
    with count_up(work.emitter, 0, links.header("n_states")) as i:
        record = IntegerRecord(STATE, links.states, i)
        with Switch(record("kind")) as switch:
            with switch.case(ANY_VARIABLE):
                _add_variable(record, work.fresh())
            with switch.case(SHIFTS_FROM_REST):
                _add_shifts(record, work.fresh())
            for kind in (*HINGE_TURNS, BALL_TURNS):
                with switch.case(kind):
                    _add_turns(kind, record, work.fresh())
    with count_up(work.emitter, 0, links.header("n_joints")) as i:
        record, at = IntegerRecord(JOINT, links.joints, i), work.fresh()
        row, state = record("inertia"), record("state")
        (omega, velocity), (alpha, acceleration) = load_twist(at, state), load_twist(at, state + 6)
        # Of the point that passes the common one.
        motion = NodeMotion(
            omega, alpha, add(acceleration, cross(omega, velocity)), spin_matrix(omega, alpha)
        )
        moment, force = inertial_wrench(load_inertia(at, row), motion)
        at.store_numbers(row, (*moment, *force), 10)


def _add_variable(record: IntegerRecord, at: Workspace) -> None:
    omega, linear = load_twist(at, record("twist"))
    rate = at.load(record("rate"))
    turning, moving = load_twist(at, record("carrier"))
    spin, shift = scale(rate, omega), scale(rate, linear)
    before, after = record("before"), record("after")
    at.store_numbers(after, (*add(at.vector(before), spin), *add(at.vector(before, 3), shift)))
    # The state before carries the axis along.
    alpha = add(at.vector(before, 6), cross(turning, spin))
    carried = add(cross(turning, shift), cross(moving, spin))
    at.store_numbers(after, (*alpha, *add(at.vector(before, 9), carried)), 6)
    row = record("acceleration")
    with only_if(at.emitter, row.compare(">=", 0)):
        at = at.fresh()
        omega, linear = load_twist(at, record("twist"))
        gain = at.load(row)
        at.add_numbers(after, (*scale(gain, omega), *scale(gain, linear)), 6)


def _add_shifts(record: IntegerRecord, at: Workspace) -> None:
    """Three shifts of what was at rest: nothing carries their axes."""
    before, after = record("before"), record("after")
    velocity = at.vector(before, 3)
    for k in range(3):
        velocity = add(velocity, scale(at.load(record("rate", k)), at.vector(record("twist", k), 3)))
    at.store_numbers(after, (*at.vector(before), *velocity, *at.numbers(before, 6, 6)))


def _add_turns(kind: int, record: IntegerRecord, at: Workspace) -> None:
    """Turns about one point, which none of them moves."""
    before, point = record("before"), at.vector(record("origin"))
    (omega, velocity), (alpha, acceleration) = load_twist(at, before), load_twist(at, before + 6)
    passing = add(velocity, cross(omega, point))
    turned, swung = ZERO, ZERO
    for k in range(3 if kind == BALL_TURNS else HINGE_TURNS.index(kind) + 1):
        spin = scale(at.load(record("rate", k)), at.vector(record("twist", k)))
        # What is before a hinge carries its axis; what is before all three turns carries a ball's.
        carrier = omega if kind == BALL_TURNS else add(omega, turned)
        swung, turned = add(swung, cross(carrier, spin)), add(turned, spin)
    velocity = add(velocity, cross(point, turned))
    swing = add(cross(point, swung), cross(passing, turned))
    after = (*add(omega, turned), *velocity, *add(alpha, swung), *add(acceleration, swing))
    at.store_numbers(record("after"), after)


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


_PLACED = Node(GROUND, BALL, ZERO, SameAxes())
"""A node as poses place it: turned from the ground's axes by a matrix."""


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


def moved(motion: NodeVelocity, twist: NodeVelocity, value: Number) -> NodeVelocity:
    """Add a speed's part to a motion."""
    omega = add(motion.omega, scale(value, twist.omega))
    return NodeVelocity(omega, add(motion.velocity, scale(value, twist.velocity)))


def energy_pass(tables: Tables, links: Links, work: Workspace) -> None:
    """Sum up kinetic and potential energy, momentum and angular momentum (rows ``totals``)."""
    work.fill(links.header("ground_motion"), 6, 0.0)
    work.fill(links.header("totals"), 8, 0.0)
    gravity: Vector = tuple(tables.gravity.spread(k) for k in range(3))  # type: ignore[assignment]
    with count_up(work.emitter, 0, links.header("n_links")) as i:
        link, at = links.link(i), work.fresh()
        motion, twist = load_twist(at, link("parent_motion")), load_twist(at, link("twist"))
        velocity = moved(motion, twist, at.load(link("speed")))
        at.store_numbers(link("motion"), (*velocity.omega, *velocity.velocity))
        with only_if(work.emitter, link("has_mass").compare("==", 1)):
            inertia = load_inertia(at, link("inertia"))
            own = momentum(inertia, velocity)
            point = at.vector(link("reference"))
            place = add(inertia.first_moment, scale(inertia.mass, point))
            angular = add(own.moment, cross(point, own.force))
            totals = (0.5 * power(velocity, own), -dot(gravity, place), *own.force, *angular)
            at.add_numbers(links.header("totals"), totals)
