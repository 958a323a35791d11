"""Contacts of one path in a block of instants: which instants touch a surface, and the stops of those that do.

Arrays are those of :class:`PathTables`, :class:`Stops` and :class:`InstantBlock`, one by one: taking them out of the
tuples here would cost more than the work itself.
"""

from __future__ import annotations

import math

import numpy as np

from borelli.kernels.jit import lean
from borelli.kernels.paths.columns import (
    END_POINT,
    END_WRAP,
    FIRST_POINT,
    FIRST_WRAP,
    HALF_AXIS,
    HALF_SIGN,
    N_CONDITIONAL,
    OBJECT_KIND,
    POINT_LOCAL,
    POINT_NODE,
    WRAP_FROM,
    WRAP_OBJECT,
    WRAP_TO,
)
from borelli.kernels.paths.contact import CERTAIN, FREE, LOST, OPTIONAL, no_contact
from borelli.kernels.paths.lanes import WIDTH, into_frame, out_of_frame
from borelli.kernels.paths.near_surfaces import mark_touching
from borelli.kernels.paths.surfaces_in_turn import NO_WAY, SETTLED, lay_over_surfaces
from borelli.kernels.paths.tables import LOCAL, NODE, POINT, WRAP
from borelli.kernels.paths.vectors import norm, subtract
from borelli.kernels.paths.wrap import wrap


@lean
def mark_wrap(
    wraps: np.ndarray,
    objects: np.ndarray,
    values: np.ndarray,
    which: int,
    all_axes: np.ndarray,
    spot: np.ndarray,
    local: np.ndarray,
    touch: np.ndarray,
) -> None:
    """Mark the instants at which a path through all its points may touch one of its surfaces.

    Parameters
    ----------
    local : (…,)
        Filled: the points in the axes of the surface.
    touch : (2 WIDTH,)
        The first half is set to 1 where it may; the second is scratch to work in.
    """
    thing = wraps[which, WRAP_OBJECT]
    axes = all_axes[12 * thing * WIDTH : 12 * (thing + 1) * WIDTH]
    low, high = wraps[which, WRAP_FROM], wraps[which, WRAP_TO]
    for point in range(low, high + 1):
        begin, end = 3 * point * WIDTH, 3 * (point + 1) * WIDTH
        into_frame(axes, spot[begin:end], local[begin:end])
    for point in range(low, high):
        mark_touching(
            objects[thing, OBJECT_KIND],
            values[thing],
            objects[thing, HALF_AXIS],
            objects[thing, HALF_SIGN],
            local[3 * point * WIDTH : 3 * (point + 1) * WIDTH],
            local[3 * (point + 1) * WIDTH : 3 * (point + 2) * WIDTH],
            touch[WIDTH:],
            touch[:WIDTH],
        )


@lean
def _spot(local: np.ndarray, own: int, lane: int) -> tuple[float, float, float]:
    at = 3 * own * WIDTH + lane
    return local[at], local[at + WIDTH], local[at + 2 * WIDTH]


@lean
def list_one_contact(
    wraps: np.ndarray,
    objects: np.ndarray,
    values: np.ndarray,
    row: np.ndarray,
    n: int,
    all_axes: np.ndarray,
    spot: np.ndarray,
    local: np.ndarray,
    touch: np.ndarray,
    way: np.ndarray,
    listed: np.ndarray,
    state: np.ndarray,
    status: np.ndarray,
    at: int,
    scratch: np.ndarray | None,
) -> None:
    """Lay a path whose points are all listed over its only surface; ``local`` and ``touch`` are known."""
    n_points, which = row[END_POINT] - row[FIRST_POINT], row[FIRST_WRAP]
    thing, low, high = wraps[which, WRAP_OBJECT], wraps[which, WRAP_FROM], wraps[which, WRAP_TO]
    kind, axis, sign = objects[thing, OBJECT_KIND], objects[thing, HALF_AXIS], objects[thing, HALF_SIGN]
    size = (values[thing, 0], values[thing, 1], values[thing, 2])
    for lane in range(n):
        if touch[lane] == 0.0:
            continue
        section, best, least = -1, no_contact(FREE), math.inf
        for point in range(low, high):
            a, b = _spot(local, point, lane), _spot(local, point + 1, lane)
            contact = wrap(kind, size, axis, sign, a, b, scratch)
            # A surface is touched once: where a line must bend, or else where bending costs least.
            if contact.outcome == CERTAIN:
                section, best = point, contact
                break
            if contact.outcome == OPTIONAL:
                bent = norm(subtract(contact.first, a)) + contact.length + norm(subtract(b, contact.last))
                detour = bent - norm(subtract(b, a))
                if detour < least:
                    section, best, least = point, contact, detour
            elif contact.outcome == LOST and section < 0:
                status[at + lane] = NO_WAY
        if section < 0:
            continue
        status[at + lane] = SETTLED
        state[at + lane] |= 1 << row[N_CONDITIONAL]
        way[lane] = best.length
        for k in range(3):
            local[(3 * n_points + k) * WIDTH + lane] = best.first[k]
            local[(3 * n_points + 3 + k) * WIDTH + lane] = best.last[k]
        listed[lane, 0] = n_points + 2
        for i in range(n_points):
            listed[lane, 1 + (i if i <= section else i + 2)] = i
        listed[lane, section + 2], listed[lane, section + 3] = n_points, n_points + 1
    axes = all_axes[12 * thing * WIDTH : 12 * (thing + 1) * WIDTH]
    for touching in range(n_points, n_points + 2):
        begin, end = 3 * touching * WIDTH, 3 * (touching + 1) * WIDTH
        out_of_frame(axes, local[begin:end], spot[begin:end])


