"""Translated kernels do what Python does with the same source, to the last bit."""

from __future__ import annotations

import math
import resource
import subprocess
import sys
from typing import NamedTuple

import numpy as np
import pytest

from borelli.kernels.jit import inlined, jit
from borelli.kernels.native.types import BOOL, FLOAT, INT, TupleType, read, written

THRESHOLD = 0.25
TABLE = ((1.0, 2), (3.0, 4), (-5.0, 6))


class Pair(NamedTuple):
    first: float
    second: tuple[float, float]


class Rows(NamedTuple):
    x: np.ndarray
    n: np.ndarray
    nothing: np.ndarray | None


@jit
def floor_and_rest(a, b):
    return a // 3, a % 3, b // 7, b % 7, (a + b) // 2, (a - b) % 5, a / 4


@jit
def powers(x, p):
    return x**2, x**3, x**7, abs(x) ** p, abs(x) ** 0.5, 2.0**p, x**1, abs(x) ** -1.5


@jit
def extremes(a, b, c):
    return max(a, b, c), min(a, b, c), max(a, 1), min(2, 3), abs(a), abs(-3), max((a, b))


@jit
def chains(a, b, c):
    between = a < b < c
    return between, not between, a < b or b < c, a < b and b < c, 1 if a <= b != c else 2.5, a in (b, c)


@jit
def functions(x):
    return (
        math.sqrt(abs(x)),
        math.sin(x),
        math.cos(x),
        math.exp(x),
        math.expm1(x),
        math.log(abs(x) + 1.0),
        math.atan2(x, 2.0),
        math.hypot(x, 3.0),
        math.acos(math.sin(x)),
        math.asinh(x),
        math.ceil(x),
        math.floor(x),
        math.copysign(2.0, x),
        int(x),
        float(3),
        math.isinf(x),
        math.isnan(x),
    )


@jit
def widened(n):
    total = 0
    for i in range(n):
        if i % 2 == 0:
            total += i
        else:
            total += 0.5
    return total


@jit
def loops(n):
    count, i = 0, 10
    while True:
        i -= 1
        if i == n:
            break
        for k in range(i, 0, -2):
            if k == 4:
                continue
            for j in range(3, 20, 4):
                count += k * j
                if j > k:
                    break
    for a, b in TABLE:
        count += b if a > THRESHOLD else -b
    return count, i


@inlined
def twice(x, times=2):
    return times * x


@jit
def pairs(x):
    pair = Pair(twice(x), (twice(x, 3), twice(times=4, x=x)))
    first, (second, third) = pair
    for k in range(2):
        first += pair.second[k]
    return Pair(first, (second, third)), len(pair), pair[0]


@jit
def early(x):
    if x > 1.0:
        return 1, x
    for k in range(5):
        if k > 2:
            return k, 0.5
    return 0, 0.0


NUMBERS = [(7, 9), (-7, 9), (-9, -4), (0, -1), (2**40, -(2**33) - 1)]
FLOATS = [0.3, -1.7, 0.0, -0.0, 12.5, 1e-300, math.pi]


@pytest.mark.parametrize(
    ("kernel", "given"),
    [(floor_and_rest, pair) for pair in NUMBERS]
    + [(powers, (x, p)) for x in FLOATS if abs(x) > 1e-9 for p in (1.5, -0.5, 2.0)]
    + [
        (extremes, given)
        for given in [(1.0, 2.0, 3.0), (math.nan, 1.0, 2.0), (1.0, math.nan, 0.5), (-0.0, 0.0, 0.0)]
    ]
    + [(chains, given) for given in [(1.0, 2.0, 3.0), (2.0, 1.0, 1.0), (1, 1, 2), (math.nan, 1.0, 2.0)]]
    + [(functions, (x,)) for x in FLOATS]
    + [(widened, (n,)) for n in (0, 1, 6)]
    + [(loops, (n,)) for n in (0, 4, 8)]
    + [(pairs, (x,)) for x in (1.5, -2)]
    + [(early, (x,)) for x in (2.0, 0.0)],
    ids=lambda value: value.py_func.__name__ if hasattr(value, "py_func") else str(value),
)
def test_numbers_are_those_of_python(kernel, given):
    found, expected = kernel(*given), kernel.py_func(*given)
    assert not kernel.left_to_numba
    # The C library's power and Python's may differ in the last bit; all else is equal, and of equal sign at zero.
    close = 1e-15 if kernel is powers else 0.0
    flat = lambda value: [x for item in value for x in flat(item)] if isinstance(value, tuple) else [value]  # noqa: E731
    for a, b in zip(flat(found), flat(expected), strict=True):
        assert a == pytest.approx(b, rel=close, abs=0.0, nan_ok=True)
        assert math.copysign(1.0, a) == math.copysign(1.0, b) or math.isnan(b)


