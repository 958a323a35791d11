"""How many instants one vector holds: what suits the processor, or fewer where the user says so.

All widths give the same numbers up to rounding: which products and sums are fused depends on the width. Forcing it
is for those who compare machines, and for testing on one what others will run.
"""

from __future__ import annotations

import functools
import os

import llvmlite.binding as llvm

from borelli.errors import InvalidValueError
from borelli.kernels.backend import LANES_VARIABLE

WIDTHS = (1, 2, 4, 8)


@functools.cache
def native_width() -> int:
    """Return how many instants one vector instruction handles here: 8 with AVX-512, else 4."""
    return 8 if llvm.get_host_cpu_features().get("avx512f", False) else 4


def lane_width() -> int:
    """Return the width to compute with: ``BORELLI_LANES``, else the processor's own.

    Raises
    ------
    InvalidValueError
        If ``BORELLI_LANES`` is no width, or one that this processor's instructions do not have.
    """
    text = os.environ.get(LANES_VARIABLE, "").strip()
    native = native_width()
    if not text:
        return native
    allowed = [width for width in WIDTHS if width <= native]
    remedy = (
        f"set it to {', '.join(map(str, allowed[:-1]))} or {native}, or leave it unset, which means {native}"
    )
    where = f"environment variable {LANES_VARIABLE}"
    if text not in map(str, WIDTHS):
        raise InvalidValueError(
            f"{text!r} is not a number of lanes (instants in one vector instruction).",
            where=where,
            remedy=remedy,
        )
    if int(text) > native:
        raise InvalidValueError(
            f"This processor ({llvm.get_host_cpu_name()}) handles {native} instants in one instruction, not {text}: "
            "that takes AVX-512.",
            where=where,
            remedy=remedy,
        )
    return int(text)
