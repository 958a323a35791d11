"""Where a rising function is zero: a bracket that secants and halvings shrink.

The loop is written out where the function is known, because a compiled kernel takes no function as an argument:

    for step in range(MOST):
        middle = guess(bracket, step)
        value = …
        bracket = narrowed(bracket, middle, value)
        if value == 0.0 or bracket.high - bracket.low <= tolerance:
            break
"""

from __future__ import annotations

import math
from typing import NamedTuple

from borelli.kernels.jit import inlined

# Every third step halves, and some sixty halvings use up all digits of a bracket.
MOST = 200


class Bracket(NamedTuple):
    """Two places and the values of the function there, the lower not above zero and the higher not below."""

    low: float
    below: float
    high: float
    above: float


@inlined
def guess(bracket: Bracket, step: int) -> float:
    """Take the secant where there is one; every third time halve, so that the bracket always shrinks."""
    low, below, high, above = bracket
    if step % 3 != 2 and -math.inf < below < above:
        return low - (high - low) * below / (above - below)
    return 0.5 * (low + high)


@inlined
def narrowed(bracket: Bracket, place: float, value: float) -> Bracket:
    """Put the value at a place inside in the stead of the end of its sign."""
    if value <= 0.0:
        return Bracket(place, value, bracket.high, bracket.above)
    return Bracket(bracket.low, bracket.below, place, value)
