"""Labels and units of quantities along the coordinates of a model."""

from __future__ import annotations

from borelli.model.functions.function import Function, Linear, Multiplier
from borelli.model.joints.coordinate import MotionType
from borelli.model.joints.custom_joint import AxisFunction, CustomJoint
from borelli.model.joints.joint import Joint
from borelli.model.model import Model

FORCE_UNITS = "N m for rotations, N for translations"

_UNITS = {MotionType.ROTATIONAL: "N m", MotionType.TRANSLATIONAL: "N", MotionType.COUPLED: "J"}


def force_units(model: Model) -> list[str]:
    """Unit of the generalized force of every speed: N m, N, or J for a coordinate without unit.

    A speed that is an angular velocity goes with a moment. The force of a coordinate whose meaning is given
    by functions is such that force times speed is a power.
    """
    units: list[str] = []
    for joint in model.joints:
        by_name = {coordinate.name: coordinate.motion for coordinate in joint.coordinates}
        for name in joint.speed_names:
            motion = by_name.get(name, MotionType.ROTATIONAL)
            if motion is MotionType.COUPLED:
                motion = _plain_motion(joint, name)
            units.append(_UNITS[motion])
    return units


def _plain_motion(joint: Joint, coordinate: str) -> MotionType:
    """Tell what a coordinate measures that OpenSim calls coupled: scaled models write a length as a multiplied one."""
    if not isinstance(joint, CustomJoint):
        return MotionType.COUPLED
    rotations = [axis for axis in joint.rotations if coordinate in axis.coordinates]
    translations = [axis for axis in joint.translations if coordinate in axis.coordinates]
    if not all(_proportional(axis) for axis in (*rotations, *translations)):
        return MotionType.COUPLED
    if rotations and not translations:
        return MotionType.ROTATIONAL
    if translations and not rotations:
        return MotionType.TRANSLATIONAL
    return MotionType.COUPLED


def _proportional(axis: AxisFunction) -> bool:
    function: Function = axis.function
    while isinstance(function, Multiplier):
        function = function.function
    return isinstance(function, Linear)
