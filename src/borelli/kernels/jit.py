"""The one way in which functions are compiled with numba: kept on disk, without the lock, exact arithmetic.

Where there is no place to keep compiled code it is compiled anew in each process.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core.options import DefaultOptions

F = TypeVar("F", bound=Callable[..., Any])


# Exact arithmetic, and infinity from a division by zero, as in NumPy.
_SETTINGS = {"nogil": True, "fastmath": False, "error_model": "numpy"}


# A version of Numba that does not know how to leave references uncounted is slower, and as right.
_COUNTS = hasattr(DefaultOptions, "_nrt")


def lean(function: F) -> F:
    """Compile a kernel that makes no arrays: references to those it is given are then not counted.

    In small loops over parts of arrays counting can take longer than the work. An array that such a kernel, or one
    that it calls without a setting of its own, tried to make would be an error at compilation.
    """
    return _kept(function, **({"_nrt": False} if _COUNTS else {}))


def inlined(function: F) -> F:
    """Compile a function into each of its callers: worth it where a call would cost as much as the work."""
    return cast("F", numba.njit(**_SETTINGS, inline="always")(function))


def jit(function: F) -> F:
    """Compile a kernel on first call; what is kept of it is renewed when any source beside it changes."""
    return _kept(function, **({"_nrt": True} if _COUNTS else {}))


def _kept(function: F, **settings: bool) -> F:
    try:
        dispatcher = numba.njit(cache=True, **_SETTINGS, **settings)(function)
    except RuntimeError:
        # Numba says so when neither the package's folder nor the user's can be written to.
        return cast("F", numba.njit(cache=False, **_SETTINGS, **settings)(function))
    _keep_honestly(dispatcher, Path(function.__code__.co_filename).parent)
    return cast("F", dispatcher)


@functools.cache
def _stamp(folder: Path) -> str:
    """Fingerprint of all sources of a folder: a kernel contains the code of those it calls."""
    digest = hashlib.sha256()
    for source in sorted(folder.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()


def _keep_honestly(dispatcher: Any, folder: Path) -> None:
    """Make a kernel's files depend on every source beside it, and let a full disk pass.

    Numba itself looks at the file of the function alone, and raises where it cannot write.
    """
    cache = dispatcher._cache
    with contextlib.suppress(AttributeError, OSError):
        cache._cache_file._source_stamp = _stamp(folder)
    save = cache.save_overload

    def save_if_possible(*arguments: Any) -> None:
        with contextlib.suppress(OSError):
            save(*arguments)

    with contextlib.suppress(AttributeError):
        cache.save_overload = save_if_possible
