"""Who computes a trial now: one at a time, and how often it was begun without an end.

A marker in the folder ``running`` is locked for as long as a trial is computed; the system releases the lock however
the process ends. A marker that nobody locks was left by a process that was killed: it holds the count of such ends, so
that a trial which brings down its workers is told from an innocent one that happened to be on a machine that died.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from borelli.records import dataclass
from borelli.results.on_disk.whole import make_folder
from borelli.studies.names import RUNNING

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

MOST_ATTEMPTS = 10
"""Times that a trial may take its process along before it is called failed."""
_LOOKS, _MOMENT_S = 10, 0.01
"""How often a marker is asked for that somebody only looks at, and how long is waited between; a look takes 0.1 ms."""


@dataclass(frozen=True)
class Running:
    """A trial that is being computed: its name, where, by which process and since when (s since 1970)."""

    name: str
    host: str
    process: int
    since_s: float


@contextmanager
def claimed(folder: Path, key: str, name: str) -> Iterator[int | None]:
    """Claim a trial; give the number of this attempt, or None where somebody else computes it now."""
    make_folder(folder / RUNNING)
    path = folder / RUNNING / f"{key}.json"
    handle = _locked(path)
    if handle is None:
        yield None
        return
    try:
        attempt = int(_content(handle).get("attempt", 0)) + 1
        _write(handle, {"attempt": attempt, "name": name, **_process()})
        yield attempt
    finally:
        # Whoever comes here was not killed: only such ends count.
        with contextlib.suppress(OSError):
            path.unlink()
        os.close(handle)


def running(folder: Path) -> list[Running]:
    """List the trials of a study that are being computed now, on any machine that shares the folder and its locks."""
    found = []
    for path in sorted((folder / RUNNING).glob("*.json")):
        try:
            handle = os.open(path, os.O_RDONLY)
        except OSError:
            continue
        try:
            if _lock(handle, alone=False):
                continue
            told = _content(handle)
            if told:
                found.append(
                    Running(
                        str(told.get("name")),
                        str(told.get("host")),
                        int(told.get("process", 0)),
                        float(told.get("since_s", 0.0)),
                    )
                )
        finally:
            os.close(handle)
    return found


def remove_forgotten(folder: Path, keys: set[str]) -> None:
    """Remove markers of trials that are done, left by processes that were killed after their last act."""
    for key in keys:
        path = folder / RUNNING / f"{key}.json"
        # Whoever lists what runs holds a marker for a moment; whoever computes holds it longer, and removes it himself.
        for _ in range(_LOOKS):
            if not path.exists():
                break
            handle = _locked(path)
            if handle is not None:
                with contextlib.suppress(OSError):
                    path.unlink()
                os.close(handle)
                break
            time.sleep(_MOMENT_S)


def _locked(path: Path) -> int | None:
    """Open and lock a marker; None where another process holds it."""
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        if not _lock(handle, alone=True):
            os.close(handle)
            return None
        try:
            # Whoever held it before may have removed the file that we opened.
            if os.path.samestat(os.fstat(handle), os.stat(path)):
                return handle
        except FileNotFoundError:
            pass
        os.close(handle)


def _lock(handle: int, alone: bool) -> bool:
    """Lock an open marker, alone or as one of several that look; False where another process holds it."""
    if fcntl is None:
        return alone
    try:
        fcntl.flock(handle, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        # No locks on this disk: results are whole and named by content, so that two of the same do no harm; and a
        # marker that cannot be looked at counts as held.
        return alone
    return True


def _content(handle: int) -> dict[str, Any]:
    try:
        os.lseek(handle, 0, os.SEEK_SET)
        found = json.loads(os.read(handle, 65_536))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _write(handle: int, content: dict[str, Any]) -> None:
    text = json.dumps(content).encode()
    # A full disk may refuse it: then attempts go uncounted, and the trial itself says what is wrong.
    with contextlib.suppress(OSError):
        os.lseek(handle, 0, os.SEEK_SET)
        os.truncate(handle, 0)
        os.write(handle, text)


def _process() -> dict[str, Any]:
    return {"host": socket.gethostname(), "process": os.getpid(), "since_s": time.time()}
