"""Functions of coordinates: value, slopes and curvatures."""

from __future__ import annotations

import math

import numpy as np

from borelli.kernels.jit import inner
from borelli.kernels.markers.layout import (
    ARC_X,
    ARC_Y,
    ARC_Z,
    LINEAR,
    PIECEWISE,
    POLYNOMIAL,
    ROLL_X,
    ROLL_Y,
    ROLL_Z,
    SINE,
    Functions,
    Work,
)


@inner
def evaluate_functions(functions: Functions, first: int, last: int, q: np.ndarray, work: Work) -> None:
    """Evaluate the functions from the first to one before the last."""
    for k in range(first, last):
        kind, at, data = functions.kind[k], functions.start[k], functions.data
        x = q[functions.arguments[k, 0]]
        if kind == LINEAR:
            work.value[k] = data[at] * x + data[at + 1]
            work.slope[k, 0] = data[at]
            work.curve[k, 0, 0] = 0.0
        elif kind == PIECEWISE:
            _piecewise(data, at, x, k, work)
        elif kind == SINE:
            angle = data[at + 1] * x + data[at + 2]
            wave = data[at] * math.sin(angle)
            work.value[k] = wave + data[at + 3]
            work.slope[k, 0] = data[at] * data[at + 1] * math.cos(angle)
            work.curve[k, 0, 0] = -data[at + 1] * data[at + 1] * wave
        elif kind == POLYNOMIAL:
            _polynomial(functions, k, q, work)
        elif kind in (ROLL_X, ROLL_Y, ROLL_Z):
            _rolling(functions, k, q, work)
        elif kind in (ARC_X, ARC_Y, ARC_Z):
            _bending(functions, k, q, work)
        else:
            work.value[k] = math.nan


@inner
def _piecewise(data: np.ndarray, at: int, x: float, k: int, work: Work) -> None:
    """Evaluate a polynomial of the interval that x is in: pieces, degree, breaks, then origin and powers of each."""
    pieces, degree = int(data[at]), int(data[at + 1])
    low, high = 0, pieces - 1
    while low < high:
        middle = (low + high) // 2
        if x >= data[at + 2 + middle]:
            low = middle + 1
        else:
            high = middle
    own = at + 2 + (pieces - 1) + low * (degree + 2)
    step = x - data[own]
    value, slope, half = data[own + 1 + degree], 0.0, 0.0
    for power in range(degree - 1, -1, -1):
        half = half * step + slope
        slope = slope * step + value
        value = value * step + data[own + 1 + power]
    work.value[k], work.slope[k, 0], work.curve[k, 0, 0] = value, slope, 2.0 * half


@inner
def _polynomial(functions: Functions, k: int, q: np.ndarray, work: Work) -> None:
    """Evaluate a sum of monomials: their number, then coefficient and exponents of each."""
    count, data = functions.n_arguments[k], functions.data
    n_terms, at = int(data[functions.start[k]]), functions.start[k] + 1
    work.value[k] = 0.0
    for i in range(count):
        work.slope[k, i] = 0.0
        for j in range(count):
            work.curve[k, i, j] = 0.0
    for _ in range(n_terms):
        work.value[k] += _monomial(functions, k, q, at, -1, -1)
        for i in range(count):
            work.slope[k, i] += _monomial(functions, k, q, at, i, -1)
            for j in range(i + 1):
                work.curve[k, i, j] += _monomial(functions, k, q, at, i, j)
                work.curve[k, j, i] = work.curve[k, i, j]
        at += 1 + count


@inner
def _monomial(functions: Functions, k: int, q: np.ndarray, at: int, i: int, j: int) -> float:
    """Value of one monomial, or its derivative by one or two arguments (-1 for none)."""
    total = functions.data[at]
    for argument in range(functions.n_arguments[k]):
        power = int(functions.data[at + 1 + argument])
        for by in (i, j):
            if by == argument:
                total *= power
                power -= 1
        x = q[functions.arguments[k, argument]]
        for _ in range(power):
            total *= x
    return total


@inner
def _rolling(functions: Functions, k: int, q: np.ndarray, work: Work) -> None:
    """Evaluate a component of radius * (R z), with R of body-fixed XYZ angles: the third does not matter."""
    radius = functions.data[functions.start[k]]
    a, b = q[functions.arguments[k, 0]], q[functions.arguments[k, 1]]
    sa, ca, sb, cb = math.sin(a), math.cos(a), math.sin(b), math.cos(b)
    if functions.kind[k] == ROLL_X:
        value, by_a, by_b, aa, ab, bb = sb, 0.0, cb, 0.0, 0.0, -sb
    elif functions.kind[k] == ROLL_Y:
        value, by_a, by_b, aa, ab, bb = -sa * cb, -ca * cb, sa * sb, sa * cb, ca * sb, sa * cb
    else:
        value, by_a, by_b, aa, ab, bb = ca * cb, -sa * cb, -ca * sb, -ca * cb, sa * sb, -ca * cb
    work.value[k] = radius * value
    work.slope[k, 0], work.slope[k, 1] = radius * by_a, radius * by_b
    work.curve[k, 0, 0], work.curve[k, 1, 1] = radius * aa, radius * bb
    work.curve[k, 0, 1] = work.curve[k, 1, 0] = radius * ab


@inner
def _bending(functions: Functions, k: int, q: np.ndarray, work: Work) -> None:
    """Evaluate a component of the end of an arc: neutral angles, length, degree, then powers of its function."""
    data, at = functions.data, functions.start[k]
    a, b = q[functions.arguments[k, 0]] + data[at], q[functions.arguments[k, 1]] + data[at + 1]
    sa, ca, sb, cb = math.sin(a), math.cos(a), math.sin(b), math.cos(b)
    c, by_a, by_b, aa, ab, bb = ca * cb, -sa * cb, -ca * sb, -ca * cb, sa * sb, -ca * cb
    degree, step = int(data[at + 3]), 2.0 * ca * cb - 1.0
    f, slope, half = data[at + 4 + degree], 0.0, 0.0
    for power in range(degree - 1, -1, -1):
        half = half * step + slope
        slope = slope * step + f
        f = f * step + data[at + 4 + power]
    # The polynomial is one of 2 c - 1.
    one, two = 2.0 * slope, 8.0 * half
    fa, fb = one * by_a, one * by_b
    faa, fab, fbb = two * by_a * by_a + one * aa, two * by_a * by_b + one * ab, two * by_b * by_b + one * bb
    if functions.kind[k] == ARC_X:
        p, pa, pb, paa, pab, pbb = -sb, 0.0, -cb, 0.0, 0.0, sb
    elif functions.kind[k] == ARC_Y:
        p, pa, pb, paa, pab, pbb = 1.0, 0.0, 0.0, 0.0, 0.0, 0.0
    else:
        p, pa, pb, paa, pab, pbb = sa * cb, c, -sa * sb, -sa * cb, -ca * sb, -sa * cb
    length = data[at + 2]
    work.value[k] = length * p * f
    work.slope[k, 0], work.slope[k, 1] = length * (pa * f + p * fa), length * (pb * f + p * fb)
    work.curve[k, 0, 0] = length * (paa * f + 2.0 * pa * fa + p * faa)
    work.curve[k, 1, 1] = length * (pbb * f + 2.0 * pb * fb + p * fbb)
    work.curve[k, 0, 1] = work.curve[k, 1, 0] = length * (pab * f + pa * fb + pb * fa + p * fab)
