"""Surfaces of a model's bones, where their files are found: beside the model, in its folder Geometry, or where told."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path, PureWindowsPath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from borelli.errors import BorelliError, MissingInputError, warn
from borelli.io.meshes import load_mesh
from borelli.results.saving.manifest import file_hash, note_in_manifest

Surfaces = dict[str, list[tuple[NDArray[np.float64], NDArray[np.int64]]]]
GEOMETRY = "geometry"
"""Attribute of a result: of each body, the files that show it and how they are stretched."""
SURFACES = "surfaces"
"""In the manifest of a result: folders, relative to its own, where files of surfaces were found, and their hashes."""
# What a page reads at most, whatever a model names: it draws 24,000 triangles of them.
_MOST_FILES = 400
_MOST_BYTES = 200_000_000


def find_meshes(
    told: object, folders: Sequence[Path], wanted: bool, known: Mapping[str, str] | None = None
) -> Surfaces:
    """Read the surfaces of bodies that are found, stretched as the model says.

    Parameters
    ----------
    told : mapping of body to list of (file, scale)
        As a result says (attribute ``geometry``). Of each file only its name counts: a model cannot have files from
        elsewhere opened.
    folders : sequence of Path
        Where to look, in this order.
    wanted : bool
        Whether the user asked for them: then it is told what is missing.
    known : mapping of file name to hash, optional
        Takes only files whose content is known, and tells which are not there any more.
    """
    found: Surfaces = {}
    missing, refused, opened, size = [], [], 0, 0
    for body, file, scale in _listed(told):
        place = _found(file, folders)
        if place is None:
            missing.append(file)
            continue
        opened, size = opened + 1, size + place.stat().st_size
        if opened > _MOST_FILES or size > _MOST_BYTES:
            refused.append(
                f"{file} and those after it: more than {_MOST_FILES} files or {_MOST_BYTES // 10**6} MB"
            )
            break
        if known is not None and file_hash(place) != known.get(place.name):
            missing.append(file)
            continue
        try:
            mesh = load_mesh(place)
        except BorelliError as error:
            refused.append(f"{file}: {error.what}")
            continue
        found.setdefault(body, []).append((mesh.points * scale, mesh.triangles))
    _tell(refused, "surfaces of bones are not drawn")
    if wanted:
        _tell(missing, "surfaces of bones were not found")
    elif known:
        gone = [file for file in missing if PureWindowsPath(file).name in known]
        _tell(gone, "surfaces of bones are not what and where they were; name their folder (--geometry DIR)")
    return found


def remember_places(folder: Path, told: object, places: Sequence[Path]) -> None:
    """Note in the manifest of a result where the surfaces of its bones were found, for its next page.

    The manifest may come from a stranger, who must not have other files opened: so it tells their content as well.
    """
    files = {path.name: path for _, file, _ in _listed(told) if (path := _found(file, places)) is not None}
    if not files:
        return
    try:
        own = [Path(os.path.relpath(path.resolve().parent, folder.resolve())) for path in files.values()]
    except ValueError:  # on another drive, to which no relative path leads
        return
    note = {
        "folders": list(dict.fromkeys(each.as_posix() for each in own)),
        "files": {name: file_hash(path) for name, path in files.items()},
    }
    note_in_manifest(folder, SURFACES, note)


def remembered_places(folder: Path, manifest: Mapping[str, Any]) -> tuple[list[Path], dict[str, str]]:
    """Folders where surfaces were found, and the hash of each file; none where the manifest knows of none."""
    note = manifest.get(SURFACES)
    if not isinstance(note, dict):
        return [], {}
    folders, files = note.get("folders"), note.get("files")
    if not isinstance(folders, list) or not isinstance(files, dict):
        return [], {}
    places = [folder / each for each in folders if isinstance(each, str) and "\0" not in each]
    return places, {str(name): str(digest) for name, digest in files.items()}


def named_folder(folder: str | os.PathLike[str] | None) -> list[Path]:
    """Return the folder that a user names, if it is one."""
    if folder is None:
        return []
    place = Path(folder)
    if not place.is_dir():
        raise MissingInputError(
            f"There is no folder {str(place)!r}.",
            where="--geometry",
            remedy="name the folder that holds the model's .vtp, .stl or .obj files",
        )
    return [place]


def beside(model: Path) -> list[Path]:
    """Where OpenSim looks for the files of a model: its folder, and the folder Geometry in it."""
    return [model.parent, model.parent / "Geometry"]


def _listed(told: object) -> list[tuple[str, str, NDArray[np.float64]]]:
    if not isinstance(told, Mapping):
        return []
    rows: list[tuple[str, str, NDArray[np.float64]]] = []
    for body, files in told.items():
        for entry in files if isinstance(files, list) else []:
            row: Any = entry
            if isinstance(row, list) and len(row) == 2 and isinstance(row[0], str):
                scale = np.asarray(row[1], dtype=float)
                if scale.shape == (3,) and np.isfinite(scale).all():
                    rows.append((str(body), row[0], scale))
    return rows


def _found(file: str, folders: Sequence[Path]) -> Path | None:
    # Models of other systems write backslashes and whole paths: the last part is the name.
    name = PureWindowsPath(file).name
    if not name or name.startswith("."):
        return None
    return next((folder / name for folder in folders if (folder / name).is_file()), None)


def _tell(names: list[str], what: str) -> None:
    if names:
        shown = "; ".join(names[:3]) + (f"; and {len(names) - 3} more" if len(names) > 3 else "")
        warn(f"{len(names)} {what}: {shown}")
