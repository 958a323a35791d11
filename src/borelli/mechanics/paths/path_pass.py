"""Paths over a whole motion, block by block: lengths, speeds, forces of unit tension, wrenches, drawings."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

import numpy as np

from borelli.arrays import FARTHEST
from borelli.compiled.compile import CompiledModel
from borelli.compiled.paths import CompiledPaths, compile_paths
from borelli.errors import UnknownNameError, warn
from borelli.kernels.paths import path_forces as kernel
from borelli.kernels.paths import path_passes
from borelli.kernels.paths.columns import END_SPEED, FIRST_SPEED
from borelli.kernels.paths.instant_block import instant_block
from borelli.kernels.paths.moving_points import add_work_of_guides
from borelli.kernels.paths.surfaces_in_turn import NO_WAY, SETTLED
from borelli.kernels.paths.tables import geodesic_scratch, most_locals, workspace
from borelli.kernels.tree.blocks import BLOCK, blocks
from borelli.mechanics.memory import sparse_zeros
from borelli.mechanics.motion.prepare import in_threads
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
    """

    length: np.ndarray
    speed: np.ndarray
    force: np.ndarray
    guided: tuple[int, ...]
    guides: tuple[tuple[int, int, np.ndarray], ...]
    state: np.ndarray
    status: np.ndarray
    is_plausible: bool

    def felt(self, paths: CompiledPaths) -> set[tuple[int, int]]:
        """Paths and the speeds along which their forces may not be zero throughout."""
        return felt_speeds(paths) | {(path, speed) for path, speed, _ in self.guides}

    @property
    def guide(self) -> np.ndarray:
        """The work on moving points as an array, (n, n_guided, n_u)."""
        whole = np.zeros((len(self.length), len(self.guided), self.force.shape[2]))
        for path, speed, done in self.guides:
            whole[:, self.guided.index(path), speed] += done
        return whole


_AT_ONCE = BLOCK // 3
"""Instants: poses and twists of so many stay in a core's own cache, as two threads need it."""
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
        felt = [path * n_u + speed for path, speed in felt_speeds(paths)] if time_last else []
        force = sparse_zeros((n_paths, n_u, n), felt) if time_last else np.zeros((n, n_paths, n_u))
    by_time = np.moveaxis(force, 2, 0) if time_last else force
    of_instant, of_path, of_speed = (step // force.itemsize for step in by_time.strides)
    length, speed = np.empty((n, n_paths)), np.empty((n, n_paths))
    state, status = _states(paths, n), np.zeros((n, n_paths), np.int8)
    work_of: dict[tuple[int, int], np.ndarray] = {}
    odd: list[slice] = []

    def work(instants: slice) -> tuple[np.ndarray, ...]:
        # Only what the surfaces of this model need is compiled.
        stops = workspace(paths.tables) if len(paths.tables.wraps) else None
        geodesics = geodesic_scratch(paths.tables)
        scratch = instant_block(paths.tables, len(paths.nodes), n_u, len(paths.moving))
        for part in blocks(instants.stop - instants.start, _AT_ONCE):
            block = slice(instants.start + part.start, instants.start + part.stop)
            there = place_paths(compiled, paths, q[block])
            on_points = np.zeros((len(paths.moving), 3, len(there.placed.q)))
            guided_here = there.guided
            if out is not None:
                for path, driver in guided_here:
                    by_time[block, path, driver] = 0.0
            near = kernel.path_forces(
                paths.tables,
                there.placed,
                there.twist,
                stops,
                geodesics,
                scratch,
                rates,
                block.start,
                length,
                speed,
                force.reshape(-1),
                (of_path, of_speed, of_instant),
                on_points,
                state,
                status,
                FARTHEST,
            )
            work = there.work_of_guides(on_points)
            near_still = not guided_here or add_work_of_guides(
                work,
                np.array(guided_here, np.int64),
                None if u is None else rates,
                block.start,
                speed,
                force.reshape(-1),
                (of_path, of_speed, of_instant),
                FARTHEST,
            )
            for guide, done in zip(guided_here, work, strict=True):
                with _lock:
                    whole = work_of.get(guide)
                    if whole is None:
                        whole = work_of[guide] = np.zeros(n)
                whole[block] += done
            if not (near and near_still):
                odd.append(block)
        return ()

    in_threads(n, threads, work)
    guides = tuple((path, driver, done) for (path, driver), done in work_of.items())
    return PathForces(length, speed, by_time, guided, guides, state.T, status, not odd)


def _states(paths: CompiledPaths, n: int) -> np.ndarray:
    """Return zeros for the states of all paths, (n_paths, n) int, of which only those that can change take memory."""
    changing = [path for path, switches in enumerate(paths.switches) if switches]
    state = sparse_zeros((len(paths.names), n), changing).view(np.int64)
    state[changing] = 0
    return state


def felt_speeds(paths: CompiledPaths) -> set[tuple[int, int]]:
    """Paths and the speeds that can change their lengths, moving points apart."""
    tables = paths.tables
    return {
        (path, int(speed))
        for path, row in enumerate(tables.paths)
        for speed in tables.speeds[row[FIRST_SPEED] : row[END_SPEED]]
    }


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
