"""Rows as recorded, made fit for splines: repeated times, gaps and missing values.

What is done is always the same and always told:

- rows that repeat the time of the row before are left out; so are rows that come a round-off after it
  (:mod:`borelli.instants`), unless every row is wanted: then they support no spline;
- times that go back are an error;
- rows at either end in which a wanted column is missing are cut off;
- a gap inside, of missing values or of missing rows, is filled by a natural cubic spline where it is
  not longer than ``max_gap_s``; a longer one is an error.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from borelli.errors import FileFormatError
from borelli.instants import distinct

# Loaded where needed: scipy, whose parts are slow to load and seldom needed.

Array = NDArray[np.float64]


def clean_rows(
    time: Array,
    values: Array,
    columns: Sequence[str],
    *,
    max_gap_s: float,
    source: str,
    notes: list[str],
    every_row: bool = False,
) -> tuple[Array, Array]:
    """Return times that increase and values without NaN.

    Parameters
    ----------
    time : (n_times,) float
        s.
    values : (n_times, n_columns) float
        NaN where missing.
    columns : sequence of str
        Names, for messages.
    max_gap_s : float
        Longest gap that is filled.
    source : str
        File, for messages.
    notes : list of str
        Receives what was done.
    every_row : bool
        Keep rows that come a round-off after the row before.
    """
    if not len(time):
        raise FileFormatError("The table has no rows.", where=source)
    time, values = _without_repeats(time, values, source, notes)
    time, values = _one_row_an_instant(time, values, every_row, notes)
    time, values = _without_ragged_ends(time, values, columns, source, notes)
    _refuse_long_pauses(time, max_gap_s, source)
    return time, _filled(time, values, columns, max_gap_s, source, notes)


def _without_repeats(time: Array, values: Array, source: str, notes: list[str]) -> tuple[Array, Array]:
    back = np.flatnonzero(np.diff(time) < 0.0)
    if back.size:
        row = int(back[0]) + 1
        raise FileFormatError(
            f"Time goes back from {time[row - 1]:g} s to {time[row]:g} s.",
            where=f"{source}, row {row + 1} of the data",
            remedy="sort the rows, or split the recordings",
        )
    keep = np.concatenate([[True], np.diff(time) > 0.0])
    if not keep.all():
        notes.append(f"{int((~keep).sum())} rows repeat the time of the row before (the first is kept)")
    return time[keep], values[keep]


def _one_row_an_instant(time: Array, values: Array, every_row: bool, notes: list[str]) -> tuple[Array, Array]:
    own = distinct(time, values)
    if own.all():
        return time, values
    row = int(np.argmin(own))
    nearest = f"the first {time[row] - time[row - 1]:.1e} s after {time[row - 1]:g} s"
    what = "kept, but not used for speeds and accelerations" if every_row else "left out"
    notes.append(
        f"{int((~own).sum())} rows are closer to the row before than times can be resolved ({nearest}): {what}"
    )
    return (time, values) if every_row else (time[own], values[own])


def _without_ragged_ends(
    time: Array, values: Array, columns: Sequence[str], source: str, notes: list[str]
) -> tuple[Array, Array]:
    present = np.isfinite(values)
    empty = [columns[int(i)] for i in np.flatnonzero(~present.any(axis=0))]
    if empty and values.size:
        raise FileFormatError(
            "No row has a value for " + ", ".join(map(repr, empty[:8])) + ".",
            where=source,
            remedy="remove the column",
        )
    complete = np.flatnonzero(present.all(axis=1))
    if not complete.size:
        raise FileFormatError("No row is complete: each lacks a value in some column.", where=source)
    first, last = int(complete[0]), int(complete[-1]) + 1
    if first or last < len(time):
        cut = first + len(time) - last
        notes.append(
            f"{cut} incomplete rows at the ends were removed; {time[first]:g} to {time[last - 1]:g} s remain"
        )
    return time[first:last], values[first:last]


def _refuse_long_pauses(time: Array, max_gap_s: float, source: str) -> None:
    if len(time) < 3:
        return
    steps = np.diff(time)
    usual = float(np.median(steps))
    longest = int(np.argmax(steps))
    # Slow recordings step by more than any gap that would be filled: only a break in the rhythm counts.
    if steps[longest] > max(max_gap_s, 10.0 * usual):
        raise FileFormatError(
            f"There are no rows between {time[longest]:g} s and {time[longest + 1]:g} s.",
            where=source,
            remedy=f"cut the recording, or accept it with max_gap_s (now {max_gap_s:g})",
        )


def _filled(
    time: Array, values: Array, columns: Sequence[str], max_gap_s: float, source: str, notes: list[str]
) -> Array:
    holes = ~np.isfinite(values)
    if not holes.any():
        return values
    from scipy.interpolate import CubicSpline

    values = values.copy()
    for column in np.flatnonzero(holes.any(axis=0)):
        known = np.flatnonzero(~holes[:, column])
        known = known[distinct(time[known], values[known, column])]
        spans = time[known[1:]] - time[known[:-1]]
        spans[np.diff(known) == 1] = 0.0
        worst = int(np.argmax(spans))
        if spans[worst] > max_gap_s:
            raise FileFormatError(
                f"Column {columns[int(column)]!r} has no values between {time[known[worst]]:g} s and "
                f"{time[known[worst + 1]]:g} s.",
                where=source,
                remedy=f"fill the gap, cut the recording, or accept it with max_gap_s (now {max_gap_s:g})",
            )
        spline = CubicSpline(time[known], values[known, column], bc_type="natural")
        values[holes[:, column], column] = spline(time[holes[:, column]])
    filled = holes.any(axis=0)
    names = ", ".join(repr(columns[int(i)]) for i in np.flatnonzero(filled)[:5])
    notes.append(f"{int(holes.sum())} missing values were filled by cubic splines ({names})")
    return values
