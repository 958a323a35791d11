"""Whether every file of a result is what was written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import ClassVar

from borelli.records import dataclass
from borelli.results.saving.manifest import (
    DAMAGED,
    MANIFEST,
    is_as_listed,
    load_manifest,
    manifest_is_genuine,
)


@dataclass(frozen=True, slots=True)
class Verification:
    """What became of the files of a result folder.

    Attributes
    ----------
    folder : Path
    sound, changed, missing : tuple of str
        Files that are what was written, that are not, and that are gone.
    others : tuple of str
        What lies in the folder and is no part of the result.

    Examples
    --------
    >>> folder = bo.save_result(bo.planar.analyze(bo.library.reaching_arm(), bo.library.reach()), "reach")
    >>> bo.verify_result(folder).changed
    ()
    """

    remedy: ClassVar[str] = DAMAGED
    """What to do about a damaged result."""
    folder: Path
    sound: tuple[str, ...]
    changed: tuple[str, ...]
    missing: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def whole(self) -> bool:
        """Whether every file of the result is what was written."""
        return not self.changed and not self.missing


def result_folders(place: str | os.PathLike[str]) -> list[Path]:
    """Return a result folder itself, or the result folders that another folder holds, such as that of a demo.

    Parameters
    ----------
    place : path
        A folder.

    Returns
    -------
    list of pathlib.Path
        In the order of their names; the folder itself where it holds none.

    Examples
    --------
    >>> folder = bo.save_result(bo.planar.analyze(bo.library.reaching_arm(), bo.library.reach()), "reach")
    >>> [place.name for place in bo.result_folders(folder)]
    ['reach']
    """
    place = Path(place)
    if place.is_dir() and not (place / MANIFEST).exists():
        return sorted(path.parent for path in place.glob(f"*/{MANIFEST}")) or [place]
    return [place]


def verify_result(folder: str | os.PathLike[str]) -> Verification:
    """Compare every file of a result folder, the manifest itself included, with what was written.

    Parameters
    ----------
    folder : path
        A result folder.

    Raises
    ------
    MissingInputError
        If it is not a result folder.
    FileFormatError
        If the manifest is damaged so far that nothing can be compared, or was written by a newer Borelli.

    Examples
    --------
    >>> folder = bo.save_result(bo.planar.analyze(bo.library.reaching_arm(), bo.library.reach()), "reach")
    >>> type(bo.verify_result(folder)).__name__
    'Verification'
    """
    place = Path(folder)
    manifest = load_manifest(place)
    sound: list[str] = []
    changed: list[str] = []
    missing: list[str] = []
    (sound if manifest_is_genuine(manifest) else changed).append(MANIFEST)
    for name, entry in manifest["files"].items():
        path = place / name
        if is_as_listed(path, entry):
            sound.append(name)
        elif os.path.lexists(path):
            changed.append(name)
        else:
            missing.append(name)
    known = {*sound, *changed}
    others = sorted(entry.name for entry in place.iterdir() if entry.name not in known)
    return Verification(place, tuple(sound), tuple(changed), tuple(missing), tuple(others))
