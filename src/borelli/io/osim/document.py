"""An OpenSim document: its version, its defaults, and how a property is looked up.

OpenSim writes a property as a child element named after it. What a file leaves out is taken from the
``<defaults>`` section, which holds one prototype object for each class, and then from the class itself.
Older versions used other names; every look-up takes them as alternatives.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from borelli.errors import BorelliError, FileFormatError
from borelli.io.osim.old_names import update_old_names
from borelli.io.text.xml import Element, read_xml

EXPECTED = "an OpenSim model (.osim)"
OLDEST = 10901
"""Before it joints had other transforms; OpenSim 4 refuses those documents as well."""
# That of OpenSim 4.6; what a later one means is not known.
NEWEST = 40600

_UPGRADE = "open it in OpenSim 3.3 and save it again"
_HEAD = 4096
"""Bytes in which a document states its version; comments may come first."""

Vector = tuple[float, float, float]


class Document:
    """A parsed ``.osim`` file.

    Attributes
    ----------
    source : str
        Name of the file.
    version : int
        ``30000``, ``40000`` and so on.
    model : Element
        The ``<Model>`` element.
    defaults : dict of Element
        Prototype of each class that the file defines one for.
    """

    def __init__(self, root: Element, source: str) -> None:
        self.source = source
        self.model = _model_of(root)
        self.version = _version_of(root)
        update_old_names(root, self.version)
        self.defaults: dict[str, Element] = {}
        for owner in (root, self.model):
            for section in owner.all("defaults"):
                self.defaults.update((prototype.tag, prototype) for prototype in section)

    @classmethod
    def of_part(cls, part: Element, version: int) -> Document:
        """Return a document around a part that stands in a file of its own, such as a force set or a function.

        ``model`` is the part itself.
        """
        self = cls.__new__(cls)
        self.source, self.model, self.version = part.source, part, version
        update_old_names(part, version)
        self.defaults = {
            prototype.tag: prototype for section in part.all("defaults") for prototype in section
        }
        return self

    def child(self, element: Element, *tags: str) -> Element | None:
        """Return the property under one of its names: from the object, else from the defaults."""
        for tag in tags:
            found = element.child(tag)
            if found is not None:
                return found
        prototype = self.defaults.get(element.tag)
        if prototype is None or prototype is element:
            return None
        for tag in tags:
            found = prototype.child(tag)
            if found is not None:
                return found
        return None

    def properties(self, element: Element) -> dict[str, Element]:
        """Return all properties of an object by name, its own before those of the defaults.

        For objects of which many properties are wanted: it looks through them once.
        """
        found: dict[str, Element] = {}
        prototype = self.defaults.get(element.tag)
        for holder in (element,) if prototype is None else (element, prototype):
            for child in holder.children:
                found.setdefault(child.tag, child)
        return found

    def text(self, element: Element, *tags: str, default: str = "") -> str:
        """Return a property as text; the default where it is absent or empty."""
        found = self.child(element, *tags)
        return found.text if found is not None and found.text else default

    def number(self, element: Element, *tags: str, default: float) -> float:
        """Return a property as a number; the default where it is absent or empty."""
        found = self.child(element, *tags)
        return found.number() if found is not None and found.text else default

    def vector(self, element: Element, *tags: str, default: Vector = (0.0, 0.0, 0.0)) -> Vector:
        """Return a property as three numbers; the default where it is absent or empty."""
        found = self.child(element, *tags)
        if found is None or not found.text:
            return default
        x, y, z = found.numbers(3)
        return (x, y, z)

    def rounded_vector(self, element: Element, *tags: str) -> Vector:
        """Return three numbers of an old document as OpenSim 4 has them after it has updated the document.

        It writes joint frames and inertias anew with six significant digits, and computes with those.
        """
        x, y, z = self.vector(element, *tags)
        return (six_digits(x), six_digits(y), six_digits(z))

    def flag(self, element: Element, *tags: str, default: bool) -> bool:
        """Return a property as true or false; the default where it is absent or empty."""
        found = self.child(element, *tags)
        return found.flag() if found is not None and found.text else default

    def objects(self, element: Element, *tags: str) -> list[Element]:
        """Return the objects of a set (``<BodySet><objects>…``) or of a list property (``<frames>…``)."""
        found = self.child(element, *tags)
        if found is None:
            return []
        inner = found.child("objects")
        if inner is not None:
            return inner.children
        return [child for child in found if child.tag not in ("groups", "components", "defaults")]


def six_digits(value: float) -> float:
    """Round to six significant digits, as OpenSim does where it rewrites an old document."""
    return float(f"{value:.6g}")


def read_document(path: str | os.PathLike[str]) -> Document:
    """Read a file and make sure that it is an OpenSim model."""
    return Document(read_xml(path, EXPECTED), os.fspath(path))


def document_version(path: str | os.PathLike[str]) -> int:
    """Return the version that the head of a document states, :data:`NEWEST` where it states none."""
    with open(path, "rb") as file:
        found = re.search(rb"<OpenSimDocument[^>]*Version\s*=\s*[\"'](\d{1,9})", file.read(_HEAD))
    return int(found[1]) if found else NEWEST


def _model_of(root: Element) -> Element:
    if root.tag == "Model":
        return root
    if root.tag != "OpenSimDocument":
        raise FileFormatError(f"The document is a <{root.tag}>, expected {EXPECTED}.", where=root.where)
    found = root.child("Model")
    if found is None:
        inside = ", ".join(f"<{child.tag}>" for child in root.children[:5]) or "nothing"
        raise FileFormatError(
            f"The document holds {inside}, but no <Model>.",
            where=root.where,
            remedy="give the model file, not a setup file, a set of markers or of forces",
        )
    return found


def _version_of(root: Element) -> int:
    text = root.attributes.get("Version", "").strip()
    if root.tag == "Model" and not text:
        raise FileFormatError(
            "The file has no <OpenSimDocument Version=…> around its model: it is of OpenSim 1.5 or earlier, which "
            "OpenSim 4 cannot read either.",
            where=root.where,
            remedy=_UPGRADE,
        )
    if not text.isascii() or not text.isdigit():
        raise FileFormatError(
            f"The version of the document is {text[:40]!r}, not a number.", where=root.where
        )
    version = int(text[:9])
    if not OLDEST <= version <= NEWEST:
        either = ", which OpenSim 4 cannot read either" if version < OLDEST else ""
        raise FileFormatError(
            f"The document has version {version}{either}; versions {OLDEST} to {NEWEST} can be read.",
            where=root.where,
            remedy=_UPGRADE if version < OLDEST else "update Borelli",
        )
    return version


@contextmanager
def located(element: Element) -> Iterator[None]:
    """Add the place in the file to an error that does not name one."""
    try:
        yield
    except BorelliError as error:
        if error.where is None:
            error.where = element.where
        raise


def unique_names(elements: Sequence[Element], notes: list[str], kind: str) -> list[str]:
    """Name the objects of a set as OpenSim does.

    An object without a name is called after its class; a repeated name gets a number. Both are noted.
    """
    names: list[str] = []
    used = {element.name for element in elements}
    taken: set[str] = set()
    numbers: dict[str, int] = {}
    for element in elements:
        wanted = element.name or element.tag.lower()
        name, number = wanted, numbers.get(wanted, 0)
        while name in taken or (name != element.name and name in used):
            name, number = f"{wanted}_{number}", number + 1
        numbers[wanted] = number
        taken.add(name)
        if name != wanted:
            notes.append(f"the second {kind} {wanted!r} (line {element.line}) is called {name!r}")
        names.append(name)
    return names