@jit
def parts(rows, out):
    x, n = rows.x, rows.n
    if rows.nothing is not None:
        rows.nothing[0] = 1.0
    out[:] = 0.0
    for i in range(len(n)):
        out[i] += x[i - 1, -1]
    row, column = x[1], x[:, 2]
    row[0] = column[-1] * 2.0
    out[n[0] :] += column[: len(out) - n[0]]
    block = x[1:3]
    block[-1, 1] -= 7
    x[0] = x[2]
    x[2:, 0] = 3
    total = 0.0
    for some in x:
        for value in some:
            total += value
    out[0], out[1] = out[1], out[0]
    return total, x.size, x.ndim, x[3:2].size, len(x[3:99])


@pytest.mark.parametrize(
    "arranged",
    [
        lambda x: x,
        np.asfortranarray,
        lambda x: np.repeat(x, 2, axis=1)[:, ::2],
        lambda x: x[::-1].copy()[::-1],
    ],
    ids=["contiguous", "by columns", "every other", "backwards"],
)
def test_parts_of_arrays_are_those_of_numpy(arranged):
    results = []
    for run in (parts, parts.py_func):
        x, out = arranged(np.arange(20.0).reshape(4, 5)), np.empty(4)
        told = run(Rows(x, np.array([1, 2, 3]), None), out)
        results.append((told, x.tolist(), out.tolist()))
    assert results[0] == results[1]
    assert not parts.left_to_numba


def test_code_is_chosen_by_the_types_of_each_call():
    x, out = np.arange(20.0).reshape(4, 5), np.empty(4)
    told = parts.py_func(Rows(x.copy(), np.array([1, 2, 3]), None), out.copy())
    # The same values in other types, in turn: contiguous, strided, and contiguous again.
    for matrix in (x, np.asfortranarray(x), x):
        for numbers in (np.array([1, 2, 3]), np.repeat([1, 2, 3], 2)[::2]):
            assert parts(Rows(matrix.copy("K"), numbers, None), out.copy()) == told


@jit
def flattened(x):
    total = 0.0
    for value in x.reshape((x.shape[0] * x.shape[1],))[1:]:
        total += value
    return total


def test_another_shape_is_the_same_memory():
    assert flattened(np.arange(6.0).reshape(2, 3)) == 15.0
    assert not flattened.left_to_numba


@jit
def made(n, values):
    zeros, ones = np.zeros((n, 2)), np.full(n, 1.5)
    picked = np.flatnonzero(values > 0.5)
    copy = values.copy()
    copy[picked] = values[picked] * 0.0 if False else -1.0
    low, high = np.abs(copy).min(), copy.max()
    turn, place = np.eye(3), np.arange(4)
    return zeros[0, 1] + ones[n - 1] + len(picked) + low + 10.0 * high + turn[1, 1] + place[3]


def test_new_arrays_are_those_of_numpy():
    for values in (np.array([0.1, 0.7, -3.0, 0.9]), np.array([0.1, np.nan, 2.0])):
        np.testing.assert_equal(made(4, values), made.py_func(4, values))
    assert not made.left_to_numba


