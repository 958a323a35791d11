"""Contact geometry and contact forces, read from OpenSim and written for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from borelli.errors import UnsupportedError
from borelli.io.osim.components import Component, Components, socket
from borelli.io.osim.document import Document, located
from borelli.io.osim.frames import Frames
from borelli.io.osim.kept import keep
from borelli.io.text.markup import Lines, block, number, numbers, placement, tag
from borelli.io.text.xml import Element
from borelli.model import (
    ContactHalfSpace,
    ContactMaterial,
    ContactSphere,
    ContactSurface,
    Force,
    HuntCrossleyForce,
    MeyerFregly2016Force,
    OtherComponent,
    Path,
    Placement,
    SmoothSphereHalfSpaceForce,
)
from borelli.model.forces.contact import FLOOR_CONSTANTS, SMOOTH_CONSTANTS

if TYPE_CHECKING:
    from borelli.io.osim.forces import ForceReader

_MATERIAL = ("stiffness", "dissipation", "static_friction", "dynamic_friction", "viscous_friction")
_SET = "contactgeometryset"
_SHAPES = ("ContactSphere", "ContactHalfSpace")
_CARRIER = ("frame", "body_name")


class ContactReader:
    """Reads the contact geometry of a document; knows every surface by the path that connections name."""

    def __init__(self, document: Document, components: Components, frames: Frames) -> None:
        self.document = document
        self.components = components
        self.frames = frames

    def read(self) -> list[ContactSurface | OtherComponent]:
        """Read spheres and half spaces; keep other shapes, and what is on no body, as data."""
        return [self._surface(component) for component in self.components.sets[_SET]]

    def _surface(self, component: Component) -> ContactSurface | OtherComponent:
        element, document = component.element, self.document
        if not self._is_used(component):
            return keep(document, component, "contact geometry")
        with located(element):
            values: dict[str, Any] = {
                "name": component.name,
                "frame": self.frames.connected(component, *_CARRIER),
                "placement": Placement.from_angles(
                    document.vector(element, "location"), document.vector(element, "orientation")
                ),
            }
            if element.tag == "ContactHalfSpace":
                return ContactHalfSpace(**values)
            return ContactSphere(**values, radius=document.number(element, "radius", default=0.0))

    def _is_used(self, component: Component) -> bool:
        element = component.element
        return element.tag in _SHAPES and bool(socket(self.document, element, *_CARRIER))

    def find(self, text: str, component: Component, element: Element) -> str:
        """Return the name of the surface that a contact force means.

        Raises
        ------
        UnsupportedError
            If it is kept as data.
        """
        path = self.components.resolve(
            text, component.path, "contact geometry", lambda found: found.path[0] == _SET, element
        )
        found = self.components.by_path[path]
        if not self._is_used(found):
            raise UnsupportedError(
                f"contact with a {found.element.tag} is not evaluated.", where=element.where
            )
        return found.name


def read_hunt_crossley(
    reader: ForceReader, component: Component, values: dict[str, Any], _path: Path | None
) -> Force:
    """Read a HuntCrossleyForce."""
    document, materials = reader.document, []
    # The set of parameters is a property of that name or an object called so, according to the version.
    for element in component.element.walk():
        if element.tag.endswith("ContactParameters"):
            names = document.text(element, "geometry").split()
            surfaces = tuple(reader.contact.find(name, component, element) for name in names)
            constants = {name: document.number(element, name, default=0.0) for name in _MATERIAL}
            materials.append(ContactMaterial(surfaces=surfaces, **constants))
    return HuntCrossleyForce(
        **values,
        materials=tuple(materials),
        transition_velocity=reader.number(component, "transition_velocity", default=0.01),
    )


def read_smooth_contact(
    reader: ForceReader, component: Component, values: dict[str, Any], _path: Path | None
) -> Force:
    """Read a SmoothSphereHalfSpaceForce."""
    element = component.element

    def surface(name: str) -> str:
        return reader.contact.find(socket(reader.document, element, name), component, element)

    defaults = SmoothSphereHalfSpaceForce(name="default", sphere="", half_space="")
    constants: dict[str, Any] = {
        name: reader.number(component, name, default=getattr(defaults, name))
        for name in (*SMOOTH_CONSTANTS, "transition_velocity")
    }
    return SmoothSphereHalfSpaceForce(
        **values, sphere=surface("sphere"), half_space=surface("half_space"), **constants
    )


def read_floor_contact(
    reader: ForceReader, component: Component, values: dict[str, Any], _path: Path | None
) -> Force:
    """Read a MeyerFregly2016Force with the station that it pushes."""
    document, components, element = reader.document, reader.contact.components, component.element
    path = components.resolve(
        socket(document, element, "station"),
        component.path,
        "station",
        lambda found: found.element.tag == "Station",
        element,
    )
    station = components.by_path[path]
    defaults = MeyerFregly2016Force(name="default", body="")
    constants: dict[str, Any] = {
        name: reader.number(component, name, default=getattr(defaults, name)) for name in FLOOR_CONSTANTS
    }
    return MeyerFregly2016Force(
        **values,
        body=reader.frames.connected(station, "parent_frame"),
        location=document.vector(station.element, "location"),
        resting_length=reader.number(component, "spring_resting_length", default=0.0),
        **constants,
    )


def write_floor_contact(force: MeyerFregly2016Force, carrier: str) -> Lines:
    """Write a contact of a point with the floor, and the station on its body."""
    station = block(
        "Station",
        tag("socket_parent_frame", carrier),
        tag("location", numbers(force.location)),
        called="station",
    )
    constants = [line for name in FLOOR_CONSTANTS for line in tag(name, number(getattr(force, name)))]
    return [
        *block("components", station),
        *tag("socket_station", "station"),
        *tag("spring_resting_length", number(force.resting_length)),
        *constants,
    ]


def write_surface(path_of: Callable[[str], str], surface: ContactSurface, name: str) -> Lines:
    """Write a contact surface."""
    lines: Lines = [
        *tag("socket_frame", path_of(surface.frame)),
        *placement(surface.placement, "location", "orientation"),
    ]
    if isinstance(surface, ContactSphere):
        return block("ContactSphere", lines, tag("radius", number(surface.radius)), called=name)
    if isinstance(surface, ContactHalfSpace):
        return block("ContactHalfSpace", lines, called=name)
    raise UnsupportedError(
        f"contact surfaces of type {type(surface).__name__} have no counterpart in OpenSim."
    )


def write_contact(
    force: HuntCrossleyForce | SmoothSphereHalfSpaceForce, name_of: Callable[[str], str]
) -> Lines:
    """Write the surfaces and materials of a contact force."""
    transition = tag("transition_velocity", number(force.transition_velocity))
    if isinstance(force, SmoothSphereHalfSpaceForce):
        constants = [line for name in SMOOTH_CONSTANTS for line in tag(name, number(getattr(force, name)))]
        sockets = [
            *tag("socket_sphere", f"/{_SET}/{name_of(force.sphere)}"),
            *tag("socket_half_space", f"/{_SET}/{name_of(force.half_space)}"),
        ]
        return [*sockets, *constants, *transition]
    materials: Lines = []
    for material in force.materials:
        constants = [line for name in _MATERIAL for line in tag(name, number(getattr(material, name)))]
        surfaces = " ".join(name_of(name) for name in material.surfaces)
        materials += block("HuntCrossleyForce::ContactParameters", tag("geometry", surfaces), constants)
    parameters = block(
        "HuntCrossleyForce::ContactParametersSet",
        block("objects", materials),
        called="contact_parameters",
    )
    return [*parameters, *transition]
