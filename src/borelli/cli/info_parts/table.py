"""What ``borelli info`` shows of a table or a recording."""

from __future__ import annotations

import warnings

import numpy as np
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

import borelli as bo

# A screen; ``--all`` shows the others.
_MOST_ROWS = 40


def show_table(table: bo.Table, console: Console, every: bool = False) -> None:
    """Print name, times, columns and what was forgiven."""
    console.print(Text(table.source or table.name, style="bold"))
    kind = "" if table.cells is bo.Cell.SCALAR else f" of {table.cells.value}"
    console.print(Text(f"{table.name or 'a table'}: {table.n_times} rows, {table.n_columns} columns{kind}"))
    console.print(Text(times(table.time)))
    if table.in_degrees is not None:
        console.print(Text("Angles are in degrees." if table.in_degrees else "Angles are in radians."))
    for key, value in table.metadata.items():
        if key != "description":
            console.print(Text(f"{key}: {value}", style="dim"))
    console.print(_columns(table.flat() if table.cells is not bo.Cell.SCALAR else table, every))


def times(time: np.ndarray) -> str:
    """Describe a column of times in a sentence."""
    if not time.size:
        return "No rows."
    if time.size == 1:
        return f"One instant: {time[0]:g} s."
    steps = np.diff(time)
    span = f"From {time[0]:g} s to {time[-1]:g} s"
    if (steps < 0).any():
        return f"{span}; time goes back {int((steps < 0).sum())} times."
    if (steps == 0).any():
        return f"{span}; {int((steps == 0).sum())} times are repeated."
    mean = float(steps.mean())
    uneven = float(np.max(np.abs(steps - mean))) / mean
    # Times printed with four decimals make steps of 10 ms differ by 1 %; a missing row makes one twice as long.
    rhythm = "evenly" if uneven < 0.05 else f"unevenly (steps of {steps.min():g} to {steps.max():g} s)"
    return f"{span}, {1.0 / mean:.6g} per second, {rhythm}."


def _columns(table: bo.Table, every: bool) -> Grid:
    grid = Grid(box=None, pad_edge=False)
    for heading in ("column", "unit", "lowest", "mean", "highest", "missing"):
        grid.add_column(heading, justify="left" if heading in ("column", "unit") else "right")
    shown = table.n_columns if every else min(table.n_columns, _MOST_ROWS)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        # A column without any value has no lowest one; its cells stay nan.
        warnings.simplefilter("ignore", RuntimeWarning)
        for index in range(shown):
            values = table.values[:, index]
            finite = values[np.isfinite(values)]
            ranges = [finite.min(), finite.mean(), finite.max()] if finite.size else [np.nan] * 3
            missing = values.size - finite.size
            cells = [f"{number:.6g}" for number in ranges]
            grid.add_row(
                Text(table.columns[index]), table.units[index], *cells, str(missing) if missing else ""
            )
    if shown < table.n_columns:
        grid.add_row(Text(f"… {table.n_columns - shown} more (--all shows them)", style="dim"))
    return grid


def show_recording(recording: bo.Recording, console: Console, every: bool = False) -> None:
    """Print markers, plates, channels and events."""
    markers, analog = recording.markers, recording.analog
    console.print(Text(recording.source, style="bold"))
    console.print(Text(f"{markers.n_columns} markers, {analog.n_columns} analog channels"))
    console.print(Text("Markers: " + times(markers.time)))
    if analog.n_columns:
        console.print(Text("Analog:  " + times(analog.time)))
    for plate in recording.plates:
        console.print(Text(_plate(plate)))
    for event in recording.events:
        console.print(Text(f"Event: {event.context} {event.label} at {event.time:g} s"))
    console.print(_columns(markers.flat(), every))
    if analog.n_columns:
        console.print(_columns(analog, every))


def _plate(plate: bo.ForcePlate) -> str:
    size = np.linalg.norm(plate.force, axis=1)
    loaded = np.isfinite(plate.point).all(axis=1).mean() if size.size else 0.0
    peak = float(np.nanmax(size)) if size.size and np.isfinite(size).any() else 0.0
    middle = ", ".join(f"{number:.3f}" for number in plate.center)
    place = f"type {plate.type}, middle at ({middle}) m"
    return f"{plate.name}: {place}, loaded {loaded:.0%} of the time, peak {peak:.1f} N"
