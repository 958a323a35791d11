"""Joints that a file defines backwards: the motion of the parent in the child.

Old documents have a flag ``<reverse>``. The joint is read as the forward joint with the inverse motion. For
rotations R1 R2 R3 that is R3ᵀ R2ᵀ R1ᵀ: the same axes in reverse order, pointing the other way.
"""

from __future__ import annotations

from borelli.errors import UnsupportedError
from borelli.io.text.xml import Element
from borelli.model import (
    AxisFunction,
    Constant,
    CustomJoint,
    GimbalJoint,
    Joint,
    Linear,
    PinJoint,
    SliderJoint,
    UniversalJoint,
    WeldJoint,
)
from borelli.model.values import Vector
from borelli.records import dataclass

_X, _Y, _Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


@dataclass(frozen=True)
class _Motion:
    rotations: tuple[AxisFunction, ...]
    translations: tuple[AxisFunction, ...]


def reversed_joint(joint: Joint, element: Element) -> Joint:
    """Return the joint whose child moves in its parent as the parent of this one does in its child."""
    if isinstance(joint, WeldJoint):
        return joint
    motion = _motion(joint)
    moves = motion is not None and any(not _still(axis) for axis in motion.translations)
    turns = motion is not None and any(not _still(axis) for axis in motion.rotations)
    if motion is None or (moves and turns):
        raise UnsupportedError(
            f"joint {joint.name!r} ({joint.kind}) is defined in reverse, which is understood only for joints "
            "that either turn or slide.",
            where=element.where,
            remedy="exchange its parent and child, or open the model in OpenSim 4 and redefine the joint",
        )
    rotations = tuple(_opposite(axis) for axis in reversed(motion.rotations))
    return CustomJoint(
        name=joint.name,
        parent=joint.parent,
        child=joint.child,
        parent_placement=joint.parent_placement,
        child_placement=joint.child_placement,
        coordinates=joint.coordinates,
        rotations=rotations,
        translations=tuple(_opposite(axis) for axis in motion.translations),
    )


def _motion(joint: Joint) -> _Motion | None:
    if isinstance(joint, CustomJoint):
        return _Motion(joint.rotations, joint.translations)
    still = (AxisFunction(_X), AxisFunction(_Y), AxisFunction(_Z))
    names = joint.coordinate_names
    if isinstance(joint, PinJoint):
        return _Motion((*still[:2], AxisFunction(_Z, Linear(), names)), still)
    if isinstance(joint, SliderJoint):
        return _Motion(still, (AxisFunction(_X, Linear(), names), *still[1:]))
    if isinstance(joint, UniversalJoint | GimbalJoint):
        turning = [
            AxisFunction(axis, Linear(), (name,)) for axis, name in zip((_X, _Y, _Z), names, strict=False)
        ]
        return _Motion((*turning, *still[len(turning) :]), still)
    return None


def _opposite(axis: AxisFunction) -> AxisFunction:
    x, y, z = axis.axis
    direction: Vector = (-x, -y, -z)
    return AxisFunction(direction, axis.function, axis.coordinates)


def _still(axis: AxisFunction) -> bool:
    return isinstance(axis.function, Constant) and axis.function.number == 0.0
