"""An instant that is tracked into another optimum than those before and after it is taken back."""

from __future__ import annotations

import numpy as np

from borelli.analyses.marker_fit.solution import Asked, Solution, solved
from borelli.kernels.markers.solve import SOLVED, WANTED
from borelli.kernels.markers.track import Found, nothing, track
from borelli.mechanics.markers.follow_motion import mend_spikes
from borelli.mechanics.markers.starts import MANY_STEPS
from tests.analyses.marked_body import marked_body, recorded, swing

MODEL = marked_body()
AT = 40


def fitted() -> Solution:
    markers = recorded(MODEL, swing(MODEL, np.arange(80) * 0.01), noise=0.005)
    return solved(MODEL, Asked(markers))


def other_optima(solution: Solution, n_starts: int = 60) -> Found:
    """What tracking finds at one instant from postures far off."""
    problem = solution.problem
    spread = np.random.default_rng(3).normal(0.0, 1.5, (n_starts, problem.n_coordinates))
    starts = solution.found.q[AT] + spread * np.isfinite(problem.longest)
    tried = nothing(n_starts, problem.n_coordinates)
    aims = solution.measured.at(np.full(n_starts, AT)).aims
    tables = (problem.tree, problem.functions, problem.ties)
    given = (starts, problem.same_roles, problem.longest, MANY_STEPS, WANTED)
    track(*tables, aims, *given, tried, problem.scratch())
    return tried


def test_an_instant_in_a_worse_optimum_is_taken_back() -> None:
    solution = fitted()
    found, right = solution.found, solution.found.q.copy()
    tried = other_optima(solution)
    worse = np.flatnonzero(
        (tried.status == SOLVED) & (tried.value > 1.5 * found.value[AT - 1 : AT + 2].max())
    )
    assert worse.size
    for part, own in zip(found, tried, strict=True):
        part[AT] = own[worse[0]]
    assert np.abs(found.q[AT] - right[AT]).max() > 0.1
    mend_spikes(solution.measured, found)
    np.testing.assert_allclose(found.q, right, atol=1e-7)


def test_a_better_answer_stays() -> None:
    solution = fitted()
    # As if the instants beside it fitted even better: what is found from there is no better than what is known.
    solution.found.value[[AT - 1, AT + 1]] *= 0.5
    before = solution.found.q.copy()
    mend_spikes(solution.measured, solution.found)
    np.testing.assert_array_equal(solution.found.q, before)


def test_ends_and_instants_beside_gaps_are_left_alone() -> None:
    solution = fitted()
    found = solution.found
    found.status[[AT - 1, AT + 21]] = SOLVED + 1
    found.value[[0, AT, AT + 20, -1]] *= 100.0
    before = found.value.copy()
    mend_spikes(solution.measured, found)
    np.testing.assert_array_equal(found.value, before)