@jit
def short_integers(small, wide, flags):
    for i in range(len(small)):
        wide[i] += small[i]
        small[i] = -wide[i]
        flags[i] = not flags[i] and small[i] < 0
    return small[0] + wide[0]


def test_short_integers_and_flags_are_read_and_written():
    for run in (short_integers, short_integers.py_func):
        small, wide, flags = np.array([1, -2], np.int8), np.array([5, 6], np.int32), np.array([False, True])
        assert run(small, wide, flags) == 0
        assert (small.tolist(), wide.tolist(), flags.tolist()) == ([-6, -4], [6, 4], [True, False])
    assert not short_integers.left_to_numba


@jit
def wasteful(times, n):
    total = 0.0
    for k in range(times):
        total += one_row(n, k)
    return total


@jit
def one_row(n, k):
    row = np.full(n, 1.0)
    row[0] = k
    return row[0] + row[n - 1]


def test_memory_that_a_kernel_makes_is_given_back():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    times, n = 20_000, 10_000  # 1.6 GB if it were kept
    assert wasteful(times, n) == times + times * (times - 1) / 2
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000  # kB


@jit
def after_a_row(n, out):
    out[0] = 1.0
    out[1] = one_row(n, 5)
    out[2] = 3.0


def test_a_kernel_without_memory_ends_with_an_error_and_leaves_the_process_alone():
    out = np.zeros(3)
    for _ in range(2):
        with pytest.raises(MemoryError, match="no memory for an array that a kernel works with"):
            wasteful(3, 2**58)
        with pytest.raises(MemoryError, match="no memory"):
            after_a_row(2**58, out)
        # Nothing is computed from an array that is not there.
        assert out.tolist() == [1.0, 0.0, 0.0]
    assert wasteful(2, 3) == 3.0, "and it goes on where there is memory"
    assert not wasteful.left_to_numba and not after_a_row.left_to_numba


@jit
def sorted_first(x):
    return np.sort(x)[0] + one_row(3, 0)


def test_what_is_not_translated_is_left_to_numba_and_may_call_what_is():
    assert sorted_first(np.array([3.0, -2.0])) == -1.0
    (reason,) = sorted_first.left_to_numba.values()
    assert "'sort'" in reason and "sorted_first" in reason


@jit
def calls_itself(n):
    return 1 if n == 0 else n * calls_itself(n - 1)


def test_a_kernel_that_calls_itself_is_not_translated():
    assert calls_itself(3) == 6
    assert "calls itself" in next(iter(calls_itself.left_to_numba.values()))


@pytest.mark.parametrize(
    "kind", [None, FLOAT, TupleType((INT, TupleType((FLOAT, BOOL), Pair), FLOAT)), TupleType((FLOAT,))]
)
def test_types_of_results_are_found_again_as_they_were_written(kind):
    assert read(written(kind)) == kind


@pytest.mark.parametrize("damaged", ["", "x", "f f", "(f", "(no.such.module:Name f)"])
def test_damaged_types_are_refused(damaged):
    with pytest.raises((ValueError, KeyError, IndexError, ImportError)):
        read(damaged)


def test_paths_muscles_and_shares_do_not_wait_for_numba():
    # Surfaces of every closed form and ellipsoids, conditional and moving points, powers below, at and above two.
    script = """
import sys
import numpy as np
import borelli as bo
from tests.path_models import random_paths
model = random_paths(3, moving=True)
q = np.sin(np.arange(10.0 * len(model.coordinate_names))).reshape(10, -1)
u, udot = 0.1 * np.cos(np.arange(20.0 * len(model.speed_names))).reshape(2, 10, -1)
motion = bo.Motion(np.arange(10) * 0.01, model.coordinate_names, q, u, udot, speeds=model.speed_names)
bo.paths(model, motion)
for power in (1.5, 2.0, 3.0):
    bo.muscle_forces(model, motion, criterion=bo.Criterion(power=power), reserves=1e4, infeasible="report")
bo.contributions(model, motion)
assert "llvmlite" in sys.modules
assert "numba" not in sys.modules
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", script], check=True)
