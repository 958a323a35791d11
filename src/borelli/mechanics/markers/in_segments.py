"""Instants of a recording tracked side by side, in segments.

Each instant starts from those before it, so a thread goes on with the segment after its own. A thread that finds this
one taken goes to the middle of the longest stretch that nobody has begun, from a posture that a scout brings, who
tracks few of the instants up to there. A scout may lose its way where tracking every instant does not: onto another
optimum, or a whole turn further. So a scouted segment starts a little before its beginning, and counts only if it takes
there the postures that the segment before it ends with; else it is tracked again from these, and so are those after it
until they agree.
"""

from __future__ import annotations

import math
from threading import Lock

import numpy as np

from borelli.kernels.markers.solve import SOLVED, WANTED
from borelli.kernels.markers.track import Found, Recording, nothing, track
from borelli.kernels.side_by_side import side_by_side
from borelli.mechanics.markers.problem import PostureProblem
from borelli.mechanics.markers.starts import MANY_STEPS
from borelli.mechanics.markers.targets import Measured, instants

_PER_THREAD = 8
"""Segments: with few, threads wait for the one that has the last."""
_SHORTEST, _LONGEST = 256, 2048
"""Instants of a segment: what is done once for each costs as much as 25 instants, and needs the interpreter, for which
threads wait. With 700 instead of 1400 two threads are 4 % slower; longer ones leave more to wait for at the end."""
_STRIDE = 32
"""Of the scout: gait at 60 to 100 Hz is followed from every 64th instant, too; a scout of every 16th takes a sixth of
all the work."""
_SCOUTING = 0.1
"""What a scout does, as a part of the work on all the instants it passes."""
_NEAR = 1e-6
"""Residual with which the scout is content (m²/rad): it is for starts alone, and the last two of its steps would only
bring round-off."""
SHARED = 2
"""Instants before its beginning with which a segment starts: from two postures the third is foreseen, as in tracking
all."""
_AHEAD = 4
"""Segments whose aims are made at a time: for each time threads wait for the interpreter."""
_SAME = 1e-6
"""Postures that differ by less (rad or m) are one optimum: those of solved instants differ by less than a tenth of
this, two optima by a thousand times as much or more."""


class Aims:
    """What the segments of a recording ask for, in the form of the kernels; some of it is made ahead.

    While one thread looks for the first posture the others have nothing else to do.
    """

    def __init__(self, measured: Measured, threads: int) -> None:
        self.measured = measured
        self.begins = [0] if threads == 1 else _beginnings(measured.usable, threads)
        self._ahead: dict[int, Recording] = {}
        self._tracking = False

    def make_ahead(self) -> None:
        """Make them, several segments at a time, until tracking begins."""
        n, ends = len(self.begins), [*self.begins[1:], len(self.measured.usable)]
        for first in range(0, n if n > 1 else 0, _AHEAD):
            if self._tracking:
                return
            begin, last = max(self.begins[first] - SHARED, 0), min(first + _AHEAD, n) - 1
            several = self.measured.at(slice(begin, ends[last])).aims
            for segment in range(first, last + 1):
                own = slice(max(self.begins[segment] - SHARED, 0) - begin, ends[segment] - begin)
                self._ahead[self.begins[segment]] = instants(several, own)

    def begin_tracking(self) -> None:
        """Make no more ahead."""
        self._tracking = True

    def of(self, begin: int, stop: int, shared: int) -> Recording:
        """Return what a segment asks for, with so many instants before it."""
        known = self._ahead.get(begin)
        if known is None:
            # It stays in the cache until the segment is solved; that of all instants would be written and read.
            return self.measured.at(slice(begin - shared, stop)).aims
        return instants(known, slice(min(SHARED, begin) - shared, None))


def track_side_by_side(aims: Aims, found: Found, first: np.ndarray, threads: int) -> None:
    """Solve all instants, starting from a first posture; the postures are those of one thread, to convergence.

    Parameters
    ----------
    found : Found
        Of all instants, filled.
    first : (n_q,) float
        Where the first usable instant starts.
    """
    measured = aims.measured
    if len(aims.begins) == 1:
        _track(measured.problem, measured.aims, first[None], found)
        return
    segments = _Segments(aims, found, first)
    side_by_side(segments.work_from, [0, *[None] * (threads - 1)], threads)
    segments.mend()


