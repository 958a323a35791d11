"""Shares of one block of instants: from the kernels' wrenches to columns of the result."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from borelli.compiled.links import Links
from borelli.kernels.backend import Backend, NodeLoad
from borelli.kernels.jit import has_compiler
from borelli.kernels.share_writer import Written
from borelli.kernels.tree.algebra import ZERO, Matrix, Vector, cross, subtract, times
from borelli.kernels.tree.blocks import columns, vector_columns
from borelli.kernels.tree.coordinate_fields import (
    Twist,
    acceleration_shares,
    link_speeds,
    twists,
    velocity_shares,
)
from borelli.kernels.tree.link_states import LinkState, link_states
from borelli.kernels.tree.node_force import Wrench
from borelli.kernels.tree.shares import Share, body_shares, load_shares, settled, weight_shares
from borelli.mechanics.contributions.block_writer import BlockWriter, joint_points
from borelli.mechanics.contributions.inner_loads import inner_load_shares
from borelli.mechanics.contributions.source_labels import (
    BODY,
    FREE_MOMENT,
    LOAD,
    OTHER,
    PATH,
    Key,
    Sources,
)
from borelli.mechanics.contributions.spanned_joints import PathSpans
from borelli.mechanics.contributions.writer import (
    BlockOutcome,
    Columns,
    Expression,
    ShareWriter,
)
from borelli.mechanics.engine import engine
from borelli.mechanics.forces.acting_forces import ActingForces
from borelli.mechanics.forces.reaction_frames import PlacedFrames, ReactionFrames
from borelli.mechanics.memory import scratch
from borelli.mechanics.motion.axis_rates import simbody_excess
from borelli.mechanics.motion.prepare import Prepared
from borelli.mechanics.paths.path_pass import paths_of
from borelli.mechanics.paths.pulls import as_loads
from borelli.model.joints.custom_joint import AxisRates, CustomJoint

MANY_LINKS = 50
"""From here on, shares without paths are worth a compiled kernel: one by one, they take 80 µs times links squared."""


class BlockForces(NamedTuple):
    """Everything that acts in one block of instants."""

    on_nodes: tuple[NodeLoad, ...]
    """External loads, pull of paths, bushings, actuators"""
    on_speeds: list[tuple[str, int, np.ndarray]]
    """Generalized forces: name, speed and values"""


class _Placed(NamedTuple):
    """Links, speeds and reactions of a block, and shares that are yet to be written."""

    states: list[LinkState]
    moving: dict[int, Twist]
    expressions: dict[int, Expression]
    shares: Iterator[Share]


class ShareBlocks:
    """Computes shares block by block.

    Parameters
    ----------
    groups : list of str
        Group of every source; sources of one group are added up.
    """

    def __init__(
        self,
        prepared: Prepared,
        found: Links,
        sources: Sources,
        groups: Sequence[str],
        acting: ActingForces,
        placed: PlacedFrames,
        frames: ReactionFrames,
        variables: str,
    ) -> None:
        self.prepared, self.found, self.sources = prepared, found, sources
        self.acting, self.table = acting, acting.tensions
        self.placed, self.variables = placed, variables
        self.columns = Columns(sources, groups)
        self.row_of = {found.joints.index(name): row for row, name in enumerate(frames.joints)}
        self.excess_joints = _joints_with_excess(prepared, found)
        self.backend: Backend = engine()
        # What NumPy does in small steps is done by one thread at a time, while others run kernels: each step gives up
        # the interpreter for a moment, and two threads that do this at once wait for each other more than they work.
        self._turn = threading.Lock()
        self.still = _zero_components(prepared, found)
        self.spans: PathSpans | None = None
        self.spanned: list[tuple[Key, int]] = []
        """Source and joint of every path and joint that it spans"""
        if self.table.names:
            self.spans = PathSpans(paths_of(prepared.compiled, self.table.names), found)
            self.spanned = [((PATH, self.table.names[path]), link) for path, link in self.spans.pairs]

    def fill(self, block: slice, written: Written) -> tuple[BlockOutcome, BlockForces]:
        """Write the shares of a block into (…, n_groups, n_all) arrays of zeros; return also what acts in it."""
        if not has_compiler() or (self.spans is None and len(self.found.links) < MANY_LINKS):
            with self._turn:
                return self._finished(block, *self._written_one_by_one(block, self._placed(block), written))
        with self._turn:
            placed = self._placed(block)
            own = (placed.expressions, placed.moving, placed.states)
            writer = BlockWriter(self.columns, self.found, *own, written, block)
            of_paths = writer.collect(list(placed.shares), self.spanned)
        pulling = self._pull(self.spans, block, writer.tables.joint, of_paths)
        writer.finish()
        return self._finished(block, writer, pulling)

    def _placed(self, block: slice) -> _Placed:
        """Where everything is in a block, and the shares of all but the paths."""
        prepared, found = self.prepared, self.found
        mechanism = prepared.compiled.mechanism
        q, u, udot = (columns(x[block]) for x in (prepared.q, prepared.u, prepared.udot))
        excess = self._excess(block)
        extra = {link: _summed(pairs, u) for link, pairs in excess.items()}
        # The excess is given in the parent's joint frame; states without it tell where that frame is.
        states = link_states(mechanism, found.links, q, u, udot)
        turned = {
            link: times(states[link].base, self._in_base(link, vector)) for link, vector in extra.items()
        }
        if turned:
            states = link_states(mechanism, found.links, q, u, udot, turned)
        moving = self._moving(block, states)
        shares = itertools.chain(
            self._shares(block, states, moving, q, u, udot, excess),
            inner_load_shares(self.acting, found, states, block),
        )
        return _Placed(states, moving, self._geometry(block, states), shares)

    def _written_one_by_one(
        self, block: slice, placed: _Placed, written: Written
    ) -> tuple[ShareWriter, tuple[NodeLoad, ...]]:
        """Write one share after the other; return also the pull of the paths on the nodes."""
        parts = (whole[..., block] for whole in written)
        writer = ShareWriter(self.columns, self.found, placed.expressions, placed.moving, *parts)
        for share in placed.shares:
            writer.write(share, settled(share, placed.states))
        if self.spans is None:
            return writer, ()
        n = block.stop - block.start
        wrench = np.empty((len(self.spans.pairs), 6, n))
        pulling = self._pull(self.spans, block, joint_points(placed.states, n), wrench)
        for (source, link), (mx, my, mz, fx, fy, fz) in zip(self.spanned, wrench, strict=True):
            borne = Wrench((mx, my, mz), (fx, fy, fz))
            writer.write(Share(link, source, borne), borne)
        return writer, pulling

    def _finished(
        self, block: slice, writer: ShareWriter | BlockWriter, pulling: tuple[NodeLoad, ...]
    ) -> tuple[BlockOutcome, BlockForces]:
        """Add what acts on coordinates alone; return the sums, and everything that acts."""
        on_speeds = self.acting.on_speeds(block)
        for name, speed, force_on_it in on_speeds:
            key = (PATH if name in self.table.names else OTHER, name)
            writer.add_generalized(key, speed, -force_on_it)
        on_nodes = (*self.acting.from_outside(block), *pulling, *self.acting.between_bodies(block))
        return writer.outcome, BlockForces(on_nodes, on_speeds)

    def _moving(self, block: slice, states: list[LinkState]) -> dict[int, Twist]:
        """What each speed does to the joint point of its link and all that hangs on it."""
        mechanism, q = self.prepared.compiled.mechanism, self.prepared.q[block]
        memory = scratch("twists of speeds", (6 * mechanism.n_speeds * len(q),))
        _, twist = self.backend.speed_motions(mechanism, q, (), memory)
        found = {}
        for link, state in zip(self.found.links, states, strict=True):
            for speed in link_speeds(link):
                a, b, c, x, y, z = twist[speed]
                carried = cross((a, b, c), state.joint)
                numbers = (a, b, c, x + carried[0], y + carried[1], z + carried[2])
                # What stays zero whatever the posture is so exactly.
                a, b, c, x, y, z = (
                    0.0 if zero else own for own, zero in zip(numbers, self.still[speed], strict=True)
                )
                found[speed] = Twist((a, b, c), (x, y, z))
        return found

    def _shares(
        self,
        block: slice,
        states: list[LinkState],
        moving: dict[int, Twist],
        q: list[np.ndarray],
        u: list[np.ndarray],
        udot: list[np.ndarray],
        excess: dict[int, dict[tuple[int, int], Vector]],
    ) -> Iterator[Share]:
        found, mechanism = self.found, self.prepared.compiled.mechanism
        tree, links = found.tree, found.links
        for share in weight_shares(tree, states, mechanism.gravity):
            if share.source in self.sources.places:
                yield share
        for number, load in enumerate(self.acting.external):
            parts = [vector_columns(part[block]) for part in (load.force, load.point, load.moment)]
            link = found.holding(load.node)
            if (LOAD, number) in self.sources.places:
                yield from load_shares(tree, states, link, (LOAD, number), parts[0], parts[1], ZERO)
            if (FREE_MOMENT, number) in self.sources.places:
                key = (FREE_MOMENT, number)
                yield from load_shares(tree, states, link, key, ZERO, states[link].joint, parts[2])
        if self.variables == BODY:
            yield from body_shares(tree, states)
            return
        yield from acceleration_shares(tree, links, states, moving, udot)
        if not any(np.any(speed) for speed in u):
            return

        def beyond(a: int, b: int) -> Vector | None:
            for link, pairs in excess.items():
                if (a, b) in pairs:
                    return times(states[link].base, self._in_base(link, pairs[a, b]))
            return None

        yield from velocity_shares(mechanism, tree, links, states, moving, q, u, beyond)

    def _in_base(self, link: int, vector: Vector) -> Vector:
        """Components in the node that a joint hangs on, of a vector in the joint's parent frame."""
        frame = self.prepared.compiled.joints[self.found.joints[link]].parent_frame
        rotation: Matrix = tuple(x for row in frame.placement.rotation for x in row)
        return times(rotation, vector)

    def _excess(self, block: slice) -> dict[int, dict[tuple[int, int], Vector]]:
        """OpenSim's angular acceleration beyond the true one, per product of two speeds of a joint."""
        found: dict[int, dict[tuple[int, int], Vector]] = {}
        for link, joint in self.excess_joints:
            place = self.prepared.compiled.joints[joint.name]
            q = self.prepared.q[block][:, place.coordinates]
            found[link] = dict(_polarised(joint, q, place.speeds))
        return found

    def _geometry(self, block: slice, states: list[LinkState]) -> dict[int, Expression]:
        """For each link whose reaction is wanted: offset from its joint point to the point asked for, and axes."""
        places = self.placed.places(self.backend, self.prepared.q[block])
        sign = -1.0 if self.placed.opposite else 1.0
        found = {}
        for link, row in self.row_of.items():
            offset = None
            if self.placed.opposite:
                offset = subtract(vector_columns(places.point[:, row]), states[link].joint)
            rotation: Matrix | None = None
            if places.rotation is not None:
                nine = columns(places.rotation[:, row].reshape(-1, 9))
                rotation = tuple(nine)  # type: ignore[assignment]
            found[link] = Expression(row, offset, rotation, sign)
        return found

    def _pull(
        self, spans: PathSpans | None, block: slice, joint: np.ndarray, wrench: np.ndarray
    ) -> tuple[NodeLoad, ...]:
        """Fill what joints bear for the paths that span them; return the pull of the paths on the nodes."""
        if spans is None:
            return ()
        q, tension = self.prepared.q[block], self.table.values[block]
        return as_loads(spans.paths, spans.run(self.prepared.compiled, q, tension, joint, wrench))


