"""Check that the files of a result are unchanged.

A result folder holds a hash of each of its files. Compares every file, the page and the manifest included, with its
saved hash, and lists which files changed and which are missing; the exit status is then 2. Files that others added
to the folder are listed and left alone.

For example

    borelli verify results/
    borelli verify study/*/results
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import borelli as bo
from borelli.errors import BorelliError, FileFormatError


def run(
    results: Annotated[list[Path], typer.Argument(metavar="RESULTS...", help="One or more result folders.")],
) -> None:
    """Compare every file with its hash."""
    folders = [folder for each in results for folder in bo.result_folders(each)]
    damaged = [folder for folder in folders if not _is_whole(folder, alone=len(folders) == 1)]
    if damaged:
        raise FileFormatError(
            f"{len(damaged)} of the results {'is' if len(damaged) == 1 else 'are'} damaged.",
            where=", ".join(map(str, damaged)),
            remedy=bo.Verification.remedy,
        )


def _is_whole(folder: Path, *, alone: bool) -> bool:
    try:
        found = bo.verify_result(folder)
    except BorelliError as error:
        if alone:
            raise  # it says what is wrong, and a folder that is no result is not a damaged one
        typer.echo(f"{folder}: {error}")
        return False
    _tell(found)
    return found.whole


def _tell(found: bo.Verification) -> None:
    typer.echo(f"{found.folder}: {len(found.sound)} files are unchanged.")
    for words, names in (
        ("changed", found.changed),
        ("missing", found.missing),
        ("not part of the result", found.others),
    ):
        if names:
            typer.echo(f"  {words}: {', '.join(names)}")
