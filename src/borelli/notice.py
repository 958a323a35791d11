"""What the user hears while code is compiled: one line for all of it."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator

_PATIENCE_S = 1.0
_ONCE = "preparing kernels for this processor, once"

_wording = [_ONCE]
_listeners: list[Callable[[str], None]] = []
_heard = [0]
"""Kernels prepared in this process; the line is for the first that takes long enough to wonder"""
_shown = threading.Event()


def kept_nowhere(reason: str) -> None:
    """Have the line say why the same code will be compiled again the next time."""
    _wording[:] = [f"preparing kernels for this processor, each time ({reason})"]


def nothing_compiles() -> None:
    """Have the line say that there is no compiler, so that waiting will not be over the next time."""
    _wording[:] = ["running kernels as plain Python, without a compiler (pip install llvmlite)"]


@contextlib.contextmanager
def told_to(listener: Callable[[str], None]) -> Iterator[None]:
    """Have a progress display told what is being prepared, in place of the line."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


@contextlib.contextmanager
def compilation_notice(kernel: str) -> Iterator[None]:
    """Tell the user that a kernel is being prepared: a progress display at once, or one line if it takes long."""
    _heard[0] += 1
    name = kernel.replace("_", " ").strip()
    for listener in _listeners:
        listener(f"{_wording[0]}: {_heard[0]}, {name}")

    def show() -> None:
        if not _listeners and not _shown.is_set():
            _shown.set()
            print(f"borelli: {_wording[0]} …", file=sys.stderr, flush=True)

    timer = threading.Timer(_PATIENCE_S, show)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
