"""Filters and splines against closed forms."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from scipy.interpolate import make_interp_spline

from borelli.errors import InvalidValueError, UnknownNameError
from borelli.io.signals.filtering import butterworth_zero_phase, natural_quintic, reflect, smooth

RATE = 200.0
TIME = np.arange(2000) / RATE
MIDDLE = slice(600, 1400)


def gain(frequency: float, mode: str, cutoff: float = 6.0) -> complex:
    """Complex amplitude of a filtered sine of amplitude 1."""
    smoothed = smooth(TIME, np.sin(2 * np.pi * frequency * TIME)[:, None], cutoff, mode)  # type: ignore[arg-type]
    wave = np.exp(-2j * np.pi * frequency * smoothed.time)
    rows = slice(MIDDLE.start + smoothed.pad, MIDDLE.stop + smoothed.pad)
    return complex(2j * np.mean(smoothed.values[rows, 0] * wave[rows]))


def test_default_filter_is_3_db_down_at_its_cut_off_without_phase() -> None:
    answer = gain(6.0, "default")
    # The frequency is a whole number of periods in the window, so only round-off remains.
    assert abs(answer) == pytest.approx(np.sqrt(0.5), rel=1e-9)
    assert abs(answer.imag) < 1e-9


def test_opensim_filter_is_6_db_down_at_its_cut_off_without_phase() -> None:
    answer = gain(6.0, "opensim")
    assert abs(answer) == pytest.approx(0.5, rel=1e-9)
    assert abs(answer.imag) < 1e-9


@pytest.mark.parametrize(
    ("mode", "order", "scale"), [("default", 2, (np.sqrt(2.0) - 1.0) ** 0.25), ("opensim", 3, 1.0)]
)
@pytest.mark.parametrize("frequency", [2.0, 4.0, 10.0, 20.0])
def test_gain_is_butterworths_twice(mode: str, order: int, scale: float, frequency: float) -> None:
    # 1 / (1 + (w/wc)^2n) for two passes, with the bilinear transform's warped frequencies.
    warped = np.tan(np.pi * frequency / RATE) / np.tan(np.pi * 6.0 / RATE) * scale
    assert abs(gain(frequency, mode)) == pytest.approx(1.0 / (1.0 + warped ** (2 * order)), rel=1e-7)


def test_constants_and_straight_lines_pass_unchanged() -> None:
    values = np.column_stack([np.full_like(TIME, 3.0), 2.0 * TIME - 1.0])
    for mode in ("default", "opensim"):
        smoothed = smooth(TIME, values, 6.0, mode)  # type: ignore[arg-type]
        inside = slice(smoothed.pad, smoothed.pad + len(TIME))
        # Padding keeps value and slope; what is left is the recursion's round-off.
        assert np.max(np.abs(smoothed.values[inside] - values)) < 1e-9


def test_settings_say_what_was_done() -> None:
    values = np.zeros((20, 1))
    assert smooth(TIME[:20], values, 6.0).settings["filter"] == (
        "Butterworth, order 2, forward and backward, cut-off corrected for two passes"
    )
    assert "cut-off not corrected" in str(smooth(TIME[:20], values, 6.0, "opensim").settings["filter"])
    assert smooth(TIME[:20], values, None).settings["filter"] == "none"
    assert smooth(TIME[:20], values, 150.0, "opensim").settings["cutoff_hz_lowered_to"] == pytest.approx(98.0)


def test_times_rounded_to_four_decimals_are_put_back_on_their_grid() -> None:
    time = np.round(np.arange(600) / 600.0, 4)
    smoothed = smooth(time, np.zeros((600, 1)), None)
    assert smoothed.settings["times_regularised_to_step_s"] == pytest.approx(1 / 600.0, rel=1e-6)
    assert np.max(np.abs(np.diff(smoothed.time) - 1 / 600.0)) < 1e-8
    assert smooth(time, np.zeros((600, 1)), None, "opensim").time is time


def test_uneven_times_are_filtered_on_an_even_grid_and_given_back() -> None:
    time = np.sort(np.random.default_rng(0).uniform(0.0, 10.0, 1500))
    smoothed = smooth(time, np.sin(2 * np.pi * time)[:, None], 6.0)
    assert "resampled_for_the_filter_to_step_s" in smoothed.settings
    middle = slice(200, 1200)
    # At 1 Hz the filter passes all but 3e-4; random gaps of up to ten steps cost the rest.
    assert np.max(np.abs(smoothed.values[middle, 0] - np.sin(2 * np.pi * smoothed.time[middle]))) < 1e-2


def test_the_spline_reproduces_quintics_only_up_to_its_natural_ends_and_sines_inside() -> None:
    spline = natural_quintic(TIME, np.sin(3.0 * TIME)[:, None])
    inside = np.linspace(3.0, 7.0, 50)
    # Interpolation error of degree five: h^6/6!, h^5, h^4 times the derivatives, far from the ends.
    assert np.max(np.abs(spline(inside)[:, 0] - np.sin(3.0 * inside))) < 1e-12
    assert np.max(np.abs(spline(inside, 1)[:, 0] - 3.0 * np.cos(3.0 * inside))) < 1e-10
    assert np.max(np.abs(spline(inside, 2)[:, 0] + 9.0 * np.sin(3.0 * inside))) < 1e-7
    for order in (3, 4):
        assert np.max(np.abs(spline(TIME[[0, -1]], order))) < 1e-3 * 81.0


def test_reflection_keeps_value_and_slope() -> None:
    values = (TIME[:10] ** 2)[:, None]
    padded = reflect(values, 5)
    assert np.array_equal(padded[5:-5], values)
    assert padded[4] == -values[1]
    assert padded[-5] == 2 * values[-1] - values[-2]


def test_impossible_settings_are_refused() -> None:
    values = np.zeros((20, 1))
    with pytest.raises(InvalidValueError, match=r"cut-off frequency is -1; it must be a positive number"):
        smooth(TIME[:20], values, -1)
    with pytest.raises(InvalidValueError, match="150 Hz is not below half the sampling rate of 200 Hz"):
        smooth(TIME[:20], values, 150.0)
    with pytest.raises(InvalidValueError, match="at least 6 rows, there are 5"):
        natural_quintic(TIME[:5], values[:5])
    with pytest.raises(UnknownNameError, match="'fir' is not a smoothing mode"):
        smooth(TIME[:20], values, 6.0, "fir")  # type: ignore[arg-type]
    with pytest.raises(InvalidValueError, match="too uneven to filter"):
        smooth(np.concatenate([TIME[:20] * 1e-6, [1000.0]]), np.zeros((21, 1)), 6.0)


def test_times_that_no_spline_fits_are_refused() -> None:
    time = 1e-300 * np.arange(7)
    with pytest.raises(
        InvalidValueError, match=r"No spline of degree five goes through(.|\n)*steps from 1e-300 to 1e-300 s"
    ):
        natural_quintic(time, np.arange(7.0)[:, None])


def test_one_row_is_left_alone() -> None:
    assert smooth(TIME[:1], np.ones((1, 2)), 6.0).values.tolist() == [[1.0, 1.0]]
    assert butterworth_zero_phase(np.ones((2, 1)), 6.0, RATE) == pytest.approx(np.ones((2, 1)), abs=1e-14)


def exact_rates(time: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Slopes and curvatures of the natural quintic spline with 50 digits, from continuity of its derivatives."""
    with mpmath.workdps(50):
        n = len(time)
        system, right = mpmath.zeros(2 * n), mpmath.zeros(2 * n, 1)
        for row in range(n - 1):
            h, rise = mpmath.mpf(time[row + 1]) - time[row], mpmath.mpf(values[row + 1]) - values[row]
            # Third and fourth derivative of the quintic at both ends, by (p, b, q, c) and the rise.
            for end, sign in ((0, 1), (1, -1)):
                third = [-36, -9, -24, 3, 60] if end == 0 else [-24, -3, -36, 9, 60]
                fourth = [192, 36, 168, -24, -360] if end == 0 else [-168, -24, -192, 36, 360]
                powers = (2, 1, 2, 1, 3)
                for order, terms in enumerate((third, fourth)):
                    scaled = [
                        sign * term / h ** (power + order) for term, power in zip(terms, powers, strict=True)
                    ]
                    for column in range(4):
                        system[2 * (row + end) + order, 2 * row + column] += scaled[column]
                    right[2 * (row + end) + order] -= scaled[4] * rise
        return np.array([float(x) for x in mpmath.lu_solve(system, right)]).reshape(n, 2)


