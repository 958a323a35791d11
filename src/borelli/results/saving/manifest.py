"""``result.json``: what a result folder says about itself, and which of its files are unchanged.

The manifest may come from a stranger: its shape is checked before anybody relies on it, and a file is taken as ours
because it is what the manifest says, never because the manifest names it.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from borelli.errors import FileFormatError, MissingInputError
from borelli.results.on_disk.temporary import lock
from borelli.results.on_disk.whole import whole_file
from borelli.results.saving.provenance import FORMAT, FORMAT_VERSION
from borelli.results.verdict import VERDICT, is_verdict

DATA = "result.nc"
MANIFEST = "result.json"
PAGE = "report.html"
OWN_NAMES = frozenset({DATA, MANIFEST, PAGE, "shares.parquet", "totals.csv", "cycles.parquet"})
"""Files that every result folder may have: they are replaced whatever became of the manifest."""
DAMAGED = "run the analysis again (the same command computes a damaged result anew), or restore the folder from a copy"
_SELF = "sha256"
_LONGEST_NAME = 255
"""Bytes; file systems take no more, and to look for a longer one is an error."""
# Files of any size are hashed a mebibyte at a time; a manifest (names, settings, hashes) has some kilobytes.
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


def load_manifest(folder: str | os.PathLike[str]) -> dict[str, Any]:
    """Read what ``result.json`` says about a result.

    Raises
    ------
    MissingInputError
        If there is no such folder, or it is not a result folder.
    FileFormatError
        If the manifest is damaged, or was written by a newer Borelli.
    """
    place = Path(folder)
    path = place / MANIFEST
    if not path.is_file():
        what = "is not a folder" if place.exists() else "does not exist"
        raise MissingInputError(
            f"{str(place)!r} {f'has no {MANIFEST!r}' if place.is_dir() else what}: it is not a Borelli result folder.",
            remedy="name the folder that borelli analyze, run or planar wrote (their --out), or save_result in Python",
        )
    manifest = _read(path)
    version = manifest.get("format_version") if isinstance(manifest, dict) else None
    if type(version) is int and version > FORMAT_VERSION:
        raise FileFormatError(
            f"The result has format version {version}; this Borelli reads up to {FORMAT_VERSION}.",
            where=str(path),
            remedy="update Borelli",
        )
    if not isinstance(manifest, dict) or type(version) is not int or not _is_whole(manifest):
        raise FileFormatError(
            f"The result is damaged: {MANIFEST!r} is not what Borelli writes.",
            where=str(place),
            remedy=DAMAGED,
        )
    return manifest


def _read(path: Path) -> Any:
    """Return the content of a manifest, or None where it is no JSON, or more than any manifest has."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            return None
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def _is_whole(manifest: dict[str, Any]) -> bool:
    """Whether a manifest has every part, each of the kind that readers rely on."""
    if manifest.get("format") != FORMAT or not all(isinstance(manifest.get(k), t) for k, t in _SHAPE.items()):
        return False
    times, residuals, files = manifest["times"], manifest["residuals"].values(), manifest["files"]
    inputs = manifest["inputs"].values()
    return (
        all(isinstance(text, str) for text in (*manifest["warnings"], *manifest["citations"]))
        and all(isinstance(unit, str) for unit in manifest["outputs"].values())
        and all(_is_number(times.get(key)) for key in ("count", "first_s", "last_s"))
        and all(isinstance(each, dict) for each in (*residuals, *inputs, *files.values()))
        and all(isinstance(each.get("sha256"), str) for each in inputs)
        and isinstance(manifest["versions"].get("borelli"), str)
        and all(_is_number(each.get("value")) and isinstance(each.get("unit"), str) for each in residuals)
        and all(is_file_name(name) for name in files)
        # Folders from before there was a verdict have none.
        and (VERDICT not in manifest or is_verdict(manifest[VERDICT]))
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


def manifest_text(manifest: dict[str, Any]) -> str:
    """Return the text of ``result.json``, which ends with the hash of all before it."""
    plain = {key: value for key, value in manifest.items() if key != _SELF}
    return json.dumps({**plain, _SELF: _own_hash(plain)}, indent=2, ensure_ascii=False) + "\n"


def manifest_is_genuine(manifest: dict[str, Any]) -> bool:
    """Whether nobody changed a manifest since it was written."""
    plain = {key: value for key, value in manifest.items() if key != _SELF}
    return manifest.get(_SELF) == _own_hash(plain)


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
    """What the manifest says of one file."""
    return {"sha256": file_hash(path), "bytes": path.stat().st_size}


def is_as_listed(path: Path, entry: dict[str, Any]) -> bool:
    """Whether a file is, to the last bit, the one that a manifest lists."""
    if path.is_symlink() or not path.is_file():
        return False
    size = entry.get("bytes")
    return (size is None or path.stat().st_size == size) and file_hash(path) == entry.get("sha256")


def add_to_manifest(folder: Path, name: str) -> None:
    """Enter a file that was written into a result folder later, such as its page, or enter it anew."""
    with lock(folder):
        manifest = load_manifest(folder)
        manifest["files"][name] = listed(folder / name)
        with whole_file(folder / MANIFEST) as partial:
            partial.write_text(manifest_text(manifest), encoding="utf-8")


def note_in_manifest(folder: Path, key: str, value: Any) -> None:
    """Enter something that was found out about a result later, or enter it anew."""
    with lock(folder):
        manifest = load_manifest(folder)
        manifest[key] = value
        with whole_file(folder / MANIFEST) as partial:
            partial.write_text(manifest_text(manifest), encoding="utf-8")


def is_result(folder: Path) -> bool:
    """Whether a folder holds a result, be it a damaged one, that a new result may replace."""
    manifest = _read(folder / MANIFEST)
    if not isinstance(manifest, dict):
        # A damaged manifest: only with the data beside it this was a result.
        return (folder / MANIFEST).is_file() and (folder / DATA).is_file()
    return bool(manifest.get("format") == FORMAT)


def replaceable(folder: Path) -> frozenset[str] | None:
    """Names of the files in a result folder that a new result replaces; None for any other folder.

    Beside those that every result has these are the files which are what the manifest says. Whatever else it names, and
    whatever somebody changed, is kept: a manifest from a stranger must not get anybody's files removed.
    """
    if not is_result(folder):
        return None
    manifest = _read(folder / MANIFEST)
    files = manifest.get("files") if isinstance(manifest, dict) else None
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
