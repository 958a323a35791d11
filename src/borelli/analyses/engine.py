"""The back end that the analyses compute with, and what the user hears about it."""

from __future__ import annotations

import contextlib
import functools
import sys
import threading
import warnings
from collections.abc import Iterator

from borelli.errors import BorelliWarning, UnknownNameError
from borelli.kernels import backend
from borelli.kernels.backend import AUTO, LANES, NUMPY, VARIABLE, Backend

_PATIENCE_S = 0.5


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
