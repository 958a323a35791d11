"""What a page holds of the curves of a gait laboratory: each side over its own cycles, beside the norms."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from borelli.report.blob import Blob
from borelli.results.gait.contact_events import RELEASE
from borelli.results.gait.cycle_spans import cycles_of, has_events
from borelli.results.gait.cycles import POINTS, rows_before
from borelli.results.gait.gait_curves import GaitCurve, gait_curves
from borelli.results.gait.norms import Norms
from borelli.results.labelled.plain_result import PlainResult
from borelli.results.outputs.anatomy import split_side
from borelli.results.outputs.body_size import MASS_KG
from borelli.results.outputs.plain_names import joint_named

Array = NDArray[np.float64]
SIDES = ("right", "left")
_WORK = ("hip", "knee", "ankle")


def gait_data(result: PlainResult, blob: Blob, norms: Norms | None = None) -> dict[str, Any] | None:
    """Return the curves of a result, None where it has none.

    Each side is drawn over its own cycles, from contact to contact of its foot; what belongs to no side over those of
    both. Without any cycle all is drawn over the recording.
    """
    curves = gait_curves(result)
    if not any(curve.quantity == "angle" for curve in curves):
        return None
    time = np.asarray(result["time"].values, dtype=float)
    spans = _spans(result)
    over_time = not any(spans.values())
    if over_time:
        spans = {side: [(float(time[0]), float(time[-1]))] for side in SIDES} if len(time) > 1 else {}
    told = [
        (curve, side)
        for curve in curves
        for side in ([curve.side] if curve.side else _once(over_time))
        if spans.get(side)
    ]
    if not told:
        return None
    between = {side: _between(time, own) for side, own in spans.items()}
    rows = blob.add_sets([_rows(curve.values, *between[side]) for curve, side in told])
    drawn = [{**_described(*each), "rows": own} for each, own in zip(told, rows, strict=True)]
    lacking = [side for side in SIDES if not spans.get(side) and any(curve.side == side for curve in curves)]
    return {
        "over": "recording" if over_time else "cycle",
        "curves": drawn,
        "lacking": lacking,
        "release": {} if over_time else _releases(result, spans),
        "work": [] if over_time else _work(result, time, spans),
        "norms": _norms(norms, blob) if norms and not over_time else None,
    }


def _once(over_time: bool) -> tuple[str, ...]:
    """Sides whose cycles a curve of the whole body is drawn over."""
    return SIDES[:1] if over_time else SIDES


def _described(curve: GaitCurve, side: str) -> dict[str, Any]:
    return {
        "joint": curve.joint,
        "plane": curve.plane,
        "quantity": curve.quantity,
        "side": side,
        "label": curve.label,
        "unit": curve.unit,
    }


def _spans(result: PlainResult) -> dict[str, list[tuple[float, float]]]:
    found: dict[str, list[tuple[float, float]]] = {side: [] for side in SIDES}
    for each in cycles_of(result):
        side = split_side(each.side)[1]
        if each.kind == "cycle" and side in found:
            found[side] += each.spans
    return found


def _between(time: Array, spans: list[tuple[float, float]]) -> tuple[NDArray[np.intp], Array]:
    """Row before each point of each span, and how far the point lies on the way to the next one."""
    instants = np.array([np.linspace(begin, end, POINTS) for begin, end in spans]).reshape(-1, POINTS)
    return rows_before(time, instants)


def _rows(values: Array, low: NDArray[np.intp], part: Array) -> Array:
    return np.asarray(values[low] * (1.0 - part) + values[low + 1] * part)


def _releases(result: PlainResult, spans: dict[str, list[tuple[float, float]]]) -> dict[str, float]:
    """Per cent of its cycle at which each foot leaves the ground, on average."""
    if not has_events(result):
        return {}
    found = {}
    for side, own in spans.items():
        leaves = [
            float(time)
            for time, kind, body in zip(
                result["event_time"].values,
                result["event_kind"].values,
                result["event_side"].values,
                strict=True,
            )
            if str(kind) == RELEASE and split_side(str(body))[1] == side
        ]
        parts = [100.0 * (t - begin) / (end - begin) for begin, end in own for t in leaves if begin < t < end]
        if parts:
            found[side] = float(np.mean(parts))
    return found


def _work(
    result: PlainResult, time: Array, spans: dict[str, list[tuple[float, float]]]
) -> list[dict[str, Any]]:
    """Work that each joint gives and takes in a cycle of its side, on average (J, J/kg where the mass is known)."""
    mass = float(result.attrs.get(MASS_KG) or np.nan)
    per, unit = (mass, "J/kg") if mass > 0.0 else (1.0, "J")
    found = []
    for k, joint in enumerate(result.labels("joint").names) if "joint_power" in result else ():
        own = joint_named(joint)
        if own.what not in _WORK or not spans.get(own.side):
            continue
        power = np.asarray(result["joint_power"].at("joint", k), dtype=float) / per
        given, taken = np.mean([given_and_taken(time, power, span) for span in spans[own.side]], axis=0)
        if np.isfinite([given, taken]).all():
            found.append(
                {
                    "joint": own.what,
                    "side": own.side,
                    "given": float(given),
                    "taken": float(taken),
                    "unit": unit,
                }
            )
    return sorted(found, key=lambda each: (_WORK.index(each["joint"]), SIDES.index(each["side"])))


def given_and_taken(time: Array, power: Array, span: tuple[float, float]) -> tuple[float, float]:
    """Integrate the positive and the negative part of a power over a span, on lines between the instants."""
    begin, end = span
    inside = time[(time > begin) & (time < end)]
    instants = np.concatenate([[begin], inside, [end]])
    values = np.interp(instants, time, power)
    # Where a line crosses zero the parts are triangles: their corners are instants too.
    steps = np.flatnonzero(values[:-1] * values[1:] < 0.0)
    zeros = instants[steps] - values[steps] * np.diff(instants)[steps] / np.diff(values)[steps]
    all_times = np.sort(np.concatenate([instants, zeros]))
    found = np.interp(all_times, time, power)
    found[np.isin(all_times, zeros)] = 0.0
    widths = np.diff(all_times)
    given, taken = (
        float(0.5 * np.sum((part[1:] + part[:-1]) * widths))
        for part in (np.maximum(found, 0.0), np.minimum(found, 0.0))
    )
    return given, taken


def _norms(norms: Norms, blob: Blob) -> dict[str, Any]:
    return {
        "name": norms.name,
        "bands": [
            {"joint": joint, "plane": plane, "quantity": quantity, "band": blob.add(band, "f4")}
            for (joint, plane, quantity), band in norms.bands.items()
        ],
    }
