"""``result.json``: what a result folder says about itself, and which of its files are unchanged.

The record may come from a stranger: its shape is checked before anybody relies on it, and a file is taken as ours
because it is what the record says, never because the record names it.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from borelli.errors import FileFormatError, MissingInputError
from borelli.results.provenance import FORMAT, FORMAT_VERSION
from borelli.results.temporary import lock
from borelli.results.verdict import VERDICT, is_verdict
from borelli.results.whole import whole_file

DATA = "result.nc"
RECORD = "result.json"
PAGE = "report.html"
OWN_NAMES = frozenset({DATA, RECORD, PAGE, "shares.parquet", "totals.csv", "cycles.parquet"})
"""Files that every result folder may have: they are replaced whatever became of the record."""
DAMAGED = "run the analysis again (the same command computes a damaged result anew), or restore the folder from a copy"
_SELF = "sha256"
_LONGEST_NAME = 255
"""Bytes; file systems take no more, and to look for a longer one is an error."""
# Files of any size are hashed a mebibyte at a time; a record (names, settings, hashes) has some kilobytes.
_CHUNK = 2**20
_MOST_BYTES = 2**26
_SHAPE: dict[str, type] = {
    "analysis": str,
    "settings": dict,
    "residuals": dict,
    "warnings": list,
    "citations": list,
    "inputs": dict,
    "versions": dict,
    "times": dict,
    "outputs": dict,
    "files": dict,
}


def load_record(folder: str | os.PathLike[str]) -> dict[str, Any]:
    """Read what ``result.json`` says about a result.

    Raises
    ------
    MissingInputError
        If there is no such folder, or it is not a result folder.
    FileFormatError
        If the record is damaged, or was written by a newer Borelli.
    """
    place = Path(folder)
    path = place / RECORD
    if not path.is_file():
        what = "is not a folder" if place.exists() else "does not exist"
        raise MissingInputError(
            f"{str(place)!r} {f'has no {RECORD!r}' if place.is_dir() else what}: it is not a Borelli result folder.",
            remedy="name the folder that borelli analyze, run or planar wrote (their --out), or save_result in Python",
        )
    record = _read(path)
    version = record.get("format_version") if isinstance(record, dict) else None
    if type(version) is int and version > FORMAT_VERSION:
        raise FileFormatError(
            f"The result has format version {version}; this Borelli reads up to {FORMAT_VERSION}.",
            where=str(path),
            remedy="update Borelli",
        )
    if not isinstance(record, dict) or type(version) is not int or not _is_whole(record):
        raise FileFormatError(
            f"The result is damaged: {RECORD!r} is not what Borelli writes.", where=str(place), remedy=DAMAGED
        )
    return record


def _read(path: Path) -> Any:
    """Return the content of a record, or None where it is no JSON, or more than any record has."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            return None
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def _is_whole(record: dict[str, Any]) -> bool:
    """Whether a record has every part, each of the kind that readers rely on."""
    if record.get("format") != FORMAT or not all(isinstance(record.get(k), t) for k, t in _SHAPE.items()):
        return False
    times, residuals, files = record["times"], record["residuals"].values(), record["files"]
    return (
        all(isinstance(text, str) for text in (*record["warnings"], *record["citations"]))
        and all(isinstance(unit, str) for unit in record["outputs"].values())
        and all(_is_number(times.get(key)) for key in ("count", "first_s", "last_s"))
        and all(isinstance(each, dict) for each in (*residuals, *record["inputs"].values(), *files.values()))
        and all(_is_number(each.get("value")) and isinstance(each.get("unit"), str) for each in residuals)
        and all(is_file_name(name) for name in files)
        # Folders from before there was a verdict have none.
        and (VERDICT not in record or is_verdict(record[VERDICT]))
    )


def _is_number(value: object) -> bool:
    return type(value) in (int, float)


def is_file_name(name: str) -> bool:
    """Whether a text is the name of a file in the same folder."""
    return (
        0 < len(name.encode("utf-8", "surrogatepass")) <= _LONGEST_NAME
        and name not in (".", "..")
        and not any(letter in "/\\\0" for letter in name)
    )


def record_text(record: dict[str, Any]) -> str:
    """Return the text of ``result.json``, which ends with the hash of all before it."""
    plain = {key: value for key, value in record.items() if key != _SELF}
    return json.dumps({**plain, _SELF: _own_hash(plain)}, indent=2, ensure_ascii=False) + "\n"


def record_is_genuine(record: dict[str, Any]) -> bool:
    """Whether nobody changed a record since it was written."""
    plain = {key: value for key, value in record.items() if key != _SELF}
    return record.get(_SELF) == _own_hash(plain)


def _own_hash(plain: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def file_hash(path: Path) -> str:
    """SHA-256 of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def listed(path: Path) -> dict[str, Any]:
    """What the record says of one file."""
    return {"sha256": file_hash(path), "bytes": path.stat().st_size}


def is_as_listed(path: Path, entry: dict[str, Any]) -> bool:
    """Whether a file is, to the last bit, the one that a record lists."""
    if path.is_symlink() or not path.is_file():
        return False
    size = entry.get("bytes")
    return (size is None or path.stat().st_size == size) and file_hash(path) == entry.get("sha256")


def add_to_record(folder: Path, name: str) -> None:
    """Enter a file that was written into a result folder later, such as its page, or enter it anew."""
    with lock(folder):
        record = load_record(folder)
        record["files"][name] = listed(folder / name)
        with whole_file(folder / RECORD) as partial:
            partial.write_text(record_text(record), encoding="utf-8")


def note_in_record(folder: Path, key: str, value: Any) -> None:
    """Enter something that was found out about a result later, or enter it anew."""
    with lock(folder):
        record = load_record(folder)
        record[key] = value
        with whole_file(folder / RECORD) as partial:
            partial.write_text(record_text(record), encoding="utf-8")


def is_result(folder: Path) -> bool:
    """Whether a folder holds a result, be it a damaged one, that a new result may replace."""
    record = _read(folder / RECORD)
    if not isinstance(record, dict):
        # A damaged record: only with the data beside it this was a result.
        return (folder / RECORD).is_file() and (folder / DATA).is_file()
    return bool(record.get("format") == FORMAT)


def replaceable(folder: Path) -> frozenset[str] | None:
    """Names of the files in a result folder that a new result replaces; None for any other folder.

    Beside those that every result has these are the files which are what the record says. Whatever else it names, and
    whatever somebody changed, is kept: a record from a stranger must not get anybody's files removed.
    """
    if not is_result(folder):
        return None
    record = _read(folder / RECORD)
    files = record.get("files") if isinstance(record, dict) else None
    entries = files.items() if isinstance(files, dict) else ()
    genuine = {
        name
        for name, entry in entries
        # Those that every result may have are replaced anyway, and are most of its bytes: no need to look at each.
        if name not in OWN_NAMES
        and is_file_name(name)
        and isinstance(entry, dict)
        and is_as_listed(folder / name, entry)
    }
    return OWN_NAMES | genuine
