"""The one decorator of the path kernels.

Compiled code is kept on disk where there is a place to keep it; elsewhere it is compiled anew in each process.
Floating point stays exact (no ``fastmath``) and a division by zero gives infinity, as in NumPy.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def jit(function: Kernel) -> Kernel:
    """Compile a function on first call, outside the interpreter lock."""
    settings = {"nogil": True, "fastmath": False, "error_model": "numpy"}
    try:
        compiled = numba.njit(cache=True, **settings)(function)
    except RuntimeError:
        # Numba says so when neither the package's folder nor the user's can be written to.
        return cast("Kernel", numba.njit(cache=False, **settings)(function))
    _keep_honestly(compiled)
    return cast("Kernel", compiled)


def jit_inside(function: Kernel) -> Kernel:
    """Compile a function into each of its callers: worth it where a call would cost as much as the work."""
    return cast("Kernel", numba.njit(nogil=True, error_model="numpy", inline="always")(function))


@functools.cache
def _stamp() -> str:
    """Fingerprint of all sources of this package: a kernel contains the code of those it calls."""
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()


def _keep_honestly(compiled: Any) -> None:
    """Make a kernel's files depend on every source here, and let a full disk pass.

    Numba itself looks at the file of the function alone, and raises where it cannot write.
    """
    cache = compiled._cache
    with contextlib.suppress(AttributeError, OSError):
        cache._cache_file._source_stamp = _stamp()
    save = cache.save_overload

    def save_if_possible(*arguments: Any) -> None:
        with contextlib.suppress(OSError):
            save(*arguments)

    with contextlib.suppress(AttributeError):
        cache.save_overload = save_if_possible
