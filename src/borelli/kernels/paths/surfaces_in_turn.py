"""Surfaces in turn: the contacts of one path at one instant.

Surfaces are applied in turn, each to the path that the others leave, until nothing moves any more: the order,
the sections that each may touch and the choice among them follow OpenSim; the end is the taut line over all
surfaces. A path depends on nothing but the posture.

Between several surfaces more than one line may be taut. Where the sweeps end with a line that has slipped off the
wanted half of an ellipsoid, they begin again with one that lies over the middle of that half: it comes to rest there
if any line does.
"""

from __future__ import annotations

import math

import numpy as np

from borelli.kernels.jit import inlined, lean
from borelli.kernels.paths.columns import (
    HALF_AXIS,
    HALF_SIGN,
    OBJECT_KIND,
    OBJECT_NODE,
    WRAP_FROM,
    WRAP_LOCAL,
    WRAP_OBJECT,
    WRAP_TO,
)
from borelli.kernels.paths.contact import (
    CERTAIN,
    ELLIPSOID,
    FREE,
    INSIDE,
    LOST,
    OPTIONAL,
    TORUS,
    Contact,
    no_contact,
)
from borelli.kernels.paths.object_frame import Frame, into, object_frame
from borelli.kernels.paths.stops import put_on, span, take_off
from borelli.kernels.paths.tables import DIRECTION, LENGTH, SECTION, SEEN, STOPS_SEEN, WRAP
from borelli.kernels.paths.vectors import norm, scale, signed_axis, subtract
from borelli.kernels.paths.wrap import wrap

# Sweeps over coupled surfaces converge by a constant factor each: this many are enough for factors up to 0.86.
_MOST_SWEEPS = 200
_MOST_IN_VAIN = 8
"""Sweeps in which a geodesic was not found, or a contact came or went: a path with more of them never comes to rest."""
_STILL = 1e-13
"""A contact that moves less than this (m) between two sweeps stands still."""
_SETTLED = 1e-9
"""Contacts that still move by more than this (m) after the last sweep have not come to rest."""

SETTLED, UNSETTLED, NO_WAY = 0, 1, 2
"""Status: the sweeps came to rest, they did not, or a geodesic was not found."""
_SLIPPED = 3
"""Status of sweeps that were given up."""


@inlined
def _best_contact(
    objects: np.ndarray,
    values: np.ndarray,
    thing: int,
    frame: Frame,
    place: np.ndarray,
    marks: np.ndarray,
    first: int,
    last: int,
    scratch: np.ndarray | None,
) -> tuple[int, Contact]:
    """Choose the section of the path that wraps over a surface, and how; -1 if none does.

    A ring that may be touched on its other side, too, has a section even where its contact is only a guess.
    """
    kind, axis, sign = objects[thing, OBJECT_KIND], objects[thing, HALF_AXIS], objects[thing, HALF_SIGN]
    size = (values[thing, 0], values[thing, 1], values[thing, 2])
    section, guessed, best, least = -1, -1, no_contact(FREE), math.inf
    for i in range(first, last):
        if marks[i, WRAP] >= 0 and marks[i, WRAP] == marks[i + 1, WRAP]:
            continue
        a = into(frame, place[i, 0], place[i, 1], place[i, 2])
        b = into(frame, place[i + 1, 0], place[i + 1, 1], place[i + 1, 2])
        contact = wrap(kind, size, axis, sign, a, b, scratch)
        if contact.outcome == CERTAIN:
            return i, contact
        if contact.outcome == OPTIONAL:
            way = norm(subtract(contact.first, a)) + contact.length + norm(subtract(b, contact.last))
            detour = way - norm(subtract(b, a))
            if detour < least:
                section, best, least = i, contact, detour
        elif section < 0 and best.outcome != LOST:
            best = contact
            if contact.outcome == LOST and kind == TORUS and sign == 0:
                guessed = i
    return section if section >= 0 else guessed, best


