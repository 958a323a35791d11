"""Documents before version 3 in the words of later ones.

OpenSim brings an old document to its newest form before it reads it. What version 1 and 2 wrote in another place or
with another sign is rewritten here, element by element, so that no reader needs to know of it. Classes that only
changed their name are read under both by their readers.
"""

from __future__ import annotations

from collections.abc import Callable

from borelli.io.text.xml import Element

_Update = Callable[[Element], None]

_POINT_SET, _WRAP_SET = "MusclePointSet", "MuscleWrapSet"


def update_old_names(root: Element, version: int) -> None:
    """Rewrite the elements of an old document in place.

    Parameters
    ----------
    root : Element
        A model, a set of forces or another part of a document.
    version : int
        Version of the document.
    """
    updates = [(tags, update) for last, tags, update in _UPDATES if version <= last]
    if not updates:
        return
    by_tag: dict[str, list[_Update]] = {}
    for tags, update in updates:
        for tag in tags:
            by_tag.setdefault(tag, []).append(update)
    everywhere = by_tag.get("", [])
    for element in root.walk():
        for update in (*everywhere, *by_tag.get(element.tag, ())):
            update(element)


def _path_of_its_own(owner: Element) -> None:
    """Put the points and wraps that a muscle of version 1 owns into a path."""
    if owner.tag == "GeometryPath" or owner.child("GeometryPath") is not None:
        return
    moved = [child for child in owner if child.tag in (_POINT_SET, _WRAP_SET)]
    if not any(child.tag == _POINT_SET for child in moved):
        return
    path = Element("GeometryPath", {}, moved[0].line, owner.source)
    path.children = moved
    owner.children = [child for child in owner if child not in moved] + [path]
    owner.forget_order()


def _rename(**names: str) -> _Update:
    def update(owner: Element) -> None:
        for child in owner:
            if child.tag in names:
                child.tag = names[child.tag]
                owner.forget_order()

    return update


def _push_back(owner: Element) -> None:
    """Turn a force of version 1 round: its direction is that of what body B pushes on, along axes of the ground.

    OpenSim goes by the version alone, also where the names are those of later ones (a version 4000 for 40000).
    """
    _negated(owner, "direction_A", "direction")
    _rename(body_B="body", point_B="point", direction_A="direction")(owner)
    if owner.child("force_is_global") is None:
        stated = Element("force_is_global", {}, owner.line, owner.source)
        stated.text = "true"
        owner.children.append(stated)
        owner.forget_order()


def _turn_back(owner: Element) -> None:
    """Turn a torque of version 1 round: it acts on body A, and body B bears it."""
    _negated(owner, "direction_A", "axis")
    _rename(body_A="bodyB", body_B="bodyA", direction_A="axis")(owner)


def _negated(owner: Element, *tags: str) -> None:
    for found in filter(None, map(owner.child, tags)):
        if found.text:
            found.text = " ".join(repr(-value) for value in found.numbers())


# Last version that has it, classes (all where empty), what is done.
_UPDATES: tuple[tuple[int, tuple[str, ...], _Update], ...] = (
    (10904, ("PointActuator", "Force"), _push_back),
    (10904, ("TorqueActuator", "Torque"), _turn_back),
    (20001, ("ConditionalPathPoint", "MuscleViaPoint"), _rename(coordinates="coordinate")),
    (20301, ("",), _path_of_its_own),
    (20301, ("",), _rename(pennation_angle="pennation_angle_at_optimal")),
    (
        29999,
        ("MovingPathPoint", "MovingMusclePoint"),
        _rename(XAttachment="x_location", YAttachment="y_location", ZAttachment="z_location"),
    ),
)
