"""Joints of scaled bodies: where they sit, how far they glide, and what their coordinates become."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from borelli.mechanics.scaling.stretch import Stretch
from borelli.model import (
    AxisFunction,
    Constant,
    ConstantCurvatureJoint,
    Coordinate,
    CustomJoint,
    EllipsoidJoint,
    FreeJoint,
    Function,
    Joint,
    Linear,
    MotionType,
    Multiplier,
    PlanarJoint,
    ScapulothoracicJoint,
    SliderJoint,
)

Array = NDArray[np.float64]
_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def multiplied(function: Function, factor: float) -> Function:
    """Return a function times a factor, as OpenSim writes it: a factor that is already there grows."""
    if isinstance(function, Multiplier):
        return replace(function, factor=float(function.factor) * factor)
    return Multiplier(function, factor)


def scaled_joint(stretch: Stretch, joint: Joint) -> Joint:
    """Return a joint between scaled bodies; its axes keep their directions in both of them."""
    changes: dict[str, object] = {
        "parent_placement": stretch.placement(joint.parent, joint.parent_placement),
        "child_placement": stretch.placement(joint.child, joint.child_placement),
    }
    if isinstance(joint, EllipsoidJoint | ScapulothoracicJoint):
        lengths = (
            stretch.of_body(joint.parent)
            if stretch.as_opensim
            else stretch.lengths(joint.parent, joint.parent_placement)
        )
        changes["radii"] = tuple((np.array(joint.radii, float) * lengths).tolist())
    if isinstance(joint, ScapulothoracicJoint):
        x, y = (float(each) for each in joint.winging_origin)
        moved = stretch.matrix(joint.child, joint.child_placement) @ np.array([x, y, 0.0])
        changes["winging_origin"] = tuple(moved[:2].tolist())
    if isinstance(joint, ConstantCurvatureJoint):
        changes["length"] = float(joint.length) * _length_factor(stretch, joint)
    if isinstance(joint, CustomJoint):
        changes["translations"] = tuple(_scaled_axis(stretch, joint, axis) for axis in joint.translations)
    if not stretch.as_opensim:
        factors = coordinate_factors(stretch, joint)
        changes["coordinates"] = tuple(
            _scaled_coordinate(coordinate, factors.get(coordinate.name, 1.0))
            for coordinate in joint.coordinates
        )
    return replace(joint, **changes)  # type: ignore[arg-type]


def _length_factor(stretch: Stretch, joint: ConstantCurvatureJoint) -> float:
    """By how much a bending segment grows: with the child, along y of its body in OpenSim, of its frame here."""
    if stretch.as_opensim:
        return float(stretch.of_body(joint.child)[1])
    along = stretch.matrix(joint.child, joint.child_placement) @ np.array(_AXES["y"])
    return float(np.linalg.norm(along))


def _scaled_axis(stretch: Stretch, joint: CustomJoint, axis: AxisFunction) -> AxisFunction:
    direction = np.array(axis.axis, float)
    if stretch.as_opensim:
        if isinstance(axis.function, Linear) and (axis.function.slopes, axis.function.intercept) == (
            (1.0,),
            0.0,
        ):
            return axis
        factor = float(np.abs(direction) @ stretch.of_body(joint.parent))
        return replace(axis, function=multiplied(axis.function, factor))
    stretched = stretch.matrix(joint.parent, joint.parent_placement) @ direction
    factor = float(np.linalg.norm(stretched))
    # The child's origin moves to the stretched place exactly: further along an axis that has turned.
    if factor <= 0.0 or _still(axis.function):
        return axis
    turned = axis if factor == 1.0 else replace(axis, axis=tuple((stretched / factor).tolist()))
    if isinstance(axis.function, Linear) and _drives_alone(joint, axis):
        # The coordinate is itself a length, and it is what grows.
        return replace(
            turned, function=replace(axis.function, intercept=float(axis.function.intercept) * factor)
        )
    return turned if factor == 1.0 else replace(turned, function=multiplied(axis.function, factor))


def _still(function: Function) -> bool:
    return isinstance(function, Constant) and float(function.number) == 0.0


def _drives_alone(joint: CustomJoint, axis: AxisFunction) -> bool:
    """Whether an axis follows one translation that moves nothing else."""
    if len(axis.coordinates) != 1:
        return False
    (name,) = axis.coordinates
    others = [other for other in joint.axes if other is not axis and name in other.coordinates]
    return not others and _motion(joint, name) is MotionType.TRANSLATIONAL


def _motion(joint: Joint, name: str) -> MotionType:
    return next(coordinate.motion for coordinate in joint.coordinates if coordinate.name == name)


def coordinate_factors(stretch: Stretch, joint: Joint) -> dict[str, float]:
    """Return by how much each translation of a joint grows; rotations and coupled coordinates are left out."""
    matrix = stretch.matrix(joint.parent, joint.parent_placement)

    def along(direction: object) -> float:
        return float(np.linalg.norm(matrix @ np.array(direction, float)))

    if isinstance(joint, CustomJoint):
        return {
            axis.coordinates[0]: along(axis.axis)
            for axis in joint.translations
            if isinstance(axis.function, Linear) and _drives_alone(joint, axis)
        }
    axes: dict[type, str] = {SliderJoint: "x", PlanarJoint: "xy", FreeJoint: "xyz"}
    for kind, letters in axes.items():
        if isinstance(joint, kind):
            shifts = joint.coordinates[-len(letters) :]
            return {c.name: along(_AXES[axis]) for c, axis in zip(shifts, letters, strict=True)}
    return {}


def _scaled_coordinate(coordinate: Coordinate, factor: float) -> Coordinate:
    if factor == 1.0:
        return coordinate
    low, high = coordinate.range
    function = coordinate.prescribed_function
    return replace(
        coordinate,
        default_value=float(coordinate.default_value) * factor,
        range=(low * factor, high * factor),
        prescribed_function=None if function is None else multiplied(function, factor),
    )
