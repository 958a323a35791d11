"""Object code kept on disk between processes.

An entry is a file named by its key: a short header with the checksum of the code, then the code. Whatever
goes wrong with the disk (no permission, no space, a damaged or foreign file) means "not cached", never an
error: the kernel is compiled again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import tempfile
from pathlib import Path

_MAGIC = b"borelli object 1\n"
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
        content = _entry(key).read_bytes()
    except (OSError, RuntimeError):  # RuntimeError: the home directory cannot be determined
        return None
    header = _header(key, content[_HEADER_BYTES:])
    return content[len(header) :] if content.startswith(header) else None


def write_object(key: str, code: bytes) -> bool:
    """Store object code under a key; return whether that succeeded.

    The file appears under its name only when it is complete, so that processes may share the directory.
    """
    temporary = None
    try:
        entry = _entry(key)
        entry.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=entry.stem, suffix=".part", dir=entry.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(_header(key, code) + code)
        os.replace(temporary, entry)
    except (OSError, RuntimeError):
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        return False
    return True


def _entry(key: str) -> Path:
    return cache_directory() / f"{key}.kernel"


def _header(key: str, code: bytes) -> bytes:
    # The key is part of the checksum: a file copied to another name is foreign there.
    return _MAGIC + hashlib.sha256(key.encode() + code).digest()
