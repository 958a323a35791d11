"""The list of stops of a path: filled with its own points, contacts put on and taken off."""

from __future__ import annotations

import numpy as np

from borelli.kernels.jit import inlined, lean
from borelli.kernels.paths.columns import (
    POINT_COORDINATE,
    POINT_LOCAL,
    POINT_MOVING,
    POINT_NODE,
    RANGE_HIGH,
    RANGE_LOW,
)
from borelli.kernels.paths.contact import Contact
from borelli.kernels.paths.object_frame import Frame, out_of
from borelli.kernels.paths.tables import LOCAL, NODE, POINT, WRAP

EDGE = 1e-5
"""A conditional point is there this much beyond its range, as in OpenSim."""


@inlined
def list_points(
    points: np.ndarray,
    values: np.ndarray,
    first: int,
    stop: int,
    q: np.ndarray,
    pose: np.ndarray,
    moving: np.ndarray,
    instant: int,
    place: np.ndarray,
    marks: np.ndarray,
) -> int:
    """List the points of a path that are there, in ground; return their number."""
    # Spelled out: as loops over axes this takes six times as long, and it is where most of the time goes.
    count = 0
    for point in range(first, stop):
        coordinate = points[point, POINT_COORDINATE]
        if coordinate >= 0:
            value = q[instant, coordinate]
            if value < values[point, RANGE_LOW] - EDGE or value > values[point, RANGE_HIGH] + EDGE:
                continue
        node, slot = points[point, POINT_NODE], points[point, POINT_MOVING]
        x, y, z = values[point, 0], values[point, 1], values[point, 2]
        if slot >= 0:
            x, y, z = moving[slot, 0, instant], moving[slot, 1, instant], moving[slot, 2, instant]
        place[count, 0] = (
            pose[node, 9, instant]
            + pose[node, 0, instant] * x
            + pose[node, 1, instant] * y
            + pose[node, 2, instant] * z
        )
        place[count, 1] = (
            pose[node, 10, instant]
            + pose[node, 3, instant] * x
            + pose[node, 4, instant] * y
            + pose[node, 5, instant] * z
        )
        place[count, 2] = (
            pose[node, 11, instant]
            + pose[node, 6, instant] * x
            + pose[node, 7, instant] * y
            + pose[node, 8, instant] * z
        )
        marks[count, LOCAL] = points[point, POINT_LOCAL]
        marks[count, NODE] = node
        marks[count, POINT] = point
        marks[count, WRAP] = -1
        count += 1
    return count


@inlined
def _copy(place: np.ndarray, marks: np.ndarray, over: np.ndarray, source: int, target: int) -> None:
    for k in range(3):
        place[target, k] = place[source, k]
    for k in range(4):
        marks[target, k] = marks[source, k]
        over[target, k] = over[source, k]


@lean
def take_off(place: np.ndarray, marks: np.ndarray, over: np.ndarray, count: int, which: int) -> int:
    """Remove the contact of a wrap from the list; return how many stops are left."""
    for i in range(count):
        if marks[i, WRAP] == which:
            # A contact is two stops: where it touches down, and where it lifts off.
            for j in range(i + 2, count):
                _copy(place, marks, over, j, j - 2)
            return count - 2
    return count


@inlined
def put_on(
    place: np.ndarray,
    marks: np.ndarray,
    over: np.ndarray,
    count: int,
    section: int,
    which: int,
    local: int,
    node: int,
    contact: Contact,
    frame: Frame,
) -> int:
    """Insert a contact after the stop at which its section begins; return how many stops there are."""
    for j in range(count - 1, section, -1):
        _copy(place, marks, over, j, j + 2)
    for end in (1, 2):
        i = section + end
        spot = out_of(frame, contact.first if end == 1 else contact.last)
        for k in range(3):
            place[i, k] = spot[k]
            over[i, 1 + k] = contact.direction[k]
        over[i, 0] = contact.length if end == 2 else 0.0
        marks[i, LOCAL], marks[i, NODE], marks[i, POINT], marks[i, WRAP] = local, node, -1, which
    return count + 2


@inlined
def span(marks: np.ndarray, count: int, lowest: int, highest: int) -> tuple[int, int]:
    """First and last stop among the path points of a range; first > last if none of them is there."""
    first, last = count, -1
    for i in range(count):
        if lowest <= marks[i, POINT] <= highest:
            first = min(first, i)
            last = i
    return first, last
