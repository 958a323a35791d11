"""Files and folders written whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from borelli.errors import InvalidValueError, MissingInputError


@contextmanager
def whole_folder(folder: Path, ours: Callable[[Path], frozenset[str] | None], kind: str) -> Iterator[Path]:
    """Give a temporary folder beside `folder` to write into; at the end it takes its place.

    Whatever happens before the end, the old folder stays as it was and the temporary one is removed.

    Parameters
    ----------
    ours : function of a folder
        Names of the files in it that may be replaced, or None if the folder is not ours to touch.
        Files of other names are carried over into the new folder.
    kind : str
        What such a folder is, for the message: ``"a Borelli result folder"``.
    """
    folder = Path(os.path.realpath(folder))
    replaceable = _check_place(folder, ours, kind)
    partial = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", suffix=".part", dir=folder.parent))
    try:
        _open_to_all(partial)
        yield partial
        _put_in_place(partial, folder, replaceable)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Give a temporary name beside `path` to write to; at the end the file gets its own name."""
    check_parent(path)
    partial = path.with_name(f".{path.name}.part")
    try:
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


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


def _check_place(folder: Path, ours: Callable[[Path], frozenset[str] | None], kind: str) -> frozenset[str]:
    check_parent(folder)
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return frozenset()
    names = ours(folder) if folder.is_dir() else None
    if names is None:
        what = "holds other things" if folder.is_dir() else "is a file"
        raise InvalidValueError(
            f"{folder.name!r} exists and {what}: only {kind} is replaced.",
            where=str(folder),
            remedy="choose another name, or move what is there",
        )
    return names


def _put_in_place(partial: Path, folder: Path, replaceable: frozenset[str]) -> None:
    if not folder.exists():
        partial.rename(folder)
        return
    for entry in folder.iterdir():
        if entry.name not in replaceable and not (partial / entry.name).exists():
            copy = shutil.copytree if entry.is_dir() else shutil.copy2
            copy(entry, partial / entry.name)
    aside = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", suffix=".old", dir=folder.parent))
    try:
        folder.rename(aside / "old")
        try:
            partial.rename(folder)
        except BaseException:
            (aside / "old").rename(folder)
            raise
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _open_to_all(folder: Path) -> None:
    # mkdtemp makes folders that only their owner may enter; results are for sharing.
    umask = os.umask(0)
    os.umask(umask)
    folder.chmod(0o777 & ~umask)
