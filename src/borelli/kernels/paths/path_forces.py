"""Lengths, lengthening speeds and generalized forces of unit tension of all paths, a block of instants at a time."""

from __future__ import annotations

import numpy as np

from borelli.kernels.jit import inlined, lean
from borelli.kernels.paths.block_contacts import list_contacts, list_one_contact, mark_wrap
from borelli.kernels.paths.block_stops import list_present, place_points
from borelli.kernels.paths.columns import END_POINT, END_WRAP, FIRST_POINT, FIRST_WRAP, N_CONDITIONAL
from borelli.kernels.paths.instant_block import InstantBlock, place_surfaces
from borelli.kernels.paths.lanes import WIDTH, load_columns, load_rows
from borelli.kernels.paths.lines_of_pull import next_group, project, walk
from borelli.kernels.paths.moving_points import add_work_of_guides
from borelli.kernels.paths.tables import PathTables, Placed, Stops


@inlined
def _list_points(
    tables: PathTables,
    q: np.ndarray,
    path: int,
    start: int,
    at: int,
    n: int,
    block: InstantBlock,
    state: np.ndarray,
) -> bool:
    """Find the points of a path at n instants; tell whether those of the first instant are those of all.

    Parameters
    ----------
    start, at : int
        Where the instants begin in q, and in ``state``.
    """
    row = tables.paths[path]
    place_points(
        tables.points,
        tables.point_values,
        row[FIRST_POINT],
        row[END_POINT],
        block.pose,
        block.moving,
        block.spot,
    )
    # Without surfaces and conditional points all instants have the same stops, and nothing is compared.
    alike = row[FIRST_WRAP] == row[END_WRAP] and row[N_CONDITIONAL] == 0
    block.member[:] = 1 if alike else 0
    if not alike:
        for lane in range(n):
            state[at + lane] = 0
    list_present(
        tables.points, tables.point_values, row, q, start, 1 if alike else n, block.listed, state, at
    )
    return alike


@inlined
def _lay_over(
    tables: PathTables,
    path: int,
    at: int,
    n: int,
    stops: Stops,
    block: InstantBlock,
    state: np.ndarray,
    status: np.ndarray,
    scratch: np.ndarray | None,
) -> None:
    """Lay a path whose points are listed over its surfaces at n instants."""
    row = tables.paths[path]
    n_wraps, conditional = row[END_WRAP] - row[FIRST_WRAP], row[N_CONDITIONAL] > 0
    block.may[:WIDTH] = 1.0 if conditional else 0.0
    if not conditional:
        for which in range(row[FIRST_WRAP], row[END_WRAP]):
            mark_wrap(
                tables.wraps,
                tables.objects,
                tables.object_values,
                which,
                block.axes,
                block.spot,
                block.local,
                block.may,
            )
    if n_wraps == 1 and not conditional:
        _list_one_contact(tables, row, n, block, state, status, at, scratch)
    elif n_wraps > 0:
        _list_contacts(tables, row, n, stops, block, state, status, at, scratch)


@inlined
def _list_one_contact(
    tables: PathTables,
    row: np.ndarray,
    n: int,
    block: InstantBlock,
    state: np.ndarray,
    status: np.ndarray,
    at: int,
    scratch: np.ndarray | None,
) -> None:
    list_one_contact(
        tables.wraps,
        tables.objects,
        tables.object_values,
        row,
        n,
        block.axes,
        block.spot,
        block.local,
        block.may,
        block.way,
        block.listed,
        state,
        status,
        at,
        scratch,
    )


@inlined
def _list_contacts(
    tables: PathTables,
    row: np.ndarray,
    n: int,
    stops: Stops,
    block: InstantBlock,
    state: np.ndarray,
    status: np.ndarray,
    at: int,
    scratch: np.ndarray | None,
) -> None:
    list_contacts(
        tables.points,
        tables.wraps,
        tables.objects,
        tables.object_values,
        row,
        n,
        stops.place,
        stops.marks,
        stops.over,
        stops.touch,
        stops.outcome,
        stops.axes,
        block.axes,
        block.may,
        block.spot,
        block.way,
        block.listed,
        state,
        status,
        at,
        scratch,
    )


@inlined
def _follow(
    tables: PathTables,
    path: int,
    leader: int,
    start: int,
    at: int,
    n: int,
    block: InstantBlock,
    force: np.ndarray,
    strides: tuple[int, int, int],
    moving_force: np.ndarray,
    farthest: float,
) -> bool:
    """Follow a path through the stops of one instant, at all instants that share them; tell if forces are small."""
    row = tables.paths[path]
    lines = walk(
        tables.points,
        tables.point_values,
        tables.wraps,
        row,
        block.listed[leader],
        start,
        n,
        block.spot,
        block.way,
        block.line,
        block.total[:WIDTH],
        block.ends,
        block.member,
        moving_force,
    )
    return project(
        tables.speeds,
        tables.moves,
        row,
        lines,
        n,
        block.screw,
        block.rate,
        block.line,
        block.ends,
        block.total[2 * WIDTH :],
        block.total[WIDTH : 2 * WIDTH],
        block.member,
        force,
        path * strides[0] + at * strides[2],
        strides[1],
        strides[2],
        farthest,
    )


