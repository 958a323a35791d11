"""Shares of one block of instants: from the kernels' wrenches to columns of the result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from borelli.compiled.links import Links
from borelli.kernels.backend import Backend, NodeLoad
from borelli.kernels.shares_paths import note_share, note_shares
from borelli.kernels.tree.algebra import ZERO, Matrix, Vector, subtract, times
from borelli.kernels.tree.blocks import blocks, columns, vector_columns
from borelli.kernels.tree.coordinate_fields import (
    Twist,
    acceleration_shares,
    twists,
    velocity_shares,
)
from borelli.kernels.tree.link_states import LinkState, link_states
from borelli.kernels.tree.node import GROUND
from borelli.kernels.tree.node_force import Wrench
from borelli.kernels.tree.shares import Share, body_shares, load_shares, weight_shares
from borelli.mechanics.contributions.source_labels import BODY, FREE_MOMENT, LOAD, OTHER, PATH, Sources
from borelli.mechanics.contributions.spanned_joints import PathSpans
from borelli.mechanics.contributions.writer import (
    BlockOutcome,
    Columns,
    Expression,
    Note,
    NoteVector,
    ShareWriter,
    note_vector_with_numpy,
    note_with_numpy,
)
from borelli.mechanics.engine import engine
from borelli.mechanics.forces.acting_forces import ActingForces, action_and_reaction
from borelli.mechanics.forces.reaction_frames import PlacedFrames, ReactionFrames
from borelli.mechanics.motion.axis_rates import simbody_excess
from borelli.mechanics.motion.ordered_motion import Load
from borelli.mechanics.motion.prepare import Prepared
from borelli.mechanics.paths.path_pass import paths_of
from borelli.mechanics.paths.pulls import as_loads, pulls
from borelli.model.custom_joint import AxisRates, CustomJoint

_FEW = 256
"""Instants at a time for the pulls of single paths, which need much scratch."""


class BlockForces(NamedTuple):
    """Everything that acts in one block of instants."""

    on_nodes: tuple[NodeLoad, ...]
    """External loads, pull of paths, bushings, actuators"""
    on_speeds: list[tuple[str, int, np.ndarray]]
    """Generalized forces: name, speed and values"""


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
        self.spans: PathSpans | None = None
        self.note: tuple[Note, NoteVector] = (note_with_numpy, note_vector_with_numpy)
        if self.table.names:
            self.note = (note_share, note_shares)
            self.spans = PathSpans(paths_of(prepared.compiled, self.table.names), found)

    def fill(
        self, block: slice, generalized: np.ndarray, force: np.ndarray, moment: np.ndarray
    ) -> tuple[BlockOutcome, BlockForces]:
        """Write the shares of a block into (…, n_groups, n) arrays of zeros; return also what acts in it."""
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
        moving = twists(mechanism, found.links, states, q)
        geometry = self._geometry(block, states)
        writer = ShareWriter(self.columns, found, geometry, moving, generalized, force, moment, self.note)
        for share in self._shares(block, states, moving, q, u, udot, excess):
            writer.write(share)
        for share in self._inner_loads(block, states):
            writer.write(share)
        pulling = self._paths(block, states, writer) if self.spans is not None else ()
        on_speeds = self.acting.on_speeds(block)
        for name, speed, force_on_it in on_speeds:
            key = (PATH if name in self.table.names else OTHER, name)
            writer.add_generalized(key, speed, -force_on_it)
        on_nodes = (*self.acting.from_outside(block), *pulling, *self.acting.between_bodies(block))
        return writer.outcome, BlockForces(on_nodes, on_speeds)

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

    def _inner_loads(self, block: slice, states: list[LinkState]) -> Iterator[Share]:
        """Shares of bushings, contact and actuators, pair by pair."""
        for name, several in self.acting.loads.items():
            for pair in action_and_reaction(several):
                yield from self._pair_shares(block, states, name, pair)

    def _pair_shares(
        self, block: slice, states: list[LinkState], name: str, pair: tuple[Load, ...]
    ) -> Iterator[Share]:
        """Shares of what acts between two bodies, or on one: it loads the joints between the two alone."""
        found, bodies = self.found, self.prepared.compiled.bodies
        nodes = [bodies[load.body].node for load in pair]
        links = [None if node == GROUND else found.holding(node) for node in nodes]
        lines = [set() if link is None else {link, *found.tree.ancestors[link]} for link in links]
        shared = set.intersection(*lines) if len(lines) > 1 else set()
        for load, link in zip(pair, links, strict=True):
            if link is None:
                continue
            parts = (vector_columns(part[block]) for part in (load.force, load.point, load.moment))
            for share in load_shares(found.tree, states, link, (OTHER, name), *parts):
                if share.link not in shared:
                    yield share

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
        """For each link whose reaction is wanted: lever from its joint point to the point asked for, and axes."""
        places = self.placed.places(self.backend, self.prepared.q[block])
        sign = -1.0 if self.placed.opposite else 1.0
        found = {}
        for link, row in self.row_of.items():
            lever = None
            if self.placed.opposite:
                lever = subtract(vector_columns(places.point[:, row]), states[link].joint)
            rotation: Matrix | None = None
            if places.rotation is not None:
                nine = columns(places.rotation[:, row].reshape(-1, 9))
                rotation = tuple(nine)  # type: ignore[assignment]
            found[link] = Expression(row, lever, rotation, sign)
        return found

    def _paths(self, block: slice, states: list[LinkState], writer: ShareWriter) -> tuple[NodeLoad, ...]:
        assert self.spans is not None
        spans, n_links = self.spans, len(self.found.links)
        q, tension = self.prepared.q[block], self.table.values[block]
        joint = np.empty((n_links, 3, len(q)))
        for link, state in enumerate(states):
            for axis in range(3):
                joint[link, axis] = state.joint[axis]
        wrench = np.empty((len(spans.pairs), 6, len(q)))
        together = np.empty((len(q), len(spans.paths.nodes), 6))
        for few in blocks(len(q), _FEW):
            pull = pulls(self.prepared.compiled, spans.paths, q[few], tension[few], apart=True)
            together[few] = pull.sum(axis=1)
            spans.run(pull, joint[..., few], wrench[..., few])
        for (path, link), (mx, my, mz, fx, fy, fz) in zip(spans.pairs, wrench, strict=True):
            source = (PATH, self.table.names[path])
            writer.write(Share(link, source, Wrench((mx, my, mz), (fx, fy, fz))))
        return as_loads(spans.paths, together)


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
