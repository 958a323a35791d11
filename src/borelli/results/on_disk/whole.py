"""Files and folders written whole or not at all, and on the disk before they get their names."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from borelli.errors import InvalidValueError, MissingInputError
from borelli.results.on_disk.disk import exchange, give_name, to_disk, tree_to_disk, write_errors
from borelli.results.on_disk.temporary import (
    is_empty,
    is_temporary,
    lock,
    sweep,
    temporary_file,
    temporary_folder,
    unused_name,
)


@contextmanager
def whole_folder(folder: Path, ours: Callable[[Path], frozenset[str] | None], kind: str) -> Iterator[Path]:
    """Give a temporary folder beside `folder` to write into; at the end it takes its place.

    Whatever happens before the end, the old folder stays as it was and the temporary one is removed. Both are
    exchanged in one step: a process that is killed leaves the old or the new folder under its name.

    Parameters
    ----------
    ours : function of a folder
        Names of the files in it that may be replaced, or None if the folder is not ours to touch.
        Files of other names are carried over into the new folder.
    kind : str
        What such a folder is, for the message: ``"a Borelli result folder"``.
    """
    folder = Path(os.path.realpath(folder))
    with write_errors(folder):
        sweep(folder.parent)
        replaceable = check_place(folder, ours, kind)
        with temporary_folder(folder) as partial:
            _open_to_all(partial, 0o777)
            yield partial
            _put_in_place(partial, folder, replaceable)


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Give a temporary name beside `path` to write to; at the end the file gets its own name.

    In a folder that has a temporary name itself the file goes to the disk together with that folder, not before.
    """
    check_parent(path)
    _refuse_device(path)
    alone = not is_temporary(path.parent)
    with write_errors(path):
        if alone:
            sweep(path.parent)
        with temporary_file(path) as partial:
            yield partial
            _open_to_all(partial, 0o666)
            if alone:
                to_disk(partial)
            give_name(partial, path)
        if alone:
            to_disk(path.parent)


@contextmanager
def atomic_writer(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a temporary file beside the target, which gets the target's name at the end.

    Parameters
    ----------
    path : path
        The target.

    Examples
    --------
    >>> with bo.atomic_writer("note.txt") as stream:
    ...     _ = stream.write(b"whole or not at all")
    """
    with whole_file(Path(path)) as partial, partial.open("wb") as stream:
        yield stream
        stream.flush()


def check_parent(path: Path) -> None:
    """Refuse a place whose folder does not exist or may not be written to."""
    parent = path.parent
    if not parent.is_dir():
        raise MissingInputError(
            f"The folder {str(parent)!r} does not exist.", where=str(path), remedy="make the folder first"
        )
    if not os.access(parent, os.W_OK):
        raise InvalidValueError(
            f"Nothing may be written in {str(parent)!r}.", where=str(path), remedy="choose another place"
        )


def _refuse_device(path: Path) -> None:
    """Refuse what is neither file, link nor folder: a new file would take the place of ``/dev/null`` itself."""
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return  # not there, or what writing will tell
    if not (stat.S_ISREG(mode) or stat.S_ISLNK(mode) or stat.S_ISDIR(mode)):
        raise InvalidValueError(
            f"{path.name!r} is a device or a pipe, not a file; it is not replaced.",
            where=str(path),
            remedy="name a file",
        )


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, unless they are there."""
    with write_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)


def check_place(folder: Path, ours: Callable[[Path], frozenset[str] | None], kind: str) -> frozenset[str]:
    """Refuse a place that is not ours to write to; return the names of the files that may be replaced there."""
    check_parent(folder)
    if not folder.exists() or (folder.is_dir() and is_empty(folder)):
        return frozenset()
    names = ours(folder) if folder.is_dir() else None
    if names is None:
        what = "contains other files" if folder.is_dir() else "is a file"
        raise InvalidValueError(
            f"{folder.name!r} exists and {what}: only {kind} is replaced.",
            where=str(folder),
            remedy="choose another name, or move what is there",
        )
    return names


def _put_in_place(partial: Path, folder: Path, replaceable: frozenset[str]) -> None:
    if not _took_a_free_name(partial, folder):
        for entry in _of_others(folder, replaceable, partial):
            if entry.is_dir() and not entry.is_symlink():
                shutil.copytree(entry, partial / entry.name, symlinks=True)
            else:
                shutil.copy2(entry, partial / entry.name, follow_symlinks=False)
        tree_to_disk(partial)
        with lock(folder):
            if exchange(partial, folder):
                _save_the_late(partial, folder, replaceable)
            else:
                _replace_in_two_steps(partial, folder)
    to_disk(folder.parent)


def _took_a_free_name(partial: Path, folder: Path) -> bool:
    if folder.exists():
        return False
    tree_to_disk(partial)
    try:
        partial.rename(folder)
    except OSError:
        # Another process may have finished the same folder a moment ago; anything else is an error of the disk.
        if not folder.is_dir():
            raise
        return False
    return True


def _of_others(folder: Path, replaceable: frozenset[str], partial: Path) -> list[Path]:
    """What others put into a folder, and the new one does not hold."""
    return [
        entry
        for entry in folder.iterdir()
        if entry.name not in replaceable and not os.path.lexists(partial / entry.name)
    ]


def _save_the_late(old: Path, folder: Path, replaceable: frozenset[str]) -> None:
    """Carry over what came into the old folder while the new one was finished: the old one is removed next."""
    for entry in _of_others(old, replaceable, folder):
        entry.rename(folder / entry.name)


def _replace_in_two_steps(partial: Path, folder: Path) -> None:
    """Replace a folder where names cannot be exchanged; if we die in between, the next run puts the old one back."""
    aside = unused_name(folder)
    folder.rename(aside)
    try:
        partial.rename(folder)
    except BaseException:
        aside.rename(folder)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def _open_to_all(path: Path, most: int) -> None:
    # Temporary names are made for their owner alone; results are for sharing.
    umask = os.umask(0)
    os.umask(umask)
    path.chmod(most & ~umask)
