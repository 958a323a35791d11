"""Threads find the postures that one thread finds."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from threading import Event
from typing import Any

import numpy as np
import pytest
import xarray as xr

import borelli as bo
from borelli import model as bm
from borelli.analyses.marker_fit.solution import Asked, solved
from borelli.errors import InvalidValueError, UnsolvableError
from borelli.mechanics.markers import follow_motion, in_segments, misfit

from .linkages import four_bar
from .marked_body import marked_body, recorded, swing, with_coordinate

MODEL = marked_body()
LONG = np.arange(1200) * 0.0025
# Solved instants have a residual below 1e-10 m²/rad, and these markers curve the objective by 1e-3 m²/rad² or more.
SAME = 1e-7
pytestmark = pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")


def noisy(time: np.ndarray = LONG) -> xr.DataArray:
    return recorded(MODEL, swing(MODEL, time), noise=0.005)


def assert_agreement(model: bm.Model, markers: xr.DataArray | None, **more: Any) -> xr.Dataset:
    one, two = (bo.inverse_kinematics(model, markers, threads=n, **more) for n in (1, 2))
    np.testing.assert_array_equal(two["status"], one["status"])
    np.testing.assert_array_equal(two["seen"], one["seen"])
    np.testing.assert_allclose(two["q"], one["q"], atol=SAME)
    np.testing.assert_allclose(two["objective"], one["objective"], rtol=1e-9, atol=1e-14)
    return two


@pytest.fixture(autouse=True)
def together(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first segment waits until the other thread has one, however busy the machine is."""
    begun = Event()
    take, go_on = in_segments._Segments._take_far_from_others, in_segments._go_on

    def taken(segments: Any) -> int | None:
        begun.set()
        return take(segments)

    def waiting(measured: Any, found: Any, begin: int, stop: int, first: Any) -> None:
        assert begin > 0 or begun.wait(60.0)
        go_on(measured, found, begin, stop, first)

    monkeypatch.setattr(in_segments._Segments, "_take_far_from_others", taken)
    monkeypatch.setattr(in_segments, "_go_on", waiting)


