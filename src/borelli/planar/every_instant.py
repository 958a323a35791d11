"""Formulas written for one instant and run on all of them.

A function that says ``for t in every_instant(n_times)`` is NumPy as it stands: `t` is a slice, and each line takes all
instants at once. Compiled, `t` is one instant after the other, and the loop turns into vector instructions that pass
over memory once instead of once a line. That is for long recordings: short ones are done before numba is loaded.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, cast

from borelli.kernels import backend
from borelli.kernels.jit import by_numba, has_numba

# Loaded where needed: numba, which takes most of a second to load.

Function = Callable[..., Any]
Way = Callable[[Function], Function]
"""How to run a function of instants: :func:`in_numpy` or :func:`compiled`."""

# Pairs of links times instants from which compiled code is used: numba takes most of a second to load, once a process.
_WORTH_COMPILING = 2**19


def every_instant(n_times: int) -> tuple[slice, ...]:
    """All instants at once; for compiled code, ``range(n_times)``."""
    return (slice(0, n_times),)


def in_numpy(function: Function) -> Function:
    """Return a function of instants as it stands."""
    return function


@functools.cache
def compiled(function: Function) -> Function:
    """Return a function of instants as machine code; the user is told if its compilation takes long."""
    _count_instants_one_by_one()
    # Points of the plane are complex numbers, which are Numba's alone.
    return cast("Function", by_numba(function))


def way_for(n_links: int, n_times: int) -> Way:
    """Choose how to run functions of instants on a recording; ``BORELLI_BACKEND=numpy`` compiles nothing."""
    is_long = n_links**2 * n_times >= _WORTH_COMPILING
    return compiled if is_long and backend.requested() != backend.NUMPY and has_numba() else in_numpy


@functools.cache
def _count_instants_one_by_one() -> None:
    from numba.extending import overload

    # The outer function chooses by types, the inner one is compiled in place of every_instant.
    overload(every_instant, inline="always")(lambda n_times: lambda n_times: range(n_times))
