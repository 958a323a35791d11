"""Wrap objects of bodies and frames."""

from __future__ import annotations

from typing import Any

from borelli.errors import FileFormatError, UnsupportedError
from borelli.io.osim.components import Component
from borelli.io.osim.document import Document, located
from borelli.io.text.xml import Element
from borelli.model import (
    Placement,
    Quadrant,
    WrapCylinder,
    WrapEllipsoid,
    WrapObject,
    WrapSphere,
    WrapTorus,
)

_WHOLE = ("", "all", "unassigned")

OPENSIM_WRAPS: dict[str, tuple[type[WrapObject], dict[str, tuple[str, Any]]]] = {
    "WrapCylinder": (WrapCylinder, {"radius": ("radius", 1.0), "length": ("length", 1.0)}),
    "WrapSphere": (WrapSphere, {"radius": ("radius", 0.05)}),
    "WrapEllipsoid": (WrapEllipsoid, {"radii": ("dimensions", (0.05, 0.05, 0.05))}),
    "WrapTorus": (
        WrapTorus,
        {"inner_radius": ("inner_radius", 0.01), "outer_radius": ("outer_radius", 0.05)},
    ),
}
"""OpenSim's classes: ours, and for each size its tag in files and OpenSim's default."""


def read_wraps(document: Document, carrier: Component, frame: str, taken: set[str]) -> list[WrapObject]:
    """Read the wrap objects that a body or frame carries.

    Parameters
    ----------
    carrier : Component
    frame : str
        Name of the carrier in the model.
    taken : set of str
        Names of wrap objects so far. A path finds the first of equal names, so a later one is named with
        its body: ``femur_r/cylinder``.
    """
    wraps = []
    for element in document.objects(carrier.element, "WrapObjectSet"):
        own = element.name or element.tag.lower()
        name = own if own not in taken else f"{frame}/{own}"
        taken.add(name)
        with located(element):
            wraps.append(_wrap(document, element, name, frame))
    return wraps


def _wrap(document: Document, element: Element, name: str, frame: str) -> WrapObject:
    placement = Placement.from_angles(
        document.vector(element, "translation"), document.vector(element, "xyz_body_rotation")
    )
    quadrant, active = _quadrant(document, element), document.flag(element, "active", default=True)

    if element.tag not in OPENSIM_WRAPS:
        raise UnsupportedError(
            f"wrap objects of type {element.tag} cannot be used; {name!r} is one.",
            where=element.where,
            remedy="replace it by a WrapCylinder, WrapSphere, WrapEllipsoid or WrapTorus",
        )
    kind, tags = OPENSIM_WRAPS[element.tag]
    sizes: dict[str, Any] = {
        field: document.vector(element, tag, default=default)
        if isinstance(default, tuple)
        else document.number(element, tag, default=default)
        for field, (tag, default) in tags.items()
    }
    return kind(name=name, frame=frame, placement=placement, quadrant=quadrant, active=active, **sizes)


def _quadrant(document: Document, element: Element) -> Quadrant:
    text = document.text(element, "quadrant").lower()
    if text in _WHOLE:
        return Quadrant.ALL
    # OpenSim takes a bare letter as the positive half.
    sign = text if text[0] in "+-" else f"+{text}"
    try:
        return Quadrant(sign)
    except ValueError:
        raise FileFormatError(
            f"{text[:40]!r} is not a quadrant: use all, +x, -x, +y, -y, +z or -z.", where=element.where
        ) from None
