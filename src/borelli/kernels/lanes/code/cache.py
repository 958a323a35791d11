"""Object code kept on disk between processes.

An entry is a file named by its key: a short header with the checksum of the code, then the code. Whatever
goes wrong with the disk (no permission, no space, a damaged or foreign file) means "not cached", never an
error: the kernel is compiled again.

Code from the cache is executed. It is used only where folder and file belong to the user and nobody else may write
to them, as ssh treats keys; what has not been used for longest is removed when the folder grows too large.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from borelli import notice

_MAGIC = b"borelli object 1\n"
_SUFFIX = ".kernel"
_PART = ".part"
_LOCK = ".lock"
LARGEST_FOLDER = 1 << 30
"""Bytes of compiled code that are kept: some twenty versions of everything."""
_DAY_S = 86_400.0
"""What was left unfinished for so long is that of a dead process: compiling takes seconds."""
_HEADER_BYTES = len(_MAGIC) + hashlib.sha256().digest_size


def cache_directory() -> Path:
    """Return where compiled kernels are kept: ``BORELLI_CACHE_DIR`` or the user's cache directory."""
    chosen = os.environ.get("BORELLI_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "borelli"


def cache_key(*parts: str | bytes) -> str:
    """Return a name that changes whenever one of the parts does."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()[:32]


def read_object(key: str) -> bytes | None:
    """Return the object code stored under a key, or None where there is none that can be trusted."""
    try:
        entry = _entry(key)
        if not is_private(entry.parent) or not _is_own(entry):
            return None
        content = entry.read_bytes()
    except (OSError, RuntimeError):  # RuntimeError: the home directory cannot be determined
        return None
    header = _header(key, content[_HEADER_BYTES:])
    if not content.startswith(header):
        return None
    with contextlib.suppress(OSError):
        if time.time() - entry.stat().st_mtime > _DAY_S:
            os.utime(entry)
    return content[len(header) :]


def write_object(key: str, code: bytes) -> bool:
    """Store object code under a key; return whether that succeeded.

    The file appears under its name only when it is complete, so that processes may share the directory.
    """
    temporary = None
    try:
        entry = _entry(key)
        entry.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not is_private(entry.parent):
            return False
        handle, temporary = tempfile.mkstemp(prefix=entry.stem, suffix=_PART, dir=entry.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(_header(key, code) + code)
        os.replace(temporary, entry)
        _drop_oldest(entry.parent)
    except (OSError, RuntimeError):
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        return False
    return True


@contextlib.contextmanager
def alone_with(key: str) -> Iterator[None]:
    """Let one process at a time make the object of a key; the others wait, and then find it.

    Where files cannot be locked nobody waits, and an object may be made twice.
    """
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError, RuntimeError, ImportError):
            # Loaded here: Windows does not have it.
            import fcntl

            lock = cache_directory() / f"{key}{_LOCK}"
            lock.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if is_private(lock.parent):
                handle = os.open(lock, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW, 0o600)
                stack.callback(os.close, handle)
                fcntl.flock(handle, fcntl.LOCK_EX)
                stack.callback(lock.unlink, missing_ok=True)
        yield


def is_private(directory: Path) -> bool:
    """Whether a directory belongs to the user and nobody else may write to it; true where systems know no owners.

    If not, whoever is told of compilations also hears why nothing is kept.
    """
    if not hasattr(os, "geteuid"):
        return True
    found = directory.stat()
    if found.st_uid != os.geteuid():
        notice.kept_nowhere(f"the cache {directory} belongs to another user; set BORELLI_CACHE_DIR")
        return False
    if stat.S_IMODE(found.st_mode) & (stat.S_IWGRP | stat.S_IWOTH):
        notice.kept_nowhere(
            f"others may write to the cache {directory}; chmod go-w it, or set BORELLI_CACHE_DIR"
        )
        return False
    return True


def _is_own(entry: Path) -> bool:
    """Whether a file, not a link to one, belongs to the user and nobody else may write it.

    Others may have put files into a folder before it was closed to them.
    """
    if not hasattr(os, "geteuid"):
        return True
    found = entry.lstat()
    others = stat.S_IWGRP | stat.S_IWOTH
    return stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & others


def _drop_oldest(directory: Path) -> None:
    """Remove what was used longest ago from a directory that has grown too large, and what dead processes left."""
    now, kept = time.time(), []
    for file in directory.iterdir():
        with contextlib.suppress(OSError):
            found = file.stat()
            if file.suffix == _SUFFIX:
                kept.append((found.st_mtime, found.st_size, file))
            elif file.suffix in (_PART, _LOCK) and now - found.st_mtime > _DAY_S:
                file.unlink()
    size = sum(entry[1] for entry in kept)
    for _, own, file in sorted(kept):
        if size <= LARGEST_FOLDER:
            break
        with contextlib.suppress(OSError):
            file.unlink()
            size -= own


def _entry(key: str) -> Path:
    return cache_directory() / f"{key}{_SUFFIX}"


def _header(key: str, code: bytes) -> bytes:
    # The key is part of the checksum: a file copied to another name is foreign there.
    return _MAGIC + hashlib.sha256(key.encode() + code).digest()
