"""Sets of markers in a file of their own: read for a model, and written."""

from __future__ import annotations

import os
from dataclasses import replace

from borelli.errors import UnknownNameError
from borelli.io.setups.set_file import set_in_file
from borelli.io.text.markup import Lines, block, document, flag, numbers, tag
from borelli.io.text.xml import Element
from borelli.model import GROUND, Marker, Model
from borelli.results.on_disk.whole import atomic_writer

_FRAME_TAGS = (
    "socket_parent_frame",
    "socket_parent_frame_connectee_name",
    "parent_frame",
    "body",
    "body_name",
)


def with_marker_set(model: Model, path: str | os.PathLike[str]) -> Model:
    """Return the model with the markers of a file: those of the same name are replaced, the others added."""
    markers = {marker.name: marker for marker in model.markers}
    for element in set_in_file(path, "MarkerSet"):
        marker = _marker(model, element)
        markers[marker.name] = marker
    return replace(model, markers=list(markers.values()))  # type: ignore[arg-type]


def _marker(model: Model, element: Element) -> Marker:
    location = element.child("location")
    fixed = element.child("fixed")
    x, y, z = (0.0, 0.0, 0.0) if location is None or not location.text else location.numbers(3)
    return Marker(
        element.name,
        _frame(model, element),
        (x, y, z),
        fixed is not None and bool(fixed.text) and fixed.flag(),
    )


def _frame(model: Model, element: Element) -> str:
    """Return the body or frame that carries a marker: its path or bare name is in the file."""
    text = next((element.text_of(name) for name in _FRAME_TAGS if element.text_of(name)), "")
    for holder in element.all("connectors"):
        for connector in holder:
            text = text or connector.text_of("connectee_name")
    parts = [part for part in text.strip().split("/") if part not in ("", ".", "..")]
    known = (GROUND, *model.bodies.names, *model.frames.names)
    for start in range(len(parts)):
        name = "/".join(parts[start:])
        if name in known:
            return name
    raise UnknownNameError.among(
        parts[-1] if parts else text, "body or frame", known, of=f"model {model.name!r}", where=element.where
    )


def write_marker_set(lines: list[Lines], path: str | os.PathLike[str], version: int) -> None:
    """Write markers as a document of their own."""
    inside = block("MarkerSet", block("objects", *lines), called="markerset")
    with atomic_writer(path) as stream:
        stream.write("\n".join([*document(inside, version), ""]).encode("utf-8"))


def marker_lines(marker: Marker, frame_path: str, called: str) -> Lines:
    """Write one marker."""
    return block(
        "Marker",
        tag("socket_parent_frame", frame_path),
        tag("location", numbers(marker.location)),
        tag("fixed", flag(marker.fixed)),
        called=called,
    )
