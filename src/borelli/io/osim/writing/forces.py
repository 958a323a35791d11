"""Forces other than muscles as OpenSim 4 writes them."""

from __future__ import annotations

from typing import Any

from borelli.errors import UnsupportedError
from borelli.io.osim.contact import write_contact, write_floor_contact
from borelli.io.osim.writing.formula_forces import FormulaForce, write_formula_force, write_prescribed
from borelli.io.osim.writing.functions import write_function
from borelli.io.osim.writing.muscles import Context, write_path
from borelli.io.text.markup import Lines, block, flag, number, numbers, placement, tag
from borelli.model import (
    ActivationCoordinateActuator,
    Blankevoort1991Ligament,
    Bushing,
    BushingForce,
    CoordinateActuator,
    CoordinateLimitForce,
    CoordinateSpring,
    ExpressionBushingForce,
    ExpressionCoordinateForce,
    ExpressionPathForce,
    ExpressionPointToPointForce,
    Force,
    FunctionBushingForce,
    HuntCrossleyForce,
    Ligament,
    MeyerFregly2016Force,
    MotionType,
    PathActuator,
    PathSpring,
    PointActuator,
    PointToPointActuator,
    PointToPointSpring,
    PrescribedForce,
    SmoothSphereHalfSpaceForce,
    TorqueActuator,
)
from borelli.units import DEG_PER_RAD, RAD_PER_DEG

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
    ActivationCoordinateActuator: (
        "ActivationCoordinateActuator",
        {"activation_time_constant": "", "default_activation": ""},
    ),
    PointToPointActuator: ("PointToPointActuator", {}),
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
    MeyerFregly2016Force: ("MeyerFregly2016Force", {}),
    SmoothSphereHalfSpaceForce: ("SmoothSphereHalfSpaceForce", {}),
}


def write_force(context: Context, force: Force) -> Lines:
    """Write a force that is not a muscle."""
    if type(force) not in _PLAIN:
        raise UnsupportedError(f"forces of type {type(force).__name__} have no counterpart in OpenSim.")
    name, plain = _PLAIN[type(force)]
    lines: Lines = tag("appliesForce", flag(force.applies_force))
    if hasattr(force, "path"):
        lines += write_path(context, force.path)
    if hasattr(force, "coordinate"):
        lines += tag("coordinate", context.coordinates[force.coordinate])
    for field, spelling in plain.items():
        lines += tag(spelling or field, number(getattr(force, field)))
    if hasattr(force, "optimal_force"):
        for field in ("optimal_force", "min_control", "max_control"):
            lines += tag(field, number(getattr(force, field)))
    if isinstance(force, Bushing):
        lines += two_frames(context, force)
    lines += write_formula_force(force) if isinstance(force, FormulaForce) else []
    lines += _own_properties(context, force)
    return block(name, lines, called=context.forces[force.name])


def _own_properties(context: Context, force: Force) -> Lines:
    if isinstance(force, Ligament) and force.force_length_curve is not None:
        return write_function(force.force_length_curve, called="force_length_curve")
    if isinstance(force, CoordinateLimitForce):
        return _limits(context, force)
    if isinstance(force, HuntCrossleyForce | SmoothSphereHalfSpaceForce):
        return write_contact(force, context.surfaces.__getitem__)
    if isinstance(force, MeyerFregly2016Force):
        return write_floor_contact(force, context.path_of(force.body))
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
    if isinstance(force, PointToPointActuator):
        if not {force.first, force.second} <= set(context.bodies_written):
            context.notes.append(
                f"{force.kind} {force.name!r} ends on ground or a frame, where OpenSim allows only a body"
            )
        return [
            *tag("bodyA", _bare(context, force.first)),
            *tag("bodyB", _bare(context, force.second)),
            *tag("points_are_global", flag(force.points_in_ground)),
            *tag("pointA", numbers(force.first_location)),
            *tag("pointB", numbers(force.second_location)),
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
    # One class has sockets, the other properties; both take paths.
    before = "socket_" if isinstance(force, PointToPointSpring) else ""
    return [
        *tag(f"{before}body1", context.path_of(force.first)),
        *tag(f"{before}body2", context.path_of(force.second)),
    ]


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
    frames: Lines = [line for frame in context.frames_of(part) for line in context.write_frame(frame)]
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
