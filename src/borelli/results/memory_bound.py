"""A bound on the memory that a library may take for a file, whatever the file says of itself.

A ``result.nc`` whose hash was forged can make the HDF5 library ask for gigabytes: lengths of its labels are numbers in
the file, and memory for them is taken before they are looked at. No setting of HDF5 bounds that, the system can.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path

_MEMORY = Path("/proc/self/statm")
ROOM = 512 << 20
"""Bytes for the library itself: modules that it loads, caches, copies of small arrays."""
_TIMES_THE_FILE = 64
"""Coordinates are read when a file is opened; those with many values pack at most so well."""
_TIGHTEST = 1032
"""Deflate makes nothing smaller than this many times."""


@contextlib.contextmanager
def bounded_memory(n_bytes: int) -> Iterator[None]:
    """Let this process take so many more bytes (and :data:`ROOM`) inside; beyond that, memory is refused.

    Nothing is bounded while other threads run, whose memory would be refused as well, nor on systems that do not say
    how much memory a process has (all but Linux).
    """
    try:
        # Loaded here: Windows does not have it.
        import resource

        now = int(_MEMORY.read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    except (ImportError, OSError, ValueError, IndexError):
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = now + n_bytes + ROOM
    is_tighter = soft != resource.RLIM_INFINITY and soft <= wanted
    if is_tighter or threading.active_count() > 1:
        yield
        return
    resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def to_open(path: Path) -> int:
    """Return the bytes that opening a file may take."""
    return _TIMES_THE_FILE * path.stat().st_size


def to_read(path: Path, declared: int) -> int:
    """Return the bytes that reading a file may take.

    Parameters
    ----------
    path : pathlib.Path
    declared : int
        Bytes of all its arrays, by the shapes that it states.

    Raises
    ------
    ValueError
        If no file of its size can hold as much.
    """
    size = path.stat().st_size
    if declared > _TIGHTEST * size:
        raise ValueError(f"{size:,} bytes cannot hold arrays of {declared:,} bytes")
    # Once as it comes from the file, once in the order and type that is wanted.
    return 2 * declared + to_open(path)
