"""File names with named parts: ``data/{subject}/{condition}_{trial}.mot`` finds files and says what each part is."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from borelli.errors import FileFormatError, InvalidValueError

_PIECE = re.compile(r"\{([^{}]*)\}|(\*)|([^{}*]+)|([{}])")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# A pattern that begins at the root of a disk is refused instead of followed for hours.
MOST_FILES = 1_000_000


def part_names(pattern: str) -> tuple[str, ...]:
    """Names of the parts of a pattern, each once.

    Raises
    ------
    FileFormatError
        If a brace is left open, or encloses what is no name.
    """
    names = []
    for piece in _PIECE.finditer(pattern):
        if piece[4] is not None or (piece[1] is not None and not _NAME.fullmatch(piece[1])):
            raise FileFormatError(
                f"The pattern {pattern!r} has a brace that encloses no name.",
                remedy="write parts as {subject}, {condition} or {trial}",
            )
        if piece[1] is not None:
            names.append(piece[1])
    return tuple(dict.fromkeys(names))


def filled(pattern: str, parts: Mapping[str, str]) -> str | None:
    """Return the file name that a pattern has for these parts; None if it has a part that is not among them."""
    if any(name not in parts for name in part_names(pattern)):
        return None
    return _PIECE.sub(lambda piece: parts[piece[1]] if piece[1] is not None else piece[0], pattern)


def find_matches(
    base: Path, pattern: str, known: Mapping[str, Collection[str]]
) -> Iterator[tuple[Path, dict[str, str]]]:
    """Find the files of a pattern, in order of their names, and what each part of their names is.

    Parameters
    ----------
    base : Path
        Folder that relative patterns start from.
    pattern : str
        ``{name}`` stands for a part of a name without a slash, ``*`` for anything without a slash. A part that comes
        twice is the same both times.
    known : mapping of part to values
        The values that a part may have; of other parts the shortest that fits. So ``{condition}_{trial}`` is
        clear also where conditions hold an underscore, once they are named.
    """
    cleaned = pattern.replace("\\", "/")
    if ".." in cleaned.split("/")[1:]:
        raise InvalidValueError(
            f"The pattern {pattern!r} climbs out of the folder that it entered.",
            remedy="begin it with the folders to climb",
        )
    part_names(cleaned)
    folders = cleaned.split("/")
    fixed = [name for name in _plain_head(folders)]
    start = base.joinpath(*fixed) if not cleaned.startswith("/") else Path("/", *fixed)
    rest = "/".join(folders[len(fixed) + cleaned.startswith("/") :])
    matcher = re.compile(_expression(rest, known))
    depth = rest.count("/")
    seen = 0
    for folder, inner, names in os.walk(start):
        inner.sort()
        here = Path(folder).relative_to(start)
        level = len(here.parts)
        if level >= depth:
            inner.clear()
        if level != depth:
            continue
        for name in sorted(names):
            seen += 1
            if seen > MOST_FILES:
                raise InvalidValueError(
                    f"More than {MOST_FILES} files lie where {pattern!r} looks.",
                    remedy="name the folders of the study more closely",
                )
            found = matcher.fullmatch((here / name).as_posix())
            if found is not None:
                yield Path(folder, name), found.groupdict()


def _plain_head(folders: list[str]) -> Iterator[str]:
    """Folders before the first that has a part or a star."""
    for name in folders[:-1]:
        if "{" in name or "*" in name:
            return
        if name:
            yield name


def _expression(pattern: str, known: Mapping[str, Collection[str]]) -> str:
    text, used = "", set()
    for piece in _PIECE.finditer(pattern):
        name, star, literal = piece[1], piece[2], piece[3]
        if star:
            text += "[^/]*"
        elif literal:
            text += re.escape(literal)
        elif name in used:
            text += f"(?P={name})"
        else:
            used.add(name)
            # The longest first, so that "walk_fast" is not taken for "walk".
            values = sorted(known.get(name, ()), key=len, reverse=True)
            text += f"(?P<{name}>{'|'.join(map(re.escape, values)) or '[^/]+?'})"
    return text
