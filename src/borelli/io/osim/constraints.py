"""Constraints of every kind; a rolling contact, which has no counterpart, is kept as data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from borelli.errors import FileFormatError
from borelli.io.osim.components import Component
from borelli.io.osim.coordinates import split_names
from borelli.io.osim.document import Document, located
from borelli.io.osim.frames import Frames, old_joint_frame
from borelli.io.osim.functions import function_property
from borelli.io.osim.kept import keep
from borelli.io.osim.paths import PathReader
from borelli.model import (
    ConstantDistanceConstraint,
    Constraint,
    CoordinateCoupler,
    OtherComponent,
    Placement,
    PointConstraint,
    PointOnLineConstraint,
    WeldConstraint,
)

_NAN = float("nan")


class ConstraintReader:
    """Reads the constraint set of a document."""

    def __init__(self, document: Document, frames: Frames, paths: PathReader) -> None:
        self.document = document
        self.frames = frames
        self.paths = paths

    def read(self, component: Component) -> Constraint | OtherComponent:
        """Read one constraint."""
        element = component.element
        reader = _READERS.get(element.tag)
        with located(element):
            if reader is None:
                return keep(self.document, component, "constraint")
            off = self.document.flag(element, "isDisabled", default=False)
            enforced = self.document.flag(element, "isEnforced", default=not off)
            return reader(self, component, {"name": component.name, "enforced": enforced})


def _coupler(reader: ConstraintReader, component: Component, values: dict[str, Any]) -> Constraint:
    document, element = reader.document, component.element
    function = function_property(document, element, "coupled_coordinates_function")
    if function is None:
        raise FileFormatError(f"coupler {component.name!r} has no function.", where=element.where)
    listed = split_names(document.text(element, "independent_coordinate_names"), reader.paths.coordinates)
    independent = tuple(reader.paths.coordinate(name, element) or name for name in listed)
    dependent = reader.paths.coordinate(document.text(element, "dependent_coordinate_name"), element)
    if dependent is None or not independent:
        raise FileFormatError(f"coupler {component.name!r} names too few coordinates.", where=element.where)
    scale = document.number(element, "scale_factor", default=1.0)
    return CoordinateCoupler(
        **values, dependent=dependent, independent=independent, function=function, scale=scale
    )


def _two_points(reader: ConstraintReader, component: Component) -> dict[str, Any]:
    document, element = reader.document, component.element
    return {
        "first": reader.frames.connected(component, "body_1"),
        "second": reader.frames.connected(component, "body_2"),
        "first_location": document.vector(element, "location_body_1"),
        "second_location": document.vector(element, "location_body_2"),
    }


def _point(reader: ConstraintReader, component: Component, values: dict[str, Any]) -> Constraint:
    return PointConstraint(**values, **_two_points(reader, component))


def _distance(reader: ConstraintReader, component: Component, values: dict[str, Any]) -> Constraint:
    distance = reader.document.number(component.element, "constant_distance", default=_NAN)
    return ConstantDistanceConstraint(**values, **_two_points(reader, component), distance=distance)


def _line(reader: ConstraintReader, component: Component, values: dict[str, Any]) -> Constraint:
    document, element = reader.document, component.element
    return PointOnLineConstraint(
        **values,
        line_frame=reader.frames.connected(component, "line_body"),
        follower=reader.frames.connected(component, "follower_body"),
        line_direction=document.vector(element, "line_direction_vec"),
        line_point=document.vector(element, "point_on_line"),
        follower_location=document.vector(element, "point_on_follower"),
    )


def _weld(reader: ConstraintReader, component: Component, values: dict[str, Any]) -> Constraint:
    document, element = reader.document, component.element

    def old_frame(number: str) -> Placement:
        return old_joint_frame(document, element, f"location_body_{number}", f"orientation_body_{number}")

    return WeldConstraint(
        **values,
        first=reader.frames.connected(component, "frame1", "body_1"),
        second=reader.frames.connected(component, "frame2", "body_2"),
        first_placement=old_frame("1"),
        second_placement=old_frame("2"),
    )


_READERS: dict[str, Callable[..., Constraint]] = {
    "CoordinateCouplerConstraint": _coupler,
    "PointConstraint": _point,
    "ConstantDistanceConstraint": _distance,
    "PointOnLineConstraint": _line,
    "WeldConstraint": _weld,
}
