"""Powers of ten to 128 bits, for turning decimals into numbers and back without a big-number library."""

from __future__ import annotations

import numpy as np

SMALLEST, LARGEST = -348, 347


def _tables() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    high, low, exponent = [], [], []
    for power in range(SMALLEST, LARGEST + 1):
        if power >= 0:
            value, shift = 10**power, 0
        else:
            # Enough bits before the division that 128 remain after it.
            shift = 128 + (10**-power).bit_length()
            value = (1 << shift) // 10**-power
        excess = value.bit_length() - 128
        value = value >> excess if excess >= 0 else value << -excess
        high.append(value >> 64)
        low.append(value & (1 << 64) - 1)
        exponent.append(excess - shift)
    return np.array(high, np.uint64), np.array(low, np.uint64), np.array(exponent, np.int64)


HIGH, LOW, EXPONENT = _tables()
"""10**n is about (HIGH * 2**64 + LOW) * 2**EXPONENT at index n - SMALLEST, rounded down to 128 bits."""

EXACT = np.array([10.0**power for power in range(23)])
"""The powers of ten that a float64 holds exactly."""

NEAREST = np.array(
    [float(f"1e{power}") if power > -324 else 0.0 for power in range(SMALLEST, 309)] + [np.inf] * 39
)
"""Nearest float64 of each power, at index n - SMALLEST."""
