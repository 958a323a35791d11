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
_BITS = 24
"""Of the largest number of a curve in steps, as many as single precision has."""
_AT_ONCE = 2**15
"""Numbers: as many curves are coded together as stay in the cache of the processor."""
_PLAIN_POWER = 1000
"""Two to this power, and to its negative, is a normal number."""
_MOST_ORDER = 3
_OFFSET = 2048
"""Added to the exponent of a step, to store it without a sign."""


def exponents_of(sizes: Array) -> NDArray[np.int64]:
    """Exponents of the least powers of two above some sizes; of nothing, that of one."""
    return np.where(sizes > 0.0, np.frexp(sizes)[1], 0).astype(np.int64)


def largest_of(curves: Array) -> Array:
    """Largest size of each curve (n, n_times); nothing where it has no number."""
    size = np.abs(curves)
    largest = np.max(size, axis=1, initial=0.0)
    if np.isfinite(largest).all():
        return np.asarray(largest)
    return np.asarray(np.max(size, axis=1, initial=0.0, where=np.isfinite(curves)))


def coded(
    curves: Array, exponents: NDArray[np.int64] | None = None
) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
    """Codes of curves (n, n_times) in steps of two to the power of each exponent, and what decoding needs of each.

    By default the steps are as fine as single precision is at the largest number of each curve.
    """
    step = max(1, _AT_ONCE // max(curves.shape[1], 1))
    if len(curves) <= step:
        return _coded(curves, exponents)
    parts = [slice(start, start + step) for start in range(0, len(curves), step)]
    found = [_coded(curves[part], None if exponents is None else exponents[part]) for part in parts]
    codes, heads = zip(*found, strict=True)
    return np.concatenate(codes), np.concatenate(heads)


def _coded(
    curves: Array, exponents: NDArray[np.int64] | None
) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
    own = exponents_of(largest_of(curves))
    exponents = own - _BITS if exponents is None else np.maximum(exponents, own - MOST_BITS)
    steps = np.round(_scaled(curves, -exponents))
    missing = ~np.isfinite(steps)
    if not missing.any():
        best, orders = _shortest(steps.astype(np.int32))
        codes = _without_sign(best)
    else:
        # What has no number is skipped: the rest moves to the front, and back again once it is coded.
        order = np.argsort(missing, axis=1, kind="stable")
        moved = np.take_along_axis(steps, order, axis=1)
        best, orders = _shortest(np.where(np.isfinite(moved), moved, 0.0).astype(np.int32))
        codes = np.empty(curves.shape, dtype=np.uint32)
        np.put_along_axis(codes, order, _without_sign(best), axis=1)
        codes[missing] = NO_NUMBER
    return codes, ((exponents + _OFFSET) * (_MOST_ORDER + 1) + orders).astype(np.uint16)


def _scaled(curves: Array, powers: NDArray[np.int64]) -> Array:
    """Curves times two to a power of each."""
    if np.abs(powers).max(initial=0) > _PLAIN_POWER:
        return np.asarray(np.ldexp(curves, powers[:, None]))
    # A product with a power of two is exact as well, and found in a fraction of the time.
    return np.asarray(curves * np.ldexp(1.0, powers)[:, None])


def _shortest(steps: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Of each curve those of its differences that take the fewest bits, and of which order they are."""
    left, best = steps, steps.copy()
    orders, cost = np.zeros(len(steps), dtype=np.int64), _cost(steps)
    for count in range(1, _MOST_ORDER + 1):
        differences = left.copy()
        np.subtract(left[:, 1:], left[:, :-1], out=differences[:, 1:])
        left, own = differences, _cost(differences)
        better = own < cost
        best[better], cost[better], orders[better] = left[better], own[better], count
    return best, orders


def _without_sign(steps: NDArray[np.int32]) -> NDArray[np.uint32]:
    """0, -1, 1, -2, … as 0, 1, 2, 3, …."""
    return ((steps << 1) ^ (steps >> 31)).view(np.uint32)


def _cost(left: NDArray[np.int32]) -> Array:
    size = np.abs(left).astype(float)
    size *= 2.0
    size += 1.0
    return np.asarray(np.log2(size, out=size).sum(axis=1))


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
