"""Minimum-jerk motions: closed form, derivatives, optimality and bad input."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from borelli.errors import InvalidValueError, MissingInputError, ShapeError
from borelli.library import minimum_jerk, posture_sequence


def test_peak_speed_is_fifteen_eighths_of_the_mean_at_half_time():
    # Flash & Hogan (1985): 30 s² (1 - s)² at s = 1/2.
    _, velocity, acceleration = minimum_jerk(0.0, 2.0, 0.8, [0.4])
    assert velocity[0] == pytest.approx(15.0 / 8.0 * 2.0 / 0.8, rel=1e-14)
    assert acceleration[0] == 0.0


def test_it_rests_exactly_before_and_after():
    position, velocity, acceleration = minimum_jerk([1.0, -2.0], [3.0, 5.0], 1.5, [-0.3, 0.0, 1.5, 9.0])
    np.testing.assert_array_equal(position, [[1.0, -2.0], [1.0, -2.0], [3.0, 5.0], [3.0, 5.0]])
    np.testing.assert_array_equal(velocity, 0.0)
    np.testing.assert_array_equal(acceleration, 0.0)


@settings(max_examples=30, deadline=None)
@given(start=st.floats(-3, 3), end=st.floats(-3, 3), duration=st.floats(0.2, 4.0), s=st.floats(0.05, 0.95))
def test_rates_are_the_derivatives_of_the_position(start, end, duration, s):
    step = 1e-4 * duration
    time = s * duration + step * np.array([-1.0, 0.0, 1.0])
    position, velocity, acceleration = minimum_jerk(start, end, duration, time)
    # Central differences are wrong by step² / 6 times the third derivative, at most 60 way / duration³ here.
    scale = abs(end - start) + 1e-9
    assert (position[2] - position[0]) / (2 * step) == pytest.approx(velocity[1], abs=1e-6 * scale / duration)
    assert (velocity[2] - velocity[0]) / (2 * step) == pytest.approx(
        acceleration[1], abs=1e-5 * scale / duration**2
    )


def test_no_other_quintic_or_septic_has_less_jerk():
    s = np.linspace(0, 1, 20001)
    best = np.trapezoid((60 - 360 * s + 360 * s**2) ** 2, s)
    # Every change that keeps rest at both ends adds jerk: s³ (1 - s)³ is the simplest of them.
    bump = np.polynomial.Polynomial([0, 0, 0, 1]) * np.polynomial.Polynomial([1, -1]) ** 3
    for size in (0.5, -0.5):
        changed = np.trapezoid((60 - 360 * s + 360 * s**2 + size * bump.deriv(3)(s)) ** 2, s)
        assert changed > best
    assert best == pytest.approx(720.0, rel=1e-6)


def test_postures_are_reached_one_after_the_other_with_rests():
    postures = np.array([[0.0, 1.0], [1.0, -1.0], [0.5, 0.0]])
    motion = posture_sequence(postures, [1.0, 0.5], [0.1, 0.2, 0.3], rate_hz=200.0)
    assert motion.time[-1] == pytest.approx(2.1)
    assert motion.n_times == 421
    for time, posture in ((0.0, 0), (0.1, 0), (1.1, 1), (1.3, 1), (1.8, 2), (2.1, 2)):
        frame = round(time * 200)
        np.testing.assert_allclose(motion.angle[frame], postures[posture], atol=1e-12)
        np.testing.assert_allclose(motion.velocity[frame], 0.0, atol=1e-9)


def test_joint_angles_are_added_up_along_the_chain():
    joint = posture_sequence([[0.1, 0.2], [0.3, 0.5]], 1.0, joint_angles=True)
    segment = posture_sequence([[0.1, 0.3], [0.3, 0.8]], 1.0)
    np.testing.assert_allclose(joint.angle, segment.angle, atol=1e-14)
    np.testing.assert_allclose(joint.acceleration, segment.acceleration, atol=1e-12)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: minimum_jerk([0, 1], [0], 1.0, [0]), ShapeError, r"start has shape \(2,\), the end \(1,\)"),
        (lambda: minimum_jerk(0, 1, 0.0, [0]), InvalidValueError, "duration is 0; it must be greater than 0"),
        (lambda: minimum_jerk(0, float("nan"), 1.0, [0]), InvalidValueError, "The end holds NaN"),
        (lambda: posture_sequence([[0.0]], 1.0), MissingInputError, r"1 posture\(s\) make no movement"),
        (lambda: posture_sequence([[0.0], [0.0, 1.0]], 1.0), ShapeError, r"shapes \(1,\), \(2,\)"),
        (lambda: posture_sequence([[0.0], [1.0]], [1.0, 2.0]), ShapeError, r"2 duration\(s\) were given"),
        (lambda: posture_sequence([[0.0], [1.0]], -1.0), InvalidValueError, "duration is -1 s"),
        (lambda: posture_sequence([[0.0], [1.0]], 1.0, -0.1), InvalidValueError, "rest is -0.1 s"),
        (lambda: posture_sequence([[0.0], [1.0]], 1.0, rate_hz=0), InvalidValueError, "sampling rate is 0"),
    ],
)
def test_bad_input_is_named(call, error, text):
    with pytest.raises(error, match=text):
        call()