@lean
def _keep(
    total: np.ndarray,
    member: np.ndarray,
    n: int,
    length: np.ndarray,
    speed: np.ndarray,
    at: int,
    farthest: float,
) -> bool:
    """Write lengths and speeds of the instants that were followed; tell whether all are within a limit."""
    near = True
    for lane in range(n):
        if member[lane] == 1:
            length[at + lane] = total[lane]
            speed[at + lane] = -total[WIDTH + lane]
            # NaN is not below anything.
            if not (total[lane] <= farthest and abs(total[WIDTH + lane]) <= farthest):
                near = False
    return near


@lean
def path_forces(
    tables: PathTables,
    stops: Stops | None,
    scratch: np.ndarray | None,
    block: InstantBlock,
    u: np.ndarray,
    length: np.ndarray,
    speed: np.ndarray,
    force: np.ndarray,
    strides: tuple[int, int, int],
    state: np.ndarray,
    status: np.ndarray,
    farthest: float,
    carrier: np.ndarray,
    placed: Placed,
    twist: np.ndarray,
    moving_force: np.ndarray,
    offset: int,
    point: np.ndarray,
    of_guide: np.ndarray,
    velocity: np.ndarray,
    work: np.ndarray,
    at: int,
) -> bool:
    """Length of every path, and the generalized forces of unit tension, at every instant.

    Returns whether all of them are numbers of at most ``farthest``.

    Parameters
    ----------
    stops : Stops or None
        Scratch memory; None where no path has a surface: what surfaces need is then not even compiled.
    scratch : (SCRATCH,) or None
        Scratch memory to follow geodesics in; None where all surfaces are cylinders and spheres.
    block : InstantBlock
        Scratch memory.
    u : (n_all, n_u)
        Speeds.
    length, speed : (n_all, n_paths)
        Filled (m, m/s).
    force : flat
        Zeros on entry; filled: conjugate to u.
    strides : (int, int, int)
        Distance in ``force`` from one path, speed and instant to the next.
    state : (n_paths, n_all) int
        Filled for paths with conditional points or wraps: which of them take part.
    status : (n_all, n_paths) int
        Zeros on entry; filled: how the search for the path ended.
    twist : (n_u, 6, n)
        Motion per unit of each speed: angular velocity, velocity of what is at the ground's origin.
    moving_force : (n_moving, 3, n)
        Filled: force of unit tension on each moving point, in ground axes.
    offset : int
        Where these instants begin among all, in u and in the results.
    carrier, point, of_guide, velocity, work, at
        As ``node`` and the others in :func:`add_work_of_guides`.
    """
    n, near = len(placed.q), True
    moving_force[:] = 0.0
    poses = placed.pose.reshape((12 * placed.pose.shape[0], n))
    twists = twist.reshape((6 * twist.shape[0], n))
    moving = placed.moving.reshape((3 * placed.moving.shape[0], n))
    for start in range(0, n, WIDTH):
        load_rows(poses, start, block.pose)
        load_rows(twists, start, block.screw)
        load_columns(u, start + offset, block.rate)
        load_rows(moving, start, block.moving)
        if stops is not None:
            place_surfaces(tables.objects, tables.object_values, block.pose, block.axes)
        for path in range(len(tables.paths)):
            here = min(WIDTH, n - start)
            alike = _list_points(tables, placed.q, path, start, start + offset, here, block, state[path])
            if stops is not None:
                _lay_over(
                    tables, path, start + offset, here, stops, block, state[path], status[:, path], scratch
                )
            leader = 0 if alike else next_group(block.listed, block.member, here)
            while leader >= 0:
                felt = _follow(
                    tables,
                    path,
                    leader,
                    start,
                    start + offset,
                    here,
                    block,
                    force,
                    strides,
                    moving_force,
                    farthest,
                )
                kept = _keep(
                    block.total,
                    block.member,
                    here,
                    length[:, path],
                    speed[:, path],
                    start + offset,
                    farthest,
                )
                near = near and felt and kept
                leader = -1 if alike else next_group(block.listed, block.member, here)
    guided = add_work_of_guides(
        carrier,
        u,
        speed,
        force,
        strides,
        farthest,
        point,
        of_guide,
        placed.pose,
        moving_force,
        velocity,
        offset,
        work,
        at,
    )
    return near and guided
