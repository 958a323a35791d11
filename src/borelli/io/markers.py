"""Recorded markers as one labelled array: metres, y up, NaN where a marker was not seen.

What capture programs leave in their files is mended here, once, and said: millimetres, Vicon's zeros for
"not seen", a subject's name before every marker, a floor that is not OpenSim's.
"""

from __future__ import annotations

import os
import re
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from borelli.errors import (
    BorelliWarning,
    DuplicateNameError,
    FileFormatError,
    InvalidValueError,
    MissingInputError,
    UnknownNameError,
    UnsupportedError,
    few,
    warn,
)
from borelli.io.c3d.recording import load_c3d
from borelli.io.c3d.up_axis import UP_AXES, turn_to_y_up
from borelli.io.load import load_table
from borelli.results.labelled.dataset import AXES, data_array, labelled, time_axis
from borelli.results.labelled.table import Cell, Table

if TYPE_CHECKING:
    import xarray as xr

Array = NDArray[np.float64]

_METRES = {
    "m": 1.0, "meter": 1.0, "meters": 1.0, "metre": 1.0, "metres": 1.0,
    "mm": 1e-3, "millimeter": 1e-3, "millimeters": 1e-3, "millimetres": 1e-3,
    "cm": 1e-2, "centimeter": 1e-2, "centimeters": 1e-2, "centimetres": 1e-2,
    "dm": 0.1, "in": 0.0254, "inch": 0.0254, "inches": 0.0254,
}  # fmt: skip

# A laboratory is smaller than this, and a set of markers on a body larger than that (m): otherwise the unit is wrong.
_LARGEST, _SMALLEST = 50.0, 0.005


@dataclass
class _Capture:
    """Markers on their way to the labelled array."""

    time: Array
    names: list[str]
    position: Array
    source: str
    notes: list[str] = field(default_factory=list)


def load_markers(
    path: str | os.PathLike[str],
    *,
    up: str | None = None,
    subject: str | None = None,
    zeros_are_gaps: bool = True,
) -> xr.DataArray:
    """Read recorded markers.

    Parameters
    ----------
    path : path
        ``.trc``, ``.c3d``, or a table (``.sto``, ``.mot``, ``.csv``, ``.parquet``) of vectors, or of columns
        ``<marker>_tx``, ``_ty``, ``_tz`` (also ``_x``, ``_y``, ``_z``).
    up : {"x", "y", "z", "-x", "-y", "-z"}, optional
        The file's axis that points up; positions are turned so that it becomes y. By default a C3D file is asked
        (``POINT:Y_SCREEN``, else its force plates), and every other file is taken as it is, as OpenSim takes it.
    subject : str, optional
        Whose markers to take where names begin with a subject (``Anna:LASI``).
    zeros_are_gaps : bool
        A marker at exactly (0, 0, 0) was not seen: so Vicon writes gaps.

    Returns
    -------
    DataArray (time, marker, axis)
        m, NaN where a marker was not seen. Attributes: ``units``, ``expressed_in``, ``source``, ``rate_hz``,
        ``up`` (the file's axis that is now y, empty where nobody said), ``notes`` (what was mended).

    Warns
    -----
    BorelliWarning
        For everything mended that changes what the file says.

    Examples
    --------
    >>> recorded = bo.load_markers(walk.markers)
    >>> recorded.dims, recorded.attrs["units"]
    (('time', 'marker', 'axis'), 'm')
    """
    capture, known_up = _read(path)
    if up is not None and up not in UP_AXES:
        raise UnknownNameError.among(up, "axis that can point up", UP_AXES, where=capture.source)
    _check_times(capture)
    _find_gaps(capture, zeros_are_gaps)
    _take_subject(capture, subject)
    _check_names(capture)
    _check_size(capture)
    up = known_up if up is None else up
    if not up:
        capture.notes.append(
            "the file does not say which axis points up; axes are kept as recorded (choose with up=)"
        )
    if up not in ("", "y"):
        capture.position = capture.position @ turn_to_y_up(up).T
        capture.notes.append(f"the file's {up} axis points up; positions were rotated so that y points up")
    told = [note for note in capture.notes if not note.startswith("the file's")]
    if told:
        warn(f"{capture.source}: " + "; ".join(told) + ".")
    return _labelled(capture, up)


def _labelled(capture: _Capture, up: str) -> xr.DataArray:
    span = float(capture.time[-1] - capture.time[0])
    return data_array(
        labelled(
            ("time", "marker", "axis"),
            capture.position,
            "m",
            "ground",
            source=os.path.basename(capture.source),
            rate_hz=(len(capture.time) - 1) / span if span > 0 else 0.0,
            up=up,
            notes=list(capture.notes),
        ),
        {"time": time_axis(capture.time), "marker": capture.names, "axis": list(AXES)},
        name="markers",
    )


def _read(path: str | os.PathLike[str]) -> tuple[_Capture, str]:
    """Return the recording in metres, and the axis that points up where the file tells (else as OpenSim: y)."""
    if Path(path).suffix.lower() == ".c3d":
        with warnings.catch_warnings():
            # Who wants markers need not know what is odd about the plates; whoever loads those is told.
            warnings.filterwarnings("ignore", r"(?s).*: plate_\d+: ", BorelliWarning)
            recording = load_c3d(path)
        return _capture(recording.markers, 1.0), recording.up
    table = load_table(path)
    table = table if table.cells is Cell.VEC3 else _vectors(table)
    return _capture(table, _metres(table)), "y"


def _capture(table: Table, metres: float) -> _Capture:
    names = [" ".join(name.split()) for name in table.columns]
    return _Capture(table.time.copy(), names, table.values * metres, table.source)


