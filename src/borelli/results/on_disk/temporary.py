"""Temporary names beside a target: made exclusively, locked while in use, swept once nobody uses them.

A name is drawn at random and created only if nothing has it, so that a link that somebody planted is never followed.
Whoever writes holds a lock on it, which the system releases when the process ends, however it ends: what is not locked
was left by a process that died, and the next run removes it.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

NEW, OLD = ".borelli-part", ".borelli-old"
_LEFTOVER = re.compile(r"\.(?P<target>.+)\.[a-z0-9_]{8}\.borelli-(?P<kind>part|old)", re.DOTALL)
_LONGEST = 40
"""Letters of the target's name in a temporary one: longer ones might not fit a file system."""
_FORGOTTEN_S = 86_400.0
"""Where locks are not to be had, what nobody touched for a day is nobody's."""


@contextmanager
def temporary_file(target: Path) -> Iterator[Path]:
    """Give a new, empty file beside a target, removed at the end unless it was renamed."""
    while True:
        handle, name = tempfile.mkstemp(prefix=_prefix(target), suffix=NEW, dir=target.parent)
        if _locked(handle, name):
            break
        os.close(handle)
    try:
        yield Path(name)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(name)
        os.close(handle)


@contextmanager
def temporary_folder(target: Path) -> Iterator[Path]:
    """Give a new, empty folder beside a target; whatever has its name at the end is removed."""
    while True:
        name = tempfile.mkdtemp(prefix=_prefix(target), suffix=NEW, dir=target.parent)
        try:
            handle = _opened(name)
        except FileNotFoundError:
            continue
        if handle is None or _locked(handle, name):
            break
        os.close(handle)
    try:
        yield Path(name)
    finally:
        shutil.rmtree(name, ignore_errors=True)
        if handle is not None:
            os.close(handle)


@contextmanager
def lock(place: Path) -> Iterator[None]:
    """Hold a folder or file for ourselves, as far as the system has locks; others wait."""
    handle = _opened(place)
    try:
        if handle is not None and fcntl is not None:
            with contextlib.suppress(OSError):
                fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        if handle is not None:
            os.close(handle)


def unused_name(target: Path) -> Path:
    """Return a name beside a target for what is moved out of the way."""
    name = tempfile.mkdtemp(prefix=_prefix(target), suffix=OLD, dir=target.parent)
    os.rmdir(name)
    return Path(name)


def is_temporary(path: Path) -> bool:
    """Tell whether a name is one of those that are given here."""
    return _LEFTOVER.fullmatch(path.name) is not None


def is_empty(folder: Path) -> bool:
    """Tell whether a folder holds nothing but temporary names, which another process uses or left behind."""
    return all(_LEFTOVER.fullmatch(entry.name) for entry in os.scandir(folder))


def sweep(folder: Path) -> None:
    """Remove what processes that died have left in a folder; a result that one moved out of the way is put back."""
    try:
        names = [entry.name for entry in os.scandir(folder) if _LEFTOVER.fullmatch(entry.name)]
    except OSError:
        return
    for name in names:
        with contextlib.suppress(OSError):
            _sweep(folder / name)


def _sweep(path: Path) -> None:
    about = path.lstat()
    ours = not hasattr(os, "geteuid") or about.st_uid == os.geteuid()
    if not ours or not (stat.S_ISDIR(about.st_mode) or stat.S_ISREG(about.st_mode)):
        return
    handle = _opened(path)
    try:
        # Held until all is removed: whoever has just made it and is about to lock it takes another name.
        if not _in_use(handle, about):
            _remove(path, about)
    finally:
        if handle is not None:
            os.close(handle)


def _remove(path: Path, about: os.stat_result) -> None:
    named = _LEFTOVER.fullmatch(path.name)
    if named is not None and named["kind"] == "old" and len(named["target"]) < _LONGEST:
        target = path.with_name(named["target"])
        if not os.path.lexists(target):
            path.rename(target)
            return
    if stat.S_ISDIR(about.st_mode):
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink()


def _in_use(handle: int | None, about: os.stat_result) -> bool:
    """Whether somebody holds what was opened; if not, it is ours until it is closed."""
    try:
        if handle is not None and fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return False
    except BlockingIOError:
        return True
    except OSError:
        pass
    return time.time() - about.st_mtime < _FORGOTTEN_S


def _opened(path: str | Path) -> int | None:
    try:
        return os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except PermissionError:  # Windows opens no folders
        return None


def _locked(handle: int, name: str) -> bool:
    """Lock what was just made; False if a sweeping process takes or took it away."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # no locks on this disk
        pass
    try:
        return os.path.samestat(os.fstat(handle), os.lstat(name))
    except FileNotFoundError:
        return False


def _prefix(target: Path) -> str:
    return f".{target.name[:_LONGEST]}."
