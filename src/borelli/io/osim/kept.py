"""What is kept as data: elements as text, so that they can be looked at and written back."""

from __future__ import annotations

from collections.abc import Iterable

from borelli.io.osim.components import Component
from borelli.io.osim.document import Document
from borelli.io.text.xml import Element, parse_xml
from borelli.io.text.xml_text import escape, quoteattr
from borelli.model import OtherComponent, Path

GROUND_GEOMETRY = "ground geometry"
"""Role of the files that show the ground, which is no body of the model."""


def element_text(element: Element, indent: str = "") -> str:
    """Write an element and everything below it as XML text."""
    attributes = "".join(f" {name}={quoteattr(value)}" for name, value in element.attributes.items())
    head = f"{indent}<{element.tag}{attributes}"
    if not element.children:
        return f"{head}>{escape(element.text)}</{element.tag}>" if element.text else f"{head} />"
    lines = [f"{head}>"]
    if element.text:
        lines.append(f"{indent}\t{escape(element.text)}")
    lines.extend(element_text(child, indent + "\t") for child in element)
    lines.append(f"{indent}</{element.tag}>")
    return "\n".join(lines)


def keep(document: Document, component: Component, role: str, path: Path | None = None) -> OtherComponent:
    """Keep a component that is not used."""
    element = component.element
    on = document.flag(element, "appliesForce", "isEnforced", "enabled", default=True)
    off = document.flag(element, "isDisabled", default=False)
    return OtherComponent(
        name=component.name,
        kind=element.tag,
        path=path,
        xml=element_text(element),
        role=role,
        active=on and not off,
        version=document.version,
    )


def geometry_of_ground(others: Iterable[OtherComponent]) -> tuple[str, ...]:
    """Return the files that show the ground."""
    return tuple(
        element.text
        for other in others
        if other.role == GROUND_GEOMETRY
        for element in parse_xml(other.xml.encode()).walk()
        if element.tag in ("mesh_file", "geometry_file") and element.text
    )


def described(other: OtherComponent) -> str:
    """Say in words what is kept and not used."""
    return f"{other.role} {other.name!r} ({other.kind})"
