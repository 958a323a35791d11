"""Sine and cosine are as good as the C library's, and say where they are not."""

from __future__ import annotations

import numpy as np
import pytest
from small_kernels import compiled

from borelli.kernels.lanes.code.compile import Kernel
from borelli.kernels.lanes.code.control import count_up
from borelli.kernels.lanes.code.sincos import (
    LARGEST_ANGLE,
    angles_were_too_large,
    sine_and_cosine,
    start_recording_angles,
)


def _kernel(width, vector=None):
    def emit(emitter, n, x, s, c):
        start_recording_angles(emitter)
        with count_up(emitter, 0, n, vector or width) as i:
            sine, cosine = sine_and_cosine(x.load(i, vector))
            s.store(i, sine)
            c.store(i, cosine)
        return angles_were_too_large(emitter)

    kernel = compiled(
        Kernel("sincos", {"n": "integer", "x": "doubles", "s": "doubles", "c": "doubles"}, emit), width
    )

    def run(x):
        s, c = np.empty_like(x), np.empty_like(x)
        return kernel(x.size, x.ctypes.data, s.ctypes.data, c.ctypes.data), s, c

    return run


@pytest.fixture(scope="module", params=[(4, None), (8, None), (4, 16), (8, 16)], ids=str)
def sincos(request):
    return _kernel(*request.param)


def _errors(x, s, c):
    # Extended precision is the judge, since NumPy itself may be an ulp off.
    exact_s, exact_c = np.sin(x.astype(np.longdouble)), np.cos(x.astype(np.longdouble))
    return abs(s - exact_s), abs(c - exact_c)


@pytest.mark.parametrize("reach", [1e-8, 1e-3, 1.0, 10.0, 1e3])
def test_everyday_angles_are_exact_to_two_units_in_the_last_place(sincos, reach):
    x = np.random.default_rng(3).uniform(-reach, reach, 16000)
    status, s, c = sincos(x)
    error_s, error_c = _errors(x, s, c)
    assert status == 0
    assert np.all(error_s <= 2 * np.spacing(abs(s)))
    assert np.all(error_c <= 2 * np.spacing(abs(c)))


def test_the_largest_angles_are_exact_to_two_units_of_one(sincos):
    x = np.random.default_rng(3).uniform(-LARGEST_ANGLE, LARGEST_ANGLE, 160000)
    status, s, c = sincos(x)
    # Near its zeros the sine of a huge angle keeps the absolute, not the relative, precision.
    assert status == 0
    assert max(map(np.max, _errors(x, s, c))) < 2 * np.spacing(1.0)


def test_multiples_of_a_quarter_turn_keep_their_tiny_rest(sincos):
    x = np.arange(-800, 800) * (np.pi / 2)
    _, s, c = sincos(x)
    # The rest of a multiple k of the rounded quarter turn is k * 6e-17: an absolute error far below it.
    np.testing.assert_allclose(s, np.sin(x), rtol=1e-12, atol=1e-30)
    np.testing.assert_allclose(c, np.cos(x), rtol=1e-12, atol=1e-30)


def test_angles_out_of_range_raise_the_status(sincos):
    x = np.zeros(64)
    x[37] = -1.01 * LARGEST_ANGLE
    assert sincos(x)[0] == 1
    x[37] = np.inf
    assert sincos(x)[0] == 1


def test_nan_stays_in_its_lane(sincos):
    x = np.linspace(0, 1, 32)
    x[5] = np.nan
    status, s, c = sincos(x)
    assert status == 0
    assert np.flatnonzero(np.isnan(s)).tolist() == [5]
    assert np.flatnonzero(np.isnan(c)).tolist() == [5]
