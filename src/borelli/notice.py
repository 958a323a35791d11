"""What the user hears while code is compiled."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator

_PATIENCE_S = 1.0


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
