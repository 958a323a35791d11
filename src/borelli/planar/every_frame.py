"""Formulas written for one frame and run on all of them.

A function that says ``for t in every_frame(n_times)`` is NumPy as it stands: `t` is a slice, and each line takes all
frames at once. Compiled, `t` is one frame after the other, and the loop turns into vector instructions that pass over
memory once instead of once a line. That is for long recordings: short ones are done before numba is loaded.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from borelli.kernels import backend
from borelli.kernels.jit import has_compiler, jit
from borelli.notice import compilation_notice

Function = Callable[..., Any]
Way = Callable[[Function], Function]
"""How to run a function of frames: :func:`in_numpy` or :func:`compiled`."""

# Pairs of links times frames from which compiled code is used. Numba takes most of a second to load, once in a process.
_WORTH_COMPILING = 2**19


def every_frame(n_times: int) -> tuple[slice, ...]:
    """All frames at once; for compiled code, ``range(n_times)``."""
    return (slice(0, n_times),)


def in_numpy(function: Function) -> Function:
    """Return a function of frames as it stands."""
    return function


@functools.cache
def compiled(function: Function) -> Function:
    """Return a function of frames as machine code; the user is told if its compilation takes long."""
    import numba

    _count_frames_one_by_one()
    kernel: Any = jit(function)

    @functools.wraps(function)
    def run(*arguments: Any) -> Any:
        # Long recordings come in hundreds of blocks: looking at the kinds of their arrays is for the first alone.
        if not kernel.overloads:
            with compilation_notice(f"planar {function.__name__.strip('_')}"):
                kernel.compile(tuple(map(numba.typeof, arguments)))
        return kernel(*arguments)

    return run


def way_for(n_links: int, n_times: int) -> Way:
    """Choose how to run functions of frames on a recording; ``BORELLI_BACKEND=numpy`` compiles nothing."""
    is_long = n_links**2 * n_times >= _WORTH_COMPILING
    return compiled if is_long and backend.requested() != backend.NUMPY and has_compiler() else in_numpy


@functools.cache
def _count_frames_one_by_one() -> None:
    from numba.extending import overload

    # The outer function chooses by types, the inner one is compiled in place of every_frame.
    overload(every_frame, inline="always")(lambda n_times: lambda n_times: range(n_times))
