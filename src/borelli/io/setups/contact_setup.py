"""Constraints of OpenSim's InducedAccelerations that take the place of external loads."""

from __future__ import annotations

from borelli.errors import UnsupportedError
from borelli.io.text.xml import Element
from borelli.records import dataclass

POINT, ROLLING, WELD = "PointConstraint", "RollingOnSurfaceConstraint", "WeldConstraint"
# Class -> tags that name the ground and the body, of files before and since version 4.
_BODIES = {
    POINT: (("body_1", "socket_body_1"), ("body_2", "socket_body_2")),
    ROLLING: (("surface_body", "socket_surface_body"), ("rolling_body", "socket_rolling_body")),
    WELD: (("body_1", "socket_frame1"), ("body_2", "socket_frame2")),
}
_UP = (0.0, 1.0, 0.0)


@dataclass(frozen=True)
class ContactSetup:
    """One constraint.

    Attributes
    ----------
    name : str
    kind : str
        Its class, such as ``PointConstraint``.
    body : str
        The body that touches the ground; empty where the file does not say.
    friction, radius : float
        Coefficient of friction, and radius of the patch that resists twist (m), of one that rolls.
    where : str
        Place in the file, for messages.
    """

    name: str
    kind: str
    body: str
    friction: float
    radius: float
    where: str


def read_contact(element: Element) -> ContactSetup:
    """Read one constraint, and refuse what cannot take the place of a load."""
    if element.tag not in _BODIES:
        raise UnsupportedError(
            f"<{element.tag}> cannot replace an external load.",
            where=element.where,
            remedy="supported: " + ", ".join(_BODIES),
        )
    ground, body = (_body(element, tags) for tags in _BODIES[element.tag])
    if ground not in ("", "ground"):
        raise UnsupportedError(
            f"The constraint {element.name!r} holds a body on {ground!r}: only a constraint to ground can replace "
            "an external load.",
            where=element.where,
        )
    normal = element.child("surface_normal")
    if normal is not None and normal.numbers(3) != _UP:
        raise UnsupportedError(
            f"The surface_normal of {element.name!r} is not 0 1 0: only level ground is supported.",
            where=normal.where,
        )
    return ContactSetup(
        name=element.name,
        kind=element.tag,
        body=body,
        # OpenSim's own defaults (RollingOnSurfaceConstraint).
        friction=_number(element, "friction_coefficient", 0.5),
        radius=_number(element, "contact_radius", 0.01),
        where=element.where,
    )


def _body(element: Element, tags: tuple[str, ...]) -> str:
    """Last part of the path of a body."""
    found = next((text for tag in tags if (text := element.text_of(tag))), "")
    return found.rsplit("/", 1)[-1]


def _number(element: Element, tag: str, default: float) -> float:
    child = element.child(tag)
    return default if child is None or not child.text else child.number()
