"""Paths over a whole motion, block by block: lengths, speeds, forces of unit tension, wrenches, drawings."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

import numpy as np

from borelli.arrays import FARTHEST
from borelli.compiled.compile import CompiledModel
from borelli.compiled.paths import CompiledPaths, compile_paths
from borelli.errors import UnknownNameError, warn
from borelli.kernels.jit import starting_with
from borelli.kernels.lanes.memory import result_array
from borelli.kernels.paths import path_forces as kernel
from borelli.kernels.paths import path_passes
from borelli.kernels.paths.instant_block import instant_block
from borelli.kernels.paths.lanes import WIDTH
from borelli.kernels.paths.surfaces_in_turn import NO_WAY, SETTLED
from borelli.kernels.paths.tables import geodesic_scratch, most_locals, workspace
from borelli.kernels.side_by_side import side_by_side
from borelli.kernels.tree.blocks import blocks
from borelli.mechanics.memory import scratch, sparse_zeros
from borelli.mechanics.motion.prepare import in_threads, require_threads
from borelli.mechanics.paths.moving_points import Guides
from borelli.mechanics.paths.placed_paths import place_paths
from borelli.records import dataclass


@dataclass(frozen=True)
class PathForces:
    """Paths in n instants.

    Parameters
    ----------
    length, speed : (n, n_paths) float
        m, m/s; the speed is zero where no speeds were given.
    force : (n, n_paths, n_u) float
        Generalized forces of unit tension, the guides of moving points included: -dl/du (m per unit of u).
    guided : tuple of int
        Paths with moving points.
    guides : tuple of (path, speed, (n,) float)
        The parts of the force that do work on moving points.
    state : (n, n_paths) int
        One bit for each entry of ``CompiledPaths.switches``.
    status : (n, n_paths) int
        How the search for the path ended.
    is_plausible : bool
        Whether all lengths, speeds and forces are plausible numbers.
    is_settled : bool
        Whether every search ended at a taut line.
    """

    length: np.ndarray
    speed: np.ndarray
    force: np.ndarray
    guided: tuple[int, ...]
    guides: tuple[tuple[int, int, np.ndarray], ...]
    state: np.ndarray
    status: np.ndarray
    is_plausible: bool
    is_settled: bool

    def felt(self, paths: CompiledPaths) -> frozenset[tuple[int, int]]:
        """Paths and the speeds along which their forces may not be zero throughout."""
        return felt_speeds(paths) | {(path, speed) for path, speed, _ in self.guides}

    @property
    def guide(self) -> np.ndarray:
        """The work on moving points as an array, (n, n_guided, n_u)."""
        whole = np.zeros((len(self.length), len(self.guided), self.force.shape[2]))
        for path, speed, done in self.guides:
            whole[:, self.guided.index(path), speed] += done
        return whole


_AT_ONCE, _AT_THE_END = 11 * WIDTH, 6 * WIDTH
"""Instants: poses and twists of so many stay near the core; and so many at a time when threads are about to end."""
# All paths of a whole body take 0.03 s to compile; those used longest ago are forgotten.
_KEPT = 16
_cache: OrderedDict[tuple[int, tuple[str, ...]], tuple[CompiledModel, CompiledPaths]] = OrderedDict()
_lock = Lock()


def paths_of(compiled: CompiledModel, names: tuple[str, ...] | None = None) -> CompiledPaths:
    """Return the compiled paths of some names, or all; the last few are remembered.

    Raises
    ------
    UnknownNameError
        If the model has no path of that name.
    """
    known = compiled.model.path_names
    chosen = known if names is None else names
    key = (id(compiled), chosen)
    with _lock:
        found = _cache.get(key)
        if found is not None and found[0] is compiled:
            _cache.move_to_end(key)
            return found[1]
    for name in chosen:
        if name not in known:
            raise UnknownNameError.among(name, "path", known, of=f"model {compiled.model.name!r}")
    paths = compile_paths(compiled, chosen)
    with _lock:
        _cache[key] = (compiled, paths)
        while len(_cache) > _KEPT:
            _cache.popitem(last=False)
    return paths


def path_forces(
    compiled: CompiledModel,
    paths: CompiledPaths,
    q: np.ndarray,
    threads: int = 1,
    u: np.ndarray | None = None,
    *,
    time_last: bool = False,
    out: np.ndarray | None = None,
) -> PathForces:
    """Lengths and forces of unit tension for postures q, (n, n_q); lengthening speeds for speeds u, (n, n_u).

    With ``time_last`` the forces lie in memory with the instants of a path and speed side by side. Most paths
    feel few speeds: what stays zero is then never touched, which is the greater part.

    Parameters
    ----------
    out : (n_paths, n_u, n) float, optional
        Memory for the forces, time last. Only what a path can feel (:func:`felt_speeds`, and its guides) is written.
    """
    n, n_paths, n_u = len(q), len(paths.names), compiled.mechanism.n_speeds
    rates = np.zeros((n, n_u)) if u is None else np.ascontiguousarray(u)
    guided = tuple(dict.fromkeys(paths.names.index(moving.path) for moving in paths.moving))
    time_last = time_last or out is not None
    force = out
    if force is None:
        force = (
            sparse_zeros((n_paths, n_u, n), [path * n_u + speed for path, speed in felt_speeds(paths)])
            if time_last
            else np.zeros((n, n_paths, n_u))
        )
    by_time = np.moveaxis(force, 2, 0) if time_last else force
    of_instant, of_path, of_speed = (step // force.itemsize for step in by_time.strides)
    length, speed = result_array(n, n_paths), result_array(n, n_paths)
    # Only the states of paths that can change take memory.
    changing = [path for path, switches in enumerate(paths.switches) if switches]
    state = sparse_zeros((n_paths, n), changing).view(np.int64)
    # From memory that is used again, and cleared by the threads.
    status = result_array(-(-n * n_paths // 8)).view(np.int8)[: n * n_paths].reshape(n, n_paths)
    strides = of_path, of_speed, of_instant
    flat = force.reshape(-1)
    work_of = _WorkOfGuides(paths, n)
    odd: list[slice] = []
    stuck: list[slice] = []
    idle: list[Callable[..., bool]] = []

    def with_own_scratch() -> Callable[..., bool]:
        return starting_with(
            kernel.path_forces,
            paths.tables,
            # Only what the surfaces of this model need is compiled.
            workspace(paths.tables) if len(paths.tables.wraps) else None,
            geodesic_scratch(paths.tables),
            instant_block(paths.tables, len(paths.nodes), n_u, len(paths.moving)),
            rates,
            length,
            speed,
            flat,
            strides,
            state,
            status,
            FARTHEST,
            paths.guidance.node,
        )

    def work(block: slice) -> None:
        try:
            follow = idle.pop()
        except IndexError:
            follow = with_own_scratch()
        there = place_paths(compiled, paths, q[block])
        guides = there.guides
        on_points = scratch("forces on moving points", (len(paths.moving), 3, len(there.placed.q)))
        if out is not None:
            for path, driver in guides.felt.tolist():
                by_time[block, path, driver] = 0.0
        status[block] = SETTLED
        done, at = work_of.memory(guides, block)
        near = follow(
            there.placed,
            there.twist,
            on_points,
            block.start,
            guides.point,
            guides.felt,
            guides.velocity,
            done,
            at,
        )
        idle.append(follow)
        if len(paths.tables.wraps) and (status[block] != SETTLED).any():
            stuck.append(block)
        work_of.keep(guides, block, done)
        if not near:
            odd.append(block)

    require_threads(threads)
    side_by_side(work, _shared_out(n, threads), threads)
    guides = work_of.guides()
    return PathForces(length, speed, by_time, guided, guides, state.T, status, not odd, not stuck)


class _WorkOfGuides:
    """Work on moving points per unit of the speeds that guide them, as the blocks come.

    Mixtures of speeds may move other points in every block; else each guide has a row.
    """

    def __init__(self, paths: CompiledPaths, n: int) -> None:
        self._n, self._felt = n, paths.guided[2]
        self._rows = None if paths.mixed else np.empty((len(self._felt), n))
        self._mixed: dict[tuple[int, int], np.ndarray] = {}

    def memory(self, guides: Guides, block: slice) -> tuple[np.ndarray, int]:
        """Return where the work in a block goes, and where in there it begins."""
        if self._rows is not None:
            return self._rows, block.start
        return np.empty((len(guides.felt), guides.velocity.shape[2])), 0

    def keep(self, guides: Guides, block: slice, done: np.ndarray) -> None:
        """Keep the work in a block."""
        if self._rows is not None:
            return
        with _lock:
            for (path, speed), row in zip(guides.felt.tolist(), done, strict=True):
                self._mixed.setdefault((path, speed), np.zeros(self._n))[block] += row

    def guides(self) -> tuple[tuple[int, int, np.ndarray], ...]:
        """Return path, speed and work (n,) of each guide."""
        whole = self._mixed
        if self._rows is not None:
            for path, speed, row in zip(*self._felt.T.tolist(), self._rows, strict=True):
                guide = path, speed
                whole[guide] = whole[guide] + row if guide in whole else row
        return tuple((path, speed, done) for (path, speed), done in whole.items())


def _shared_out(n: int, threads: int) -> list[slice]:
    """Cut n instants into blocks; the last are small where there are several threads, which then end together."""
    large = n if threads == 1 else max(0, n - threads * _AT_ONCE) // _AT_ONCE * _AT_ONCE
    small = [slice(large + block.start, large + block.stop) for block in blocks(n - large, _AT_THE_END)]
    return [*blocks(large, _AT_ONCE), *small]


def felt_speeds(paths: CompiledPaths) -> frozenset[tuple[int, int]]:
    """Paths and the speeds that can change their lengths, moving points apart."""
    return paths.felt_speeds


def path_speeds(
    compiled: CompiledModel, paths: CompiledPaths, q: np.ndarray, u: np.ndarray, threads: int = 1
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Length (n, n_paths), lengthening speed and status, from the velocities of the points.

    Parameters
    ----------
    u : (n, n_motions, n_u)
        Speeds of several motions through the same postures.

    Returns
    -------
    length : (n, n_paths) float
    speed : (n, n_motions, n_paths) float
    status : (n, n_paths) int
    """
    n_paths = len(paths.names)

    def work(instants: slice) -> tuple[np.ndarray, ...]:
        own, moving_with = q[instants], u[instants]
        length, status = np.empty((len(own), n_paths)), np.empty((len(own), n_paths), np.int8)
        speed = np.empty((len(own), u.shape[1], n_paths))
        stops = workspace(paths.tables)
        for block in blocks(len(own)):
            there = place_paths(compiled, paths, own[block])
            path_passes.path_speeds(
                paths.tables,
                there.placed,
                there.node_velocity(moving_with[block]),
                there.moving_rate(moving_with[block]),
                stops,
                geodesic_scratch(paths.tables),
                length[block],
                speed[block],
                status[block],
            )
        return length, speed, status

    length, speed, status = in_threads(len(q), threads, work)
    return length, speed, status


