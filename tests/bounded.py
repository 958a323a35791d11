"""How much memory reading takes, in units of what is read: a measure that no processor changes."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

from borelli.errors import BorelliError


def memory_per_byte(read: Callable[[], Any], n_bytes: int) -> float:
    """Return the largest memory that Python held while reading, answer or refusal, divided by the size of the input."""
    tracemalloc.start()
    try:
        read()
    except BorelliError:
        pass
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return peak / n_bytes
