"""The back end that the analyses compute with, and what the user hears about it."""

from __future__ import annotations

import functools

from borelli.compiled.compile import compiled_from
from borelli.errors import UnknownNameError, warn
from borelli.kernels import backend
from borelli.kernels.backend import AUTO, LANES, NUMPY, VARIABLE, Backend, LeftToNumpy
from borelli.notice import compilation_notice


def engine() -> Backend:
    """Return the back end to compute with: lanes where they run, else NumPy with one warning.

    Raises
    ------
    UnknownNameError
        If ``BORELLI_BACKEND`` names no back end.
    """
    name = backend.requested()
    if name not in (AUTO, LANES, NUMPY):
        raise UnknownNameError.among(
            name, "back end", (AUTO, LANES, NUMPY), where=f"environment variable {VARIABLE}"
        )
    backend.announce_compilation(compilation_notice)
    backend.announce_fallback(tell_what_is_left_to_numpy)
    chosen, reason = backend.choose()
    if reason is not None:
        _warn_once(reason)
    return chosen


@functools.cache
def _warn_once(reason: str) -> None:
    warn(
        f"Fast kernels cannot be compiled here ({reason}); NumPy computes the same results more slowly. "
        f"Set {VARIABLE}=numpy to accept this silently."
    )


def tell_what_is_left_to_numpy(left: LeftToNumpy) -> None:
    """Warn, once for each model and reason, that the fast kernels do not cover something."""
    compiled = compiled_from(left.mechanism)
    where = "a mechanism"
    if compiled is not None:
        where = f"model {compiled.model.name!r}"
        names = [repr(compiled.model.coordinate_names[k]) for k in left.coordinates]
        if names:
            where += f", coordinate{'s' if len(names) > 1 else ''} {', '.join(names)}"
    _warn_of_fallback(
        f"The fast kernels have no code for {left.reason} ({where}): NumPy computes the same numbers more "
        f"slowly. Set {VARIABLE}=numpy to accept this silently."
    )


@functools.cache
def _warn_of_fallback(message: str) -> None:
    warn(message)
