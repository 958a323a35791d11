"""Numbers to text: few digits that read back as the same float64 (the fewest, but for exact ties).

A number x = m 2^q is scaled by a power of ten into 17 digits before the point, with 64 bits after it
(128-bit products). Everything within half a unit of m's last place reads back as x, so the candidates are
the nearest multiples of 100, of 10 and of 1, in this order; at most one of them has fewer digits than
the next [the idea of Steele & White 1990, with the bounded arithmetic of Adams 2018].
"""

from __future__ import annotations

from typing import Any

import numpy as np

from borelli.kernels.decimal_powers import EXPONENT, HIGH, LOW, NEAREST, SMALLEST
from borelli.kernels.jit import inlined, jit
from borelli.kernels.wide import multiply_128, put_eight

U = np.uint64
_FRACTION = U((1 << 52) - 1)
_HIDDEN = U(1 << 52)
_TEN17 = U(10**17)
_TEN16 = U(10**16)
WIDEST = 25
"""Bytes that a number may need with its separator: -d.dddddddddddddddde-ddd and one."""

_TAB, _COMMA, _NEWLINE, _MINUS, _PLUS, _POINT, _ZERO, _E = (np.uint8(ord(c)) for c in "\t,\n-+.0e")


@inlined
def _scaled(mantissa: Any, two: Any, power: Any) -> Any:
    """Return whole part and 64-bit fraction of mantissa 2^two 10^power; the mantissa has its top bit set."""
    at = power - SMALLEST
    high, low = multiply_128(mantissa, HIGH[at])
    carry, _ = multiply_128(mantissa, LOW[at])
    low2 = low + carry
    if low2 < low:
        high += U(1)
    shift = U(-(two + EXPONENT[at] + 128))
    return high >> shift, (high << (U(64) - shift)) | (low2 >> shift)