class _Segments:
    """Segments of a recording: who has which, what is known where they begin, and what scouts made of their beginnings.

    Parameters
    ----------
    first : (n_q,) float
        Where the first usable instant starts.
    """

    def __init__(self, aims: Aims, found: Found, first: np.ndarray) -> None:
        self._aims, self._found, self._first = aims, found, first
        self._borders = [*aims.begins, len(aims.measured.usable)]
        self._open = set(range(1, len(aims.begins)))
        self._known = {0: first}
        """Postures near the beginnings of segments"""
        self._scouted: dict[int, Found] = {}
        """What scouted segments take for the instants shared with those before them"""
        self._lock = Lock()

    def work_from(self, segment: int | None) -> None:
        """Solve a segment and those after it, then whichever nobody has begun; None to begin with these."""
        while True:
            if segment is None:
                segment = self._take_far_from_others()
                if segment is None:
                    return
                self._solve_scouted(segment)
            else:
                begin, stop = self._borders[segment], self._borders[segment + 1]
                _go_on(self._aims, self._found, begin, stop, self._first)
            self._known[segment + 1] = _last_solved(self._found, self._borders[segment + 1], self._first)
            segment = self._take(segment + 1)

    def _solve_scouted(self, segment: int) -> None:
        """Solve a segment from where a scout comes to from the last posture known before it."""
        near = max(known for known in tuple(self._known) if known <= segment)
        begin, stop = self._borders[segment], self._borders[segment + 1]
        start = _scout(self._aims.measured, self._borders[near], begin, self._known[near])
        self._known[segment] = start
        self._scouted[segment] = _segment(self._aims, self._found, begin, stop, start[None])

    def _take(self, segment: int) -> int | None:
        """Return a segment if nobody has begun it."""
        with self._lock:
            if segment not in self._open:
                return None
            self._open.remove(segment)
            return segment

    def _take_far_from_others(self) -> int | None:
        """Return the middle segment of the longest stretch that nobody has begun; None if all are begun."""
        with self._lock:
            stretches: list[list[int]] = []
            for segment in sorted(self._open):
                if not stretches or stretches[-1][-1] != segment - 1:
                    stretches.append([])
                stretches[-1].append(segment)
            if not stretches:
                return None
            longest = max(stretches, key=len)
            middle = longest[len(longest) // 2]
            self._open.remove(middle)
            return middle

    def mend(self) -> None:
        """Track again what does not begin where the segment before it ends."""
        found = self._found
        for segment in sorted(self._scouted):
            if _joined(found, self._borders[segment], self._scouted[segment]):
                continue
            agrees = False
            while not agrees and segment + 1 < len(self._borders):
                begin, stop = self._borders[segment], self._borders[segment + 1]
                before = _copied(found, slice(max(stop - SHARED, begin), stop))
                _track_again(self._aims, found, begin, stop, self._first)
                segment += 1
                # A scouted one is looked at by itself.
                agrees = segment in self._scouted or _joined(found, stop, before)


def _track(
    problem: PostureProblem, aims: Recording, first: np.ndarray, found: Found, wanted: float = WANTED
) -> None:
    """Solve instants in their order and fill their answers, as many."""
    tables = (problem.tree, problem.functions, problem.ties)
    starts = (first, problem.same_roles, problem.longest)
    track(*tables, aims, *starts, MANY_STEPS, wanted, found, problem.scratch())


def _beginnings(usable: np.ndarray, threads: int) -> list[int]:
    """Return where segments begin: only after instants that are usable, so that there are postures to compare."""
    n = len(usable)
    # The first thread needs no scout: it has so many segments that the others, after scouting, are ready with it.
    equal = threads - _SCOUTING * (threads - 1)
    each = max(_PER_THREAD, math.ceil(n / (equal * _LONGEST)))
    length = max(_SHORTEST, int(n / (equal * each)))
    may = np.flatnonzero(usable[:-2] & usable[1:-1]) + SHARED
    at = np.searchsorted(may, np.arange(length, n - length // 2, length))
    return [0, *np.unique(may[at[at < len(may)]]).tolist()]


def _scout(measured: Measured, begin: int, end: int, start: np.ndarray) -> np.ndarray:
    """Return a posture to start with shortly before an instant, from one that is known at an instant before it."""
    rows = begin + np.flatnonzero(measured.usable[begin : end - SHARED])[::_STRIDE]
    if not rows.size:
        return start
    # Each twice, the second time as if nothing were seen: after that tracking starts from the last posture. Over so
    # long a way a straight line through the last two leads astray.
    aims = instants(measured.at(rows).aims, np.repeat(np.arange(len(rows)), 2))
    aims = aims._replace(usable=np.tile([True, False], len(rows)))
    own = nothing(2 * len(rows), measured.problem.n_coordinates)
    _track(measured.problem, aims, start[None], own, _NEAR)
    return _last_solved(own, len(own.status), start)


def _last_solved(found: Found, before: int, otherwise: np.ndarray) -> np.ndarray:
    """Return the last posture before an instant, or another if there is none."""
    solved = np.flatnonzero(found.status[:before] == SOLVED)
    return found.q[solved[-1]].copy() if solved.size else otherwise


def _segment(
    aims: Aims, found: Found, begin: int, stop: int, start: np.ndarray, shared: int = SHARED
) -> Found:
    """Solve the instants of a segment, fill their answers, and return those of the instants shared with that before.

    Parameters
    ----------
    start : (1 or more, n_q) float
        Where the first instants start, shared ones included.
    """
    shared = min(shared, begin)
    problem = aims.measured.problem
    own = nothing(stop - begin + shared, problem.n_coordinates)
    _track(problem, aims.of(begin, stop, shared), start, own)
    for whole, part in zip(found, own, strict=True):
        whole[begin:stop] = part[shared:]
    return _copied(own, slice(shared))


def _copied(found: Found, some: slice) -> Found:
    return Found(*(part[some].copy() for part in found))


def _joined(found: Found, begin: int, own: Found) -> bool:
    """Whether a segment starts where the one before it ends."""
    end = slice(begin - len(own.status), begin)
    if (found.status[end] != SOLVED).any() or (own.status != SOLVED).any():
        return False
    return bool(np.abs(found.q[end] - own.q).max(initial=0.0) <= _SAME)


def _go_on(aims: Aims, found: Found, begin: int, stop: int, first: np.ndarray) -> None:
    """Solve the instants of a segment from the postures before it, as tracking all instants would."""
    end = slice(max(begin - SHARED, 0), begin)
    if begin and (found.status[end] == SOLVED).all():
        _segment(aims, found, begin, stop, found.q[end].copy())
    else:
        _segment(aims, found, begin, stop, _last_solved(found, begin, first)[None], shared=0)


def _track_again(aims: Aims, found: Found, begin: int, stop: int, first: np.ndarray) -> None:
    """Solve the instants of a segment once more, from the right postures."""
    _go_on(aims, found, begin, stop, first)
