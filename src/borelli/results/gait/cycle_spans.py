"""Which spans of a recording are whole cycles of a foot, and where within them a curve is largest.

Loads no xarray: one number of a saved result is explained before that is loaded.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from borelli.results.gait.contact_events import CONTACT, RELEASE
from borelli.results.labelled.plain_result import PlainResult, Result
from borelli.results.outputs.plain_names import joint_named

Array = NDArray[np.float64]
Kind = Literal["cycle", "contact"]

KINDS: tuple[Kind, Kind] = ("cycle", "contact")


class Cycles(NamedTuple):
    """Spans of one kind and side: ``"cycle"`` from contact to contact, ``"contact"`` from contact to release."""

    side: str
    kind: Kind
    spans: tuple[tuple[float, float], ...]


def has_events(result: Result) -> bool:
    """Whether a result knows when feet touch the ground."""
    return bool(result.sizes.get("event", 0))


def cycles_of(result: Result) -> list[Cycles]:
    """List the whole cycles and contacts of every side; those cut off by the ends of the recording are left out."""
    if not isinstance(result, PlainResult):
        return _cycles_of(result)
    if "cycles" not in result.found:
        result.found["cycles"] = _cycles_of(result)
    return list(result.found["cycles"])


def _cycles_of(result: Result) -> list[Cycles]:
    if not has_events(result):
        return []
    times = result.variables["event_time"].values
    sides, kinds = (
        np.asarray(result.variables[f"event_{name}"].values, dtype=str) for name in ("side", "kind")
    )
    found = []
    for side in dict.fromkeys(sides.tolist()):
        touches = times[(sides == side) & (kinds == CONTACT)]
        leaves = times[(sides == side) & (kinds == RELEASE)]
        whole = list(zip(touches[:-1].tolist(), touches[1:].tolist(), strict=True))
        ends = [(float(t), float(leaves[leaves > t][0])) for t in touches if (leaves > t).any()]
        found += [
            Cycles(side, kind, tuple(spans))
            for kind, spans in zip(KINDS, (whole, ends), strict=True)
            if spans
        ]
    return found


def cycle_percent(result: Result, side: str, time: float) -> float:
    """Per cent of the cycle of a side that an instant lies at; NaN outside every cycle."""
    for begin, end in _of_side(result, side):
        if begin <= time <= end:
            return 100.0 * (time - begin) / (end - begin)
    return math.nan


def has_cycles(result: Result, side: str) -> bool:
    """Whether a side has a whole cycle, or any has where the joint belongs to none."""
    return bool(_of_side(result, side))


def cycle_peak(result: Result, size: Array, side: str) -> int:
    """Instant of the largest size within whole cycles of a side; without any, of all."""
    time = result.variables["time"].values
    inside = np.zeros(len(time), dtype=bool)
    for begin, end in _of_side(result, side):
        inside |= (time >= begin) & (time <= end)
    known = (
        np.where(inside & np.isfinite(size), size, -1.0) if inside.any() else np.nan_to_num(size, nan=-1.0)
    )
    return int(np.argmax(known))


def _of_side(result: Result, side: str) -> list[tuple[float, float]]:
    """Spans of the cycles of a side; of the first side that has any, where the joint belongs to none."""
    own = [each for each in cycles_of(result) if each.kind == "cycle"]
    fitting = [each for each in own if not side or joint_named(each.side).side in ("", side)]
    return list(fitting[0].spans) if fitting else []
