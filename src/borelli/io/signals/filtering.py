"""Smoothing recorded signals, and the splines that give their speeds and accelerations.

Two ways, and the result says which was used:

``default``
    Second-order Butterworth filter run forward and backward, its cut-off corrected so that the two
    passes together are 3 dB down at the frequency asked for [Winter2009, section 2.2.4.4].
``opensim``
    What OpenSim's inverse-dynamics tool does: pad by half the rows, resample to the smallest step,
    third-order Butterworth forward and backward without that correction (6 dB down at the frequency
    asked for).

Speeds and accelerations are the derivatives of the interpolating natural spline of degree five.
"""

from __future__ import annotations

import math
from dataclasses import field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from borelli.errors import InvalidValueError, UnknownNameError
from borelli.instants import distinct
from borelli.io.signals.quintic_spline import QuinticSpline, natural_quintic_spline
from borelli.records import dataclass

Array = NDArray[np.float64]
Mode = Literal["default", "opensim"]
MODES: tuple[Mode, ...] = ("default", "opensim")

# Time stamps written with four decimals at 600 Hz are up to 3 % of a step off their grid.
_JITTER = 0.05
# The tool resamples to at most this many rows.
_MAX_RESAMPLED = 100_000
# A quintic has six coefficients.
_MIN_SPLINE_ROWS = 6


@dataclass(frozen=True)
class Smoothed:
    """A smoothed signal.

    Attributes
    ----------
    time : (n_times,) float
        s; the recording's own times, or the resampled ones.
    values : (n_times, n_columns) float
        Filtered values.
    settings : dict
        What was done, for the result's manifest.
    pad : int
        Rows at each end that lie outside the recording and only support the spline.
    """

    time: Array
    values: Array
    settings: dict[str, object] = field(default_factory=dict)
    pad: int = 0


def smooth(time: Array, values: Array, cutoff_hz: float | None, mode: Mode = "default") -> Smoothed:
    """Low-pass filter the columns of a recording.

    Parameters
    ----------
    time : (n_times,) float
        s, increasing.
    values : (n_times, n_columns) float
        Without NaN.
    cutoff_hz : float or None
        Cut-off frequency; None leaves the values alone.
    mode : {"default", "opensim"}
        See the module's description.
    """
    if mode not in MODES:
        raise UnknownNameError.among(str(mode), "smoothing mode", MODES)
    if cutoff_hz is not None and not (math.isfinite(cutoff_hz) and cutoff_hz > 0.0):
        raise InvalidValueError(
            f"The cut-off frequency is {cutoff_hz}; it must be a positive number of hertz.",
            remedy="leave the cut-off out for no filter (no --cutoff-hz, cutoff_hz=None)",
        )
    if len(time) == 1 or cutoff_hz is None:
        regular, step = _regular(time) if mode == "default" else (time, None)
        settings: dict[str, object] = {"mode": mode, "cutoff_hz": None, "filter": "none"}
        if regular is not time:
            settings["times_regularised_to_step_s"] = step
        return Smoothed(regular, values, settings)
    if mode == "opensim":
        return _smooth_like_opensim(time, values, cutoff_hz)
    return _smooth(time, values, cutoff_hz)


def _smooth(time: Array, values: Array, cutoff_hz: float) -> Smoothed:
    regular, step = _regular(time)
    settings: dict[str, object] = {
        "mode": "default",
        "cutoff_hz": cutoff_hz,
        "filter": "Butterworth, order 2, forward and backward, cut-off corrected for two passes",
    }
    if step is not None:
        filtered = butterworth_zero_phase(values, cutoff_hz, 1.0 / step)
        if regular is not time:
            settings["times_regularised_to_step_s"] = step
        return Smoothed(regular, filtered, settings)
    step = float(np.median(np.diff(time)))
    # The quotient of a whole number of steps may be rounded down.
    count = math.floor((time[-1] - time[0]) / step + 1e-9) + 1
    if count > 10 * len(time) + 1000:
        raise InvalidValueError(
            f"The steps of time range from {np.diff(time).min():g} to {np.diff(time).max():g} s, too uneven to filter.",
            remedy="resample the recording to an even step first",
        )
    grid = time[0] + step * np.arange(count)
    filtered = butterworth_zero_phase(natural_quintic(time, values)(grid), cutoff_hz, 1.0 / step)
    settings["resampled_for_the_filter_to_step_s"] = step
    kept = time <= grid[-1]
    return Smoothed(time[kept], natural_quintic(grid, filtered)(time[kept]), settings)


def _regular(time: Array) -> tuple[Array, float | None]:
    """Return evenly spaced times where the given ones are even but for rounding, and the step; else None."""
    if len(time) < 3:
        return time, float(time[-1] - time[0]) if len(time) == 2 else None
    index = np.arange(len(time), dtype=np.float64)
    step, start = np.polyfit(index, time - time[0], 1)
    grid = time[0] + start + step * index
    off = float(np.max(np.abs(grid - time)))
    if off > _JITTER * step:
        return time, None
    # Eight printed decimals leave less than this; moving the times then gains nothing.
    return (time if off < 1e-6 else grid), float(step)


