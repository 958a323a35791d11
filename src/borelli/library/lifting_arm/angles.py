"""How segments are turned against each other: bend and twist at any joint, and the roll that twists least.

Du (2021, 4.1) leaves open how forearm and upper arm are rolled about their own axes, and proposes to choose it by the
angle between the axes of neighbours, from the hand inwards; 4.2 asks for the bend at any joint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from borelli import attitude
from borelli.errors import UnsolvableError
from borelli.library.lifting_arm.segments import TreePose
from borelli.library.lifting_arm.values import Array, unit, where_instants
from borelli.results.labelled.dataset import dataset, labelled

if TYPE_CHECKING:
    import xarray as xr

SUPINATED = (0.0, 1.0, 0.0, 0.0)
"""Hand relative to the forearm with the palm where the biceps is: half a turn about x (the hand's z is its back)."""
_OPPOSITE = 1e-9
"""Sum of two unit vectors at which they count as opposite, so that no turn between them is the smallest."""


def joint_angles(pose: TreePose, hanging: ArrayLike = (0.0, 0.0, -1.0)) -> xr.Dataset:
    """Angles at every joint, between a segment and the one that carries it.

    Parameters
    ----------
    pose : TreePose
    hanging : (3,) float
        Direction from which segments on the base are measured.

    Returns
    -------
    Dataset
        (instant, joint), rad: ``bend``, between their x axes, from 0 to π; ``twist``, the part of the turn about the
        segment's own x axis (swing and twist), from -π to π; ``turn``, the whole, from 0 to π. On the base only the
        bend is known, the others are NaN.

    Examples
    --------
    >>> pose = arm.tree.placed(la.sagittal_posture(0.0, 90.0))
    >>> np.degrees(la.joint_angles(pose)["bend"].sel(joint="elbow").values).round(6)
    array([90.])
    """
    tree = pose.tree
    shape = (pose.n_instants, len(tree.segments))
    found = {name: np.full(shape, np.nan) for name in ("bend", "twist", "turn")}
    attitudes = attitude.from_matrix(pose.rotation)
    for number in range(shape[1]):
        own = pose.rotation[:, number, :, 0]
        parent = tree.parent_index(number)
        if parent is None:
            found["bend"][:, number] = _angle(own, unit(hanging, "the hanging direction"))
            continue
        found["bend"][:, number] = _angle(own, pose.rotation[:, parent, :, 0])
        turned = attitude.multiply(attitude.conjugate(attitudes[:, parent]), attitudes[:, number])
        twist = 2.0 * np.arctan2(turned[:, 1], turned[:, 0])
        found["twist"][:, number] = np.mod(twist + np.pi, 2.0 * np.pi) - np.pi
        found["turn"][:, number] = attitude.turn_angle(turned)
    return dataset(
        {name: labelled(("instant", "joint"), values, "rad") for name, values in found.items()},
        {"joint": list(tree.joints)},
        {"analysis": "joint_angles"},
    )


def natural_roll(pose: TreePose, hand: str = "hand", neutral: ArrayLike = SUPINATED) -> TreePose:
    """Roll every segment from a hand to the base so that it is turned least against the one beyond it.

    Only turns about the segments' own x axes change; joints stay where they are. The forearm follows the hand, the
    upper arm the forearm: each has the attitude of its neighbour, carried along the smallest turn of the x axes.

    Parameters
    ----------
    pose : TreePose
    hand : str
        Segment to begin at; its own attitude stays.
    neutral : (4,) float
        Attitude of the hand in the forearm at rest, a quaternion; supinated by default.

    Raises
    ------
    UnsolvableError
        If two neighbours point in opposite directions; the instant is named.

    Examples
    --------
    >>> pose = arm.tree.placed(la.sagittal_posture(30.0, 60.0))
    >>> bool(np.allclose(la.natural_roll(pose).origin, pose.origin))
    True
    """
    tree = pose.tree
    attitudes = attitude.from_matrix(pose.rotation)
    world = {name: attitudes[:, number] for number, name in enumerate(tree.names)}
    beyond = tree.index(hand)
    seen = attitude.multiply(attitudes[:, beyond], attitude.conjugate(neutral))
    while (number := tree.parent_index(beyond)) is not None:
        start, end = pose.rotation[:, beyond, :, 0], pose.rotation[:, number, :, 0]
        folded = np.linalg.norm(start + end, axis=1) < _OPPOSITE
        if folded.any():
            names = f"{tree.names[beyond]!r} and {tree.names[number]!r}"
            raise UnsolvableError(
                f"{names} point in opposite directions: no roll is the natural one.",
                where=where_instants(folded),
                remedy="unfold the joint a little, or give attitudes",
            )
        seen = attitude.multiply(attitude.between(start, end), seen)
        world[tree.names[number]] = seen
        beyond = number
    return tree.placed(world, pose.base)


def _angle(a: Array, b: Array) -> Array:
    """Angle between unit vectors, (n,), accurate also where they are parallel."""
    a, b = np.broadcast_arrays(a, b)
    return np.asarray(np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), (a * b).sum(axis=-1)))
