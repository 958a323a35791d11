"""Labels and units of quantities along the coordinates of a model."""

from __future__ import annotations

from borelli.model.coordinate import MotionType
from borelli.model.model import Model

FORCE_UNITS = "N m for rotations, N for translations"


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
            units.append({MotionType.ROTATIONAL: "N m", MotionType.TRANSLATIONAL: "N"}.get(motion, "J"))
    return units
