"""Instants of a recording tracked side by side: in segments, each from a posture that a scout found near its beginning.

Each instant starts from those before it, so a segment needs a posture to start from before the one before it is done.
A scout, which tracks few of the instants, brings it. A scout may lose its way where tracking every instant does not:
onto another optimum, or a whole turn further. So a segment starts a little before its beginning, and counts only if it
takes there the postures that the segment before it ends with; else it is tracked again from these.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np

from borelli.kernels.markers.solve import SOLVED
from borelli.kernels.markers.track import Found, Recording, nothing, track
from borelli.mechanics.markers.problem import PostureProblem
from borelli.mechanics.markers.starts import MANY_STEPS
from borelli.mechanics.markers.targets import instants

_PER_THREAD = 8
"""Segments: with few, threads wait for the one that has the last."""
_SHORTEST, _LONGEST = 256, 1024
"""Instants of a segment: what is done once for each costs as much as some ten instants; what a long one needs in
scratch memory leaves the cache."""
_STRIDE = 32
"""Of the scout: gait at 60 to 100 Hz is followed from every 64th instant, too; a scout of every 16th takes a sixth of
all the work."""
SHARED = 2
"""Instants before its beginning with which a segment starts: from two postures the third is foreseen, as in tracking
all."""
_SAME = 1e-6
"""Postures that differ by less (rad or m) are one optimum: those of solved instants differ by less than a tenth of
this, two optima by a thousand times as much or more."""


def track_side_by_side(
    problem: PostureProblem, recording: Recording, found: Found, first: np.ndarray, threads: int
) -> None:
    """Solve all instants, starting from a first posture; the postures are those of one thread, to convergence.

    Parameters
    ----------
    found : Found
        Of all instants, filled.
    first : (n_q,) float
        Where the first usable instant starts.
    """
    begins = _beginnings(recording.usable, threads)
    stops = [*begins[1:], len(recording.usable)]
    if threads == 1 or len(begins) == 1:
        track_rows(problem, recording, slice(0, None), first, found)
        return
    before: list[Found] = []
    with ThreadPoolExecutor(threads) as pool:
        running: list[Future[Found]] = []

        def send_out() -> None:
            rows = zip(begins, stops, _scout(problem, recording, begins, first), strict=True)
            for begin, stop, start in rows:
                running.append(pool.submit(_segment, problem, recording, found, begin, stop, start))

        # The scout takes one of the threads as long as it runs, and the others what it has found the start of.
        pool.submit(send_out).result()
        before = [each.result() for each in running]
    for begin, stop, own in zip(begins[1:], stops[1:], before[1:], strict=True):
        if not _joined(found, begin, own):
            _track_again(problem, recording, found, begin, stop, first)


def track_rows(
    problem: PostureProblem, recording: Recording, rows: slice | np.ndarray, first: np.ndarray, found: Found
) -> None:
    """Solve some instants in their order and fill their answers, as many."""
    tables = (problem.tree, problem.functions, problem.ties)
    some = instants(recording, rows)
    track(*tables, some, first[None], problem.longest, MANY_STEPS, found, problem.scratch())


def _beginnings(usable: np.ndarray, threads: int) -> list[int]:
    """Return where segments begin: only after instants that are usable, so that there are postures to compare."""
    n = len(usable)
    length = min(max(_SHORTEST, n // (_PER_THREAD * threads)), _LONGEST)
    may = np.flatnonzero(usable[:-2] & usable[1:-1]) + SHARED
    wanted = np.arange(length, n - length // 2, length)
    at = np.searchsorted(may, wanted)
    return [0, *np.unique(may[at[at < len(may)]]).tolist()]


def _scout(
    problem: PostureProblem, recording: Recording, begins: list[int], first: np.ndarray
) -> Iterator[np.ndarray]:
    """Yield a posture to start each segment from, as soon as it is known."""
    yield first
    usable = np.flatnonzero(recording.usable)
    last, done = first, 0
    for begin in begins[1:]:
        until = int(np.searchsorted(usable, begin - SHARED))
        rows = usable[done:until:_STRIDE]
        if rows.size:
            # Each twice, the second time as if nothing were seen: after that tracking starts from the last posture.
            # Over so long a way a straight line through the last two leads astray.
            some = instants(recording, np.repeat(rows, 2))
            some = some._replace(usable=np.tile([True, False], len(rows)))
            own = nothing(len(some.usable), problem.n_coordinates)
            track_rows(problem, some, slice(None), last, own)
            solved = np.flatnonzero(own.status == SOLVED)
            last = own.q[solved[-1]] if solved.size else last
            done += _STRIDE * len(rows)
        yield last


def _segment(
    problem: PostureProblem, recording: Recording, found: Found, begin: int, stop: int, start: np.ndarray
) -> Found:
    """Solve the instants of a segment, fill their answers, and return those of the instants before it."""
    shared = SHARED if begin else 0
    own = nothing(stop - begin + shared, problem.n_coordinates)
    track_rows(problem, recording, slice(begin - shared, stop), start, own)
    for whole, part in zip(found, own, strict=True):
        whole[begin:stop] = part[shared:]
    return Found(*(part[:shared].copy() for part in own))


def _joined(found: Found, begin: int, own: Found) -> bool:
    """Whether a segment starts where the one before it ends."""
    end = slice(begin - SHARED, begin)
    if (found.status[end] != SOLVED).any() or (own.status != SOLVED).any():
        return False
    return bool(np.abs(found.q[end] - own.q).max(initial=0.0) <= _SAME)


def _track_again(
    problem: PostureProblem, recording: Recording, found: Found, begin: int, stop: int, first: np.ndarray
) -> None:
    """Solve the instants of a segment from the last posture before it."""
    solved = np.flatnonzero(found.status[:begin] == SOLVED)
    start = found.q[solved[-1]].copy() if solved.size else first
    rows = slice(begin, stop)
    track_rows(problem, recording, rows, start, Found(*(part[rows] for part in found)))
