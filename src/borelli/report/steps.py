"""Curves as whole steps of their own size, and what is left of them after the curve before is continued.

A curve that moves little from one instant to the next is told by its first, second or third differences in a fraction
of its bytes. Each curve has a step that is a power of two: what it is made of again is the same number everywhere.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

NO_NUMBER = 2**32 - 1
"""Code of an instant without a number."""
MOST_BITS = 27
"""Of the largest number in steps: three differences of it still fit into 32 bits."""
_MOST_ORDER = 3
_OFFSET = 2048
"""Added to the exponent of a step, to store it without a sign."""


def exponents_of(sizes: Array) -> NDArray[np.int64]:
    """Exponents of the least powers of two above some sizes; of nothing, that of one."""
    return np.where(sizes > 0.0, np.frexp(sizes)[1], 0).astype(np.int64)


def largest_of(curves: Array) -> Array:
    """Largest size of each curve (n, n_times); nothing where it has no number."""
    return np.asarray(np.max(np.abs(curves), axis=1, initial=0.0, where=np.isfinite(curves)))


def coded(curves: Array, exponents: NDArray[np.int64]) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
    """Codes of curves (n, n_times) in steps of two to the power of each exponent, and what decoding needs of each."""
    exponents = np.maximum(exponents, exponents_of(largest_of(curves)) - MOST_BITS)
    steps = np.round(np.ldexp(curves, -exponents[:, None]))
    missing = ~np.isfinite(steps)
    # What has no number is skipped: the rest moves to the front, and back again once it is coded.
    order = np.argsort(missing, axis=1, kind="stable")
    moved = np.take_along_axis(steps, order, axis=1)
    left = np.where(np.isfinite(moved), moved, 0.0).astype(np.int64)
    best, orders, cost = left, np.zeros(len(left), dtype=np.int64), _cost(left)
    for count in range(1, _MOST_ORDER + 1):
        left = np.concatenate([left[:, :1], np.diff(left, axis=1)], axis=1)
        own = _cost(left)
        better = own < cost
        best, cost = np.where(better[:, None], left, best), np.where(better, own, cost)
        orders[better] = count
    codes = np.empty(curves.shape, dtype=np.uint32)
    np.put_along_axis(codes, order, ((best << 1) ^ (best >> 63)).astype(np.uint32), axis=1)
    codes[missing] = NO_NUMBER
    return codes, ((exponents + _OFFSET) * (_MOST_ORDER + 1) + orders).astype(np.uint16)


def _cost(left: NDArray[np.int64]) -> Array:
    return np.asarray(np.log2(2.0 * np.abs(left) + 1.0).sum(axis=1))


def decoded(codes: NDArray[np.uint32], heads: NDArray[np.uint16]) -> Array:
    """Return the curves, as the page's script does."""
    curves = np.full(codes.shape, np.nan)
    for curve, own, head in zip(curves, codes, heads.astype(int), strict=True):
        known = own != NO_NUMBER
        left = own[known].astype(np.int64)
        left = (left >> 1) ^ -(left & 1)
        for _ in range(head % (_MOST_ORDER + 1)):
            left = np.cumsum(left)
        curve[known] = np.ldexp(left.astype(float), head // (_MOST_ORDER + 1) - _OFFSET)
    return curves
