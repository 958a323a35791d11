"""What a page gives up first when a recording is long."""

from __future__ import annotations

import numpy as np
import pytest

from borelli.report.detail import PAGE_BYTES, Amount, detail_for

# gait2392 with 92 muscles: the heaviest page that is usual.
WALK = {"shares": 3036, "muscles": 630, "totals": 166, "places": 2500}


def walk(frames: int) -> Amount:
    """So many frames, with fifty peaks spread over them."""
    return Amount(frames, **WALK, peaks=tuple(range(0, frames, max(frames // 50, 1))))


@pytest.mark.parametrize("frames", [1, 200, 2_000, 20_000, 200_000])
def test_numbers_of_any_recording_find_room(frames):
    assert detail_for(walk(frames)).weight(walk(frames)) <= PAGE_BYTES


def test_shares_go_first_then_muscles_then_totals_then_drawn_frames():
    given_up = []
    for frames in range(50, 4_000, 10):
        found = detail_for(walk(frames))
        state = (found.whole_shares, found.whole_muscles, found.whole_totals)
        if state not in given_up:
            given_up.append(state)
    kept = [sum(state) for state in given_up]
    assert given_up[0] == (True, True, True) and given_up[-1] == (False, False, False)
    assert kept == sorted(kept, reverse=True)
    for shares, muscles, totals in given_up:
        assert shares <= muscles <= totals
    least = detail_for(walk(4_000), room=0.0)
    assert least.drawn < detail_for(walk(150)).drawn


def test_few_frames_are_all_drawn():
    np.testing.assert_array_equal(detail_for(walk(200)).frames(walk(200)), np.arange(200))


def test_drawn_frames_contain_every_peak():
    amount = walk(5_003)
    assert set(amount.peaks) <= set(detail_for(amount).frames(amount).tolist())