def _metres(table: Table) -> float:
    named = {unit for unit in table.units if unit} or {
        value for key, value in table.metadata.items() if key.casefold() in ("units", "unit")
    }
    if len(named) > 1:
        raise InvalidValueError(
            f"The markers are in several units: {', '.join(sorted(named))}.", where=table.source
        )
    word = next(iter(named), "m").strip()
    if word.casefold() not in _METRES:
        raise UnsupportedError(
            f"The markers are in {word[:30]!r}, which is not a known unit of length.",
            where=table.source,
            remedy="known are m, dm, cm, mm and in",
        )
    return _METRES[word.casefold()]


def _vectors(table: Table) -> Table:
    """Join columns ``a_tx``, ``a_ty``, ``a_tz`` (or ``a_x`` …) to vectors."""
    if table.cells is not Cell.SCALAR:
        raise FileFormatError(
            f"Markers are cells of three numbers (Vec3), not {table.cells.value}.", where=table.source
        )
    found: dict[str, dict[str, int]] = {}
    for index, column in enumerate(table.columns):
        match = re.fullmatch(r"(.+)[_.]t?([xyz])", column, re.IGNORECASE)
        if match:
            found.setdefault(match[1], {})[match[2].lower()] = index
    whole = {name: parts for name, parts in found.items() if len(parts) == 3}
    if not whole:
        raise FileFormatError(
            "No markers were found: no vectors, and no columns that end in _tx, _ty, _tz or _x, _y, _z.",
            where=table.source,
            closest=table.columns[:3],
        )
    order = [[parts[axis] for axis in AXES] for parts in whole.values()]
    return table.replace(
        columns=tuple(whole),
        values=table.values[:, order],
        units=tuple(table.units[columns[0]] for columns in order),
        cells=Cell.VEC3,
    )


def _check_times(capture: _Capture) -> None:
    if not capture.time.size or not capture.names:
        raise MissingInputError(
            f"The recording has {len(capture.names)} markers at {capture.time.size} instants.",
            where=capture.source,
            remedy="export the labelled markers again",
        )
    back = np.flatnonzero(np.diff(capture.time) <= 0)
    if back.size:
        row = int(back[0])
        raise InvalidValueError(
            f"Time does not increase from row {row + 1} ({capture.time[row]:g} s) to row {row + 2} "
            f"({capture.time[row + 1]:g} s).",
            where=capture.source,
            remedy="sort the rows and remove repeated ones",
        )


def _find_gaps(capture: _Capture, zeros_are_gaps: bool) -> None:
    position = capture.position
    if zeros_are_gaps:
        zero = (position == 0.0).all(axis=2)
        if zero.any():
            markers = [capture.names[i] for i in np.flatnonzero(zero.any(axis=0))]
            shown = few(markers, 5)
            capture.notes.append(
                f"{int(zero.sum())} positions of {len(markers)} markers ({shown}) are exactly (0, 0, 0) and were "
                "read as gaps (zeros_are_gaps=False keeps them)"
            )
            position[zero] = np.nan
    # A position with one coordinate missing is no position.
    position[~np.isfinite(position).all(axis=2)] = np.nan


def _take_subject(capture: _Capture, subject: str | None) -> None:
    parts = [name.rpartition(":") for name in capture.names]
    subjects = list(dict.fromkeys(owner for owner, _, _ in parts if owner))
    if subject is not None:
        if subject not in subjects:
            raise UnknownNameError.among(
                subject, "subject", subjects, of="the recording", where=capture.source
            )
        taken = [i for i, (owner, _, _) in enumerate(parts) if owner == subject]
        capture.names = [parts[i][2] for i in taken]
        capture.position = capture.position[:, taken]
    elif len(subjects) == 1:
        bare = [name for _, _, name in parts]
        if len(set(bare)) == len(set(capture.names)):
            capture.names = bare
            capture.notes.append(
                f"the file's names begin with {subjects[0] + ':'!r}; this prefix was removed"
            )
    elif subjects:
        capture.notes.append(
            f"markers of {len(subjects)} subjects ({', '.join(subjects[:5])}) keep their full names; choose one "
            f"with subject={subjects[0]!r}"
        )


def _check_names(capture: _Capture) -> None:
    """Refuse two markers of one name, unless they are the same column twice."""
    first: dict[str, int] = {}
    extra: list[int] = []
    for index, name in enumerate(capture.names):
        if name not in first:
            first[name] = index
        elif np.array_equal(capture.position[:, index], capture.position[:, first[name]], equal_nan=True):
            extra.append(index)
        else:
            raise DuplicateNameError(
                f"Two markers are named {name!r} (numbers {first[name] + 1} and {index + 1}), and they differ.",
                where=capture.source,
                remedy="rename one of them in the file",
            )
    if extra:
        named = ", ".join(dict.fromkeys(capture.names[i] for i in extra))
        capture.notes.append(f"duplicate markers with identical positions were read once: {named}")
        kept = [i for i in range(len(capture.names)) if i not in set(extra)]
        capture.names = [capture.names[i] for i in kept]
        capture.position = capture.position[:, kept]


def _check_size(capture: _Capture) -> None:
    """Say so where the unit cannot be right: a body of two kilometres, or of two millimetres."""
    seen = np.isfinite(capture.position).all(axis=2)
    crowded = capture.position[seen.sum(axis=1) > 1]
    if not len(crowded):
        return
    size = float(np.median((np.nanmax(crowded, axis=1) - np.nanmin(crowded, axis=1)).max(axis=1)))
    if size > _LARGEST or 0.0 < size < _SMALLEST:
        capture.notes.append(f"the markers span {size:.3g} m; the unit in the file may be wrong")
