"""Grips: how the digits are bent around an object, as attitudes relative to the next segment towards the wrist.

Du (2021, 4.2) proposes presets instead of predicting every digit: a rod as in a dumbbell curl, a plate as in an
overhead extension, and the palm on the wide face of a plate. The pinch of thumb, index and middle finger is added;
``flat`` is the open hand.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from borelli import attitude
from borelli.errors import MissingInputError, UnknownNameError, UnsolvableError
from borelli.library.lifting_arm.segments import TreePose
from borelli.library.lifting_arm.values import Array, instants_of, not_negative, spread, where_instants
from borelli.library.lifting_arm.wrenches import GRAVITY, Contact
from borelli.model.values import Vector

FLAT = "flat"
_FINGERS = ("index", "middle", "ring", "little")
_PHALANGES = ("proximal", "middle", "distal")

# Degrees. Fingers: flexion of the three joints, all fingers alike or by name. Thumb: swing towards the thumb's side,
# fall towards the palm and roll of its base, then flexion of its two further joints.
_FINGER_DEG: dict[str, dict[str, tuple[float, float, float]]] = {
    FLAT: dict.fromkeys(_FINGERS, (0.0, 0.0, 0.0)),
    "rod": dict.fromkeys(_FINGERS, (70.0, 75.0, 40.0)),
    "plate": dict.fromkeys(_FINGERS, (15.0, 20.0, 10.0)),
    "face": {
        "index": (5.0, 4.0, 2.0),
        "middle": (5.0, 4.0, 2.0),
        "ring": (5.0, 4.0, 2.0),
        "little": (7.0, 5.0, 2.0),
    },
    "pinch": {
        "index": (48.0, 40.0, 18.0),
        "middle": (50.0, 42.0, 18.0),
        "ring": (55.0, 60.0, 30.0),
        "little": (55.0, 60.0, 30.0),
    },
}
_THUMB_DEG: dict[str, tuple[float, float, float, float, float]] = {
    FLAT: (45.0, 10.0, -60.0, 0.0, 0.0),
    "rod": (25.0, 35.0, -60.0, 35.0, 45.0),
    "plate": (60.0, 20.0, -60.0, 10.0, 10.0),
    "face": (55.0, 15.0, -60.0, 0.0, 0.0),
    "pinch": (20.0, 40.0, -60.0, 10.0, 15.0),
}
GRIPS: tuple[str, ...] = tuple(_FINGER_DEG)

_ALL_PHALANGES = tuple(f"{finger}_{part}" for finger in _FINGERS for part in _PHALANGES)
TOUCHING: Mapping[str, tuple[str, ...]] = {
    "rod": ("hand", *_ALL_PHALANGES, "thumb_distal"),
    "plate": ("hand", *_ALL_PHALANGES),
    "face": (
        "hand",
        *(f"{finger}_{part}" for finger in _FINGERS for part in ("middle", "distal")),
        "thumb_distal",
    ),
    "pinch": ("thumb_distal", "index_distal", "middle_distal"),
}
"""Segments that touch the object in each grip."""


def grip(name: str) -> dict[str, Array]:
    """Attitude of every segment of the digits relative to the one that carries it.

    Parameters
    ----------
    name : "flat", "rod", "plate", "face" or "pinch"

    Returns
    -------
    dict of (4,) float
        Segment → quaternion, scalar first, to the axes of the carrying segment.

    Examples
    --------
    >>> len(la.grip("rod"))
    15
    """
    if name not in _FINGER_DEG:
        raise UnknownNameError.among(name, "grip", GRIPS)
    bent: dict[str, Array] = {}
    for finger, angles in _FINGER_DEG[name].items():
        for part, angle in zip(_PHALANGES, angles, strict=True):
            bent[f"{finger}_{part}"] = _turn("y", angle)
    swing, fall, roll, first, second = _THUMB_DEG[name]
    base = attitude.multiply(attitude.multiply(_turn("z", swing), _turn("y", fall)), _turn("x", roll))
    return {
        **bent,
        "thumb_metacarpal": base,
        "thumb_proximal": _turn("y", first),
        "thumb_distal": _turn("y", second),
    }


def holding_contacts(
    pose: TreePose,
    held: ArrayLike,
    held_kg: float,
    points: Mapping[str, Vector],
    *,
    gravity: float = GRAVITY,
) -> tuple[Contact, ...]:
    """Forces with which a resting object presses on the segments that hold it.

    Of all forces that balance the object's weight, those with the least sum of squares; friction is not limited. How
    they are shared out changes the load of the digits, never that of the wrist.

    Parameters
    ----------
    pose : TreePose
    held : (n_instants, 3) or (3,) float
        Mass centre of the object, in the world (m).
    held_kg : float
        kg.
    points : mapping of segment to 3 numbers
        Where the object touches, in the segments' frames (m); three or more, not in line.
    gravity : float
        m/s², along -z.

    Raises
    ------
    UnsolvableError
        If no forces at these points balance the object; the instant is named.

    Examples
    --------
    >>> tree = la.arm_with_digits()
    >>> turned = dict(la.sagittal_posture(0.0, 90.0))
    >>> for name, bent in la.grip("rod").items():
    ...     turned[name] = bo.attitude.multiply(turned[tree[name].parent], bent)
    >>> pose = tree.placed(turned)
    >>> points = {name: la.contact_point(tree[name]) for name in la.TOUCHING["rod"]}
    >>> middle = np.mean([pose.point(name, at)[0] for name, at in points.items()], axis=0)
    >>> contacts = la.holding_contacts(pose, middle, 8.0, points)
    >>> float(sum(np.ravel(contact.force)[2] for contact in contacts).round(6))
    -78.48
    """
    if not points:
        raise MissingInputError("Nothing touches the object.", remedy="give the segments that hold it")
    centre = spread(instants_of(held, "the object"), pose.n_instants, "the object")
    arms = np.stack([pose.point(segment, at) - centre for segment, at in points.items()], axis=1)
    weight = np.array([0.0, 0.0, -gravity * not_negative(held_kg, "the mass of the object")])
    forces = _least_forces(arms, weight)
    return tuple(
        Contact(f"object_on_{segment}", segment, at, forces[:, k])
        for k, (segment, at) in enumerate(points.items())
    )


def _least_forces(arms: Array, weight: Array) -> Array:
    """Forces of least sum of squares with the given sum and no moment about the origin of the arms."""
    n_instants, n_points, _ = arms.shape
    # Moments are weighed by a length of the size of the hand, so that both kinds of balance count alike.
    size = np.linalg.norm(arms, axis=2).max()
    balance = np.zeros((n_instants, 6, 3 * n_points))
    for k in range(n_points):
        x, y, z = arms[:, k].T / size
        balance[:, :3, 3 * k : 3 * k + 3] = np.eye(3)
        balance[:, 3, 3 * k + 1], balance[:, 3, 3 * k + 2] = -z, y
        balance[:, 4, 3 * k], balance[:, 4, 3 * k + 2] = z, -x
        balance[:, 5, 3 * k], balance[:, 5, 3 * k + 1] = -y, x
    wanted = np.concatenate([weight, np.zeros(3)])
    forces = np.linalg.pinv(balance) @ wanted
    gap = np.abs((balance @ forces[..., None])[..., 0] - wanted).max(axis=1)
    # Round-off leaves 1e-15 of the weight; a missing direction leaves a share of it.
    unmet = gap > 1e-9 * max(float(np.abs(weight).max()), math.ulp(1.0))
    if unmet.any():
        raise UnsolvableError(
            f"No forces at {n_points} point(s) balance the object: {gap.max():.3g} N are missing.",
            where=where_instants(unmet),
            remedy="let it touch at three or more points that are not in line",
        )
    return forces.reshape(n_instants, n_points, 3)


def _turn(axis: str, degrees: float) -> Array:
    return attitude.from_axis_angle(np.eye(3)["xyz".index(axis)], math.radians(degrees))
