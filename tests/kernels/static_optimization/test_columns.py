"""Arms as lists: the same from tables and from rows with time last."""

from __future__ import annotations

import numpy as np
import pytest

from borelli.kernels.static_optimization.columns import columns_of, columns_of_rows


def some_arms(seed=3):
    """Return arms (f, n, m), most of them none, some mere round-off of others."""
    rng = np.random.default_rng(seed)
    arms = rng.normal(size=(11, 6, 4)) * (rng.random((6, 4)) < 0.5)
    arms[:, 2] = [0.1, 1e-13, 0.0, -0.2]
    arms[:, 4] = 0.0
    return arms


def as_rows(arms):
    """Return the same with time last, behind a row that is nobody's, and the row of each arm."""
    n, m = arms.shape[1:]
    rows = np.concatenate([np.full((1, len(arms)), np.nan), np.moveaxis(arms, 0, 2).reshape(n * m, -1)])
    return np.ascontiguousarray(rows), np.arange(1, n * m + 1).reshape(n, m)


def test_lists_hold_every_arm_and_leave_out_round_off():
    arms = some_arms()
    starts, rows, listed = columns_of(arms)
    again = np.zeros_like(arms)
    for actuator in range(arms.shape[1]):
        own = slice(starts[actuator], starts[actuator + 1])
        assert np.all(np.diff(rows[own]) > 0)
        again[:, actuator, rows[own]] = listed[:, own]
    assert starts[5] == starts[4], "an actuator without arms has none"
    assert np.abs(again - arms).max() <= 1e-13
    assert not again[:, 2, 1].any()


def test_rows_with_time_last_give_the_same_lists():
    arms = some_arms()
    rows, place = as_rows(arms)
    place[4] = -1
    for got, expected in zip(columns_of_rows(rows, place), columns_of(arms), strict=True):
        assert np.array_equal(got, expected)


@pytest.mark.parametrize("instant", [0, 5, 10])
def test_an_arm_that_is_not_a_number_stays(instant):
    arms = some_arms()
    arms[instant, 4, 3] = np.nan
    rows, place = as_rows(arms)
    for starts, _, listed in (columns_of(arms), columns_of_rows(rows, place)):
        assert np.isnan(listed[instant, starts[4] : starts[5]]).sum() == 1
