"""Coordinates of joints, and what each of them measures."""

from __future__ import annotations

from collections.abc import Sequence

from borelli.io.osim.document import Document, located
from borelli.io.osim.functions import function_property
from borelli.io.text.xml import Element
from borelli.model import AxisFunction, Coordinate, Linear, MotionType

# Up to this version the file says what a coordinate measures. OpenSim 4 asks the joint, whatever the version.
_LAST_STATED_MOTION = 30513


def read_coordinate(
    document: Document, element: Element | None, name: str, motion: MotionType, notes: list[str]
) -> Coordinate:
    """Read a coordinate.

    Parameters
    ----------
    element : Element or None
        None for a coordinate that the file leaves out: it has the defaults of OpenSim.
    motion : MotionType
        What the joint makes of it.
    """
    if element is None:
        element = Element("Coordinate", {"name": name}, 0, document.source)
    with located(element):
        stated = document.text(element, "motion_type").lower()
        if (
            document.version <= _LAST_STATED_MOTION
            and stated == "rotational"
            and motion is MotionType.COUPLED
        ):
            notes.append(
                f"coordinate {name!r} is an angle by its motion_type, but no axis of its joint moves one for one with "
                "it: as in OpenSim 4, tables in degrees have it in radians (those of OpenSim 3 in degrees)"
            )
        found = document.child(element, "range")
        # OpenSim's range of a coordinate that states none.
        low, high = found.numbers(2) if found is not None and found.text else (-10.0, 10.0)
        if low > high:
            notes.append(
                f"the range of coordinate {name!r} ends ({high:g}) before it begins ({low:g}): the ends were swapped"
            )
            low, high = high, low
        function = function_property(document, element, "prescribed_function")
        prescribed = document.flag(element, "prescribed", "is_prescribed", default=False)
        if prescribed and function is None:
            notes.append(f"coordinate {name!r} is prescribed without a function: it is free, as in OpenSim")
        return Coordinate(
            name,
            motion,
            default_value=document.number(element, "default_value", default=0.0),
            default_speed=document.number(element, "default_speed_value", default=0.0),
            range=(low, high),
            clamped=document.flag(element, "clamped", default=False),
            locked=document.flag(element, "locked", default=False),
            prescribed_function=function,
            prescribed=prescribed and function is not None,
            free_to_satisfy_constraints=document.flag(
                element, "is_free_to_satisfy_constraints", default=False
            ),
        )


def motion_in_custom_joint(name: str, axes: Sequence[AxisFunction]) -> MotionType:
    """Say what a coordinate of a custom joint measures, as OpenSim 4 does.

    It is the motion along an axis if that axis moves one for one with it; the last such axis counts. All
    others are coupled.
    """
    motion = MotionType.COUPLED
    for index, axis in enumerate(axes):
        plain = isinstance(axis.function, Linear) and abs(axis.function.slopes[0]) == 1.0
        if plain and name in axis.coordinates:
            motion = MotionType.ROTATIONAL if index < 3 else MotionType.TRANSLATIONAL
    return motion


def split_names(text: str, known: Sequence[str]) -> tuple[str, ...]:
    """Split a list of names at blanks; names that contain blanks are recognised if they are known."""
    words = text.split()
    if all(word in known for word in words):
        return tuple(words)
    names: list[str] = []
    while words:
        for count in range(len(words), 0, -1):
            candidate = " ".join(words[:count])
            if candidate in known or count == 1:
                names.append(candidate)
                words = words[count:]
                break
    return tuple(names)
