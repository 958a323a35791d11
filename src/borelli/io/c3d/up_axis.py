"""Which laboratory axis points up, and the turn that makes it OpenSim's y."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from borelli.errors import UnknownNameError
from borelli.io.c3d.c3d_file import C3dContent

Array = NDArray[np.float64]

UP_AXES = ("x", "y", "z", "-x", "-y", "-z")

# The cosine of 45°: plates that lie flatter than this have one axis that is up beyond doubt.
_CLEARLY = 0.7


def turn_to_y_up(up: str) -> Array:
    """Return the rotation (3, 3) that brings an axis to +y by the shortest turn about another axis.

    For z up this is the quarter turn about x that OpenSim's own C3D reader is told to do: (x, y, z) → (x, z, -y).
    """
    if up not in UP_AXES:
        raise UnknownNameError.among(up, "axis that can point up", UP_AXES)
    source = np.zeros(3)
    source["xyz".index(up[-1])] = -1.0 if up.startswith("-") else 1.0
    target = np.array([0.0, 1.0, 0.0])
    if up[-1] == "y":
        # Upside down is a half turn about x; upright is none.
        return np.eye(3) if up == "y" else np.diag([1.0, -1.0, -1.0])
    third = np.cross(source, target)
    before = np.column_stack([source, target, third])
    after = np.column_stack([target, -source, third])
    turn: Array = np.round(after @ before.T)
    return turn + 0.0


def up_axis(content: C3dContent, corners: Array) -> str:
    """Return the axis that points up in a C3D file, ``""`` where it does not tell.

    Parameters
    ----------
    content : C3dContent
        ``POINT:Y_SCREEN`` names the axis that runs up the screen.
    corners : (n_plates, 4, 3) float
        Corners of the force plates in the file's axes: plates lie on the floor, and their z axis points down.
    """
    named = next(iter(content.strings("POINT:Y_SCREEN")), "").strip().lower().lstrip("+")
    if named in UP_AXES:
        return named
    # Corners run round the plate so that their normal points up (C3D manual, FORCE_PLATFORM:CORNERS: the first is
    # in the plate's +x, +y quadrant, the second in -x, +y; the plate's z axis points down).
    for corner in corners:
        down = np.cross(corner[0] - corner[1], corner[0] - corner[3])
        length = float(np.linalg.norm(down))
        if not np.isfinite(length) or length == 0.0:
            continue
        axis = int(np.argmax(np.abs(down)))
        if abs(down[axis]) / length > _CLEARLY:
            return ("-" if down[axis] > 0 else "") + "xyz"[axis]
    return ""
