"""The cycles of a trial: between contacts of a foot, between events of a file, or the trial as a whole."""

from __future__ import annotations

import itertools
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from borelli.errors import FileFormatError, InvalidValueError, MissingInputError
from borelli.results.gait.cycle_spans import cycles_of
from borelli.studies.schema import Cycles
from borelli.studies.trial_table import read_frame

if TYPE_CHECKING:
    import xarray as xr

_COLUMNS = ("start_s", "end_s", "side")


class Span(NamedTuple):
    """A cycle: side (body or event context; empty where there is none), its number, first and last time (s)."""

    side: str
    number: int
    start: float
    end: float


def spans_of(result: xr.Dataset, asked: Cycles, events: Path | None) -> list[Span]:
    """Return the cycles of a trial.

    Raises
    ------
    MissingInputError
        If it has none.
    """
    times = result["time"].values
    if asked.by == "whole":
        return [Span("", 1, float(times[0]), float(times[-1]))]
    if asked.by == "contact":
        found = [
            Span(each.side, number, *span)
            for each in cycles_of(result)
            if each.kind == asked.kind and asked.side in (None, each.side)
            for number, span in enumerate(each.spans, start=1)
        ]
        known = sorted({each.side for each in cycles_of(result)})
        remedy = "a cycle needs two contacts of one foot within the recording, a contact its release" + (
            f"; contacts were found of: {', '.join(known)}" if known else ""
        )
    else:
        if events is None:
            raise MissingInputError("The trial has no file of events.", remedy="name it as events")
        read = _events_of_c3d if events.suffix.casefold() == ".c3d" else _events_of_table
        inside = [
            span
            for span in read(events, asked)
            if times[0] - _SLACK_S <= span.start < span.end <= times[-1] + _SLACK_S
        ]
        found = [span for span in inside if asked.side in (None, span.side)]
        remedy = f"the motion lasts from {times[0]:g} s to {times[-1]:g} s; cycles beyond it do not count"
    if not found:
        side = f" of {asked.side!r}" if asked.side else ""
        raise MissingInputError(f"The trial has no whole {asked.kind}{side}.", remedy=remedy)
    return found


# A frame of a slow camera: events are marked on frames.
_SLACK_S = 0.02


def _events_of_table(path: Path, asked: Cycles) -> list[Span]:
    """Rows of ``start_s``, ``end_s`` and, if there are several, ``side``."""
    frame = read_frame(path, "a table of events (.csv, .xlsx)")
    missing = [name for name in _COLUMNS[:2] if name not in frame.columns]
    if missing:
        raise FileFormatError(
            f"The table of events has no column {missing[0]!r}.",
            where=os.fspath(path),
            remedy=f"its columns are {', '.join(_COLUMNS)}; a row is a cycle",
        )
    counted: dict[str, int] = {}
    found = []
    for number, row in enumerate(frame.to_dict("records"), start=2):
        side = str(row.get("side", "")).strip()
        start, end = (_second(row[name], name, f"{path}, row {number}") for name in _COLUMNS[:2])
        counted[side] = counted.get(side, 0) + 1
        found.append(Span(side, counted[side], start, end))
    return found


def _events_of_c3d(path: Path, asked: Cycles) -> list[Span]:
    """From each event of the kind asked for to the next one of the same side."""
    # Loaded here, because few studies have their events there.
    from borelli.io.c3d.recording import load_c3d

    wanted = [e for e in load_c3d(path).events if e.label.strip().casefold() == asked.event.casefold()]
    found = []
    for side in dict.fromkeys(event.context for event in wanted):
        times = sorted(event.time for event in wanted if event.context == side)
        found += [Span(side, k + 1, a, b) for k, (a, b) in enumerate(itertools.pairwise(times))]
    return found


def _second(value: Any, name: str, where: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise InvalidValueError(f"{name} is {str(value)!r}, which is not a time.", where=where) from None