def _zero_components(prepared: Prepared, found: Links) -> dict[int, list[bool]]:
    """Which components of the twist of each speed are zero whatever the posture."""
    mechanism = prepared.compiled.mechanism
    # A posture in which nothing is zero by chance, as plain numbers, which are quick.
    q, still = [0.37 + 0.011 * k for k in range(mechanism.n_coordinates)], [0.0] * mechanism.n_speeds
    states = link_states(mechanism, found.links, q, still, still)
    return {
        speed: [number == 0.0 for number in (*twist.omega, *twist.velocity)]
        for speed, twist in twists(mechanism, found.links, states, q).items()
    }


def _joints_with_excess(prepared: Prepared, found: Links) -> list[tuple[int, CustomJoint]]:
    """Links whose joints have OpenSim's angular accelerations instead of the true ones."""
    joints = [prepared.compiled.model.joints[name] for name in found.joints]
    return [
        (link, joint)
        for link, joint in enumerate(joints)
        if isinstance(joint, CustomJoint) and joint.axis_rates is AxisRates.SIMBODY
    ]


def _polarised(
    joint: CustomJoint, q: np.ndarray, speeds: tuple[int, ...]
) -> Iterator[tuple[tuple[int, int], Vector]]:
    """Parts of the excess, a quadratic form of the joint's speeds."""

    def value(*which: int) -> np.ndarray:
        u = np.zeros_like(q)
        u[:, list(which)] = 1.0
        return simbody_excess(joint, q, u)

    for a in range(len(speeds)):
        for b in range(a, len(speeds)):
            part = value(a, b) if a == b else value(a, b) - value(a) - value(b)
            if part.any():
                yield (speeds[a], speeds[b]), vector_columns(part)


def _summed(pairs: dict[tuple[int, int], Vector], u: list[np.ndarray]) -> Vector:
    total = [0.0, 0.0, 0.0]
    for (a, b), vector in pairs.items():
        amount = u[a] * u[b]
        total = [t + amount * x for t, x in zip(total, vector, strict=True)]
    return (total[0], total[1], total[2])
