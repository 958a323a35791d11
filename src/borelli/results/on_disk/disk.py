"""What the system says and does about writing: its errors in our words, what is on disk, two names exchanged."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import functools
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from borelli.errors import BorelliError, WriteError

_REMEDIES = {
    errno.ENOSPC: "free some space, or choose another place",
    errno.EDQUOT: "your disk quota is used up: free some space, or choose another place",
    errno.EFBIG: "the file is larger than may be written there: choose another place",
    errno.EROFS: "choose a place that is not read-only",
    errno.EACCES: "choose a place that you may write to",
    errno.EPERM: "choose a place that you may write to",
    errno.ENAMETOOLONG: "choose a shorter name",
    errno.EISDIR: "there is a folder of that name: choose another, or move it",
    errno.ENOTDIR: "a part of the path is a file: choose another place",
    errno.EMFILE: "too many files are open: close some programs, or raise the limit (ulimit -n)",
    errno.ENOENT: "the folder was removed meanwhile: make it again",
}
_READ_REMEDY = "ask its owner for the permission, or choose another place"
# Windows: access denied, sharing violation, lock violation. Another program has the file open.
_HELD = (5, 32, 33)
_HELD_REMEDY = (
    "another program has it open (a spreadsheet, a viewer, a virus scanner): close it there, then try again"
)
_PATIENCE_S = (0.05, 0.1, 0.2, 0.4)
"""Pauses between attempts to rename a file that another program holds, as virus scanners do for a moment."""
_SWAP = 2
"""RENAME_EXCHANGE of Linux, and RENAME_SWAP of macOS."""
_AT_CWD = -100
"""AT_FDCWD of Linux: names begin at the working folder."""


def write_error(error: OSError, place: str | os.PathLike[str], what: str = "written") -> WriteError:
    """Build the error for what the system refused to do with a file, with the remedy for its reason.

    Parameters
    ----------
    error : OSError
        What the system said.
    place : path
        The file or folder.
    what : str
        What could not be done with it.

    Examples
    --------
    >>> print(bo.write_error(OSError(28, "No space left on device"), "walk.mot"))
    'walk.mot' could not be written: No space left on device.
      Where:   walk.mot
      Remedy:  free some space, or choose another place
    """
    name = os.path.basename(os.fspath(place)) or os.fspath(place)
    found = WriteError(
        f"{name!r} could not be {what}: {_reason(error)}.",
        where=os.fspath(place),
        remedy=_HELD_REMEDY
        if is_held(error)
        else _READ_REMEDY
        if what != "written" and error.errno in (errno.EACCES, errno.EPERM)
        else _REMEDIES.get(error.errno or 0, "check the disk, or choose another place"),
    )
    found.errno = error.errno
    return found


def is_held(error: OSError) -> bool:
    """Whether Windows refused because another program has the file open."""
    return getattr(error, "winerror", None) in _HELD


def give_name(partial: Path, path: Path) -> None:
    """Give a finished file its name, in place of what has it; wait a moment for programs that hold it (Windows)."""
    for pause in _PATIENCE_S:
        try:
            os.replace(partial, path)
            return
        except PermissionError as error:
            if not is_held(error):
                raise
            time.sleep(pause)
    os.replace(partial, path)


def _reason(error: OSError) -> str:
    text = error.strerror or str(error) or type(error).__name__
    # Libraries add numbers and places of their own, which say nothing to a user.
    return os.strerror(error.errno) if error.errno in _REMEDIES else " ".join(text.split())[:200]


@contextmanager
def write_errors(place: str | os.PathLike[str]) -> Iterator[None]:
    """Turn every error of the system inside into one that says what could not be written, why, and what to do."""
    try:
        yield
    except OSError as error:
        if isinstance(error, BorelliError):
            raise
        raise write_error(error, place) from error


def to_disk(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk and not only in the system's memory."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except PermissionError:
        # Windows opens no folders; there a rename is as durable as it gets.
        return
    try:
        os.fsync(handle)
    except OSError as error:
        # Not every file system knows it of folders. That of a file that is lost must be told.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EROFS):
            raise
    finally:
        os.close(handle)


def tree_to_disk(folder: Path) -> None:
    """Wait until all that a folder holds is on the disk."""
    for place, _, names in os.walk(folder):
        for name in names:
            path = Path(place, name)
            if path.is_file() and not path.is_symlink():
                to_disk(path)
        to_disk(Path(place))


def exchange(one: Path, other: Path) -> bool:
    """Let two files or folders exchange their names, in one step that nothing can interrupt.

    Returns
    -------
    bool
        Whether it was done; False where the system or its file system cannot do it.
    """
    call = _exchange_call()
    return call is not None and call(os.fsencode(one), os.fsencode(other)) == 0


@functools.cache
def _exchange_call() -> Callable[[bytes, bytes], int] | None:
    with contextlib.suppress(OSError, AttributeError, TypeError):
        library = ctypes.CDLL(None)
        if sys.platform.startswith("linux"):
            rename = library.renameat2
            return lambda one, other: int(rename(_AT_CWD, one, _AT_CWD, other, _SWAP))
        if sys.platform == "darwin":
            swap = library.renamex_np
            return lambda one, other: int(swap(one, other, _SWAP))
    return None
