"""A table of trials (.csv, .xlsx): one row a trial, one column for each part of its name and each of its files."""

from __future__ import annotations

import io
import math
import os
from pathlib import Path
from typing import Any

from borelli.errors import FileFormatError, MissingInputError, UnknownNameError
from borelli.io.text.files import read_bytes
from borelli.records import dataclass

_PARTS = ("subject", "condition", "trial")
FILES = ("model", "motion", "markers", "loads", "tensions", "events")
COLUMNS = (*_PARTS, *FILES, "mass", "groups")
# A row has some hundred bytes: room for every trial of a large study, and a bound for other files.
_LARGEST_BYTES = 100_000_000


@dataclass(frozen=True)
class Row:
    """What a row says: parts of the trial's name, its files as they are named, mass (kg) and groups of the subject."""

    parts: dict[str, str]
    files: dict[str, str]
    mass: float | None = None
    groups: tuple[str, ...] = ()


def read_trial_table(path: str | os.PathLike[str]) -> list[Row]:
    """Read a table of trials; empty cells are what is not given.

    Raises
    ------
    UnknownNameError
        If it has a column that means nothing.
    FileFormatError
        If it has no column ``subject``, a row without a subject, or a mass that is none.
    """
    frame = read_frame(Path(path), "a table of trials (.csv, .xlsx)")
    for name in frame.columns:
        if name not in COLUMNS:
            raise UnknownNameError.among(name, "column of a table of trials", COLUMNS, where=os.fspath(path))
    if "subject" not in frame.columns or not {"motion", "markers"} & set(frame.columns):
        raise FileFormatError(
            "A table of trials needs a column 'subject', and one of 'motion' and 'markers'.",
            where=os.fspath(path),
            remedy=f"columns are {', '.join(COLUMNS)}",
        )
    return [
        _row({name: str(value).strip() for name, value in row.items()}, f"{os.fspath(path)}, row {number}")
        for number, row in enumerate(frame.to_dict("records"), start=2)
    ]


def _row(cells: dict[str, str], where: str) -> Row:
    if not cells["subject"]:
        raise FileFormatError("A trial has no subject.", where=where)
    mass = None
    if cells.get("mass"):
        try:
            mass = float(cells["mass"])
        except ValueError:
            mass = math.nan
        if not 0.0 < mass < math.inf:
            raise FileFormatError(
                f"The mass {cells['mass']!r} is not a positive number (kg).",
                where=where,
                remedy="give kilograms",
            )
    groups = tuple(word.strip() for word in cells.get("groups", "").split(";") if word.strip())
    return Row(
        {name: cells[name] for name in _PARTS if cells.get(name)},
        {name: cells[name] for name in FILES if cells.get(name)},
        mass,
        groups,
    )


def read_frame(path: Path, expected: str) -> Any:
    """Read a table (.csv, .xlsx) as text, whatever its cells look like; empty cells are empty."""
    # Loaded here, because a study of patterns needs no table.
    import pandas as pd

    content = io.BytesIO(read_bytes(path, expected, _LARGEST_BYTES))
    as_text: dict[str, Any] = {"dtype": str, "keep_default_na": False}
    try:
        if path.suffix.casefold() == ".xlsx":
            frame = pd.read_excel(content, **as_text)
        else:
            frame = pd.read_csv(content, sep=None, engine="python", encoding="utf-8-sig", **as_text)
    except ImportError as error:
        raise MissingInputError(
            "Excel files are read by openpyxl, which is not installed.",
            where=os.fspath(path),
            remedy="pip install 'borelli[excel]', or save the table as .csv",
        ) from error
    except Exception as error:  # whatever pandas and openpyxl say of a file that is none
        raise FileFormatError(
            f"The table cannot be read: {' '.join(str(error).split())[:200]}.", where=os.fspath(path)
        ) from error
    frame.columns = [str(name).strip() for name in frame.columns]
    return frame.fillna("")