def butterworth_zero_phase(values: Array, cutoff_hz: float, rate_hz: float) -> Array:
    """Filter evenly spaced columns without phase lag, 3 dB down at the cut-off.

    Parameters
    ----------
    values : (n_times, n_columns) float
    cutoff_hz, rate_hz : float
        The cut-off must lie below half the sampling rate.
    """
    if cutoff_hz >= 0.5 * rate_hz:
        raise InvalidValueError(
            f"The cut-off of {cutoff_hz:g} Hz is not below half the sampling rate of {rate_hz:g} Hz.",
            remedy="lower the cut-off, or leave it out (no --cutoff-hz, cutoff_hz=None)",
        )
    # [Winter2009] eq. 2.6: two passes of a second-order filter lower the 3 dB point by 0.802.
    warped = math.tan(math.pi * cutoff_hz / rate_hz) / (math.sqrt(2.0) - 1.0) ** 0.25
    scale = 1.0 / (1.0 + math.sqrt(2.0) * warped + warped**2)
    ahead = np.array([1.0, 2.0, 1.0]) * warped**2 * scale
    back = np.array(
        [1.0, 2.0 * (warped**2 - 1.0) * scale, (1.0 - math.sqrt(2.0) * warped + warped**2) * scale]
    )
    # What the filter does at an end fades within some periods of its cut-off: six are reflected, twelve rows at least.
    pad = min(len(values) - 1, max(12, math.ceil(6.0 * rate_hz / cutoff_hz)))
    padded = reflect(values, pad)
    for _ in range(2):
        padded = _recursive(ahead, back, padded)[::-1]
    return np.ascontiguousarray(padded[pad : pad + len(values)])


def reflect(values: Array, pad: int) -> Array:
    """Continue a signal past both ends by its point reflection, which keeps value and slope."""
    if pad == 0:
        return values
    return np.concatenate(
        [2 * values[:1] - values[pad:0:-1], values, 2 * values[-1:] - values[-2 : -pad - 2 : -1]]
    )


def _recursive(ahead: Array, back: Array, signal: Array) -> Array:
    """Run a recursive filter over time; the first samples, which it needs as its past, stay as they are."""
    order = len(back) - 1
    driven = ahead[0] * signal[order:]
    for lag in range(1, order + 1):
        driven = driven + ahead[lag] * signal[order - lag : len(signal) - lag]
    past = np.ascontiguousarray(-back[:0:-1])
    filtered = np.empty_like(signal)
    filtered[:order] = signal[:order]
    for row in range(order, len(signal)):
        filtered[row] = driven[row - order] + past @ filtered[row - order : row]
    return filtered


def _smooth_like_opensim(time: Array, values: Array, cutoff_hz: float) -> Smoothed:
    pad = len(time) // 2
    # The tool pads time like any signal.
    long_time, long_values = reflect(time[:, None], pad)[:, 0], reflect(values, pad)
    steps = np.diff(long_time)
    step = float(steps.min())
    mean = float(long_time[-1] - long_time[0]) / (len(long_time) - 1)
    settings: dict[str, object] = {
        "mode": "opensim",
        "cutoff_hz": cutoff_hz,
        "filter": "Butterworth, order 3, forward and backward, cut-off not corrected; padded by half the rows",
    }
    if mean - step > np.finfo(float).eps:
        span = float(long_time[-1] - long_time[0])
        step = max(step, span / _MAX_RESAMPLED)
        # The quotient of a whole number of steps may be rounded down.
        grid = long_time[0] + step * np.arange(math.floor(span / step + 1e-12) + 1)
        long_values = natural_quintic(long_time, long_values)(grid)
        long_time = grid
        settings["resampled_to_step_s"] = step
    if cutoff_hz >= 0.5 / step:
        # OpenSim's own (Signal::LowpassIIR): just below half the sampling rate.
        cutoff_hz = 0.49 / step
        settings["cutoff_hz_lowered_to"] = cutoff_hz
    return Smoothed(long_time, _third_order_twice(long_values, cutoff_hz, step), settings, pad)


def _third_order_twice(values: Array, cutoff_hz: float, step: float) -> Array:
    w = math.tan(math.pi * cutoff_hz * step)
    scale = 1.0 / ((w + 1.0) * (w * w + w + 1.0))
    ahead = np.array([1.0, 3.0, 3.0, 1.0]) * w**3 * scale
    back = np.array(
        [
            1.0,
            (3 * w**3 + 2 * w**2 - 2 * w - 3) * scale,
            (3 * w**3 - 2 * w**2 - 2 * w + 3) * scale,
            (w - 1) * (w**2 - w + 1) * scale,
        ]
    )
    for _ in range(2):
        values = _recursive(ahead, back, values)[::-1]
    return np.ascontiguousarray(values)


def natural_quintic(time: Array, values: Array) -> QuinticSpline:
    """Return the interpolating natural spline of degree five, ``spline(t, derivative)``.

    Natural: its third and fourth derivatives vanish at both ends, as in a GCV spline [Woltring1986]
    without smoothing. Of rows that are one instant it meets the first.
    """
    knots = distinct(time, values)
    time, values = time[knots], values[knots]
    if len(time) < _MIN_SPLINE_ROWS:
        raise InvalidValueError(
            f"A spline of degree five needs at least {_MIN_SPLINE_ROWS} rows, there are {len(time)}.",
            remedy="give a longer recording, or a single row for a static pose",
        )
    # Steps too short for their powers, and rows that are not numbers, end in what is no number.
    with np.errstate(all="ignore"):
        spline = natural_quintic_spline(time, values)
    if not np.isfinite(spline.pieces).all():
        raise InvalidValueError(
            f"No spline of degree five goes through the rows: their times are from {time[0]:g} s to {time[-1]:g} s "
            f"with steps from {np.diff(time).min():g} to {np.diff(time).max():g} s.",
            remedy="resample the recording to an even step",
        )
    return spline