@lean
def _take_up(
    points: np.ndarray,
    first: int,
    lane: int,
    spot: np.ndarray,
    listed: np.ndarray,
    place: np.ndarray,
    marks: np.ndarray,
) -> int:
    """Make the listed points of one instant the stops of a path to be solved; return their number."""
    count = listed[lane, 0]
    for i in range(count):
        own = listed[lane, 1 + i]
        for k in range(3):
            place[i, k] = spot[(3 * own + k) * WIDTH + lane]
        marks[i, LOCAL], marks[i, NODE] = points[first + own, POINT_LOCAL], points[first + own, POINT_NODE]
        marks[i, POINT], marks[i, WRAP] = first + own, -1
    return int(count)


@lean
def _put_back(
    count: int,
    first: int,
    n_points: int,
    start: int,
    lane: int,
    place: np.ndarray,
    marks: np.ndarray,
    over: np.ndarray,
    spot: np.ndarray,
    way: np.ndarray,
    listed: np.ndarray,
) -> None:
    """List the stops of a solved path at one instant, with the places of its contacts and the ways over them."""
    for i in range(count):
        code = marks[i, POINT] - first
        if marks[i, WRAP] >= 0:
            own = marks[i, WRAP] - start
            ending = 1 if i > 0 and marks[i - 1, WRAP] == marks[i, WRAP] else 0
            code = n_points + 2 * own + ending
            way[own * WIDTH + lane] = over[i, 0]
            for k in range(3):
                spot[(3 * code + k) * WIDTH + lane] = place[i, k]
        listed[lane, 1 + i] = code
    listed[lane, 0] = count


@lean
def list_contacts(
    points: np.ndarray,
    wraps: np.ndarray,
    objects: np.ndarray,
    values: np.ndarray,
    row: np.ndarray,
    n: int,
    place: np.ndarray,
    marks: np.ndarray,
    over: np.ndarray,
    touch: np.ndarray,
    outcome: np.ndarray,
    axes: np.ndarray,
    all_axes: np.ndarray,
    may: np.ndarray,
    spot: np.ndarray,
    way: np.ndarray,
    listed: np.ndarray,
    state: np.ndarray,
    status: np.ndarray,
    at: int,
    scratch: np.ndarray | None,
) -> None:
    """Lay a path whose points are listed over its surfaces, at those of n instants that ``may`` touch one.

    Parameters
    ----------
    row : (9,) int
        The path's row of the table.
    """
    first, n_points = row[FIRST_POINT], row[END_POINT] - row[FIRST_POINT]
    first_wrap, last_wrap = row[FIRST_WRAP], row[END_WRAP]
    for lane in range(n):
        if may[lane] == 0.0:
            continue
        count = _take_up(points, first, lane, spot, listed, place, marks)
        for which in range(first_wrap, last_wrap):
            thing = wraps[which, WRAP_OBJECT]
            for k in range(12):
                axes[thing, k] = all_axes[(12 * thing + k) * WIDTH + lane]
        count, status[at + lane] = lay_over_surfaces(
            wraps,
            objects,
            values,
            axes,
            place,
            marks,
            over,
            touch,
            outcome,
            count,
            first,
            first_wrap,
            last_wrap,
            scratch,
        )
        _put_back(count, first, n_points, first_wrap, lane, place, marks, over, spot, way, listed)
        bit = 1 << row[N_CONDITIONAL]
        for own in range(last_wrap - first_wrap):
            if outcome[own] == OPTIONAL or outcome[own] == CERTAIN:
                state[at + lane] |= bit
            bit <<= 1
