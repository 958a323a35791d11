"""When feet touch the ground, for the marks on charts, the line of time and the cycles."""

from __future__ import annotations

from typing import Any

from borelli.results.gait.contact_events import CONTACT
from borelli.results.gait.cycle_spans import cycles_of, has_events
from borelli.results.labelled.plain_result import PlainResult


def event_data(result: PlainResult) -> dict[str, Any]:
    """Return events, contacts of each side (cut off at the ends of the recording), and whole cycles (s)."""
    if not has_events(result):
        return {"events": [], "contacts": [], "cycles": []}
    events = [
        {"side": str(side), "kind": str(kind), "time": float(time)}
        for time, side, kind in zip(
            result["event_time"].values,
            result["event_side"].values,
            result["event_kind"].values,
            strict=True,
        )
    ]
    first, last = (float(result["time"].values[k]) for k in (0, -1))
    contacts = []
    for side in dict.fromkeys(event["side"] for event in events):
        own = [event for event in events if event["side"] == side]
        edges = [event["time"] for event in own]
        # Whoever leaves first stood there from the beginning; whoever comes last stays to the end.
        edges = [*([] if own[0]["kind"] == CONTACT else [first]), *edges]
        edges = [*edges, *([last] if own[-1]["kind"] == CONTACT else [])]
        contacts.append({"side": side, "spans": list(zip(edges[::2], edges[1::2], strict=True))})
    cycles = [{"side": each.side, "kind": each.kind, "spans": list(each.spans)} for each in cycles_of(result)]
    return {"events": events, "contacts": contacts, "cycles": cycles}
