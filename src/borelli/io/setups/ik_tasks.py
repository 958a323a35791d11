"""Tasks of OpenSim's inverse kinematics: which markers and coordinates count, and how much."""

from __future__ import annotations

import os

from borelli.errors import InvalidValueError, UnknownNameError
from borelli.io.setups.set_file import set_objects
from borelli.io.setups.setup_options import flag, number
from borelli.io.text.xml import Element
from borelli.records import dataclass

VALUE_TYPES = ("default_value", "manual_value", "from_file")


@dataclass(frozen=True)
class IKTask:
    """One task that is switched on.

    Attributes
    ----------
    name : str
        Marker or coordinate.
    weight : float
        OpenSim's default is zero: a task without a weight does not count.
    is_marker : bool
    value_type : str
        For a coordinate: ``default_value``, ``manual_value`` or ``from_file``.
    value : float
        For ``manual_value``: rad or m.
    """

    name: str
    weight: float
    is_marker: bool
    value_type: str = "default_value"
    value: float = 0.0


def read_ik_tasks(holder: Element | None, path: str | os.PathLike[str]) -> tuple[IKTask, ...]:
    """Read an IKTaskSet, in place or in a file of its own; tasks that are switched off are left out."""
    tasks = []
    for element in set_objects(holder, path):
        if not flag(element, "apply", True):
            continue
        weight = number(element, "weight", 0.0)
        if weight < 0.0:
            raise InvalidValueError(
                f"The weight of task {element.name!r} is {weight:g}.",
                where=element.where,
                remedy="give zero or more",
            )
        kind = element.text_of("value_type", "default_value").strip() or "default_value"
        if kind not in VALUE_TYPES:
            raise UnknownNameError.among(kind, "value_type", VALUE_TYPES, where=element.where)
        tasks.append(
            IKTask(
                element.name,
                weight,
                element.tag == "IKMarkerTask",
                kind,
                number(element, "value", 0.0),
            )
        )
    return tuple(tasks)