@inlined
def _nearest_multiple(whole: Any, rest: Any, step: Any) -> Any:
    """Return the multiple of a step next to whole + rest, and how far away it is."""
    candidate = (whole + step // U(2)) // step * step
    return candidate, abs(np.float64(np.int64(candidate - whole)) - rest)


@jit
def shortest(x: Any) -> Any:
    """Return the digits of a positive number as a whole number, and the power of ten of its first digit."""
    bits = np.float64(x).view(np.uint64)
    mantissa = bits & _FRACTION
    two: Any = np.int64(bits >> U(52))
    edge = mantissa == U(0) and two > 1
    if two == 0:
        two = -1074
    else:
        mantissa |= _HIDDEN
        two -= 1075
    m = np.float64(mantissa)
    while mantissa < _HIDDEN:
        mantissa <<= U(1)
        two -= 1
    ten = np.int64(np.floor((two + 52) * 0.30102999566398120))
    if x >= NEAREST[ten + 1 - SMALLEST]:
        ten += 1
    whole, fraction = _scaled(mantissa << U(11), two - 11, 16 - ten)
    # The table's powers are rounded, so next to a power of ten the guess may be off by one.
    if whole >= _TEN17:
        ten += 1
        whole, fraction = _scaled(mantissa << U(11), two - 11, 16 - ten)
    elif whole < _TEN16:
        ten -= 1
        whole, fraction = _scaled(mantissa << U(11), two - 11, 16 - ten)
    rest = np.float64(fraction) * 5.421010862427522e-20
    # Half a unit of the last binary place; a power of two has a nearer neighbour below.
    half = 0.5 * (np.float64(whole) + rest) / m * (1.0 - 1e-9)
    if edge:
        half *= 0.5
    # Chosen without branches: which one it is looks random to the processor.
    hundreds, gap_100 = _nearest_multiple(whole, rest, U(100))
    tens, gap_10 = _nearest_multiple(whole, rest, U(10))
    digits = whole + (U(1) if rest >= 0.5 else U(0))
    digits = tens if gap_10 < half else digits
    return (hundreds if gap_100 < half else digits), ten


@jit
def _write(out: Any, at: Any, x: Any) -> Any:
    """Write one number; return the position after it."""
    if x != x:
        out[at], out[at + 1], out[at + 2] = 110, 97, 110
        return at + 3
    if np.float64(x).view(np.uint64) >> U(63):
        out[at] = _MINUS
        at += 1
        x = -x
    if x == np.inf:
        out[at], out[at + 1], out[at + 2] = 105, 110, 102
        return at + 3
    if x == 0.0:
        out[at] = _ZERO
        return at + 1
    digits, ten = shortest(x)
    if digits >= _TEN17:
        digits //= U(10)
        ten += 1
    if -5 <= ten < 16:
        return _write_plain(out, at, digits, ten)
    return _write_scientific(out, at, digits, ten)


@inlined
def _eight_digits(number: Any) -> Any:
    """Return the eight ASCII digits of a number below 10^8, the first in the lowest byte.

    All eight are found at once: two groups of four, four of two, eight of one, each in its own bits.
    """
    four = number // U(10_000)
    pack = four | ((number - four * U(10_000)) << U(32))
    two = ((pack * U(10_486)) >> U(20)) & U(0x0000007F0000007F)
    pack = two | ((pack - two * U(100)) << U(16))
    one = ((pack * U(103)) >> U(10)) & U(0x000F000F000F000F)
    return (one | ((pack - one * U(10)) << U(8))) + U(0x3030303030303030)


@inlined
def _put_digits(out: Any, start: Any, digits: Any) -> Any:
    """Write seventeen digits."""
    at = U(start)
    first = digits // _TEN16
    rest = digits - first * _TEN16
    middle = rest // U(100_000_000)
    out[at] = np.uint8(first) + _ZERO
    put_eight(out, at + U(1), _eight_digits(middle))
    put_eight(out, at + U(9), _eight_digits(rest - middle * U(100_000_000)))


@inlined
def _without_zeros(out: Any, at: Any, digits: Any, first: Any) -> Any:
    """Return the end of digits that stop at a position, zeros at their end left out, no earlier than first."""
    # One zero or none is as likely as not in measured data, so it is not left to a branch.
    hundreds = digits % U(100) == U(0)
    at = max(at - np.int64(digits % U(10) == U(0)) - np.int64(hundreds), first)
    if hundreds:
        while at > first and out[at - 1] == _ZERO:
            at -= 1
    return at


@inlined
def _write_plain(out: Any, at: Any, digits: Any, ten: Any) -> Any:
    if ten < 0:
        out[at], out[at + 1] = _ZERO, _POINT
        for place in range(at + 2, at + 1 - ten):
            out[place] = _ZERO
        at += 1 - ten
        _put_digits(out, at, digits)
        return _without_zeros(out, at + 17, digits, at + 1)
    # Written one place to the right, then the whole part moves left to make room for the point.
    _put_digits(out, at + 1, digits)
    for place in range(at, at + ten + 1):
        out[place] = out[place + 1]
    out[at + ten + 1] = _POINT
    end = _without_zeros(out, at + 18, digits, at + ten + 2)
    return end - 1 if end == at + ten + 2 else end


@jit
def _write_scientific(out: Any, at: Any, digits: Any, ten: Any) -> Any:
    _put_digits(out, at + 1, digits)
    out[at] = out[at + 1]
    out[at + 1] = _POINT
    end = _without_zeros(out, at + 18, digits, at + 2)
    at = at + 1 if end == at + 2 else end
    out[at] = _E
    out[at + 1] = _MINUS if ten < 0 else _PLUS
    power = abs(ten)
    at += 2
    if power >= 100:
        out[at] = np.uint8(power // 100) + _ZERO
        at += 1
    out[at] = np.uint8(power // 10 % 10) + _ZERO
    out[at + 1] = np.uint8(power % 10) + _ZERO
    return at + 2


@jit
def write_rows(time: Any, values: Any, cell_size: Any, separator: Any, out: Any) -> Any:
    """Write rows of text: time, then cells of ``cell_size`` numbers joined by commas.

    Parameters
    ----------
    time : (n,) float
    values : (n, n_numbers) float
    cell_size : int
    separator : uint8
        Between cells.
    out : (n * (n_numbers + 1) * WIDEST,) uint8

    Returns
    -------
    length : int
        Bytes written.
    """
    at = 0
    for row in range(len(time)):
        at = _write(out, at, time[row])
        # Counted rather than divided: a remainder would take as long as the digits.
        left = 0
        for column in range(values.shape[1]):
            if left == 0:
                out[at] = separator
                left = cell_size
            else:
                out[at] = _COMMA
            left -= 1
            at = _write(out, at + 1, values[row, column])
        out[at] = _NEWLINE
        at += 1
    return at