@pytest.mark.parametrize("start", [0.0, 100.0])
def test_at_even_steps_the_rates_are_nearer_to_exact_ones_than_those_of_scipy(start: float) -> None:
    time = start + 0.01 * np.arange(40)
    values = np.cos(3.0 * time) + 5.0
    rates = exact_rates(time, values)
    ends = [(3, np.zeros(1)), (4, np.zeros(1))]
    other = make_interp_spline(time, values[:, None], k=5, bc_type=(ends, ends))
    spline = natural_quintic(time, values[:, None])
    for order in (1, 2):
        exact = rates[:, order - 1]
        mine, theirs = (np.abs(each(time, order)[:, 0] - exact).max() for each in (spline, other))
        # A rounded value is off by 4e-16 of 6; divided by the step once or twice, that is 2e-13 and 2e-11.
        assert mine < min(theirs, 5e-13 * 100.0 ** (order - 1))


def test_the_spline_is_that_of_scipy_between_rows_and_outside_them() -> None:
    rng = np.random.default_rng(3)
    time = np.sort(rng.uniform(0.0, 1.0, 30))
    values = rng.normal(size=(30, 2))
    ends = [(3, np.zeros(2)), (4, np.zeros(2))]
    other = make_interp_spline(time, values, k=5, bc_type=(ends, ends))
    instants = np.linspace(-0.05, 1.05, 200)
    for order in range(6):
        reference = other(instants, order)
        # Random times come as near as 1e-4 of the span, which costs four digits.
        assert (
            np.abs(natural_quintic(time, values)(instants, order) - reference).max()
            < 1e-9 * np.abs(reference).max()
        )
