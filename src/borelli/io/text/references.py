"""Files that a setup or a description of loads names: where they are read, and where results may be written.

Whoever runs a setup file asks for what it names: its files are read wherever they are. Writing is another matter.
A setup that came from somebody else must not make folders or overwrite tables outside its study, so that names are
names of files, and a folder outside is used only if it is there already.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from borelli.errors import FileFormatError, warn

_TABLE_ENDINGS = (".sto", ".mot", ".csv", ".tsv", ".parquet")
# Bytes in which a table ends its header.
_HEAD = 1 << 16
_LONGEST = 255
"""Bytes of a name that file systems allow."""
_LONGEST_PART = 200
"""Bytes of a name that becomes a part of others: of the result folder, and of files while they are written."""
_CLIMB = 2
"""Folders above a file that still belong to its study: trials lie in ``study/ID``, data in ``study/Data``."""


def find_file(base: str | os.PathLike[str], reference: str) -> Path:
    """Return the file that another file names; one that is not there is returned as it is named.

    Parameters
    ----------
    base : path
        The file that holds the reference; a relative reference starts at its folder.
    reference : str
        What is written there. Backslashes are taken as separators.

    Notes
    -----
    A path of another machine (``C:…walk.mot``) is looked for near the file that names it, by as much of
    its end as can be found; a name is found also where only upper and lower case differ. Both are told.
    """
    cleaned = _cleaned(base, reference)
    folder = Path(base).parent
    named = folder / cleaned
    if _is_file(named):
        return named
    for candidate in _nearby(folder, cleaned) if _absolute(cleaned) else (named,):
        found = _in_any_case(candidate)
        if found is not None:
            warn(
                f"{Path(base).name} names {reference.strip()!r}, which does not exist; {found} is read instead."
            )
            return found
    return named


def results_folder(base: str | os.PathLike[str], reference: str) -> Path:
    """Return the folder for results that a setup file names.

    Parameters
    ----------
    base : path
        The setup file; a relative reference starts at its folder.
    reference : str
        What is written there.

    Raises
    ------
    FileFormatError
        If the path climbs more than two folders, or the folder is outside the study and does not exist.
    """
    cleaned = _cleaned(base, reference)
    folder = Path(base).parent
    if _drive(cleaned) and os.name != "nt":
        beside = folder / (cleaned[2:].rstrip("/").rsplit("/", 1)[-1] or ".")
        warn(
            f"results_directory {reference.strip()!r} is a folder of another computer: results go to {beside} "
            "(--out names another folder)."
        )
        return beside
    if any(len(part.encode()) > _LONGEST for part in cleaned.split("/")):
        raise FileFormatError(
            f"results_directory {reference.strip()[:40]!r}… is longer than the name of a folder can be.",
            where=os.fspath(base),
            remedy="name a folder with --out",
        )
    named = folder / cleaned
    climbs = os.path.normpath(cleaned).split("/").count("..")
    if climbs > _CLIMB:
        raise FileFormatError(
            f"results_directory {reference.strip()!r} goes {climbs} folders up; nothing is written there.",
            where=os.fspath(base),
            remedy="name a folder with --out, or at most two folders above the setup file",
        )
    if _is_folder(named) or _within(named, folder):
        return named
    raise FileFormatError(
        f"results_directory {reference.strip()!r} is outside the study folder of the setup file and does not exist.",
        where=os.fspath(base),
        remedy="name a folder with --out, make the folder, or write a path relative to the setup file",
    )


def file_name(name: str, what: str, where: str) -> str:
    """Return a name that becomes the name of a file, or a part of it.

    Raises
    ------
    FileFormatError
        If it would lead to another folder, or cannot be a name. A name that begins with a point is one of the system's
        own: shells and programs read files called so without being asked.
    """
    if name.startswith(".") or any(letter in "/\\:\x00" or ord(letter) < 32 for letter in name):
        raise FileFormatError(
            f"{what} is {name!r}, which cannot be the name of a file.",
            where=where,
            remedy="use letters, digits, blanks, points, dashes and underscores; --out names the folder",
        )
    if len(name.encode()) > _LONGEST_PART:
        raise FileFormatError(
            f"{what} is {name[:40]!r}…, {len(name):,} letters long: the names of files made of it would be too long.",
            where=where,
            remedy=f"use at most {_LONGEST_PART} letters",
        )
    return name


def refuse_to_replace(path: Path) -> None:
    """Refuse to write a table over a file that is none; the folder that a setup names may be anybody's.

    Raises
    ------
    FileFormatError
        If the file is there, has no ending of a table, and no header of one.
    """
    if path.suffix.casefold() in _TABLE_ENDINGS or not path.exists():
        return
    with open(path, "rb") as file:
        if b"endheader" in file.read(_HEAD):
            return
    raise FileFormatError(
        f"{path} exists and is not a table; it is not overwritten.",
        remedy="give the table another name, or another folder with --out",
    )


def table_name(name: str) -> str:
    """Return the name of a table's file: with ``.sto`` where it has no point, as in OpenSim, and in no other folder."""
    name = name.replace("/", "_").replace("\\", "_")
    return name if "." in name else f"{name}.sto"


def _cleaned(base: str | os.PathLike[str], reference: str) -> str:
    cleaned = reference.strip().replace("\\", "/")
    if not cleaned or "\x00" in cleaned:
        raise FileFormatError(
            "A file reference is empty or contains a zero byte.",
            where=f"{os.fspath(base)}, reference {reference.strip()!r}",
        )
    return cleaned


def _drive(cleaned: str) -> bool:
    return len(cleaned) > 1 and cleaned[1] == ":"


def _absolute(cleaned: str) -> bool:
    return cleaned.startswith("/") or _drive(cleaned)


def _within(named: Path, folder: Path) -> bool:
    """Whether a folder is below the study: its name alone decides, so that it need not exist."""
    start = Path(os.path.abspath(folder))
    # The root of a disk is nobody's study, however near it is.
    above = [place for place in start.parents[:_CLIMB] if place != Path(place.anchor)]
    return Path(os.path.abspath(named)).is_relative_to(above[-1] if above else start)


def _nearby(folder: Path, cleaned: str) -> Iterator[Path]:
    """Ends of a path, the longest first, in a folder and those just above it, the nearest first."""
    parts = [part for part in cleaned.split("/") if part not in ("", ".", "..")]
    start = Path(os.path.abspath(folder))
    folders = (folder, *start.parents[:_CLIMB])
    for first in range(1 if _drive(cleaned) else 0, len(parts)):
        for place in folders:
            yield place.joinpath(*parts[first:])


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _in_any_case(path: Path) -> Path | None:
    """Return the one file whose path differs from this at most in upper and lower case, or None."""
    if _is_file(path):
        return path
    places = [Path(path.anchor)] if path.is_absolute() else [Path()]
    for part in path.parts[1:] if path.is_absolute() else path.parts:
        places = [found for place in places for found in _named(place, part)]
        # Folders that differ in upper and lower case alone: so many are nobody's study, and each level multiplies them.
        if len(places) > 16:
            return None
    files = [place for place in places if _is_file(place)]
    return files[0] if len(files) == 1 else None


def _named(place: Path, part: str) -> list[Path]:
    """Return what a folder holds under a name: exactly that, else in another case."""
    exact = place / part
    try:
        if part == ".." or exact.exists():
            return [exact]
        return [entry for entry in place.iterdir() if entry.name.casefold() == part.casefold()]
    except OSError:
        return []
