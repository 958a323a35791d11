"""What the user hears while code is compiled."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator

_PATIENCE_S = 1.0

_wording = ["compiling the {kernel} kernel (once) …"]


def kept_nowhere(reason: str) -> None:
    """Have notices say why the same code will be compiled again the next time."""
    _wording[:] = [
        "compiling the {kernel} kernel (each time: " + reason.replace("{", "{{").replace("}", "}}") + ") …"
    ]


def nothing_compiles() -> None:
    """Have notices say that there is no compiler, so that waiting will not be over the next time."""
    _wording[:] = ["running the {kernel} kernel as plain Python, without a compiler (pip install numba) …"]


@contextlib.contextmanager
def compilation_notice(kernel: str) -> Iterator[None]:
    """Tell the user, on the error stream, that a kernel is being compiled, if it takes long enough to wonder."""

    def show() -> None:
        print("borelli:", _wording[0].format(kernel=kernel.replace("_", " ")), file=sys.stderr, flush=True)

    timer = threading.Timer(_PATIENCE_S, show)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
