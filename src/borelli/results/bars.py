"""Ranked bars in plain text: negative ones to the left of the line, positive ones to the right."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from borelli.results.explanation import Explanation

_EIGHTHS = " ▏▎▍▌▋▊▉█"
# Letters: of 80, names, values and per cents leave some 25 cells for bars; fewer than eight tell nothing.
_LONGEST_NAME = 28
_FEWEST_CELLS = 8


def draw_bars(explanation: Explanation, width: int = 80, most: int = 20) -> list[str]:
    """Return one line a share that is not zero: name, value, percent of the total, and a bar.

    Shares beyond `most` are added up in a last line, so that the lines keep the sum.
    """
    shares = explanation.largest(most)
    if not shares:
        return ["(every share is zero)"]
    name_width = min(_LONGEST_NAME, max(len(share.source) for share in shares))
    largest = max(abs(share.value) for share in shares)
    values = [_number(share.value, largest) for share in shares]
    value_width = max(map(len, values))
    percents = ["" if math.isnan(s.percent) else _percent(s.percent) for s in shares]
    percent_width = max(map(len, percents))
    used = name_width + value_width + len(explanation.unit) + percent_width + 5
    cells = max(width - used, _FEWEST_CELLS)
    low = min(0.0, *(share.value for share in shares))
    high = max(0.0, *(share.value for share in shares))
    span = (high - low) or 1.0
    left = round((cells - 1) * -low / span)
    lines = []
    for share, value, percent in zip(shares, values, percents, strict=True):
        bar = _bar(share.value, left, cells - 1 - left, span / (cells - 1))
        name = _clipped(share.source, name_width)
        line = f"{name:<{name_width}} {value:>{value_width}} {explanation.unit} {percent:>{percent_width}}  {bar}"
        lines.append(line.rstrip())
    return lines


def _bar(value: float, left: int, right: int, per_cell: float) -> str:
    """Draw one bar around the line; only right ends have eighths, the block characters fill from the left."""
    size = abs(value) / per_cell
    if value < 0:
        filled = min(round(size), left)
        return " " * (left - filled) + "█" * filled + "│"
    whole = min(int(size), right)
    eighths = round((size - whole) * 8) if whole < right else 0
    if eighths == 8:
        whole, eighths = whole + 1, 0
    return " " * left + "│" + "█" * whole + (_EIGHTHS[eighths] if eighths else "")


def _number(value: float, largest: float) -> str:
    """Four digits of the largest number, and the same decimals for all, so that they line up."""
    # Beyond these an exponent is easier to read than zeros.
    if not 1e-3 <= largest < 1e6:
        return f"{value:+.3e}"
    decimals = max(0, 3 - math.floor(math.log10(largest)))
    return _signed(value, decimals)


def _percent(value: float) -> str:
    # More is the quotient of a total near zero, whose digits mean nothing.
    return f"{_signed(value, 1)} %" if abs(value) < 1e4 else f"{value:+.0e} %"


def _signed(value: float, decimals: int) -> str:
    """Return a number with its sign, unless it is rounded to nothing."""
    text = f"{value:+.{decimals}f}"
    return text if float(text) != 0.0 else text[1:]


def _clipped(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
