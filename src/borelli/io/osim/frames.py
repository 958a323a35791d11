"""Bodies and the frames fixed to them."""

from __future__ import annotations

from collections import Counter

from borelli.errors import FileFormatError
from borelli.io.osim.components import GROUND_PATH, Component, Components, Path, socket
from borelli.io.osim.document import Document, located, six_digits
from borelli.io.osim.station_frames import station_defined_placement
from borelli.io.text.xml import Element
from borelli.model import GROUND, Body, Frame, Placement
from borelli.model.values import Vector

_EMPTY = ("", "unassigned")
_ONE = (1.0, 1.0, 1.0)
_DEEPEST = 100
"""Frames that are placed by landmarks on each other: more than in any model, fewer than Python can follow."""


class Frames:
    """Bodies and frames of a document under the names that they have in the model.

    A frame keeps its own name where no other body or frame has it; otherwise it is named with its owner,
    ``hip_r/pelvis_offset``.
    """

    def __init__(self, document: Document, components: Components) -> None:
        self.document = document
        self.components = components
        self.names: dict[Path, str] = {GROUND_PATH: GROUND}
        bodies = components.sets["bodyset"]
        self.names.update((body.path, body.name) for body in bodies)
        count = Counter(self.names.values())
        count.update(frame.name for frame in components.frames())
        for frame in components.frames():
            alone = count[frame.name] == 1
            self.names[frame.path] = frame.name if alone else "/".join(frame.path[1:])
        self._by_name = {self.names[frame.path]: frame for frame in reversed(list(components.frames()))}
        self._on_bodies: dict[str, tuple[str, Placement]] = {}
        self._on_the_way: set[str] = set()

    def resolve(self, text: str, owner: Path, element: Element) -> str:
        """Return the name of the body or frame that a connection means."""
        path = self.components.resolve(text, owner, "body or frame", self._accepts, element)
        return self.names[path]

    def connected(self, component: Component, *names: str) -> str:
        """Return the name of the body or frame that a component is connected to by a socket."""
        return self.connected_at(component.element, component.path, *names)

    def connected_at(self, element: Element, owner: Path, *names: str) -> str:
        """Return the name of the body or frame that an element is connected to."""
        text = socket(self.document, element, *names)
        if text.strip().lower() in _EMPTY:
            shown = element.name or element.tag
            raise FileFormatError(
                f"{shown!r} is not connected to a body: <{names[0]}> is empty.", where=element.where
            )
        return self.resolve(text, owner, element)

    def _accepts(self, component: Component) -> bool:
        return component.path in self.names

    def read(self) -> list[Frame]:
        """Read every frame that is not a body."""
        return [self._frame(component) for component in self.components.frames()]

    def on_body(self, name: str, point: Vector) -> tuple[str, Vector]:
        """Return the body on which a frame sits, however many frames lie between, and a point of the frame there."""
        body, placement = self._on_body(name)
        return body, placement.then(Placement(point)).translation

    def _on_body(self, name: str) -> tuple[str, Placement]:
        component = self._by_name.get(name)
        if component is None:
            return name, Placement()
        if name not in self._on_bodies:
            if name in self._on_the_way:
                raise FileFormatError(f"frame {name!r} is placed by itself.", where=component.element.where)
            if len(self._on_the_way) == _DEEPEST:
                raise FileFormatError(
                    f"frame {name!r} is one of more than {_DEEPEST} that are placed by each other.",
                    where=component.element.where,
                    remedy="put landmarks on bodies",
                )
            self._on_the_way.add(name)
            # Once for each frame: landmarks on landmarks on landmarks would double the work at every step.
            frame = self._frame(component)
            body, placement = self._on_body(frame.parent)
            self._on_bodies[name] = body, placement.then(frame.placement)
            self._on_the_way.discard(name)
        return self._on_bodies[name]

    def _frame(self, component: Component) -> Frame:
        element, name = component.element, self.names[component.path]
        with located(element):
            if element.tag == "StationDefinedFrame":
                parent, placement = station_defined_placement(self, component)
            else:
                parent = self.connected(component, "parent", "parent_frame")
                placement = placement_of(self.document, element)
            shown, stretched = geometry_files(self.document, element), geometry_scale(self.document, element)
            return Frame(name, parent, placement, shown, stretched)


def placement_of(document: Document, element: Element) -> Placement:
    """Read ``<translation>`` and ``<orientation>`` (body-fixed XYZ angles)."""
    return Placement.from_angles(
        document.vector(element, "translation"), document.vector(element, "orientation")
    )


def read_body(document: Document, component: Component, notes: list[str]) -> Body:
    """Read mass, mass centre, inertia and display files of a body."""
    element, name = component.element, component.name
    with located(element):
        mass = document.number(element, "mass", default=float("nan"))
        inertia = _inertia(document, element)
        if mass == 0.0 and any(inertia):
            notes.append(f"body {name!r} has no mass: its inertia is set to zero, as in OpenSim")
            inertia = (0.0,) * 6
        centre = document.vector(element, "mass_center")
        shown, stretched = geometry_files(document, element), geometry_scale(document, element)
        return Body(name, mass, centre, inertia, shown, stretched)  # type: ignore[arg-type]


def _inertia(document: Document, element: Element) -> tuple[float, ...]:
    together = document.child(element, "inertia")
    if together is not None and together.text:
        return together.numbers(6)
    return tuple(
        six_digits(document.number(element, f"inertia_{axes}", default=0.0))
        for axes in ("xx", "yy", "zz", "xy", "xz", "yz")
    )


def old_joint_frame(document: Document, element: Element, location: str, orientation: str) -> Placement:
    """Read where a document before version 3.5 puts a joint, weld or bushing in a body.

    Newer documents have frames for this and leave these properties out.
    """
    return Placement.from_angles(
        document.rounded_vector(element, location), document.rounded_vector(element, orientation)
    )


def geometry_files(document: Document, element: Element) -> tuple[str, ...]:
    """Return the files that show a body or frame; they are named, not opened."""
    return tuple(file for file, _ in _shown(document, element))


def geometry_scale(document: Document, element: Element) -> tuple[Vector, ...]:
    """Return how much each of these files is stretched; empty where none is."""
    scales = tuple(scale for _, scale in _shown(document, element))
    return scales if any(scale != _ONE for scale in scales) else ()


def _shown(document: Document, element: Element) -> list[tuple[str, Vector]]:
    found: list[tuple[str, Vector]] = []
    for shape in document.objects(element, "attached_geometry"):
        file = shape.text_of("mesh_file") or shape.text_of("geometry_file")
        if file:
            found.append((file, document.vector(shape, "scale_factors", default=_ONE)))
    visible = document.child(element, "VisibleObject")
    if visible is not None:
        # Before version 4 a body's display and each of its shapes had factors, and both counted.
        x, y, z = document.vector(visible, "scale_factors", default=_ONE)
        found.extend((file, (x, y, z)) for file in visible.text_of("geometry_files").split())
        for shape in document.objects(visible, "GeometrySet"):
            file = shape.text_of("geometry_file")
            if file:
                a, b, c = document.vector(shape, "scale_factors", default=_ONE)
                found.append((file, (x * a, y * b, z * c)))
    return found
