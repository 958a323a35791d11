"""Forces other than muscles; those without a counterpart are kept as data."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from borelli.errors import FileFormatError, UnsupportedError
from borelli.io.osim.actuators import (
    read_activation_actuator,
    read_coordinate_actuator,
    read_path_actuator,
    read_point_actuator,
    read_torque_actuator,
    read_two_point_actuator,
)
from borelli.io.osim.components import Component, socket
from borelli.io.osim.contact import (
    ContactReader,
    read_floor_contact,
    read_hunt_crossley,
    read_smooth_contact,
)
from borelli.io.osim.document import Document, located
from borelli.io.osim.formula_forces import (
    bushing_frames,
    read_expression_bushing,
    read_expression_coordinate,
    read_expression_path,
    read_expression_points,
    read_function_bushing,
    read_prescribed,
    two_points,
)
from borelli.io.osim.frames import Frames
from borelli.io.osim.functions import function_property
from borelli.io.osim.kept import keep
from borelli.io.osim.muscles import is_muscle, read_muscle
from borelli.io.osim.paths import PathReader
from borelli.model import (
    Blankevoort1991Ligament,
    BushingForce,
    Coordinate,
    CoordinateLimitForce,
    CoordinateSpring,
    Force,
    Ligament,
    MotionType,
    Muscle,
    OtherComponent,
    Path,
    PathSpring,
    PointToPointSpring,
)
from borelli.units import DEG_PER_RAD, RAD_PER_DEG

NAN = math.nan


class ForceReader:
    """Reads the force set of a document."""

    def __init__(
        self,
        document: Document,
        frames: Frames,
        paths: PathReader,
        coordinates: dict[str, Coordinate],
        contact: ContactReader,
    ) -> None:
        self.document = document
        self.frames = frames
        self.paths = paths
        self.coordinates = coordinates
        self.contact = contact

    def read(self, component: Component) -> Muscle | Force | OtherComponent:
        """Read one force."""
        element = component.element
        with located(element):
            path = self.paths.read(component)
            if path is not None and is_muscle(element):
                return read_muscle(self.document, component, path)
            reader = _READERS.get(element.tag)
            if reader is None or (path is None and element.tag in _ALONG_PATHS):
                return keep(self.document, component, "force", path)
            values = {"name": component.name, "applies_force": self._applies(component)}
            try:
                return reader(self, component, values, path)
            except UnsupportedError:
                if element.tag not in _KEPT_IF_UNKNOWN:
                    raise
                return keep(self.document, component, "force", path)

    def _applies(self, component: Component) -> bool:
        off = self.document.flag(component.element, "isDisabled", default=False)
        return self.document.flag(component.element, "appliesForce", default=not off)

    def number(self, component: Component, *tags: str, default: float) -> float:
        """Read a number of a force."""
        return self.document.number(component.element, *tags, default=default)

    def coordinate(self, component: Component) -> str:
        """Read the coordinate that a force acts on."""
        found = self.paths.coordinate(
            socket(self.document, component.element, "coordinate"), component.element
        )
        if found is None:
            raise FileFormatError(
                f"force {component.name!r} ({component.element.tag}) names no coordinate.",
                where=component.element.where,
            )
        return found


def _ligament(reader: ForceReader, component: Component, values: dict[str, Any], path: Path) -> Force:
    return Ligament(
        **values,
        path=path,
        resting_length=reader.number(component, "resting_length", default=0.0),
        pcsa_force=reader.number(component, "pcsa_force", default=0.0),
        force_length_curve=function_property(reader.document, component.element, "force_length_curve"),
    )


def _blankevoort(reader: ForceReader, component: Component, values: dict[str, Any], path: Path) -> Force:
    return Blankevoort1991Ligament(
        **values,
        path=path,
        slack_length=reader.number(component, "slack_length", default=0.0),
        linear_stiffness=reader.number(component, "linear_stiffness", default=1.0),
        transition_strain=reader.number(component, "transition_strain", default=0.06),
        damping_coefficient=reader.number(component, "damping_coefficient", default=0.003),
    )


def _path_spring(reader: ForceReader, component: Component, values: dict[str, Any], path: Path) -> Force:
    return PathSpring(
        **values,
        path=path,
        resting_length=reader.number(component, "resting_length", default=NAN),
        stiffness=reader.number(component, "stiffness", default=NAN),
        dissipation=reader.number(component, "dissipation", default=NAN),
    )


def _limit(reader: ForceReader, component: Component, values: dict[str, Any], _path: Path | None) -> Force:
    name = reader.coordinate(component)
    coordinate = reader.coordinates.get(name)
    # OpenSim states the limits of a rotation in degrees, and its stiffness and damping per degree.
    turns = coordinate is not None and coordinate.motion is MotionType.ROTATIONAL
    size, per = (RAD_PER_DEG, DEG_PER_RAD) if turns else (1.0, 1.0)
    return CoordinateLimitForce(
        **values,
        coordinate=name,
        upper_limit=size * reader.number(component, "upper_limit", default=0.0),
        upper_stiffness=per * reader.number(component, "upper_stiffness", default=1.0),
        lower_limit=size * reader.number(component, "lower_limit", default=0.0),
        lower_stiffness=per * reader.number(component, "lower_stiffness", default=1.0),
        damping=per * reader.number(component, "damping", default=0.001),
        transition=size * reader.number(component, "transition", default=0.1),
    )


def _spring(reader: ForceReader, component: Component, values: dict[str, Any], _path: Path | None) -> Force:
    return CoordinateSpring(
        **values,
        coordinate=reader.coordinate(component),
        stiffness=reader.number(component, "stiffness", default=0.0),
        rest=reader.number(component, "rest_length", default=0.0),
        viscosity=reader.number(component, "viscosity", default=0.0),
    )


def _point_spring(
    reader: ForceReader, component: Component, values: dict[str, Any], _path: Path | None
) -> Force:
    return PointToPointSpring(
        **values,
        **two_points(reader, component),
        stiffness=reader.number(component, "stiffness", default=1.0),
        rest_length=reader.number(component, "rest_length", default=0.0),
    )


def _bushing(reader: ForceReader, component: Component, values: dict[str, Any], _path: Path | None) -> Force:
    document, element = reader.document, component.element
    return BushingForce(
        **values,
        **bushing_frames(reader, component),
        rotational_stiffness=document.vector(element, "rotational_stiffness"),
        translational_stiffness=document.vector(element, "translational_stiffness"),
    )


_ALONG_PATHS = (
    "Ligament",
    "Blankevoort1991Ligament",
    "PathSpring",
    "PathActuator",
    "ExpressionBasedPathForce",
)
# Forces that are named and not evaluated where a function or surface of theirs is of an unknown kind.
_KEPT_IF_UNKNOWN = (
    "FunctionBasedBushingForce",
    "PrescribedForce",
    "HuntCrossleyForce",
    "SmoothSphereHalfSpaceForce",
)
_READERS: dict[str, Callable[..., Force]] = {
    "Ligament": _ligament,
    "Blankevoort1991Ligament": _blankevoort,
    "PathSpring": _path_spring,
    "PathActuator": read_path_actuator,
    "CoordinateLimitForce": _limit,
    "SpringGeneralizedForce": _spring,
    "PointToPointSpring": _point_spring,
    "BushingForce": _bushing,
    "LinearBushing": _bushing,
    "ExpressionBasedCoordinateForce": read_expression_coordinate,
    "ExpressionBasedPointToPointForce": read_expression_points,
    "ExpressionBasedPathForce": read_expression_path,
    "ExpressionBasedBushingForce": read_expression_bushing,
    "FunctionBasedBushingForce": read_function_bushing,
    "PrescribedForce": read_prescribed,
    "HuntCrossleyForce": read_hunt_crossley,
    "SmoothSphereHalfSpaceForce": read_smooth_contact,
    "MeyerFregly2016Force": read_floor_contact,
    "CoordinateActuator": read_coordinate_actuator,
    "ActivationCoordinateActuator": read_activation_actuator,
    "PointToPointActuator": read_two_point_actuator,
    "TorqueActuator": read_torque_actuator,
    "PointActuator": read_point_actuator,
    # Names that version 1 gave to the last ones.
    "GeneralizedForce": read_coordinate_actuator,
    "Torque": read_torque_actuator,
    "Force": read_point_actuator,
}
