"""Text to numbers: rows of decimals, correctly rounded.

Up to nineteen digits w and a power of ten e give x = w 10^e. Small cases are exact in float64
arithmetic [Clinger 1990]; the others take the product of w with 128 bits of the power of ten, which
decides the rounding unless it lies within a few units of the last of those bits [Lemire 2021]. The
undecided few are listed, for the caller to convert with all digits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from borelli.kernels.decimal_powers import EXACT, EXPONENT, HIGH, LARGEST, LOW, SMALLEST
from borelli.kernels.jit import inlined, jit
from borelli.kernels.wide import multiply_128

U = np.uint64
_TWO53 = U(1 << 53)
_FRACTION = U((1 << 52) - 1)
_TOP = U(1 << 63)
_NEAR = U(8)
MOST_UNDECIDED = 65_536

_TAB, _NEWLINE, _RETURN, _BLANK = 9, 10, 13, 32
_PLUS, _COMMA, _MINUS, _POINT, _ZERO, _NINE = 43, 44, 45, 46, 48, 57

DECIDED, UNDECIDED, NO_NUMBER = 0, 1, 2


@jit
def _from_decimal(digits: Any, ten: Any) -> Any:
    """Return the float64 next to digits 10^ten, and whether that was decided."""
    if digits == U(0):
        return 0.0, True
    if digits <= _TWO53 and -22 <= ten <= 22:
        if ten >= 0:
            return np.float64(digits) * EXACT[ten], True
        return np.float64(digits) / EXACT[-ten], True
    if ten < SMALLEST or ten > LARGEST:
        return 0.0, False
    two = 0
    while digits < _TOP:
        digits <<= U(1)
        two -= 1
    at = ten - SMALLEST
    high, low = multiply_128(digits, HIGH[at])
    carry, _ = multiply_128(digits, LOW[at])
    total = low + carry
    if total < low:
        high += U(1)
    two += EXPONENT[at] + 128
    if high < _TOP:
        high = (high << U(1)) | (total >> U(63))
        total <<= U(1)
        two -= 1
    # high has its top bit set: 53 bits of mantissa, eleven and 64 more that decide the rounding.
    rest = high & U(0x7FF)
    if (rest == U(0x3FF) and total >= U(0) - _NEAR) or (rest == U(0x400) and total < _NEAR):
        return 0.0, False
    if rest == U(0x7FF) and total >= U(0) - _NEAR:
        return 0.0, False
    mantissa = high >> U(11)
    two += 11
    if rest >= U(0x400):
        mantissa += U(1)
        if mantissa == _TWO53:
            mantissa >>= U(1)
            two += 1
    biased = two + 1075
    if biased <= 0 or biased >= 2047:
        return 0.0, False
    bits = (U(biased) << U(52)) | (mantissa & _FRACTION)
    return np.uint64(bits).view(np.float64), True


@jit
def _word(data: Any, at: Any, end: Any) -> Any:
    """Read nan or inf; return its value, the position after it, and whether it was one."""
    if at + 3 > end:
        return 0.0, at, NO_NUMBER
    a, b, c = data[at] | 32, data[at + 1] | 32, data[at + 2] | 32
    if a == 110 and b == 97 and c == 110:
        return np.nan, at + 3, DECIDED
    if a == 105 and b == 110 and c == 102:
        return np.inf, at + 3, DECIDED
    return 0.0, at, NO_NUMBER


@jit
def _number(data: Any, at: Any, end: Any) -> Any:
    """Read one number; return its value, the position after it, and what came of it."""
    negative = False
    if at < end and (data[at] == _MINUS or data[at] == _PLUS):
        negative = data[at] == _MINUS
        at += 1
    digits, ten, seen, dropped, point = U(0), 0, 0, False, False
    while at < end:
        c = data[at]
        if _ZERO <= c <= _NINE:
            seen += 1
            if digits < U(1_000_000_000_000_000_000):
                digits = digits * U(10) + U(c - _ZERO)
                if point:
                    ten -= 1
            else:
                dropped = dropped or c != _ZERO
                if not point:
                    ten += 1
        elif c == _POINT and not point:
            point = True
        else:
            break
        at += 1
    if seen == 0:
        if point:
            return 0.0, at, NO_NUMBER
        value, at, status = _word(data, at, end)
        return (-value if negative else value), at, status
    if at < end and (data[at] | 32) == 101:
        at += 1
        below = False
        if at < end and (data[at] == _MINUS or data[at] == _PLUS):
            below = data[at] == _MINUS
            at += 1
        power: Any = 0
        seen = 0
        while at < end and _ZERO <= data[at] <= _NINE:
            if power < 100_000:
                power = power * 10 + np.int64(data[at] - _ZERO)
            seen += 1
            at += 1
        if seen == 0:
            return 0.0, at, NO_NUMBER
        ten += -power if below else power
    value, decided = _from_decimal(digits, ten)
    if dropped and decided:
        # The digits left out lie between this number and the next.
        other, decided = _from_decimal(digits + U(1), ten)
        decided = decided and other == value
    return (-value if negative else value), at, DECIDED if decided else UNDECIDED


@inlined
def _skip_blanks(data: Any, at: Any, end: Any) -> Any:
    while at < end and (data[at] == _BLANK or data[at] == _RETURN):
        at += 1
    return at


@inlined
def _skip_blanks_and_tabs(data: Any, at: Any, end: Any) -> Any:
    while at < end and (data[at] == _BLANK or data[at] == _RETURN or data[at] == _TAB):
        at += 1
    return at


@inlined
def _past_separator(data: Any, at: Any, end: Any, separator: Any, inside: Any) -> Any:
    """Return where the next number starts, or -1 where what must stand before it does not."""
    if separator == _BLANK and not inside:
        after = _skip_blanks_and_tabs(data, at, end)
        return -1 if after == at or after >= end or data[after] == _NEWLINE else after
    if at >= end or data[at] != (_COMMA if inside else separator):
        return -1
    return _skip_blanks(data, at + 1, end)


@inlined
def _past_line_end(data: Any, at: Any, end: Any, separator: Any) -> Any:
    """Return where the next line starts, or -1 where more than separators and blanks is left in this one."""
    while at < end and (
        data[at] == separator or data[at] == _TAB or data[at] == _BLANK or data[at] == _RETURN
    ):
        at += 1
    return -1 if at < end and data[at] != _NEWLINE else at + 1


@jit
def parse_rows(
    data: Any, at: Any, end: Any, n_plain: Any, cell_size: Any, separator: Any, out: Any, undecided: Any
) -> Any:
    """Read rows of numbers.

    Parameters
    ----------
    data : (n,) uint8
    at, end : int
        Where the first row starts, and where the data end.
    n_plain, cell_size : int
        Leading cells with one number, and numbers per cell (joined by commas) after them.
    separator : int
        Between cells; a blank stands for any run of blanks and tabs.
    out : (n_rows, n_numbers) float
        Receives the numbers; NaN where a cell is blank.
    undecided : (MOST_UNDECIDED, 3) int
        Receives flat index, start and end of numbers that need all their digits.

    Returns the numbers of rows and of the undecided, and -1 or the offset of what is not a regular row.
    """
    n_numbers = out.shape[1]
    row, n_undecided = 0, 0
    while True:
        at = _skip_blanks_and_tabs(data, at, end) if separator == _BLANK else _skip_blanks(data, at, end)
        if at >= end:
            return row, n_undecided, -1
        if data[at] == _NEWLINE:
            at += 1
            continue
        if row >= out.shape[0]:
            return row, n_undecided, at
        place, start = 0, at
        for column in range(n_numbers):
            if column > 0:
                # Counted rather than divided: a remainder would take as long as a number.
                inside = column > n_plain and place + 1 < cell_size
                place = place + 1 if inside else 0
                at = _past_separator(data, at, end, separator, inside)
                if at < 0:
                    return row, n_undecided, start
            start = at
            # A cell that the end of the file cuts off is not a blank cell.
            blank = at < end and ((data[at] == separator) | (data[at] == _NEWLINE))
            if blank and separator != _BLANK and cell_size == 1 and column > 0:
                value, status = np.nan, DECIDED
            else:
                value, at, status = _number(data, at, end)
            if status != DECIDED:
                if status == NO_NUMBER or n_undecided == undecided.shape[0]:
                    return row, n_undecided, start
                undecided[n_undecided] = (row * n_numbers + column, start, at)
                n_undecided += 1
            out[row, column] = value
            if separator != _BLANK:
                at = _skip_blanks(data, at, end)
        at = _past_line_end(data, at, end, separator)
        if at < 0:
            return row, n_undecided, start
        row += 1