@pytest.fixture
def repeated(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Where segments that were tracked again begin."""
    begins: list[int] = []
    again = in_segments._track_again

    def noted(measured: Any, found: Any, begin: int, stop: int, first: Any) -> None:
        begins.append(begin)
        again(measured, found, begin, stop, first)

    monkeypatch.setattr(in_segments, "_track_again", noted)
    return begins


def test_two_threads_find_what_one_finds_and_track_nothing_twice(repeated: list[int]) -> None:
    assert len(in_segments._beginnings(np.ones(len(LONG), dtype=bool), 2)) > 3
    assert_agreement(MODEL, noisy())
    assert repeated == []


def test_a_scout_that_a_fast_motion_leads_astray_is_found_out(repeated: list[int]) -> None:
    # The scout comes to the third seam with a knee bent the other way. After it, which of two optima of the arm is
    # found depends on the last two postures.
    assert_agreement(MODEL, noisy(4.0 * LONG))
    assert 768 in repeated


def test_a_short_recording_has_the_same_bits() -> None:
    markers = noisy()[:200]
    one, two = (bo.inverse_kinematics(MODEL, markers, threads=n) for n in (1, 2))
    xr.testing.assert_identical(one, two)


def test_markers_may_be_missing_also_where_segments_meet() -> None:
    markers = noisy().copy()
    markers[250:262] = np.nan
    markers[500:520, -2:] = np.nan  # the arm, across a seam
    markers[::7, 3] = np.nan
    result = assert_agreement(MODEL, markers)
    assert (result["status"].values[250:262] == 1).all()
    assert not result["seen"].sel(coordinate="arm_flexion").values[500:520].any()


def test_segments_meet_only_after_instants_that_are_seen() -> None:
    usable = np.ones(1200, dtype=bool)
    usable[250:300] = False
    begins = in_segments._beginnings(usable, 2)
    assert 302 in begins
    assert all(usable[b - 2 : b].all() for b in begins[1:])
    assert in_segments._beginnings(np.zeros(1200, dtype=bool), 2) == [0]


def test_locks_bounds_tasks_and_covariances_are_as_with_one_thread() -> None:
    model = with_coordinate(MODEL, "arm_flexion", locked=True, default_value=0.3)
    model = with_coordinate(model, "knee_r", clamped=True, range=(-0.8, 0.1))
    assert_agreement(model, noisy(), tasks={"knee_l": (0.01, -0.5)}, covariance=0.005)


def test_loops_are_closed_as_with_one_thread() -> None:
    model = four_bar("point")
    spots = [bm.Marker(f"{b}_{k}", b, (0.1 * k, 0.05, 0.0)) for b in model.body_names for k in range(2)]
    model = replace(model, markers=tuple(spots))
    # The crank goes round once; the rocker swings.
    turn = (2.0 * np.pi * LONG / LONG[-1])[:, None]
    motion = bo.assemble(model, bo.Motion(LONG, ("crank",), turn, 0 * turn, 0 * turn))
    result = assert_agreement(model, recorded(model, motion, noise=0.002))
    assert result["constraint_error"].max() < 1e-12


@pytest.mark.parametrize("by", ["a whole turn", "another limb", "nothing known"])
def test_a_scout_that_lost_its_way_is_found_out(
    by: str, monkeypatch: pytest.MonkeyPatch, repeated: list[int]
) -> None:
    right = in_segments._scout
    turn = MODEL.coordinate_names.index("turn")

    def wrong(measured: Any, begin: int, end: int, start: np.ndarray) -> np.ndarray:
        posture = right(measured, begin, end, start).copy()
        if by == "a whole turn":
            posture[measured.problem.place[turn]] += 2.0 * np.pi
        elif by == "another limb":
            posture[np.isfinite(measured.problem.longest)] += 2.5
        else:
            posture[:] = np.nan
        return posture

    monkeypatch.setattr(in_segments, "_scout", wrong)
    markers = noisy()
    assert_agreement(MODEL, markers)
    assert 768 in repeated
    # Negative control: without the look at the seam the answer is another.
    monkeypatch.setattr(in_segments, "_joined", lambda *_: True)
    with pytest.raises(AssertionError):
        assert_agreement(MODEL, markers)


def test_what_agrees_after_a_segment_that_was_tracked_again_stays(
    monkeypatch: pytest.MonkeyPatch, repeated: list[int]
) -> None:
    solve = in_segments._segment

    def doubtful(measured: Any, found: Any, begin: int, *more: Any, **named: Any) -> Any:
        shared = solve(measured, found, begin, *more, **named)
        if begin == 768 and not repeated:
            shared.q[:] += 1.0
        return shared

    monkeypatch.setattr(in_segments, "_segment", doubtful)
    assert_agreement(MODEL, noisy())
    assert repeated == [768]


def test_an_error_in_a_thread_reaches_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any, **__: Any) -> Any:
        raise RuntimeError("out of order")

    for part in ("_segment", "_scout"):
        with monkeypatch.context() as patch, pytest.raises(RuntimeError, match="out of order"):
            patch.setattr(in_segments, part, fails)
            bo.inverse_kinematics(MODEL, noisy(), threads=2)


def test_no_threads_are_refused() -> None:
    with pytest.raises(InvalidValueError, match="threads must be at least 1, but is 0"):
        bo.inverse_kinematics(MODEL, noisy()[:2], threads=0)


def test_what_is_made_ahead_is_what_a_segment_asks_for() -> None:
    """Before the first posture is known, and as far as it came until then."""
    asked = Asked(noisy(), None, None, None, None, None, None, False, 1)
    measured = solved(MODEL, asked).measured
    for none_left in (False, True):
        ahead, alone = (in_segments.Aims(measured, 2) for _ in range(2))
        assert len(ahead.begins) > 3
        if none_left:
            ahead.begin_tracking()
        ahead.make_ahead()
        assert len(ahead._ahead) == (0 if none_left else len(ahead.begins))
        for begin, stop in pairwise([*ahead.begins, len(LONG)]):
            for shared in {0, 1, in_segments.SHARED} if begin else {0}:
                pairs = zip(ahead.of(begin, stop, shared), alone.of(begin, stop, shared), strict=True)
                assert all(np.array_equal(*pair) for pair in pairs)


def test_a_search_that_fails_ends_what_is_made_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[bool] = []
    monkeypatch.setattr(in_segments.Aims, "begin_tracking", lambda _: told.append(True))
    monkeypatch.setattr(follow_motion, "_first_postures", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        bo.inverse_kinematics(MODEL, noisy(), threads=2)
    assert told == [True]


@pytest.mark.parametrize("row", [0, 1500, 2999])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_place_of_no_body_is_refused_wherever_it_arises(
    row: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three blocks of instants, each looked at by itself."""
    time = np.arange(3000) * 0.0025
    markers, fill = noisy(time), misfit._fill
    begins: list[int] = []

    def counted(measured: Any, found: Any, left: Any) -> None:
        begin = int(np.searchsorted(time, measured.time[0]))
        begins.append(begin)
        fill(measured, found, left)
        if begin <= row < begin + len(left.place):
            left.place[row - begin, 0, 1] = -2e12

    monkeypatch.setattr(misfit, "_AT_A_TIME", 1000)
    monkeypatch.setattr(misfit, "_fill", counted)
    with pytest.raises(UnsolvableError, match=rf"marker_modelled would be -2.0e\+12 m .* at {time[row]:g} s"):
        bo.inverse_kinematics(MODEL, markers, threads=threads)
    assert sorted(begins) == [0, 1000, 2000]
