"""Spellings of a planar chain file: short names, the flat layout, and Cesari's symbols.

Every key has one full name and may have a short spelling, that of Biscarini's symbols; keys of the flat layout
(``theta``, ``J1``, ``known_tau_3``) are moved to their place. :func:`canonical` does both and refuses what it does
not know, with the nearest key.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from borelli.errors import DuplicateNameError, FileFormatError, UnknownNameError, closest_names
from borelli.io.planar.cesari import from_cesari
from borelli.io.planar.schema import SECTIONS

Path = tuple[str | int, ...]

# Short spellings, section by section: those of Biscarini (2021).
SHORT: dict[str, dict[str, str]] = {
    "": {"g": "gravity"},
    "base": {"m": "mass", "c": "com"},
    "links": {
        "l": "length",
        "m": "mass",
        "I": "inertia",
        "c": "com",
        "lC": "com_distance",
        "eps": "com_angle",
    },
    "contacts": {"lR": "distance", "eps": "angle", "R": "magnitude", "gamma": "direction"},
    "motion": {"theta": "angle", "theta_dot": "velocity", "theta_ddot": "acceleration"},
}

# Keys of the flat layout, and where they belong.
FLAT: dict[str, Path] = {
    "J1": ("base", "position"),
    "time": ("motion", "time"),
    "theta": ("motion", "angle"),
    "theta_dot": ("motion", "velocity"),
    "theta_ddot": ("motion", "acceleration"),
    "base_force": ("support", "force"),
    "base_moment_about_J1": ("support", "moment"),
    "contact_link": ("unknown_contacts", 0, "link"),
    "contact_point": ("unknown_contacts", 0, "point"),
}
_KNOWN_TORQUE = re.compile(r"known_tau_(\d{1,4})")


class Spelling:
    """Where each full key stands in the file, for messages that speak the file's own language."""

    def __init__(self) -> None:
        self._written: dict[Path, Path] = {}

    def note(self, full: Path, written: Path) -> None:
        """Remember how a key was written; twice is once too often."""
        if full in self._written:
            one, two = dotted(self._written[full]), dotted(written)
            raise DuplicateNameError(
                f"{one!r} and {two!r} mean the same.", where=two, remedy="keep one of them"
            )
        self._written[full] = written

    def written(self, full: Path) -> Path:
        """Return a path as the file writes it; the longest part that was noted decides."""
        for length in range(len(full), 0, -1):
            if full[:length] in self._written:
                return self._written[full[:length]] + full[length:]
        return full


def dotted(path: Path) -> str:
    """Write a path as ``links[0].com``."""
    shown = [step if isinstance(step, int) or step.isprintable() else repr(step) for step in path]
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in shown)
    return text.lstrip(".") or "the file"


def canonical(data: Any, spelling: Spelling) -> dict[str, Any]:
    """Return the file's content with full names, everything in its place.

    Raises
    ------
    UnknownNameError
        For a key that nothing answers to, with the nearest ones.
    DuplicateNameError
        For two spellings of one key.
    """
    if not isinstance(data, Mapping):
        raise FileFormatError(
            f"The file holds {_kind(data)}, expected an object with 'links'.",
            remedy='begin with {"links": […]}',
        )
    if "alpha" in data and "links" not in data:
        data = from_cesari(data)
    if "unknown_contacts" in data and {"contact_link", "contact_point"} & data.keys():
        raise DuplicateNameError(
            "Unknown contacts are given twice, as a list and by keys of the flat layout.",
            where="unknown_contacts, contact_link, contact_point",
            remedy="keep the list",
        )
    result: dict[str, Any] = {}
    for key, value in data.items():
        torque = _KNOWN_TORQUE.fullmatch(key)
        if torque:
            full: Path = ("known_torques", torque[1])
        elif key in FLAT:
            full = FLAT[key]
        else:
            full = (_full_name("", key, ()),)
        spelling.note(full, (key,))
        section = str(full[0])
        if len(full) == 1 and section in SECTIONS:
            value = _section(section, value, full, spelling)
        elif full == ("known_torques",) and isinstance(value, Mapping):
            for joint in value:
                spelling.note((*full, joint), (*full, joint))
        _place(result, full, value)
    return result


def _section(section: str, value: Any, path: Path, spelling: Spelling) -> Any:
    if isinstance(value, list):
        return [_section(section, item, (*path, index), spelling) for index, item in enumerate(value)]
    if not isinstance(value, Mapping):
        return value
    result = {}
    for key, item in value.items():
        full = (*path, _full_name(section, key, path))
        spelling.note(full, (*path, key))
        result[str(full[-1])] = item
    return result


def _full_name(section: str, key: str, path: Path) -> str:
    fields, short = SECTIONS[section].model_fields, SHORT.get(section, {})
    if key in fields:
        return key
    if key in short:
        return short[key]
    known = [*fields, *short, *(FLAT if not section else ())]
    raise UnknownNameError(
        f"{key!r} is not a key of {section or 'a planar chain file'}.",
        where=dotted((*path, key)),
        closest=closest_names(key, known),
        remedy=f"use one of: {', '.join(fields)}",
    )


def _place(result: dict[str, Any], path: Path, value: Any) -> None:
    """Put a value at its path; a section given as a whole and flat keys for it come together."""
    section, *rest = path
    if not rest:
        if isinstance(value, dict) and isinstance(result.get(str(section)), dict):
            value = {**result[str(section)], **value}
        result[str(section)] = value
        return
    if isinstance(rest[0], int):
        target = result.setdefault(str(section), [{}])[0]
    else:
        target = result.setdefault(str(section), {})
    if isinstance(target, dict):  # otherwise the section itself has the wrong type, which is said later
        target[str(rest[-1])] = value


def _kind(value: Any) -> str:
    names = {list: "a list", str: "text", bool: "true or false", type(None): "nothing"}
    return names.get(type(value), "a number")
