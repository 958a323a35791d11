"""Forces whose law the file states: by expressions, by functions of their deviation, or of time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from borelli.errors import FileFormatError
from borelli.io.osim.components import Component
from borelli.io.osim.document import Document, located
from borelli.io.osim.frames import old_joint_frame
from borelli.io.osim.functions import function_property, read_function
from borelli.io.text.xml import Element
from borelli.model import (
    Constant,
    ExpressionBushingForce,
    ExpressionCoordinateForce,
    ExpressionPathForce,
    ExpressionPointToPointForce,
    Force,
    Function,
    FunctionBushingForce,
    Path,
    Placement,
    PrescribedForce,
)

if TYPE_CHECKING:
    from borelli.io.osim.forces import ForceReader

Values = dict[str, Any]


def read_expression_coordinate(
    reader: ForceReader, component: Component, values: Values, _path: Path | None
) -> Force:
    """Read an ExpressionBasedCoordinateForce."""
    return ExpressionCoordinateForce(
        **values,
        coordinate=reader.coordinate(component),
        expression=_expression(reader, component, "expression"),
    )


def read_expression_points(
    reader: ForceReader, component: Component, values: Values, _path: Path | None
) -> Force:
    """Read an ExpressionBasedPointToPointForce."""
    return ExpressionPointToPointForce(
        **values, **two_points(reader, component), expression=_expression(reader, component, "expression")
    )


def read_expression_path(reader: ForceReader, component: Component, values: Values, path: Path) -> Force:
    """Read an ExpressionBasedPathForce."""
    return ExpressionPathForce(
        **values,
        path=path,
        resting_length=reader.number(component, "resting_length", default=0.0),
        expression=_expression(reader, component, "expression"),
        clamp_stretch=reader.document.flag(component.element, "clamp_stretch", default=True),
    )


def read_expression_bushing(
    reader: ForceReader, component: Component, values: Values, _path: Path | None
) -> Force:
    """Read an ExpressionBasedBushingForce."""
    moments, forces = (
        tuple(_expression(reader, component, f"{letter}{axis}_expression") for axis in "xyz")
        for letter in "MF"
    )
    return ExpressionBushingForce(
        **values,
        **bushing_frames(reader, component),
        moments=moments,  # type: ignore[arg-type]
        forces=forces,  # type: ignore[arg-type]
    )


def read_function_bushing(
    reader: ForceReader, component: Component, values: Values, _path: Path | None
) -> Force:
    """Read a FunctionBasedBushingForce."""

    def functions(force: str, deviation: str) -> tuple[Function, ...]:
        names = [f"{force}_{axis}_{deviation}_{axis}_function" for axis in "xyz"]
        found = [function_property(reader.document, component.element, name) for name in names]
        return tuple(each or Constant(0.0) for each in found)

    return FunctionBushingForce(
        **values,
        **bushing_frames(reader, component),
        moments=functions("m", "theta"),  # type: ignore[arg-type]
        forces=functions("f", "delta"),  # type: ignore[arg-type]
    )


def read_prescribed(reader: ForceReader, component: Component, values: Values, _path: Path | None) -> Force:
    """Read a PrescribedForce."""
    document, element = reader.document, component.element
    return PrescribedForce(
        **values,
        body=reader.frames.connected(component, "frame", "body"),
        force=_function_set(document, element, "forceFunctions"),
        point=_function_set(document, element, "pointFunctions"),
        torque=_function_set(document, element, "torqueFunctions"),
        in_ground=document.flag(element, "forceIsGlobal", default=True),
        point_in_ground=document.flag(element, "pointIsGlobal", default=False),
    )


def two_points(reader: ForceReader, component: Component) -> Values:
    """Read the two points that a force connects."""
    return {
        "first": reader.frames.connected(component, "body1"),
        "second": reader.frames.connected(component, "body2"),
        "first_location": reader.document.vector(component.element, "point1"),
        "second_location": reader.document.vector(component.element, "point2"),
    }


def bushing_frames(reader: ForceReader, component: Component) -> Values:
    """Read the two frames of a bushing and its dampers."""
    document, element = reader.document, component.element

    def old_frame(number: str) -> Placement:
        return old_joint_frame(document, element, f"location_body_{number}", f"orientation_body_{number}")

    return {
        "first": reader.frames.connected(component, "frame1", "body_1", "body1"),
        "second": reader.frames.connected(component, "frame2", "body_2", "body2"),
        "first_placement": old_frame("1"),
        "second_placement": old_frame("2"),
        "rotational_damping": document.vector(element, "rotational_damping"),
        "translational_damping": document.vector(element, "translational_damping"),
    }


def _expression(reader: ForceReader, component: Component, name: str) -> str:
    # Files break long expressions into lines.
    return " ".join(reader.document.text(component.element, name, default="0").split())


def _function_set(document: Document, owner: Element, name: str) -> tuple[Function, ...]:
    """Read a set of three functions, ``<FunctionSet name="forceFunctions">`` or ``<forceFunctions>``; or none."""
    found = document.child(owner, name)
    for child in owner:
        if child.tag == "FunctionSet" and child.name == name:
            found = child
    if found is None:
        return ()
    objects = found.child("objects")
    elements = found.children if objects is None else objects.children
    elements = [element for element in elements if element.tag != "groups"]
    if len(elements) not in (0, 3):
        raise FileFormatError(
            f"{name} needs three functions or none, but has {len(elements)}.", where=found.where
        )
    with located(found):
        return tuple(read_function(document, element) for element in elements)
