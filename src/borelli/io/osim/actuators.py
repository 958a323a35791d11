"""Actuators: what drives a model with forces that are given or shared."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from borelli.io.osim.components import Component
from borelli.model import (
    ActivationCoordinateActuator,
    CoordinateActuator,
    Force,
    Path,
    PathActuator,
    PointActuator,
    PointToPointActuator,
    TorqueActuator,
)

if TYPE_CHECKING:
    from borelli.io.osim.forces import ForceReader

Values = dict[str, Any]


def _controls(reader: ForceReader, component: Component) -> Values:
    """Read what all actuators have."""
    return {
        "optimal_force": reader.number(component, "optimal_force", default=1.0),
        "min_control": reader.number(component, "min_control", default=-math.inf),
        "max_control": reader.number(component, "max_control", default=math.inf),
    }


def read_path_actuator(reader: ForceReader, component: Component, values: Values, path: Path) -> Force:
    """Read a PathActuator."""
    return PathActuator(**values, path=path, **_controls(reader, component))


def read_coordinate_actuator(
    reader: ForceReader, component: Component, values: Values, _path: Path | None
) -> Force:
    """Read a CoordinateActuator."""
    return CoordinateActuator(
        **values, coordinate=reader.coordinate(component), **_controls(reader, component)
    )


def read_activation_actuator(
    reader: ForceReader, component: Component, values: Values, _path: Path | None
) -> Force:
    """Read an ActivationCoordinateActuator."""
    return ActivationCoordinateActuator(
        **values,
        coordinate=reader.coordinate(component),
        **_controls(reader, component),
        activation_time_constant=reader.number(component, "activation_time_constant", default=0.01),
        default_activation=reader.number(component, "default_activation", default=0.5),
    )


def read_two_point_actuator(
    reader: ForceReader, component: Component, values: Values, _path: Path | None
) -> Force:
    """Read a PointToPointActuator."""
    document, element = reader.document, component.element
    return PointToPointActuator(
        **values,
        first=reader.frames.connected(component, "bodyA", "body_A"),
        second=reader.frames.connected(component, "bodyB", "body_B"),
        first_location=document.vector(element, "pointA"),
        second_location=document.vector(element, "pointB"),
        points_in_ground=document.flag(element, "points_are_global", default=False),
        **_controls(reader, component),
    )


def read_torque_actuator(
    reader: ForceReader, component: Component, values: Values, _path: Path | None
) -> Force:
    """Read a TorqueActuator."""
    document, element = reader.document, component.element
    return TorqueActuator(
        **values,
        first=reader.frames.connected(component, "bodyA", "body_a"),
        second=reader.frames.connected(component, "bodyB", "body_b"),
        axis=document.vector(element, "axis", default=(0.0, 0.0, 1.0)),
        axis_in_ground=document.flag(element, "torque_is_global", default=True),
        **_controls(reader, component),
    )


def read_point_actuator(
    reader: ForceReader, component: Component, values: Values, _path: Path | None
) -> Force:
    """Read a PointActuator."""
    document, element = reader.document, component.element
    return PointActuator(
        **values,
        body=reader.frames.connected(component, "body"),
        point=document.vector(element, "point"),
        point_in_ground=document.flag(element, "point_is_global", default=False),
        direction=document.vector(element, "direction", default=(1.0, 0.0, 0.0)),
        direction_in_ground=document.flag(element, "force_is_global", default=False),
        **_controls(reader, component),
    )
