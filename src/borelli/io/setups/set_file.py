"""Sets of an OpenSim document: written in place, or in a file of their own that the element names."""

from __future__ import annotations

import os

from borelli.errors import FileFormatError
from borelli.io.setups.setup_options import is_empty
from borelli.io.text.references import find_file
from borelli.io.text.xml import Element, read_xml

EXPECTED = "an OpenSim set (.xml)"


def set_objects(holder: Element | None, path: str | os.PathLike[str] | None = None) -> list[Element]:
    """Return the objects of a set.

    Parameters
    ----------
    holder : Element or None
        The set; its attribute ``file`` may name another document that holds it.
    path : path, optional
        The document that the set is in; a file is found from there.
    """
    if holder is None:
        return []
    file = holder.attributes.get("file", "")
    if path is not None and not is_empty(file):
        return set_in_file(find_file(path, file), holder.tag)
    found = holder.child("objects")
    return [] if found is None else list(found.children)


def set_in_file(path: str | os.PathLike[str], tag: str) -> list[Element]:
    """Return the objects of the set that a document holds."""
    root = read_xml(path, EXPECTED)
    inside = root if root.tag == tag else root.child(tag)
    if inside is None:
        shown = ", ".join(f"<{child.tag}>" for child in root.children[:5]) or "nothing"
        raise FileFormatError(f"The document holds {shown}, but no <{tag}>.", where=os.fspath(path))
    return set_objects(inside)
