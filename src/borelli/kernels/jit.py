"""The one way in which functions are compiled with numba: cached on disk, without the lock, exact arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile a function when it is first called."""
    return numba.njit(cache=True, nogil=True)(function)


def inlined(function: F) -> F:
    """Compile a function into each of its callers."""
    return numba.njit(cache=True, nogil=True, inline="always")(function)
