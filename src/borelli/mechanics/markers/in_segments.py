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

from borelli.kernels.markers.solve import SOLVED, WANTED
from borelli.kernels.markers.track import Found, Recording, nothing, track
from borelli.mechanics.markers.problem import PostureProblem
from borelli.mechanics.markers.starts import MANY_STEPS
from borelli.mechanics.markers.targets import Measured, instants

_PER_THREAD = 8
"""Segments: with few, threads wait for the one that has the last."""
_SHORTEST, _LONGEST = 256, 1024
"""Instants of a segment: what is done once for each costs as much as some ten instants; what a long one needs in
scratch memory leaves the cache."""
_SHORTER = 4
"""How much shorter the last ones are, of which each thread has a few."""
_STRIDE = 32
"""Of the scout: gait at 60 to 100 Hz is followed from every 64th instant, too; a scout of every 16th takes a sixth of
all the work."""
_NEAR = 1e-6
"""Residual with which the scout is content (m²/rad): it is for starts alone, and the last two of its steps would only
bring round-off."""
SHARED = 2
"""Instants before its beginning with which a segment starts: from two postures the third is foreseen, as in tracking
all."""
_SAME = 1e-6
"""Postures that differ by less (rad or m) are one optimum: those of solved instants differ by less than a tenth of
this, two optima by a thousand times as much or more."""


def track_side_by_side(measured: Measured, found: Found, first: np.ndarray, threads: int) -> None:
    """Solve all instants, starting from a first posture; the postures are those of one thread, to convergence.

    Parameters
    ----------
    found : Found
        Of all instants, filled.
    first : (n_q,) float
        Where the first usable instant starts.
    """
    begins = _beginnings(measured.usable, threads)
    stops = [*begins[1:], len(measured.usable)]
    if threads == 1 or len(begins) == 1:
        _track(measured.problem, measured.aims, first[None], found)
        return
    with ThreadPoolExecutor(threads) as pool:
        running: list[Future[Found]] = []

        def send_out() -> None:
            for begin, stop, start in zip(begins, stops, _scout(measured, begins, first), strict=True):
                running.append(pool.submit(_segment, measured, found, begin, stop, start[None]))

        # The scout takes one of the threads as long as it runs, and the others what it has found the start of.
        pool.submit(send_out).result()
        before = [each.result() for each in running]
    for begin, stop, own in zip(begins[1:], stops[1:], before[1:], strict=True):
        if not _joined(found, begin, own):
            _track_again(measured, found, begin, stop, first)


def _track(
    problem: PostureProblem, aims: Recording, first: np.ndarray, found: Found, wanted: float = WANTED
) -> None:
    """Solve instants in their order and fill their answers, as many."""
    tables = (problem.tree, problem.functions, problem.ties)
    track(*tables, aims, first, problem.longest, MANY_STEPS, wanted, found, problem.scratch())


def _beginnings(usable: np.ndarray, threads: int) -> list[int]:
    """Return where segments begin: only after instants that are usable, so that there are postures to compare."""
    n = len(usable)
    length = min(max(_SHORTEST, n // (_PER_THREAD * threads)), _LONGEST)
    may = np.flatnonzero(usable[:-2] & usable[1:-1]) + SHARED
    # Short ones in the end: the thread that has the last one leaves the others waiting.
    short = max(_SHORTEST, length // _SHORTER)
    long = np.arange(length, n - threads * length, length)
    after = int(long[-1]) if long.size else 0
    wanted = np.concatenate([long, np.arange(after + short, n - short // 2, short)])
    at = np.searchsorted(may, wanted)
    return [0, *np.unique(may[at[at < len(may)]]).tolist()]


def _scout(measured: Measured, begins: list[int], first: np.ndarray) -> Iterator[np.ndarray]:
    """Yield a posture to start each segment from, as soon as it is known."""
    yield first
    usable = np.flatnonzero(measured.usable)
    rows = usable[: int(np.searchsorted(usable, begins[-1] - SHARED)) : _STRIDE]
    # Each twice, the second time as if nothing were seen: after that tracking starts from the last posture. Over so
    # long a way a straight line through the last two leads astray.
    aims = instants(measured.at(rows).aims, np.repeat(np.arange(len(rows)), 2))
    aims = aims._replace(usable=np.tile([True, False], len(rows)))
    last, done = first, 0
    for begin in begins[1:]:
        until = int(np.searchsorted(rows, begin - SHARED))
        if until > done:
            own = nothing(2 * (until - done), measured.problem.n_coordinates)
            _track(measured.problem, instants(aims, slice(2 * done, 2 * until)), last[None], own, _NEAR)
            solved = np.flatnonzero(own.status == SOLVED)
            last = own.q[solved[-1]] if solved.size else last
            done = until
        yield last


def _segment(
    measured: Measured, found: Found, begin: int, stop: int, start: np.ndarray, shared: int = SHARED
) -> Found:
    """Solve the instants of a segment, fill their answers, and return those of the instants shared with that before.

    Parameters
    ----------
    start : (1 or more, n_q) float
        Where the first instants start, shared ones included.
    """
    shared = min(shared, begin)
    own = nothing(stop - begin + shared, measured.problem.n_coordinates)
    # What a segment asks for stays in the cache until it is solved; that of all instants would be written and read.
    _track(measured.problem, measured.at(slice(begin - shared, stop)).aims, start, own)
    for whole, part in zip(found, own, strict=True):
        whole[begin:stop] = part[shared:]
    return Found(*(part[:shared].copy() for part in own))


def _joined(found: Found, begin: int, own: Found) -> bool:
    """Whether a segment starts where the one before it ends."""
    end = slice(begin - SHARED, begin)
    if (found.status[end] != SOLVED).any() or (own.status != SOLVED).any():
        return False
    return bool(np.abs(found.q[end] - own.q).max(initial=0.0) <= _SAME)


def _track_again(measured: Measured, found: Found, begin: int, stop: int, first: np.ndarray) -> None:
    """Solve the instants of a segment from the postures before it, as tracking all instants would."""
    end = slice(begin - SHARED, begin)
    if (found.status[end] == SOLVED).all():
        _segment(measured, found, begin, stop, found.q[end].copy())
        return
    solved = np.flatnonzero(found.status[:begin] == SOLVED)
    start = found.q[solved[-1]].copy() if solved.size else first
    _segment(measured, found, begin, stop, start[None], shared=0)
