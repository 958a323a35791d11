"""Joints and their coordinates as OpenSim 4 writes them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Protocol

from borelli.errors import unhandled
from borelli.io.osim.coordinates import motion_in_custom_joint
from borelli.io.osim.joints import OPENSIM_JOINTS, simbody_rates_differ
from borelli.io.osim.writing.functions import write_function
from borelli.io.text.markup import (
    Lines,
    Names,
    block,
    body_fixed_angles,
    flag,
    number,
    numbers,
    placement,
    tag,
)
from borelli.model import (
    Attitude,
    AxisFunction,
    AxisRates,
    BallJoint,
    ConstantCurvatureJoint,
    Coordinate,
    CustomJoint,
    EllipsoidJoint,
    Frame,
    FreeJoint,
    Joint,
    MotionType,
    Placement,
    ScapulothoracicJoint,
)

_CLASSES = {cls: name for name, (cls, _) in OPENSIM_JOINTS.items()}


class Context(Protocol):
    """What the writer of the whole model offers."""

    notes: list[str]
    coordinates: Names
    joints: Names

    def path_of(self, name: str) -> str:
        """Return the path of a body or frame."""
        ...

    def frames_of(self, joint: Joint) -> list[Frame]:
        """Return the frames that are written inside a joint."""
        ...

    def write_frame(self, frame: Frame) -> Lines:
        """Write a frame."""
        ...


def angles_instead_of_quaternion(joint: Joint) -> Joint:
    """Return a ball or free joint on angles, which is all that OpenSim has; other joints as they are."""
    if not isinstance(joint, BallJoint | FreeJoint) or joint.attitude is Attitude.ANGLES:
        return joint
    s, x, y, z = (float(coordinate.default_value) for coordinate in joint.coordinates[:4])
    norm = math.sqrt(s * s + x * x + y * y + z * z) or 1.0
    s, x, y, z = s / norm, x / norm, y / norm, z / norm
    rotation = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - s * z), 2 * (x * z + s * y)),
        (2 * (x * y + s * z), 1 - 2 * (x * x + z * z), 2 * (y * z - s * x)),
        (2 * (x * z - s * y), 2 * (y * z + s * x), 1 - 2 * (x * x + y * y)),
    )
    angles = tuple(
        Coordinate(f"{joint.name}_r{axis}", MotionType.ROTATIONAL, default_value=angle)
        for axis, angle in zip("xyz", body_fixed_angles(rotation), strict=True)
    )
    coordinates = (*angles, *joint.coordinates[4:])
    return replace(joint, attitude=Attitude.ANGLES, coordinates=coordinates)


def write_joint(context: Context, joint: Joint) -> Lines:
    """Write a joint with its frames and coordinates."""
    if type(joint) not in _CLASSES:
        raise unhandled(joint, "has no counterpart among OpenSim's joints")
    frames: Lines = [line for frame in context.frames_of(joint) for line in context.write_frame(frame)]
    sockets: Lines = []
    for side, name, place in (
        ("parent", joint.parent, joint.parent_placement),
        ("child", joint.child, joint.child_placement),
    ):
        path = context.path_of(name)
        if not place.is_identity:
            own = f"{side}_joint_frame"
            frames += _offset_frame(own, path, place)
            path = own
        sockets += tag(f"socket_{side}_frame", path)
    coordinates = [line for c in joint.coordinates for line in _write_coordinate(context, c)]
    return block(
        _CLASSES[type(joint)],
        sockets,
        block("coordinates", coordinates),
        block("frames", frames),
        _own_properties(context, joint),
        called=context.joints[joint.name],
    )


def _offset_frame(name: str, parent: str, place: Placement) -> Lines:
    return block("PhysicalOffsetFrame", tag("socket_parent", parent), placement(place), called=name)


def _write_coordinate(context: Context, coordinate: Coordinate) -> Lines:
    low, high = coordinate.range
    prescribed = coordinate.prescribed_function
    return block(
        "Coordinate",
        tag("default_value", number(coordinate.default_value)),
        tag("default_speed_value", number(coordinate.default_speed)),
        tag("range", numbers((low, high))),
        tag("clamped", flag(coordinate.clamped)),
        tag("locked", flag(coordinate.locked)),
        [] if prescribed is None else block("prescribed_function", write_function(prescribed)),
        tag("prescribed", flag(coordinate.prescribed)),
        tag("is_free_to_satisfy_constraints", flag(coordinate.free_to_satisfy_constraints)),
        called=context.coordinates[coordinate.name],
    )


def _own_properties(context: Context, joint: Joint) -> Lines:
    if isinstance(joint, EllipsoidJoint):
        return tag("radii_x_y_z", numbers(joint.radii))
    if isinstance(joint, ScapulothoracicJoint):
        return [
            *tag("thoracic_ellipsoid_radii_x_y_z", numbers(joint.radii)),
            *tag("scapula_winging_axis_origin", numbers(joint.winging_origin)),
            *tag("scapula_winging_axis_direction", number(joint.winging_direction)),
        ]
    if isinstance(joint, ConstantCurvatureJoint):
        return [*tag("neutral_angle_x_z_y", numbers(joint.neutral)), *tag("length", number(joint.length))]
    if isinstance(joint, CustomJoint):
        _note_differences(context, joint)
        parts = (("rotation", joint.rotations), ("translation", joint.translations))
        axes = [
            _write_axis(context, f"{kind}{index}", axis)
            for kind, three in parts
            for index, axis in enumerate(three, start=1)
        ]
        return block("SpatialTransform", *axes)
    return []


def _write_axis(context: Context, name: str, axis: AxisFunction) -> Lines:
    return block(
        "TransformAxis",
        tag("coordinates", " ".join(context.coordinates[coordinate] for coordinate in axis.coordinates)),
        tag("axis", numbers(axis.axis)),
        write_function(axis.function, called="function"),
        called=name,
    )


def _note_differences(context: Context, joint: CustomJoint) -> None:
    if joint.axis_rates is AxisRates.EXACT and simbody_rates_differ(joint):
        context.notes.append(
            f"OpenSim computes the angular acceleration of joint {joint.name!r} less exactly"
        )
    for coordinate in joint.coordinates:
        derived = motion_in_custom_joint(coordinate.name, joint.axes)
        if derived is not coordinate.motion:
            context.notes.append(
                f"coordinate {coordinate.name!r} is {coordinate.motion.value} here and {derived.value} in OpenSim"
            )