@inlined
def _unchanged(memory: np.ndarray, place: np.ndarray, marks: np.ndarray, first: int, last: int) -> bool:
    """Whether the stops that a surface meets are those of the sweep before; keeps the new ones."""
    same = memory[SEEN] == last - first + 1.0
    memory[SEEN] = last - first + 1.0
    for i in range(first, last + 1):
        at = STOPS_SEEN + 4 * (i - first)
        for k in range(3):
            same = same and memory[at + k] == place[i, k]
            memory[at + k] = place[i, k]
        same = same and memory[at + 3] == marks[i, WRAP]
        memory[at + 3] = marks[i, WRAP]
    return same


@inlined
def _kept(memory: np.ndarray, outcome: int) -> Contact:
    """Contact of the sweep before."""
    return Contact(
        outcome,
        (memory[0], memory[1], memory[2]),
        (memory[3], memory[4], memory[5]),
        memory[LENGTH],
        (memory[DIRECTION], memory[DIRECTION + 1], memory[DIRECTION + 2]),
    )


@inlined
def _moved(touch: np.ndarray, local: int, contact: Contact) -> float:
    """How far the ends of a contact have moved since the last sweep (m); keeps the new ones."""
    largest = 0.0
    for k in range(3):
        largest = max(largest, abs(touch[local, k] - contact.first[k]))
        largest = max(largest, abs(touch[local, 3 + k] - contact.last[k]))
        touch[local, k], touch[local, 3 + k] = contact.first[k], contact.last[k]
        touch[local, DIRECTION + k] = contact.direction[k]
    touch[local, LENGTH] = contact.length
    return largest


@lean
def lay_over_surfaces(
    wraps: np.ndarray,
    objects: np.ndarray,
    values: np.ndarray,
    axes: np.ndarray,
    place: np.ndarray,
    marks: np.ndarray,
    over: np.ndarray,
    touch: np.ndarray,
    outcome: np.ndarray,
    count: int,
    first_point: int,
    start: int,
    stop: int,
    scratch: np.ndarray | None,
) -> tuple[int, int]:
    """Apply the wraps from ``start`` to ``stop`` to a path whose own points are listed.

    The arrays are those of :class:`PathTables`, :class:`Placed` and :class:`Stops`, one by one: taking them out
    of the tuples here would cost as much as the work itself.
    """
    same = (wraps, objects, values, axes, place, marks, over, touch, outcome)
    count, status = _sweep(*same, count, first_point, start, stop, -1, scratch)
    if scratch is not None and stop - start > 1:
        slipped = _slipped(wraps, objects, touch, outcome, start, stop)
        if slipped >= 0:
            count = _bare(place, marks, over, count, start, stop)
            count, status = _sweep(*same, count, first_point, start, stop, slipped, scratch)
            if status == _SLIPPED:
                count = _bare(place, marks, over, count, start, stop)
                count, status = _sweep(*same, count, first_point, start, stop, -1, scratch)
    return count, status


@lean
def _slipped(
    wraps: np.ndarray, objects: np.ndarray, touch: np.ndarray, outcome: np.ndarray, start: int, stop: int
) -> int:
    """First of the wraps whose contact has slipped off the wanted half of an ellipsoid; -1 if none has."""
    for own in range(stop - start):
        thing = wraps[start + own, WRAP_OBJECT]
        axis = objects[thing, HALF_AXIS]
        aside = objects[thing, HALF_SIGN] * (touch[own, axis] + touch[own, 3 + axis]) < 0.0
        if aside and objects[thing, OBJECT_KIND] == ELLIPSOID and outcome[own] == CERTAIN:
            return own
    return -1


@lean
def _bare(place: np.ndarray, marks: np.ndarray, over: np.ndarray, count: int, start: int, stop: int) -> int:
    """Take off all contacts; return how many stops are left."""
    for which in range(start, stop):
        count = take_off(place, marks, over, count, which)
    return count


