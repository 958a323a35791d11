"""Wrap objects of bodies and frames."""

from __future__ import annotations

from typing import Any

from borelli.errors import FileFormatError, UnsupportedError
from borelli.io.osim.components import Component
from borelli.io.osim.document import Document, located
from borelli.io.xml import Element
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

    def made(kind: type[WrapObject], **own: Any) -> WrapObject:
        return kind(name=name, frame=frame, placement=placement, quadrant=quadrant, active=active, **own)

    def length(tag: str, default: float) -> float:
        return document.number(element, tag, default=default)

    if element.tag == "WrapCylinder":
        return made(WrapCylinder, radius=length("radius", 1.0), length=length("length", 1.0))
    if element.tag == "WrapSphere":
        return made(WrapSphere, radius=length("radius", 0.05))
    if element.tag == "WrapEllipsoid":
        radii = document.vector(element, "dimensions", default=(0.05, 0.05, 0.05))
        return made(WrapEllipsoid, radii=radii)
    if element.tag == "WrapTorus":
        inner, outer = length("inner_radius", 0.01), length("outer_radius", 0.05)
        return made(WrapTorus, inner_radius=inner, outer_radius=outer)
    raise UnsupportedError(
        f"wrap objects of type {element.tag} cannot be used; {name!r} is one.",
        where=element.where,
        remedy="replace it by a WrapCylinder, WrapSphere, WrapEllipsoid or WrapTorus",
    )


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