def path_wrenches(
    compiled: CompiledModel, paths: CompiledPaths, q: np.ndarray, tension: np.ndarray, apart: bool
) -> np.ndarray:
    """Wrenches of the paths on the nodes: moment about the ground's origin, force; ground axes.

    Parameters
    ----------
    tension : (n, n_paths)
        N.
    apart : bool
        Keep the paths apart, or add them up.

    Returns
    -------
    (n, n_paths or 1, n_nodes, 6) float
        Nodes in the order of ``paths.nodes``.
    """
    out = np.zeros((len(q), len(paths.names) if apart else 1, len(paths.nodes), 6))
    stops, scratch = workspace(paths.tables), np.zeros((most_locals(paths.tables), 6))
    for block in blocks(len(q)):
        there = place_paths(compiled, paths, q[block])
        path_passes.path_wrenches(
            paths.tables,
            there.placed,
            stops,
            geodesic_scratch(paths.tables),
            scratch,
            np.ascontiguousarray(tension[block], dtype=float),
            apart,
            out[block],
        )
    return out


def path_drawings(
    compiled: CompiledModel, paths: CompiledPaths, q: np.ndarray, n_arc: int
) -> tuple[np.ndarray, np.ndarray]:
    """Polylines (n, n_paths, most, 3) in ground, NaN beyond the last point, and their numbers of points."""
    stops = workspace(paths.tables)
    most_wraps = len(stops.outcome)
    out = np.full((len(q), len(paths.names), len(stops.place) + most_wraps * n_arc, 3), np.nan)
    number = np.zeros(out.shape[:2], np.int64)
    for block in blocks(len(q)):
        placed = place_paths(compiled, paths, q[block]).placed
        path_passes.path_drawings(
            paths.tables, placed, stops, geodesic_scratch(paths.tables), n_arc, out[block], number[block]
        )
    return out[:, :, : int(number.max(initial=0))], number


def warn_of_status(names: tuple[str, ...], status: np.ndarray, time: np.ndarray) -> None:
    """Name the paths, if any, whose search did not end at a taut line."""
    if not (status != SETTLED).any():
        return
    for path in np.flatnonzero((status != SETTLED).any(axis=0)):
        instants = np.flatnonzero(status[:, path] != SETTLED)
        lost = bool((status[instants, path] == NO_WAY).any())
        what = (
            "found no way over one of its surfaces" if lost else "did not come to rest between its surfaces"
        )
        warn(
            f"path {names[path]!r} {what} in {len(instants)} of {len(status)} instants "
            f"(the first at {float(time[instants[0]]):g} s): its length is not that of a taut line there."
        )
