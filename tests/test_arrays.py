"""Times that are durations, dates, masks and complex numbers are never taken for plain numbers."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import pytest

import borelli as bo
from borelli import planar
from borelli.arrays import plain_numbers, seconds
from borelli.errors import InvalidValueError
from borelli.results.table import Table

STEPS = pd.to_timedelta([0.0, 0.25, 0.5], unit="s")
DATES = pd.Timestamp("2026-01-01") + STEPS
Q = np.array([[0.1], [0.2], [0.4]])


@pytest.mark.parametrize(
    "time",
    [
        STEPS,
        STEPS.to_series(),
        list(STEPS),
        STEPS.to_numpy(),
        STEPS.astype("timedelta64[ms]"),
        STEPS.to_pytimedelta(),
    ],
)
def test_durations_are_seconds(time: object) -> None:
    np.testing.assert_array_equal(seconds(time, "time"), [0.0, 0.25, 0.5])
    motion = bo.Motion(time, ("a",), Q)
    np.testing.assert_array_equal(motion.time, [0.0, 0.25, 0.5])
    np.testing.assert_array_equal(planar.Motion(time, Q, Q, Q).time, motion.time)
    np.testing.assert_array_equal(
        bo.Load("f", "b", np.zeros((3, 3)), np.zeros(3), time=time).time, motion.time
    )
    np.testing.assert_array_equal(Table(time, ("a",), Q).time, motion.time)


@pytest.mark.parametrize(
    "time", [DATES, DATES.to_numpy(), list(DATES), DATES.tz_localize("UTC"), [datetime.date(2026, 1, 1)] * 3]
)
def test_dates_are_refused_with_the_way_out(time: object) -> None:
    for make in (
        lambda: bo.Motion(time, ("a",), Q),
        lambda: planar.Motion(time, Q, Q, Q),
        lambda: bo.Load("f", "b", np.zeros((3, 3)), np.zeros(3), time=time),
        lambda: Table(time, ("a",), Q),
    ):
        with pytest.raises(InvalidValueError, match=r"must be in seconds, not dates(.|\n)*time - time\[0\]"):
            make()


def test_a_duration_that_is_missing_is_no_time() -> None:
    gap = STEPS.to_series().reset_index(drop=True)
    gap[1] = pd.NaT
    with pytest.raises(InvalidValueError, match="time is NaN in instant 1"):
        bo.Motion(gap, ("a",), Q)


@pytest.mark.parametrize("values", [STEPS, DATES, list(STEPS), list(DATES)])
def test_durations_and_dates_are_no_coordinates(values: object) -> None:
    with pytest.raises(InvalidValueError, match="not of dates or durations"):
        plain_numbers(values, "q")


def test_masked_values_are_missing() -> None:
    q = np.ma.masked_array(Q, mask=[[False], [True], [False]])
    motion = bo.Motion([0.0, 0.25, 0.5], ("a",), q)
    assert motion.missing.tolist() == [False, True, False]
    with pytest.raises(InvalidValueError, match="time is NaN in instant 2"):
        bo.Motion(np.ma.masked_equal([0.0, 0.25, 0.5], 0.5), ("a",), Q)
    with pytest.raises(InvalidValueError, match=r"holds NaN or infinity, first at index \(1, 0\)"):
        planar.Motion([0.0, 0.25, 0.5], q)
    whole = np.ma.masked_array(np.arange(3), mask=False)
    np.testing.assert_array_equal(plain_numbers(whole, "q"), [0.0, 1.0, 2.0])


def test_masked_forces_are_not_used() -> None:
    force = np.ma.masked_array(np.ones((3, 3)), mask=np.eye(3, dtype=bool))
    assert np.isnan(bo.Load("f", "b", force, np.zeros(3)).force).sum() == 3


def test_complex_numbers_and_text_are_refused() -> None:
    with pytest.raises(InvalidValueError, match="q of a motion must be real numbers, not complex ones"):
        bo.Motion([0.0, 0.25, 0.5], ("a",), Q + 1j)
    with pytest.raises(InvalidValueError, match="q of a motion must be an array of numbers"):
        bo.Motion([0.0, 0.25, 0.5], ("a",), [["x"], ["y"], ["z"]])
    with pytest.raises(InvalidValueError, match=r"mixes durations and other things: 1\.0"):
        seconds([datetime.timedelta(seconds=1), 1.0], "time")
    with pytest.raises(InvalidValueError, match="must be an array of numbers"):
        plain_numbers([[1.0], [2.0, 3.0]], "q")


def test_tensions_of_another_kind_are_refused() -> None:
    from tests.random_trees import random_model, random_motion

    model = random_model(1, 2)
    motion = random_motion(model, 1)
    with pytest.raises(bo.BorelliError, match="not of dates or durations"):
        bo.forward_dynamics(model, motion, np.zeros(motion.u.shape).astype("timedelta64[s]"))
