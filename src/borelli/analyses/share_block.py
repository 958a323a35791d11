"""Shares of one block of frames: from the kernels' wrenches to columns of the result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from borelli.analyses.axis_rates import simbody_excess
from borelli.analyses.engine import engine
from borelli.analyses.path_pass import paths_of
from borelli.analyses.prepare import Prepared
from borelli.analyses.pulls import announced, as_loads, pulls
from borelli.analyses.reaction_frames import PlacedFrames, ReactionFrames
from borelli.analyses.share_labels import BODY, FREE_MOMENT, LOAD, PATH, Sources
from borelli.analyses.tensions import TensionTable
from borelli.compiled.links import Links
from borelli.compiled.paths import CompiledPaths
from borelli.kernels.algebra import ZERO, Matrix, Vector, cross, negate, subtract, times, transposed_times
from borelli.kernels.backend import Backend, NodeLoad
from borelli.kernels.coordinate_fields import (
    Twist,
    acceleration_shares,
    link_speeds,
    twists,
    velocity_shares,
)
from borelli.kernels.frames import blocks, columns, vector_columns
from borelli.kernels.link_states import LinkState, link_states
from borelli.kernels.node import GROUND
from borelli.kernels.node_force import Wrench
from borelli.kernels.shares import Share, body_shares, load_shares, weight_shares, work_on
from borelli.model.custom_joint import AxisRates, CustomJoint

_FEW = 256
"""Frames at a time for the pulls of single paths, which need much scratch."""


class BlockOutcome(NamedTuple):
    """What one block adds up to, for generalized forces, reaction forces and reaction moments."""

    sums: tuple[np.ndarray, ...]
    """(…, n): sum over all sources"""
    largest: list[float]
    """Size of the largest share"""


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
        table: TensionTable,
        placed: PlacedFrames,
        frames: ReactionFrames,
        variables: str,
    ) -> None:
        self.prepared, self.found, self.sources = prepared, found, sources
        self.table, self.placed, self.variables = table, placed, variables
        self.groups = list(dict.fromkeys(groups))
        position = {name: index for index, name in enumerate(self.groups)}
        self.column = [position[group] for group in groups]
        self.alone = len(self.groups) == len(groups)
        self.row_of = {found.joints.index(name): row for row, name in enumerate(frames.joints)}
        self.excess_joints = _joints_with_excess(prepared, found)
        self.backend: Backend = engine()
        self.spans = _Spans(paths_of(prepared.compiled, table.names), found) if table.names else None

    def fill(
        self, block: slice, generalized: np.ndarray, force: np.ndarray, moment: np.ndarray
    ) -> tuple[BlockOutcome, tuple[NodeLoad, ...]]:
        """Write the shares of a block into (…, n_groups, n) arrays of zeros; return also the pull of all paths."""
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
        writer = _Writer(self, self._geometry(block, states), moving, generalized, force, moment)
        for share in self._shares(block, states, moving, q, u, udot, excess):
            writer.write(share)
        pulling = self._paths(block, states, writer) if self.spans is not None else ()
        return writer.outcome, pulling

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
        for number, load in enumerate(self.prepared.loads):
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

    def _geometry(self, block: slice, states: list[LinkState]) -> dict[int, _Expression]:
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
            found[link] = _Expression(row, lever, rotation, sign)
        return found

    def _paths(self, block: slice, states: list[LinkState], writer: _Writer) -> tuple[NodeLoad, ...]:
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


class _Expression:
    """How the wrench of one link becomes the reaction asked for."""

    def __init__(self, row: int, lever: Vector | None, rotation: Matrix | None, sign: float) -> None:
        self.row, self.lever, self.rotation, self.sign = row, lever, rotation, sign

    def apply(self, wrench: Wrench) -> Wrench:
        moment, force = wrench
        if self.lever is not None:
            moment = subtract(moment, cross(self.lever, force))
        if self.sign < 0.0:
            moment, force = negate(moment), negate(force)
        if self.rotation is not None:
            moment, force = transposed_times(self.rotation, moment), transposed_times(self.rotation, force)
        return Wrench(moment, force)


class _Writer:
    """Puts shares into the columns of their groups."""

    def __init__(
        self,
        owner: ShareBlocks,
        expressions: dict[int, _Expression],
        moving: dict[int, Twist],
        generalized: np.ndarray,
        force: np.ndarray,
        moment: np.ndarray,
    ) -> None:
        self.owner, self.expressions, self.moving = owner, expressions, moving
        self.generalized, self.force, self.moment = generalized, force, moment
        n = generalized.shape[-1]
        self.outcome = BlockOutcome(
            tuple(np.zeros((*out.shape[:-2], n)) for out in (generalized, force, moment)), [0.0, 0.0, 0.0]
        )
        self.speeds = [link_speeds(link) for link in owner.found.links]

    def write(self, share: Share) -> None:
        owner = self.owner
        column = owner.column[owner.sources.places[share.source]]
        for speed in self.speeds[share.link]:
            value = work_on(self.moving[speed], share.wrench)
            self._put(0, self.generalized[speed, column], (speed,), value)
        expression = self.expressions.get(share.link)
        if expression is None:
            return
        row = expression.row
        moment, force = expression.apply(share.wrench)
        for axis in range(3):
            self._put(1, self.force[row, axis, column], (row, axis), force[axis])
            self._put(2, self.moment[row, axis, column], (row, axis), moment[axis])

    def _put(self, kind: int, out: np.ndarray, place: tuple[int, ...], value: np.ndarray | float) -> None:
        if isinstance(value, float):
            if value == 0.0:
                return
            value = np.full(out.shape, value)
        if self.owner.alone:
            out[...] = value
        else:
            out += value
        self.outcome.sums[kind][place] += value
        # While the numbers are at hand: looking at all shares again would cost as much as making them.
        self.outcome.largest[kind] = max(self.outcome.largest[kind], value.max(), -value.min())


class _Spans:
    """Which joints each path spans, as flat tables for the kernel."""

    def __init__(self, paths: CompiledPaths, found: Links) -> None:
        self.paths = paths
        rows: list[tuple[int, int, int, int]] = []
        carried: list[int] = []
        link_of = [GROUND if node == GROUND else found.holding(node) for node in paths.nodes]
        for path, row in enumerate(paths.tables.paths):
            own = [int(node) for node in paths.tables.locals[row[6] : row[7]]]
            for link in range(len(found.links)):
                inside = {link, *found.tree.descendants[link]}
                on_it = [node for node in own if link_of[node] in inside]
                if on_it and len(on_it) < len(own):
                    rows.append((path, link, len(carried), len(carried) + len(on_it)))
                    carried += on_it
        self.table = np.array(rows, dtype=np.int64).reshape(-1, 4)
        self.carried = np.array(carried, dtype=np.int64)
        self.pairs = [(path, link) for path, link, _, _ in rows]

    def run(self, pull: np.ndarray, joint: np.ndarray, wrench: np.ndarray) -> None:
        from borelli.kernels.shares_paths import path_shares

        with announced(path_shares, "path shares"):
            path_shares(pull, self.table, self.carried, joint, wrench)


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
