"""Where does every newton come from? The exact share of each source in torques and joint reactions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from borelli.compiled.compile import compile_model
from borelli.compiled.links import links_of
from borelli.errors import MissingInputError
from borelli.kernels.share_writer import Written
from borelli.kernels.tree.blocks import BLOCK, blocks
from borelli.mechanics.contributions.block import BlockForces, ShareBlocks
from borelli.mechanics.contributions.source_labels import BODY, sources_of
from borelli.mechanics.contributions.storage import ShareStorage
from borelli.mechanics.engine import engine
from borelli.mechanics.forces.acting_forces import ActingForces
from borelli.mechanics.forces.closing_forces import tell_of_open_loops, with_closed_loops
from borelli.mechanics.forces.collect_forces import acting_forces
from borelli.mechanics.forces.reaction_frames import ReactionFrames, reaction_frames
from borelli.mechanics.motion.ordered_motion import Load, Motion
from borelli.mechanics.motion.prepare import Prepared, in_threads
from borelli.model.constraint import closing_names
from borelli.model.force_units import FORCE_UNITS, force_units
from borelli.model.model import Model
from borelli.model.plausibility.limits import LARGEST_RESULT, refuse_impossible_shares
from borelli.results.labelled.dataset import AXES, labelled, time_axis
from borelli.results.labelled.plain_result import PlainResult, PlainVariable, plain_result
from borelli.results.labelled.returns_dataset import returns_dataset
from borelli.results.labelled.tensions import Tensions, given_forces, reserves_of
from borelli.results.outputs.grouping import Grouping, group_names

MEMORY_LIMIT_GB = 2.0
"""The shares of 9,400 instants of a whole body with 80 muscles (155 sources, 39 speeds, 22 joints)."""


@returns_dataset
def contributions(
    model: Model,
    motion: Motion,
    loads: Iterable[Load] = (),
    *,
    tensions: Tensions = None,
    passive: bool = True,
    loops: bool = False,
    variables: str = BODY,
    by: Grouping = "source",
    express_in: str = "ground",
    on: str = "child",
    joints: Sequence[str] | None = None,
    memory_limit_gb: float = MEMORY_LIMIT_GB,
    threads: int = 1,
) -> PlainResult:
    """Split generalized forces and joint reactions into the shares of all sources, exactly.

    Parameters
    ----------
    model : Model
    motion : Motion
    loads : iterable of Load
        In ground axes; brought to the instants of the motion.
    tensions : mapping of path to (n_times,) newtons, or Dataset of ``muscle_forces``, optional
        Every path named is a source, and so is every actuator of the model whose force (N or N m) is among them.
        The shares then add up to what the joints bear besides these, and to the generalized forces that they
        leave to be provided.
    passive : bool
        Let the springs, ligaments, stops and bushings of the model act, each a source of its own; the totals are
        then without them, as with given tensions. What cannot be evaluated is named by a warning.
    loops : bool
        Let constraints between bodies bear their part, each a source ``constraint:<name>``, as in
        :func:`joint_reactions`, whose totals these are then. Without it they bear nothing, which a warning says.
    variables : "body" or "coordinates"
        How the motion is split. ``"body"``: angular acceleration and angular velocity of each body, and the
        sliding of joints; no product of two bodies' angular velocities occurs. ``"coordinates"``: each
        udot_k and each product u_j u_k. Parts differ, sums do not.
    by : "source", "kind", "body", "muscle group", or mapping of group to labels
        How to add sources up; the sum is kept. ``"muscle group"`` joins the numbered parts of a muscle.
    express_in, on : str
        Axes and side of the reactions, as in :func:`joint_reactions`; the moment is about the origin of the
        joint's frame on that body.
    joints : sequence of str, optional
        Only the reactions of these joints; all by default.
    memory_limit_gb : float
        Beyond this size the shares lie in a temporary file instead of memory.
    threads : int
        Threads to compute with; the result does not depend on it.

    Returns
    -------
    Dataset
        ``generalized_force`` (time, coordinate, source); ``reaction_force`` (N) and ``reaction_moment`` (N m)
        (time, joint, axis, source); their totals from the wrench recursion, ``total_…``, without the last
        dimension; and ``closure``, the largest gap between a sum of shares and its total, relative to the
        largest share of that kind.

    Guarantees, each a test
    -----------------------
    - the shares add up to the independent recursion (``closure``), in either set of variables
    - doubling one source doubles its share alone; with ``loops``, those of constraints besides
    - with ``loops`` the totals are the reactions of ``joint_reactions(…, loops=True)``; constraints at rest do no work
    - a path has no share in joints that it does not span
    - the share of a tension in a generalized force is its work: tension times dl/du, guides of moving points
      included

    Examples
    --------
    >>> shares = bo.contributions(model, motion, loads)
    >>> shares["generalized_force"].dims, bool(shares["closure"] < 1e-12)
    (('time', 'coordinate', 'source'), True)
    >>> knee = shares["generalized_force"].sel(coordinate="knee_angle_r")
    >>> bool(np.allclose(knee.sum("source"), shares["total_generalized_force"].sel(coordinate="knee_angle_r")))
    True
    """
    frames = reaction_frames(model, joints, on, express_in, None)
    given = list(loads)
    merge_welds = not compile_model(model).has_welds
    outside = ActingForces.of_loads(model, motion, given, merge_welds=merge_welds, threads=threads)
    prepared = outside.prepared
    if not len(prepared.q):
        raise MissingInputError(
            "every instant of the motion has missing values (NaN), so nothing can be split."
        )
    acting = acting_forces(outside, given_forces(tensions), passive)
    closing = closing_names(model.constraints)
    if loops:
        acting = with_closed_loops(acting, reserves_of(tensions))
    else:
        tell_of_open_loops(closing)
    blockwise = _plan(prepared, given, acting, frames, variables, by)
    n, n_groups = len(prepared.q), len(blockwise.columns.names)
    shapes = {
        "generalized_force": (len(model.speed_names), n_groups, n),
        "reaction_force": (len(frames.joints), 3, n_groups, n),
        "reaction_moment": (len(frames.joints), 3, n_groups, n),
    }
    storage = ShareStorage(memory_limit_gb)
    storage.plan(*shapes.values())
    shares = {name: storage.zeros(shape) for name, shape in shapes.items()}
    totals = {name: np.empty((n, shape[0], *shape[1:-2])) for name, shape in shapes.items()}
    closure = _fill_all(blockwise, frames, shares, totals, threads)
    result = _labelled(model, prepared, frames, blockwise, shares, totals, closure, storage, variables)
    return result.with_attrs({"loops": loops}) if closing else result


def _fill_all(
    blockwise: ShareBlocks,
    frames: ReactionFrames,
    shares: dict[str, np.ndarray],
    totals: dict[str, np.ndarray],
    threads: int,
) -> float:
    """Fill all instants; return the largest gap between a sum and its total, relative to the largest share."""
    judged: list[tuple[np.ndarray, np.ndarray]] = []

    def work(instants: slice) -> tuple[np.ndarray, ...]:
        for part in blocks(instants.stop - instants.start, BLOCK):
            block = slice(instants.start + part.start, instants.start + part.stop)
            judged.append(_fill(blockwise, frames, block, shares, totals))
        return ()

    in_threads(len(blockwise.prepared.q), threads, work)
    gaps, largest = (np.max(sizes, axis=0) for sizes in zip(*judged, strict=True))
    return float((gaps / np.where(largest > 0.0, largest, 1.0)).max())


def _fill(
    blockwise: ShareBlocks,
    frames: ReactionFrames,
    block: slice,
    shares: dict[str, np.ndarray],
    totals: dict[str, np.ndarray],
) -> tuple[np.ndarray, np.ndarray]:
    """Fill a block of instants; return the largest gaps between sums and totals, and the largest shares, by kind."""
    prepared, gaps = blockwise.prepared, np.zeros(3)
    outcome, forces = blockwise.fill(block, Written(*shares.values()))
    exactly = _totals(prepared, frames, block, forces)
    for kind, (name, exact) in enumerate(zip(shares, exactly, strict=True)):
        if not (np.isfinite(exact).all() and outcome.largest[kind] <= LARGEST_RESULT):
            known = prepared.time[prepared.known][block]
            refuse_impossible_shares(known, blockwise.columns.names, shares[name][..., block], exact)
        totals[name][block] = exact
        gaps[kind] = np.abs(np.moveaxis(outcome.sums[kind], -1, 0) - exact).max(initial=0.0)
    return gaps, outcome.largest


def _plan(
    prepared: Prepared,
    loads: list[Load],
    acting: ActingForces,
    frames: ReactionFrames,
    variables: str,
    by: Grouping,
) -> ShareBlocks:
    compiled = prepared.compiled
    found = links_of(compiled)
    # The ground bears its loads itself: only those on bodies are sources.
    on_bodies = [load for load in loads if compiled.bodies[load.body].node in found.at_node]
    parts = [(bool(np.any(load.force)), bool(np.any(load.moment))) for load in acting.external]
    names = acting.tensions.names
    closing = tuple(acting.closing)
    sources = sources_of(compiled, found, variables, on_bodies, parts, names, acting.others, closing)
    groups = group_names(sources.labels, by, sources.bodies)
    return ShareBlocks(prepared, found, sources, groups, acting, frames.placed(compiled), frames, variables)


def _totals(
    prepared: Prepared, frames: ReactionFrames, block: slice, forces: BlockForces
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Generalized forces and reactions of a block by the wrench recursion."""
    backend, compiled = engine(), prepared.compiled
    placed = frames.placed(compiled)
    q, u, udot = prepared.q[block], prepared.u[block], prepared.udot[block]
    answer = backend.inverse_dynamics(compiled.mechanism, q, u, udot, forces.on_nodes, list(placed.nodes))
    force, moment, _ = placed.expressed(placed.places(backend, q), answer.force, answer.moment)
    for _, speed, values in forces.on_speeds:
        answer.generalized_force[:, speed] -= values
    return answer.generalized_force, force, moment


