"""Postures of the arm: from hand and swivel angle, from an object held in the hand, or from joint positions."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from borelli import attitude
from borelli.errors import InvalidValueError, MissingInputError, UnknownNameError, UnsolvableError
from borelli.library.lifting_arm.angles import natural_roll
from borelli.library.lifting_arm.arm_pose import TOLERANCE, elbow_by_swivel, elbow_of_least_wrist_bend
from borelli.library.lifting_arm.parameters import Arm
from borelli.library.lifting_arm.segments import Segment, TreePose
from borelli.library.lifting_arm.values import Array, instants_of, spread, unit, where_instants

HIGH, NATURAL = "high", "natural"
ROLLS = (HIGH, NATURAL)
HELD_AT = 0.75
"""Where an object is held, as a fraction of the hand from the wrist (Du 2021, 3.3.1)."""


def posture_by_swivel(arm: Arm, hand: ArrayLike, swivel: ArrayLike = 0.0) -> TreePose:
    """Posture of upper arm and forearm whose far end is at a place (Du 2021, model 1).

    Segments are rolled so that their z axes are as high as possible.

    Parameters
    ----------
    arm : Arm
        A hand, if it has one, is left out.
    hand : (n_instants, 3) or (3,) float
        End of the forearm, from the shoulder (m).
    swivel : float or (n_instants,) float
        From the lowest elbow, about the line from shoulder to hand (rad).

    Examples
    --------
    >>> pose = la.posture_by_swivel(arm, hand=(0.35, 0.05, -0.15), swivel=0.5)
    >>> pose.tip("forearm").round(6)
    array([[ 0.35,  0.05, -0.15]])
    """
    wrist = instants_of(hand, "the hand")
    elbow = elbow_by_swivel(wrist, arm.upper_arm.length, arm.forearm.length, swivel)
    return arm.without_hand().tree.placed(_attitudes(elbow, wrist))


def posture_of_hand(
    arm: Arm,
    held: ArrayLike,
    hand_x: ArrayLike,
    hand_z: ArrayLike,
    fraction: float = HELD_AT,
    roll: str = HIGH,
) -> TreePose:
    """Posture of the whole arm with an object in the hand, the wrist bent least (Du 2021, model 3).

    Parameters
    ----------
    arm : Arm
        With a hand.
    held : (n_instants, 3) or (3,) float
        The object, from the shoulder (m).
    hand_x, hand_z : (n_instants, 3) or (3,) float
        Directions from the wrist along the hand, and out of its back; only the part of z across x counts.
    fraction : float
        Where the object is held, of the hand's length from the wrist.
    roll : "high" or "natural"
        How forearm and upper arm are turned about themselves: z as high as possible, as in Du's models, or as
        :func:`natural_roll` has it.

    Examples
    --------
    >>> pose = la.posture_of_hand(arm, held=(0.35, 0.05, -0.15), hand_x=(1, 0.2, 0), hand_z=(0, 0, 1))
    >>> pose.point("hand", arm.hand.point(0.75)).round(6)
    array([[ 0.35,  0.05, -0.15]])
    """
    if roll not in ROLLS:
        raise UnknownNameError.among(roll, "roll", ROLLS, where="argument roll")
    elbow, wrist, hand = reach_with_hand(arm, held, hand_x, hand_z, fraction)
    pose = arm.tree.placed({**_attitudes(elbow, wrist), **hand})
    return natural_roll(pose) if roll == NATURAL else pose


def reach_with_hand(
    arm: Arm, held: ArrayLike, hand_x: ArrayLike, hand_z: ArrayLike, fraction: float
) -> tuple[Array, Array, dict[str, Array]]:
    """Elbow and wrist (n_instants, 3), in m, and the attitude of the hand by its name; the wrist is bent least.

    Parameters are those of :func:`posture_of_hand`.
    """
    hand = require_hand(arm)
    place = instants_of(held, "the object")
    axes = spread(hand_axes(hand_x, hand_z), len(place), "the hand's attitude")
    wrist = place - fraction * hand.length * axes[:, :, 0]
    elbow = elbow_of_least_wrist_bend(
        wrist, arm.upper_arm.length, arm.forearm.length, axes[:, :, 0], -axes[:, :, 2]
    )
    return elbow, wrist, {hand.name: attitude.from_matrix(axes)}


def arm_plane_attitudes(elbow: ArrayLike, wrist: ArrayLike) -> dict[str, Array]:
    """Attitudes of upper arm and forearm that roll with the plane of the arm.

    x is along the segment and -y the axis of elbow flexion, so that moving arms turn smoothly; the z-high
    attitudes of the static models spin where a segment passes the vertical.

    Parameters
    ----------
    elbow, wrist : (n_instants, 3) or (3,) float
        From the shoulder (m).

    Returns
    -------
    dict of (n_instants, 4) float
        Quaternions, scalar first, segment to world.

    Examples
    --------
    >>> turned = la.arm_plane_attitudes(elbow=[0, 0, -0.3], wrist=[0.25, 0, -0.3])
    >>> turned["forearm"].shape
    (1, 4)
    """
    upper = instants_of(elbow, "the elbow")
    fore = instants_of(wrist, "the wrist") - upper
    y = np.cross(fore, upper)
    size = np.linalg.norm(y, axis=1)
    straight = size <= TOLERANCE * np.linalg.norm(upper, axis=1) * np.linalg.norm(fore, axis=1)
    if straight.any():
        raise UnsolvableError(
            "The arm is straight or folded: shoulder, elbow and wrist make no plane.",
            where=where_instants(straight),
            remedy="bend the elbow a little, or give attitudes instead of places",
        )
    y = y / size[:, None]
    found = {}
    for name, along in (("upper_arm", upper), ("forearm", fore)):
        x = unit(along, f"the {name.replace('_', ' ')}")
        found[name] = attitude.from_matrix(np.stack([x, y, np.cross(x, y)], axis=-1))
    return found


def hand_axes(hand_x: ArrayLike, hand_z: ArrayLike) -> Array:
    """Rotation matrix of a hand from its x axis and a z axis that is made perpendicular to it, (n_instants, 3, 3)."""
    x, z = unit(hand_x, "the hand's x axis"), unit(hand_z, "the hand's z axis")
    n = max(len(x), len(z))
    x, z = spread(x, n, "the hand's x axis"), spread(z, n, "the hand's z axis")
    across = z - (x * z).sum(axis=1, keepdims=True) * x
    size = np.linalg.norm(across, axis=1)
    parallel = size <= TOLERANCE
    if parallel.any():
        raise InvalidValueError("The hand's x and z axes are in line.", where=where_instants(parallel))
    z = across / size[:, None]
    return np.stack([x, np.cross(z, x), z], axis=-1)


def require_hand(arm: Arm) -> Segment:
    """Return the hand of an arm that must have one."""
    if arm.hand is None:
        raise MissingInputError(
            "The arm has no hand.", remedy="give lengths, masses and coms of three segments"
        )
    return arm.hand


def _attitudes(elbow: Array, wrist: Array) -> dict[str, Array]:
    return {
        "upper_arm": attitude.from_direction(elbow),
        "forearm": attitude.from_direction(wrist - elbow),
    }
