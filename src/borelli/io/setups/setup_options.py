"""Options of OpenSim's setup files, and what the command line gives in their place."""

from __future__ import annotations

import math
import os
from pathlib import Path

from borelli.errors import FileFormatError, InvalidValueError
from borelli.io.text.references import find_file, results_folder
from borelli.io.text.xml import Element
from borelli.records import dataclass

_UNASSIGNED = ("", "unassigned", "none")
OLDEST = 10500
"""Version of documents that do not say theirs."""


@dataclass(frozen=True)
class Given:
    """What the user gives in place of what the setup names, each None where the setup decides.

    Attributes
    ----------
    model, motion, loads, markers : Path or None
        Files.
    out : Path or None
        Table of an inverse dynamics, or folder of all results.
    in_degrees : bool or None
        Whether angles of the motion are in degrees, whatever its header says.
    allow_violations : bool
        Whether a motion may violate the constraints of its model.
    infeasible : str
        What comes of a load that muscles cannot balance: ``"raise"`` refuses it, ``"report"`` says where.
    loads_cutoff_hz : float or None
        Low-pass filter on the external loads; no setup has one.
    """

    model: Path | None = None
    motion: Path | None = None
    loads: Path | None = None
    out: Path | None = None
    markers: Path | None = None
    in_degrees: bool | None = None
    allow_violations: bool = False
    infeasible: str = "raise"
    loads_cutoff_hz: float | None = None


def is_empty(text: str) -> bool:
    """Whether an option says nothing: OpenSim writes ``Unassigned``."""
    return text.strip().casefold() in _UNASSIGNED


def flag(owner: Element, tag: str, default: bool) -> bool:
    """Yes or no."""
    child = owner.child(tag)
    return default if child is None or not child.text.strip() else child.flag()


def number(owner: Element, tag: str, default: float) -> float:
    """A number, which may be infinite but not NaN."""
    child = owner.child(tag)
    if child is None or not child.text.strip():
        return default
    value = child.number()
    if value != value:
        raise InvalidValueError(f"<{tag}> is not a number.", where=child.where)
    return value


def objects(holder: Element | None) -> list[Element]:
    """Objects of a set."""
    found = None if holder is None else holder.child("objects")
    return [] if found is None else list(found.children)


def span(first: float, last: float, where: str) -> tuple[float, float]:
    """First and last time (s), refused where nothing can lie between them."""
    if first > last:
        raise InvalidValueError(
            f"The start time {first:g} s is after the end time {last:g} s.",
            where=where,
            remedy="exchange them",
        )
    return first, last


def time_range(tool: Element) -> tuple[float, float]:
    """First and last time (s) that a tool names; all times where it names none."""
    times = tool.child("time_range")
    if times is None or not times.text.strip():
        return -math.inf, math.inf
    first, last = times.numbers(2)
    return span(first, last, times.where)


def version_of(root: Element) -> int:
    """Version of a document; that of the oldest where it does not say."""
    text = root.attributes.get("Version", "").strip()
    return int(text[:9]) if text.isascii() and text.isdigit() else OLDEST


def optional_file(tool: Element, tag: str, path: str | os.PathLike[str], given: Path | None) -> Path | None:
    """Return a file that the user gives or the setup names, or None."""
    text = tool.text_of(tag)
    if given is not None:
        return given
    return None if is_empty(text) else find_file(path, text)


def needed_file(
    tool: Element, tag: str, path: str | os.PathLike[str], given: Path | None, option: str
) -> Path:
    """Return a file that the user gives or the setup names."""
    found = optional_file(tool, tag, path, given)
    if found is None:
        raise FileFormatError(
            f"The setup does not name a {tag}.", where=tool.where, remedy=f"give the file with {option}"
        )
    return found


def folder_of_results(tool: Element, path: str | os.PathLike[str]) -> Path:
    """Return the folder that the setup names; its own where it names none."""
    text = tool.text_of("results_directory")
    return Path(path).parent if is_empty(text) else results_folder(path, text)


def unknown_options(tool: Element, known: frozenset[str]) -> tuple[str, ...]:
    """Options with a content that a tool does not have: misspelt, or of another version."""
    return tuple(
        child.tag
        for child in tool.children
        if child.tag not in known and (child.children or not is_empty(child.text))
    )
