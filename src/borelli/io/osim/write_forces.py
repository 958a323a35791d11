"""Muscles, other forces and their paths as OpenSim 4 writes them."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Protocol

from borelli.errors import UnsupportedError
from borelli.io.osim.contact import write_contact
from borelli.io.osim.markup import Lines, Names, block, flag, number, numbers, placement, plain_name, tag
from borelli.io.osim.muscles import CURVE_CLASSES, MUSCLE_CLASSES, spellings
from borelli.io.osim.write_functions import write_function
from borelli.io.osim.write_laws import Stated, write_law, write_prescribed
from borelli.model import (
    Blankevoort1991Ligament,
    Bushing,
    BushingForce,
    ConditionalPathPoint,
    CoordinateActuator,
    CoordinateLimitForce,
    CoordinateSpring,
    ExpressionBushingForce,
    ExpressionCoordinateForce,
    ExpressionPathForce,
    ExpressionPointToPointForce,
    Force,
    Function,
    FunctionBushingForce,
    HuntCrossleyForce,
    Ligament,
    Millard2012EquilibriumMuscle,
    MotionType,
    MovingPathPoint,
    Muscle,
    OtherMuscle,
    Path,
    PathActuator,
    PathSpring,
    PointActuator,
    PointToPointSpring,
    PrescribedForce,
    SmoothSphereHalfSpaceForce,
    TorqueActuator,
)
from borelli.model.path import AnyPathPoint
from borelli.units import DEG_PER_RAD, RAD_PER_DEG


class Context(Protocol):
    """What the writer of the whole model offers."""

    notes: list[str]
    coordinates: Names
    wraps: Names
    forces: Names
    surfaces: Names

    def path_of(self, name: str) -> str:
        """Return the path of a body or frame."""
        ...

    def coordinate_path(self, name: str) -> str:
        """Return the path of a coordinate."""
        ...

    def motion_of(self, coordinate: str) -> MotionType:
        """Return what a coordinate measures."""
        ...

    def any_coordinate(self) -> str:
        """Return some coordinate of the model."""
        ...


def write_muscle(context: Context, muscle: Muscle) -> Lines:
    """Write a muscle of any class."""
    if isinstance(muscle, OtherMuscle):
        name = muscle.class_name
    else:
        name = MUSCLE_CLASSES[type(muscle)]
    lines: Lines = [*tag("appliesForce", flag(muscle.applies_force)), *_write_path(context, muscle.path)]
    for field in fields(muscle):
        if field.name not in ("name", "path", "applies_force", "class_name", "properties"):
            lines += _write_field(field.name, getattr(muscle, field.name), muscle)
    if isinstance(muscle, OtherMuscle):
        for key, text in muscle.properties:
            lines += text.split("\n") if text.startswith("<") else tag(key, text)
    return block(name, lines, called=context.forces[muscle.name])


def _write_field(field: str, value: Any, muscle: Muscle) -> Lines:
    if value is None:
        return []
    if isinstance(muscle, Millard2012EquilibriumMuscle) and field in CURVE_CLASSES:
        inside = [
            tag(part.name, number(getattr(value, part.name)))
            for part in fields(value)
            if getattr(value, part.name) is not None
        ]
        return block(CURVE_CLASSES[field], *inside, called=CURVE_CLASSES[field])
    if isinstance(value, Function):
        return write_function(value, called=field)
    name = spellings(field)[0]
    if isinstance(value, bool):
        return tag(name, flag(value))
    return tag(name, value if isinstance(value, str) else number(value))


def _write_path(context: Context, path: Path) -> Lines:
    points = [line for point in path.points for line in _write_point(context, point)]
    wraps: Lines = []
    for index, wrap in enumerate(path.wraps):
        first, last = wrap.range or (-1, -1)
        wraps += block(
            "PathWrap",
            tag("wrap_object", context.wraps[wrap.wrap_object]),
            tag("method", wrap.method.value),
            tag("range", f"{first} {last}"),
            called=f"pathwrap_{index}",
        )
    return block(
        "GeometryPath",
        block("PathPointSet", block("objects", points)),
        block("PathWrapSet", block("objects", wraps)),
        called="path",
    )


def _write_point(context: Context, point: AnyPathPoint) -> Lines:
    name = plain_name(point.name)
    parent = tag("socket_parent_frame", context.path_of(point.frame))
    if isinstance(point, MovingPathPoint):
        sockets, functions = [], []
        named = [component.coordinate for component in point.components if component.coordinate is not None]
        # OpenSim wants a coordinate for every component, also for those that do not move.
        some = named[0] if named else context.any_coordinate()
        if len(set(named)) > 1:
            context.notes.append(
                f"path point {point.name!r} moves with several coordinates, which OpenSim refuses"
            )
        for axis, component in zip("xyz", point.components, strict=True):
            path = context.coordinate_path(component.coordinate or some)
            sockets += tag(f"socket_{axis}_coordinate", path)
            functions += block(f"{axis}_location", write_function(component.function))
        return block("MovingPathPoint", parent, sockets, functions, called=name)
    location = tag("location", numbers(point.location))
    if isinstance(point, ConditionalPathPoint):
        return block(
            "ConditionalPathPoint",
            parent,
            location,
            tag("socket_coordinate", context.coordinate_path(point.coordinate)),
            tag("range", numbers(point.range)),
            called=name,
        )
    return block("PathPoint", parent, location, called=name)


# Class -> its name in OpenSim and its plain numbers, in OpenSim's spelling where that differs.
_PLAIN: dict[type[Force], tuple[str, dict[str, str]]] = {
    Ligament: ("Ligament", {"resting_length": "", "pcsa_force": ""}),
    Blankevoort1991Ligament: (
        "Blankevoort1991Ligament",
        {"slack_length": "", "linear_stiffness": "", "transition_strain": "", "damping_coefficient": ""},
    ),
    PathSpring: ("PathSpring", {"resting_length": "", "stiffness": "", "dissipation": ""}),
    PathActuator: ("PathActuator", {}),
    CoordinateSpring: (
        "SpringGeneralizedForce",
        {"stiffness": "", "rest": "rest_length", "viscosity": ""},
    ),
    PointToPointSpring: ("PointToPointSpring", {"stiffness": "", "rest_length": ""}),
    CoordinateActuator: ("CoordinateActuator", {}),
    TorqueActuator: ("TorqueActuator", {}),
    PointActuator: ("PointActuator", {}),
    CoordinateLimitForce: ("CoordinateLimitForce", {}),
    BushingForce: ("BushingForce", {}),
    ExpressionCoordinateForce: ("ExpressionBasedCoordinateForce", {}),
    ExpressionPointToPointForce: ("ExpressionBasedPointToPointForce", {}),
    ExpressionPathForce: ("ExpressionBasedPathForce", {}),
    ExpressionBushingForce: ("ExpressionBasedBushingForce", {}),
    FunctionBushingForce: ("FunctionBasedBushingForce", {}),
    PrescribedForce: ("PrescribedForce", {}),
    HuntCrossleyForce: ("HuntCrossleyForce", {}),
    SmoothSphereHalfSpaceForce: ("SmoothSphereHalfSpaceForce", {}),
}


def write_force(context: Context, force: Force) -> Lines:
    """Write a force that is not a muscle."""
    if type(force) not in _PLAIN:
        raise UnsupportedError(f"forces of type {type(force).__name__} have no counterpart in OpenSim.")
    name, plain = _PLAIN[type(force)]
    lines: Lines = tag("appliesForce", flag(force.applies_force))
    if hasattr(force, "path"):
        lines += _write_path(context, force.path)
    if hasattr(force, "coordinate"):
        lines += tag("coordinate", context.coordinates[force.coordinate])
    for field, spelling in plain.items():
        lines += tag(spelling or field, number(getattr(force, field)))
    if hasattr(force, "optimal_force"):
        for field in ("optimal_force", "min_control", "max_control"):
            lines += tag(field, number(getattr(force, field)))
    if isinstance(force, Bushing):
        lines += two_frames(context, force)
    lines += write_law(force) if isinstance(force, Stated) else []
    lines += _own_properties(context, force)
    return block(name, lines, called=context.forces[force.name])


def _own_properties(context: Context, force: Force) -> Lines:
    if isinstance(force, Ligament) and force.force_length_curve is not None:
        return write_function(force.force_length_curve, called="force_length_curve")
    if isinstance(force, CoordinateLimitForce):
        return _limits(context, force)
    if isinstance(force, HuntCrossleyForce | SmoothSphereHalfSpaceForce):
        return write_contact(force, context.surfaces.__getitem__)
    if isinstance(force, PrescribedForce):
        return [*tag("socket_frame", context.path_of(force.body)), *write_prescribed(force)]
    if isinstance(force, PointToPointSpring | ExpressionPointToPointForce):
        return [
            *_two_bodies(context, force),
            *tag("point1", numbers(force.first_location)),
            *tag("point2", numbers(force.second_location)),
        ]
    if isinstance(force, BushingForce):
        return _springs_and_dampers(force)
    if isinstance(force, TorqueActuator):
        return [
            *tag("bodyA", _bare(context, force.first)),
            *tag("bodyB", _bare(context, force.second)),
            *tag("torque_is_global", flag(force.axis_in_ground)),
            *tag("axis", numbers(force.axis)),
        ]
    if isinstance(force, PointActuator):
        return [
            *tag("body", _bare(context, force.body)),
            *tag("point", numbers(force.point)),
            *tag("point_is_global", flag(force.point_in_ground)),
            *tag("direction", numbers(force.direction)),
            *tag("force_is_global", flag(force.direction_in_ground)),
        ]
    return []


def _two_bodies(context: Context, force: PointToPointSpring | ExpressionPointToPointForce) -> Lines:
    if isinstance(force, PointToPointSpring):
        return [
            *tag("socket_body1", context.path_of(force.first)),
            *tag("socket_body2", context.path_of(force.second)),
        ]
    return [*tag("body1", _bare(context, force.first)), *tag("body2", _bare(context, force.second))]


def _bare(context: Context, name: str) -> str:
    """Return the name of a body alone, which is how these actuators refer to it."""
    return context.path_of(name).rsplit("/", 1)[-1]


def _limits(context: Context, force: CoordinateLimitForce) -> Lines:
    turns = context.motion_of(force.coordinate) is MotionType.ROTATIONAL
    size, per = (DEG_PER_RAD, RAD_PER_DEG) if turns else (1.0, 1.0)
    return [
        *tag("upper_stiffness", number(per * force.upper_stiffness)),
        *tag("upper_limit", number(size * force.upper_limit)),
        *tag("lower_stiffness", number(per * force.lower_stiffness)),
        *tag("lower_limit", number(size * force.lower_limit)),
        *tag("damping", number(per * force.damping)),
        *tag("transition", number(size * force.transition)),
    ]


def two_frames(context: Any, part: Any) -> Lines:
    """Write the two frames that a weld constraint or a bushing connects."""
    sockets: Lines = []
    frames: Lines = []
    for number_, name, place in (
        (1, part.first, part.first_placement),
        (2, part.second, part.second_placement),
    ):
        path = context.path_of(name)
        if not place.is_identity:
            own = f"frame{number_}_offset"
            frames += block("PhysicalOffsetFrame", tag("socket_parent", path), placement(place), called=own)
            path = own
        sockets += tag(f"socket_frame{number_}", path)
    return [*sockets, *block("frames", frames)]


def _springs_and_dampers(force: BushingForce) -> Lines:
    names = ("rotational_stiffness", "translational_stiffness", "rotational_damping", "translational_damping")
    return [line for name in names for line in tag(name, numbers(getattr(force, name)))]
