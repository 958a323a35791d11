"""The one way in which functions are compiled: kept on disk, without the lock, exact arithmetic.

They are translated by :mod:`borelli.kernels.native`; what is beyond it is left to Numba.

Where there is no place to keep compiled code it is compiled anew in each process. Where there is no LLVM the same
functions run as plain Python: the same numbers, some hundred times slower.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

from borelli import notice

# Loaded where needed: llvmlite numba, which takes most of a second to load.

F = TypeVar("F", bound=Callable[..., Any])

# Exact arithmetic, and infinity from a division by zero, as in NumPy.
_SETTINGS = {"nogil": True, "fastmath": False, "error_model": "numpy"}


@functools.cache
def has_compiler() -> bool:
    """Whether LLVM can be imported here."""
    try:
        import llvmlite.binding  # noqa: F401
    # A broken installation (another NumPy, no LLVM) is as good as none.
    except Exception:
        return False
    return True


@functools.cache
def has_numba() -> bool:
    """Whether Numba can be imported here; it takes most of a second to find out."""
    try:
        import numba  # noqa: F401
    # A broken installation (another NumPy, no LLVM) is as good as none.
    except Exception:
        return False
    return True


def lean(function: F) -> F:
    """Compile a kernel that makes no arrays: references to those it is given are then not counted.

    In small loops over parts of arrays counting can take longer than the work. An array that such a kernel, or one
    that it calls without a setting of its own, tried to make would be an error at compilation.
    """
    return _kept(function, counted=False)


def inner(function: F) -> F:
    """Compile a kernel that makes no arrays and that only other kernels call: nothing is made to call it from Python.

    What turns Python's arguments into those of a kernel takes longer to compile than most kernels themselves.
    """
    return _kept(function, counted=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def shared(function: F) -> F:
    """Compile a large kernel that makes no arrays by itself, once for all kernels that call it."""
    if not has_compiler():
        return _plain(function)
    # Loaded here, because it brings llvmlite, which NumPy does without.
    from borelli.kernels.native.kernel import NativeKernel

    return cast("F", NativeKernel(function, lambda: by_numba(function, counted=False), is_shared=True))


def inlined(function: F) -> F:
    """Compile a function into each of its callers: worth it where a call would cost as much as the work."""
    if not has_compiler():
        return _plain(function)

    def make() -> Any:
        import numba

        return numba.njit(**_SETTINGS, inline="always")(function)

    # Loaded here, because it brings llvmlite, which NumPy does without.
    from borelli.kernels.native.kernel import NativeKernel

    return cast("F", NativeKernel(function, make, is_inlined=True))


def jit(function: F) -> F:
    """Compile a kernel on first call; what is kept of it is renewed when any source beside it changes."""
    return _kept(function, counted=True)


def starting_with(kernel: Callable[..., Any], *first: Any) -> Callable[..., Any]:
    """Return a kernel whose first arguments are given: tables and scratch memory that many short calls share.

    To look up types and addresses of fifty arrays takes longer than many a kernel runs, and holds Python's lock.
    """
    given = getattr(kernel, "starting_with", None)
    return functools.partial(kernel, *first) if given is None else cast("Callable[..., Any]", given(*first))


def by_numba(function: Callable[..., Any], counted: bool = True, **settings: bool) -> Any:
    """Have Numba compile a function: what :mod:`borelli.kernels.native` does not translate, such as complex numbers."""
    import numba
    from numba.core.options import DefaultOptions

    # Loaded here, because it brings numba.
    from borelli.kernels.kept_kernels import KeptKernels

    # A version of Numba that does not know how to leave references uncounted is slower, and as right.
    known = {"_nrt": counted} if hasattr(DefaultOptions, "_nrt") else {}
    dispatcher = numba.njit(**_SETTINGS, **known, **settings)(function)
    dispatcher._cache = KeptKernels(function)
    return dispatcher


def _kept(function: F, counted: bool, **settings: bool) -> F:
    if not has_compiler():
        return _plain(function)
    # Loaded here, because it brings llvmlite, which NumPy does without.
    from borelli.kernels.native.kernel import NativeKernel

    return cast("F", NativeKernel(function, lambda: by_numba(function, counted, **settings)))


def _plain(function: F) -> F:
    # Loaded here: only a process without a compiler needs it.
    from borelli.kernels.plain_python import interpreted

    notice.nothing_compiles()
    return interpreted(function)