@inlined
def _over_the_middle(objects: np.ndarray, values: np.ndarray, thing: int) -> Contact:
    """Contact with the middle of the wanted half of an ellipsoid: a line to begin from."""
    axis = objects[thing, HALF_AXIS]
    outward = signed_axis(axis, objects[thing, HALF_SIGN])
    middle = scale(values[thing, axis], outward)
    return Contact(CERTAIN, middle, middle, 0.0, outward)


@lean
def _sweep(
    wraps: np.ndarray,
    objects: np.ndarray,
    values: np.ndarray,
    axes: np.ndarray,
    place: np.ndarray,
    marks: np.ndarray,
    over: np.ndarray,
    touch: np.ndarray,
    outcome: np.ndarray,
    count: int,
    first_point: int,
    start: int,
    stop: int,
    held: int,
    scratch: np.ndarray | None,
) -> tuple[int, int]:
    """Apply the wraps in turn until nothing moves.

    With a wrap that is ``held`` the first line lies over the middle of its wanted half; the status is _SLIPPED, and the
    stops are of no use, as soon as it does not hold there.
    """
    n_wraps = stop - start
    for own in range(n_wraps):
        outcome[own] = -1
        touch[own, SEEN] = -1.0
    swapped, shift = False, math.inf
    vain = 0
    for sweep in range(_MOST_SWEEPS):
        shift, lost = 0.0, False
        for turn in range(n_wraps):
            own = 1 - turn if swapped and turn < 2 else turn
            which = start + own
            thing = wraps[which, WRAP_OBJECT]
            node = objects[thing, OBJECT_NODE]
            if sweep > 0:
                count = take_off(place, marks, over, count, which)
            lowest, highest = first_point + wraps[which, WRAP_FROM], first_point + wraps[which, WRAP_TO]
            first, last = span(marks, count, lowest, highest)
            own_axes = object_frame(axes, thing)
            if _unchanged(touch[own], place, marks, first, last):
                contact = _kept(touch[own], outcome[own])
                section = first + int(touch[own, SECTION]) if touch[own, SECTION] >= 0.0 else -1
            else:
                section, contact = _best_contact(
                    objects, values, thing, own_axes, place, marks, first, last, scratch
                )
                touch[own, SECTION] = section - first if section >= 0 else -1
            if own == held and section >= 0:
                axis, sign = objects[thing, HALF_AXIS], objects[thing, HALF_SIGN]
                if sweep == 0:
                    contact = _over_the_middle(objects, values, thing)
                    touch[own, SEEN] = -1.0
                elif sign * (contact.first[axis] + contact.last[axis]) < 0.0:
                    return count, _SLIPPED
            if outcome[own] != contact.outcome:
                shift = math.inf
            outcome[own] = contact.outcome
            lost = lost or contact.outcome == LOST
            if section >= 0:
                shift = max(shift, _moved(touch, own, contact))
                count = put_on(
                    place,
                    marks,
                    over,
                    count,
                    section,
                    which,
                    wraps[which, WRAP_LOCAL],
                    node,
                    contact,
                    own_axes,
                )
        vain += lost or shift == math.inf
        if shift < _STILL or n_wraps == 1 or vain == _MOST_IN_VAIN:
            break
        # The first surface may have to lift the path out of the second: let that one go first.
        if sweep == 0 and outcome[0] == FREE and outcome[1] == INSIDE:
            swapped = True
            count = take_off(place, marks, over, count, start)
    return count, _status(outcome, n_wraps, shift)


@lean
def _status(outcome: np.ndarray, n_wraps: int, shift: float) -> int:
    """Tell how sweeps ended whose last one moved a contact by some way (m)."""
    for own in range(n_wraps):
        if outcome[own] == LOST:
            return NO_WAY
    return SETTLED if n_wraps == 1 or shift < _SETTLED else UNSETTLED
