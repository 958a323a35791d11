"""The components of a document by their paths, and what a connection between them means.

Since version 4 a component is known by its path in the model: ``/bodyset/tibia_r``, ``/jointset/hip_r/pelvis_offset``.
A connection ("socket") holds such a path, absolute or relative to its owner; before, it held a bare name.
Old documents are brought into the same form here: joints that bodies own are listed as ``/jointset/…``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from borelli.errors import UnknownNameError
from borelli.io.osim.document import Document, unique_names
from borelli.io.text.xml import Element

Path = tuple[str, ...]

# Tag of a set -> its name in paths, and what its objects are called in notes.
SETS = {
    "BodySet": ("bodyset", "body"),
    "JointSet": ("jointset", "joint"),
    "ConstraintSet": ("constraintset", "constraint"),
    "ForceSet": ("forceset", "force"),
    "MarkerSet": ("markerset", "marker"),
    "ContactGeometrySet": ("contactgeometryset", "contact geometry"),
    "ControllerSet": ("controllerset", "controller"),
    "ProbeSet": ("probeset", "probe"),
    "ComponentSet": ("componentset", "component"),
}
_OLD_TAGS = {"ForceSet": ("ActuatorSet",)}
# End of a class name -> the set that objects of the class belong to, wherever a file keeps them.
_SET_BY_ENDING = {
    "Body": "bodyset",
    "Joint": "jointset",
    "Constraint": "constraintset",
    "Marker": "markerset",
    "Force": "forceset",
    "Muscle": "forceset",
    "Muscle_Deprecated": "forceset",
    "Actuator": "forceset",
    "Spring": "forceset",
    "Ligament": "forceset",
    "Controller": "controllerset",
    "Probe": "probeset",
}
FRAME_TAGS = ("PhysicalOffsetFrame", "OffsetFrame", "FixedFrame", "StationDefinedFrame")
GROUND_PATH: Path = ("ground",)


@dataclass
class Component:
    """An object of the document, its name after repeated names are resolved, and its path."""

    name: str
    path: Path
    element: Element
    body: str = ""
    """For a joint of an old document: the body that owns it."""
    inner: list[Component] = field(default_factory=list)
    """Frames and other components inside it."""

    @property
    def is_frame(self) -> bool:
        """Whether bodies, markers or points can be attached to it."""
        return self.element.tag in FRAME_TAGS


class Components:
    """Every component of a document.

    Attributes
    ----------
    ground : Component or None
        The element that describes the ground, if there is one.
    sets : dict of list
        Components of each set, by the set's name in paths.
    loose : list of Component
        Components that the model owns directly.
    notes : list of str
        Names that were changed.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.notes: list[str] = []
        self.sets: dict[str, list[Component]] = {}
        self.ground: Component | None = None
        for tag, (name, kind) in SETS.items():
            self.sets[name] = self._set(
                document.objects(document.model, tag, *_OLD_TAGS.get(tag, ())), name, kind
            )
        self._take_out_ground()
        self._joints_of_bodies()
        self.loose = self._named(document.objects(document.model, "components"), (), "component")
        self._move_to_sets(self.loose)
        for name in self.sets:
            for component in self.sets[name][:]:
                self._move_to_sets(component.inner)
        self._move_to_sets(self.sets["componentset"])
        self.by_path = {component.path: component for component in self.walk()}
        self._by_end: dict[str, list[Component]] = {}
        for component in self.by_path.values():
            self._by_end.setdefault(component.path[-1], []).append(component)

    def walk(self) -> Iterator[Component]:
        """Yield every component, owners before what they own."""
        stack = [component for name in reversed(self.sets) for component in reversed(self.sets[name])]
        stack.extend(reversed(self.loose))
        if self.ground is not None:
            stack.append(self.ground)
        while stack:
            component = stack.pop()
            yield component
            stack.extend(reversed(component.inner))

    def frames(self) -> Iterator[Component]:
        """Yield every frame that is neither a body nor the ground."""
        return (component for component in self.walk() if component.is_frame)

    def _set(self, elements: list[Element], name: str, kind: str) -> list[Component]:
        return self._named(elements, (name,), kind)

    def _named(self, elements: Iterable[Element], owner: Path, kind: str) -> list[Component]:
        listed = list(elements)
        found = []
        for element, name in zip(listed, unique_names(listed, self.notes, kind), strict=True):
            component = Component(name, (*owner, name), element)
            inner = [*self.document.objects(element, "frames"), *self.document.objects(element, "components")]
            component.inner = self._named(inner, component.path, "component")
            found.append(component)
        return found

    def _move_to_sets(self, owned: list[Component]) -> None:
        """Put bodies, joints, forces … that other components own where the reader looks for them.

        OpenSim lets any component own any other; they keep their paths.
        """
        for component in owned[:]:
            self._move_to_sets(component.inner)
            for ending, name in _SET_BY_ENDING.items():
                if component.element.tag.endswith(ending):
                    owned.remove(component)
                    self.sets[name].append(component)
                    break

    def _take_out_ground(self) -> None:
        """Before version 4 the ground was a body of that name."""
        bodies = self.sets["bodyset"]
        old = [body for body in bodies if body.name.lower() == "ground"]
        self.sets["bodyset"] = [body for body in bodies if body.name.lower() != "ground"]
        element = self.document.model.child("Ground")
        if element is not None:
            self.ground = self._named([element], (), "ground")[0]
        elif old:
            self.ground = old[0]
        if self.ground is not None:
            self.ground.name, self.ground.path = "ground", GROUND_PATH
            for frame in self.ground.inner:
                frame.path = (*GROUND_PATH, frame.name)

    def _joints_of_bodies(self) -> None:
        """Before version 3.5 each body owned the joint that carries it."""
        owned = []
        for body in self.sets["bodyset"]:
            holder = body.element.child("Joint")
            if holder is not None and holder.children:
                owned.append((holder.children[0], body.name))
        if not owned:
            return
        joints = self._set([element for element, _ in owned], "jointset", "joint")
        for joint, (_, owner) in zip(joints, owned, strict=True):
            joint.body = owner
        self.sets["jointset"] = [*self.sets["jointset"], *joints]

    def resolve(
        self, text: str, owner: Path, kind: str, accept: Callable[[Component], bool], element: Element
    ) -> Path:
        """Return the path of the component that a connection means.

        Parameters
        ----------
        text : str
            A path or a bare name.
        owner : Path
            Where the connection is; relative paths start there.
        kind : str
            What is looked for, for messages.
        accept : callable
            Whether a component is of that kind.
        element : Element
            The place in the file, for messages.
        """
        parts = tuple(part for part in text.strip().split("/") if part not in ("", "."))
        if not parts:
            raise UnknownNameError.among(text, kind, self._known(accept), where=element.where)
        exact = parts if text.strip().startswith("/") else _joined(owner, parts)
        if kind == "body or frame" and parts[-1].lower() == "ground":
            return GROUND_PATH
        found = self.by_path.get(exact)
        if found is not None and accept(found):
            return exact
        # Files move objects and leave connections behind: the end of the path often still tells.
        end = tuple(part for part in parts if part != "..")
        for start in range(len(end)):
            same = [c.path for c in self._by_end.get(end[-1], []) if _ends(c.path, end[start:]) and accept(c)]
            bodies = [path for path in same if self.by_path[path].element.tag == "Body"]
            if len(same) == 1 or bodies:
                return (bodies or same)[0]
        raise UnknownNameError.among(end[-1] if end else text, kind, self._known(accept), where=element.where)

    def _known(self, accept: Callable[[Component], bool]) -> list[str]:
        return [component.name for component in self.by_path.values() if accept(component)]


def force_components(document: Document) -> list[Component]:
    """Return the forces of a force set that stands in a file of its own, as if they were the model's."""
    listed = [child for holder in document.model.all("objects") for child in holder]
    names = unique_names(listed, [], "force")
    return [Component(name, ("forceset", name), each) for name, each in zip(names, listed, strict=True)]


def _joined(owner: Path, parts: Path) -> Path:
    path = list(owner)
    for part in parts:
        if part == "..":
            del path[-1:]
        else:
            path.append(part)
    return tuple(path)


def _ends(path: Path, end: Path) -> bool:
    return path[-len(end) :] == end


def socket(document: Document, element: Element, *names: str) -> str:
    """Return what a connection holds, in the spelling of any version; empty where it is not made."""
    for name in names:
        for tag in (f"socket_{name}", f"socket_{name}_connectee_name", name):
            text = document.text(element, tag)
            if text:
                return text
    for holder in element.all("connectors"):
        for connector in holder:
            if connector.name in names:
                return connector.text_of("connectee_name")
    return ""
