"""The result folder of a trial: recognised if nothing changed, whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from borelli import __version__
from borelli.errors import BorelliError, BorelliWarning
from borelli.records import dataclass
from borelli.results.saving.manifest import PAGE, is_as_listed, is_file_name, listed, load_manifest
from borelli.results.saving.provenance import FORMAT_VERSION
from borelli.results.saving.verify import verify_result

if TYPE_CHECKING:
    from borelli.results.answers import Answer
    from borelli.results.labelled.plain_result import Result

FINGERPRINT = "inputs_fingerprint"
TABLES = "opensim_tables"
"""Attribute with the tables that were written beside the folder: name, size and hash of each."""
RECIPE = "recipe"
"""Attribute of a result whose shares are left for later: what to compute them from."""


def fingerprint(inputs: Mapping[str, Path], settings: Mapping[str, Any]) -> str:
    """Digest of all that a result depends on: contents of the files, options, and the program."""
    digest = hashlib.sha256()
    for name, path in sorted(inputs.items()):
        try:
            content = path.read_bytes() if path.is_file() else b""
        except OSError:  # a name that no file can have: whoever reads it says so
            content = b""
        digest.update(f"{name}:{hashlib.sha256(content).hexdigest()}\n".encode())
    digest.update(json.dumps([__version__, FORMAT_VERSION, settings], sort_keys=True, default=str).encode())
    return digest.hexdigest()


def is_up_to_date(folder: Path, mark: str, *, explained: bool = True, page: bool = True) -> bool:
    """Whether a folder holds the whole result of the same inputs, every file to the last bit.

    Parameters
    ----------
    explained : bool
        Whether the shares and the page must be there as well.
    page : bool
        Whether the page must.
    """
    if not folder.is_dir():
        return False
    try:
        settings = load_manifest(folder)["settings"]
        later = RECIPE in settings
        if settings.get(FINGERPRINT) != mark or (later and explained):
            return False
        has_page = later or not page or (folder / PAGE).is_file()
        return has_page and _tables_are_sound(folder, settings) and verify_result(folder).whole
    except BorelliError:
        return False


def _tables_are_sound(folder: Path, settings: Mapping[str, Any]) -> bool:
    """Whether the tables beside a folder are what was written with it."""
    tables = settings.get(TABLES, {})
    return isinstance(tables, dict) and all(
        isinstance(entry, dict)
        and is_file_name(Path(name).name)
        and is_as_listed(folder.parent / Path(name).name, entry)
        for name, entry in tables.items()
    )


def tables_manifest(paths: Sequence[Path]) -> dict[str, dict[str, Any]]:
    """Describe tables for the manifest of the folder beside them."""
    return {path.name: listed(path) for path in paths}


def check_place(folder: str | os.PathLike[str]) -> None:
    """Refuse, before anything is computed, a place that a result folder may not be written to.

    Raises
    ------
    InvalidValueError, MissingInputError
        If something else is there, or its parent does not exist or may not be written to.

    Examples
    --------
    >>> bo.check_place("new_results")  # says nothing: a result may be written there
    """
    # Loaded here for the same reason as below.
    from borelli.results.on_disk.whole import check_place as check
    from borelli.results.saving.manifest import is_result

    # Which of its files are replaced is found when it is: that takes a look at every bit of them.
    check(Path(folder), lambda place: frozenset() if is_result(place) else None, "a Borelli result folder")


def save_totals(result: Result, folder: Path, inputs: Mapping[str, Path], notes: Sequence[str]) -> None:
    """Write a result folder without shares and page."""
    # Loaded here, because writing needs the Parquet library, and what is up to date is not written.
    from borelli.results.saving.save import save_result

    save_result(result, folder, inputs=inputs, warnings=notes)


def save_split(
    result: Result,
    folder: Path,
    inputs: Mapping[str, Path],
    notes: Sequence[str],
    answers: tuple[Answer, ...] | None,
) -> None:
    """Write the result folder of a split, with tables for OpenSim and scripts; given its answers, its page as well."""
    # Loaded here for the same reason.
    from borelli.io.tables.share_tables import write_share_tables
    from borelli.report.page import write_page
    from borelli.report.page_data import Saved
    from borelli.results.saving.save import save_result
    from borelli.trial.geometry import GEOMETRY, beside, find_meshes, remember_places

    def tables(partial: Path) -> None:
        write_share_tables(result, partial)

    save_result(result, folder, inputs=inputs, warnings=notes, further=tables)
    if answers is not None:
        model = inputs.get("model")
        places = [] if model is None else beside(model)
        meshes = [find_meshes(result.attrs.get(GEOMETRY), places, False)]
        write_page([folder], folder / PAGE, meshes=meshes, saved=[Saved(result, answers)])
        remember_places(folder, result.attrs.get(GEOMETRY), places)


@dataclass(frozen=True)
class Notes:
    """Warnings while a trial is computed."""

    caught: list[warnings.WarningMessage]

    @property
    def told(self) -> list[str]:
        """What Borelli warned about, each thing once."""
        own = [str(item.message) for item in self.caught if issubclass(item.category, BorelliWarning)]
        return list(dict.fromkeys(own))


@contextmanager
def noted() -> Iterator[Notes]:
    """Note all warnings, so that they can be saved with a result; in the end they are given, each once."""
    notes = Notes([])
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            notes = Notes(caught)
            yield notes
    finally:
        once = {str(item.message): item for item in notes.caught}
        for item in once.values():
            warnings.warn_explicit(item.message, item.category, item.filename, item.lineno)
