"""All instants of a recording: tracked from a first posture, and looked at again where the fit is suddenly bad."""

from __future__ import annotations

import numpy as np

from borelli.kernels.markers.solve import NO_MARKERS, SOLVED, WANTED
from borelli.kernels.markers.track import Found, Recording, nothing, track
from borelli.kernels.side_by_side import side_by_side
from borelli.mechanics.markers.in_segments import Aims, track_side_by_side
from borelli.mechanics.markers.problem import PostureProblem
from borelli.mechanics.markers.starts import CLEARLY, MANY_STEPS, Search
from borelli.mechanics.markers.targets import Measured, instants

_SUSPICIOUS = 4.0
"""An objective so many times the median may belong to a posture that lost its way."""
_SMALLEST = 1e-10
"""Objectives below this (m²) are as good as they get."""
_BETTER = 1.0 - 1e-6
"""More than where two searches of one optimum stop."""
_SPIKE = 1.05
"""An objective so many times those before and after it may belong to another optimum. In a walk of 2,000 instants at
60 Hz none reaches it; in a drop jump at 100 Hz, one did that was a third too large."""
_MOST_SECOND_LOOKS = 12
"""Searches among all starts in one recording; 1 and 120 pass the same tests of inverse kinematics."""


def follow_motion(measured: Measured, prior: np.ndarray, threads: int = 1) -> Found:
    """Return the best postures of all instants.

    Parameters
    ----------
    prior : (n_q,) float
        Values of coordinates that nothing is known about.
    threads : int
        Segments of the recording are tracked side by side.
    """
    problem, usable = measured.problem, np.flatnonzero(measured.usable)
    tracked = [nothing(len(measured.usable), problem.n_coordinates)]
    if not usable.size:
        return tracked[0]
    aims = Aims(measured, threads)
    postures: list[np.ndarray] = []

    def look_for_postures() -> None:
        try:
            postures.extend(_first_postures(measured, prior, usable))
        finally:
            aims.begin_tracking()

    side_by_side(lambda work: work(), [look_for_postures, aims.make_ahead], min(threads, 2))
    tracked += [nothing(len(measured.usable), problem.n_coordinates) for _ in postures[1:]]
    for first, own in zip(postures, tracked, strict=True):
        track_side_by_side(aims, own, first, threads)
    # Which of two postures is the right one is seen in the whole recording.
    found = min(tracked, key=lambda one: ((one.status != SOLVED).sum(), np.nansum(one.value)))
    mend_spikes(measured, found)
    looked_at = np.zeros(len(found.status), dtype=bool)
    for _ in range(_MOST_SECOND_LOOKS):
        t = _worst(found, looked_at)
        if t is None:
            break
        search = Search(problem, measured.aims, measured.parts)
        q, value = search.best(t, _prior_at(found, t, prior))
        if value < CLEARLY * found.value[t] or (np.isfinite(value) and found.status[t] != SOLVED):
            _spread(problem, measured.aims, found, t, q)
        looked_at[t] = True
        # Its neighbours, as bad as it is, have no better way either.
        near = slice(max(0, t - 20), t + 21)
        looked_at[near] |= found.value[near] <= 1.5 * max(value, _SMALLEST)
    found.q[found.status != SOLVED] = np.nan
    return found


def mend_spikes(measured: Measured, found: Found) -> None:
    """Start instants that fit worse than those before and after them from the posture after them; keep what is better.

    Tracking comes to them from the past alone, and foresees a straight line: where a foot meets the ground another
    optimum may be nearer to that than the one in which all later instants are.
    """
    value = np.where(found.status == SOLVED, found.value, np.nan)
    # NaN is not above anything.
    spike = (value[1:-1] > _SPIKE * np.maximum(value[:-2], value[2:])) & (value[1:-1] > _SMALLEST)
    which = 1 + np.flatnonzero(spike)
    if not which.size:
        return
    problem = measured.problem
    tried = nothing(which.size, problem.n_coordinates)
    tables = (problem.tree, problem.functions, problem.ties)
    starts = (found.q[which + 1], problem.same_roles, problem.longest)
    track(*tables, measured.at(which).aims, *starts, MANY_STEPS, WANTED, tried, problem.scratch())
    better = (tried.status == SOLVED) & (tried.value < _BETTER * value[which])
    for part, own in zip(found, tried, strict=True):
        part[which[better]] = own[better]


def _first_postures(measured: Measured, prior: np.ndarray, usable: np.ndarray) -> list[np.ndarray]:
    """Return postures to start tracking from, at the first usable instant."""
    one = measured.at(usable[:1])
    search = Search(measured.problem, one.aims, one.parts)
    postures = search.candidates(0, prior)
    if usable.size == 1 and np.isfinite(postures[-1][1]):
        q, least = search.deepest(0, *min(postures, key=lambda each: each[1]))
        postures = [(search.unwound(0, q, prior), least)]
    return [first for first, _ in postures]


def _worst(found: Found, looked_at: np.ndarray) -> int | None:
    """Return the instant that fits worst, or has no answer, of those not looked at; None if all are fine."""
    value = np.where(found.status == SOLVED, found.value, np.inf)
    value[(found.status == NO_MARKERS) | looked_at] = -np.inf
    solved = found.value[found.status == SOLVED]
    usual = float(np.median(solved)) if solved.size else 0.0
    t = int(np.argmax(value))
    return t if value[t] > max(_SUSPICIOUS * usual, _SMALLEST) else None


def _prior_at(found: Found, t: int, prior: np.ndarray) -> np.ndarray:
    """Return the last posture before an instant, or else the prior."""
    before = np.flatnonzero(found.status[:t] == SOLVED)
    return found.q[before[-1]].copy() if before.size else prior


def _spread(problem: PostureProblem, recording: Recording, found: Found, t: int, q: np.ndarray) -> None:
    """Track again from an instant, on to both sides, as long as the postures fit better than those known."""
    n = len(found.status)
    for step in (1, -1):
        here, start = t, q
        while 0 <= here < n:
            if recording.usable[here]:
                tried = nothing(1, problem.n_coordinates)
                tables = (problem.tree, problem.functions, problem.ties)
                one = instants(recording, slice(here, here + 1))
                starts = (start[None], problem.same_roles, problem.longest)
                track(*tables, one, *starts, MANY_STEPS, WANTED, tried, problem.scratch())
                known = found.value[here] if found.status[here] == SOLVED else np.inf
                # Better by more than round-off: ten times as much or as little passes the same tests.
                if tried.status[0] != SOLVED or (
                    here != t and not tried.value[0] < (1.0 - 1e-9) * known - 1e-15
                ):
                    break
                for part, own in zip(found, tried, strict=True):
                    part[here] = own[0]
                start = tried.q[0].copy()
            here += step
