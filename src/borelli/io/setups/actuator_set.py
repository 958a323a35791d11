"""OpenSim's force-set files: actuators that a tool adds to a model, such as reserves and residuals."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from typing import Any

from borelli.errors import FileFormatError, UnsupportedError
from borelli.io.setups.force_set import read_force_set
from borelli.io.text.xml import Element
from borelli.model.forces.force import CoordinateActuator, Force, PointActuator, TorqueActuator

Vector = tuple[float, float, float]


def load_force_set(path: str | os.PathLike[str]) -> tuple[Force, ...]:
    """Read the coordinate, point and torque actuators of a force-set file.

    Raises
    ------
    FileFormatError
        If the file is no force set.
    UnsupportedError
        If it holds another kind of force.
    """
    element, _ = read_force_set(path)
    defaults = element.child("defaults")
    prototypes = {child.tag: child for child in (defaults.children if defaults is not None else ())}
    objects = element.child("objects")
    listed = objects.children if objects is not None else ()
    return tuple(_Properties(item, prototypes.get(item.tag)).force() for item in listed)


class _Properties:
    """Properties of one force: its own, else those of the prototype of its class."""

    def __init__(self, element: Element, prototype: Element | None) -> None:
        self.element, self.prototype = element, prototype

    def force(self) -> Force:
        readers: dict[str, Callable[[dict[str, Any]], Force]] = {
            "CoordinateActuator": self._coordinate,
            "PointActuator": self._point,
            "TorqueActuator": self._torque,
        }
        if self.element.tag not in readers:
            raise UnsupportedError(
                f"<{self.element.tag}> in a force set is not supported.",
                where=self.element.where,
                remedy="supported: " + ", ".join(readers),
            )
        off = self._flag("isDisabled", False)
        common = {
            "name": self.element.name,
            "applies_force": self._flag("appliesForce", not off),
            "optimal_force": self._number("optimal_force", 1.0),
            "min_control": self._number("min_control", -math.inf),
            "max_control": self._number("max_control", math.inf),
        }
        return readers[self.element.tag](common)

    def _coordinate(self, common: dict[str, Any]) -> Force:
        return CoordinateActuator(**common, coordinate=self._name("coordinate"))

    def _point(self, common: dict[str, Any]) -> Force:
        return PointActuator(
            **common,
            body=self._name("body"),
            point=self._vector("point", (0.0, 0.0, 0.0)),
            point_in_ground=self._flag("point_is_global", False),
            direction=self._vector("direction", (1.0, 0.0, 0.0)),
            direction_in_ground=self._flag("force_is_global", False),
        )

    def _torque(self, common: dict[str, Any]) -> Force:
        return TorqueActuator(
            **common,
            first=self._name("bodyA", "body_a"),
            second=self._name("bodyB", "body_b"),
            axis=self._vector("axis", (0.0, 0.0, 1.0)),
            axis_in_ground=self._flag("torque_is_global", True),
        )

    def _find(self, *tags: str) -> Element | None:
        for owner in (self.element, self.prototype):
            for tag in tags:
                found = owner.child(tag) if owner is not None else None
                if found is not None and found.text:
                    return found
        return None

    def _number(self, tag: str, default: float) -> float:
        found = self._find(tag)
        return default if found is None else found.number()

    def _flag(self, tag: str, default: bool) -> bool:
        found = self._find(tag)
        return default if found is None else found.flag()

    def _vector(self, tag: str, default: Vector) -> Vector:
        found = self._find(tag)
        if found is None:
            return default
        x, y, z = found.numbers(3)
        return (x, y, z)

    def _name(self, *tags: str) -> str:
        found = self._find(*tags)
        if found is None:
            raise FileFormatError(
                f"{self.element.tag} {self.element.name!r} names no {tags[0]}.", where=self.element.where
            )
        # A connection may be a path in the model; its end is the name.
        return found.text.strip().rsplit("/", 1)[-1]
