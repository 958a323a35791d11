"""Normative curves from a table: joint, plane, quantity, percent of the cycle, mean and standard deviation."""

from __future__ import annotations

import csv
import io
import math
import os
from pathlib import Path

import numpy as np

from borelli.arrays import FARTHEST
from borelli.errors import FileFormatError, InvalidValueError, MissingInputError, UnknownNameError
from borelli.io.text.files import decode_text, read_bytes
from borelli.results.gait.norms import NAMES, Key, Norms

_EXPECTED = "a table of normative curves (.csv)"
_COLUMNS = ("joint", "plane", "quantity", "percent", "mean", "sd")
# All joints in percent take some hundred kilobytes: the bound is for other files, named by mistake.
_MOST_BYTES = 4_000_000
_REMEDY = f"the first line names the columns {', '.join(_COLUMNS)}; see docs/report.md"


def load_norms(path: str | os.PathLike[str]) -> Norms:
    """Read normative curves, to be drawn behind those of a page.

    Parameters
    ----------
    path : path
        Comma-separated text with the columns ``joint`` (pelvis, trunk, hip, knee, ankle, ground), ``plane`` (sagittal,
        frontal, transverse; vertical, forward and sideways of the ground), ``quantity`` (angle in degrees, moment in
        N m/kg, power in W/kg, force in body weights, pressure in cm), ``percent`` of the cycle, ``mean`` and ``sd``
        (standard deviation). Each curve needs rows from 0 to 100 per cent; between them lines are drawn.

    Raises
    ------
    FileFormatError, InvalidValueError, UnknownNameError, MissingInputError
        Naming the line that is wrong, and what it should be.

    Examples
    --------
    >>> from pathlib import Path
    >>> rows = ["joint,plane,quantity,percent,mean,sd", "knee,sagittal,angle,0,5,4", "knee,sagittal,angle,100,5,4"]
    >>> _ = Path("norms.csv").write_text(chr(10).join(rows))
    >>> list(bo.load_norms("norms.csv").bands)
    [('knee', 'sagittal', 'angle')]
    """
    name = os.fspath(path)
    text = decode_text(read_bytes(path, _EXPECTED, _MOST_BYTES), name, _EXPECTED)
    try:
        lines = list(csv.reader(io.StringIO(text), strict=True))
    except csv.Error as error:
        raise FileFormatError(f"The table cannot be read: {error}.", where=name, remedy=_REMEDY) from error
    place = _columns(lines[0] if lines else [], name)
    rows: dict[Key, list[tuple[float, float, float]]] = {}
    for number, cells in enumerate(lines[1:], start=2):
        if any(cell.strip() for cell in cells):
            key, values = _row(cells, place, f"{name}, line {number}")
            rows.setdefault(key, []).append(values)
    if not rows:
        raise MissingInputError("The table has no rows.", where=name, remedy=_REMEDY)
    return Norms(Path(name).name, {key: _band(key, own, name) for key, own in rows.items()})


def _columns(head: list[str], name: str) -> dict[str, int]:
    given = [cell.strip().casefold() for cell in head]
    missing = [column for column in _COLUMNS if column not in given]
    if missing:
        raise FileFormatError(
            f"The table has no column {missing[0]!r}.", where=f"{name}, line 1", remedy=_REMEDY
        )
    return {column: given.index(column) for column in _COLUMNS}


def _row(cells: list[str], place: dict[str, int], where: str) -> tuple[Key, tuple[float, float, float]]:
    if len(cells) <= max(place.values()):
        raise FileFormatError(f"The line has {len(cells)} cells.", where=where, remedy=_REMEDY)
    words = {column: cells[k].strip() for column, k in place.items()}
    for column, known in NAMES.items():
        if words[column].casefold() not in known:
            raise UnknownNameError.among(words[column], column, known, of="a normative table", where=where)
    numbers = []
    for column in ("percent", "mean", "sd"):
        try:
            value = float(words[column])
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise InvalidValueError(f"{column} is {words[column]!r}, which is no number.", where=where)
        if abs(value) > FARTHEST:
            raise InvalidValueError(f"{column} is {value:.1e}, which is not plausible.", where=where)
        numbers.append(value)
    percent, mean, sd = numbers
    if not 0.0 <= percent <= 100.0:
        raise InvalidValueError(f"percent is {percent:g}, outside of 0 to 100.", where=where)
    if sd < 0.0:
        raise InvalidValueError(f"sd is {sd:g}: a standard deviation is not negative.", where=where)
    joint, plane, quantity = (words[column].casefold() for column in NAMES)
    return (joint, plane, quantity), (percent, mean, sd)


def _band(key: Key, rows: list[tuple[float, float, float]], name: str) -> np.ndarray:
    """Mean and deviation at every per cent, on lines between the rows."""
    table = np.array(sorted(rows))
    where = f"{name}, curve {' '.join(key)}"
    if (np.diff(table[:, 0]) <= 0.0).any():
        twice = float(table[1:, 0][np.diff(table[:, 0]) <= 0.0][0])
        raise InvalidValueError(
            f"{twice:g} per cent is given twice.", where=where, remedy="keep one of the rows"
        )
    if table[0, 0] > 0.0 or table[-1, 0] < 100.0:
        raise MissingInputError(
            f"The curve goes from {table[0, 0]:g} to {table[-1, 0]:g} per cent.",
            where=where,
            remedy="give it from 0 to 100 per cent",
        )
    percent = np.arange(101.0)
    return np.array([np.interp(percent, table[:, 0], table[:, k]) for k in (1, 2)])