def _labelled(
    model: Model,
    prepared: Prepared,
    frames: ReactionFrames,
    blockwise: ShareBlocks,
    shares: dict[str, np.ndarray],
    totals: dict[str, np.ndarray],
    closure: float,
    storage: ShareStorage,
    variables: str,
) -> PlainResult:
    says = frames.says()
    kinds = {
        "generalized_force": (("time", "coordinate"), FORCE_UNITS, None, {}),
        "reaction_force": (("time", "joint", "axis"), "N", frames.axes, says),
        "reaction_moment": (("time", "joint", "axis"), "N m", frames.axes, says),
    }
    data: dict[str, PlainVariable] = {}
    for name, (dims, unit, axes, more) in kinds.items():
        first = np.moveaxis(shares[name], -1, 0)
        data[name] = labelled((*dims, "source"), prepared.whole(first), unit, axes, **more)
        data[f"total_{name}"] = labelled(dims, prepared.whole(totals[name]), unit, axes, **more)
    about = "largest gap between a sum of shares and its total, relative to the largest share of its kind"
    data["closure"] = PlainVariable((), np.asarray(closure), {"units": "1", "description": about})
    return plain_result(
        data,
        {
            "time": time_axis(prepared.time),
            "coordinate": list(model.speed_names),
            "unit": ("coordinate", force_units(model)),
            "joint": list(frames.joints),
            "axis": list(AXES),
            "source": blockwise.columns.names,
            **({"source_body": ("source", blockwise.sources.bodies)} if blockwise.columns.alone else {}),
        },
        {
            "analysis": "contributions",
            "model": model.name,
            "variables": variables,
            "meaning": "direct shares: accelerations are variables of their own, not consequences of forces",
            "share_bytes": storage.used_bytes,
            "shares_on_disk": storage.on_disk,
            **says,
        },
        # Block by block, in refuse_impossible_shares: shares may be on disk.
        looked_at=kinds,
    )
