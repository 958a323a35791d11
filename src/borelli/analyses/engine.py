"""The back end that the analyses compute with, and what the user hears about it."""

from __future__ import annotations

import contextlib
import functools
import sys
import threading
import warnings
from collections.abc import Iterator

from borelli.compiled.compile import compiled_from
from borelli.errors import BorelliWarning, UnknownNameError
from borelli.kernels import backend
from borelli.kernels.backend import AUTO, LANES, NUMPY, VARIABLE, Backend, LeftToNumpy

_PATIENCE_S = 1.0


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
    warnings.warn(
        f"Fast kernels cannot be compiled here ({reason}); NumPy computes the same numbers more slowly. "
        f"Set {VARIABLE}=numpy to accept this silently.",
        BorelliWarning,
        stacklevel=4,
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
    warnings.warn(message, BorelliWarning, stacklevel=3)


@contextlib.contextmanager
def compilation_notice(kernel: str) -> Iterator[None]:
    """Tell the user, on the error stream, that a kernel is being compiled, if it takes long enough to wonder."""

    def show() -> None:
        print(
            f"borelli: compiling the {kernel.replace('_', ' ')} kernel (once) …", file=sys.stderr, flush=True
        )

    timer = threading.Timer(_PATIENCE_S, show)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
