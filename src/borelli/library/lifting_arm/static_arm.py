"""The three static arms of Du (2021), corrected: what shoulder, elbow and wrist bear while a weight is held.

Model 1 is upper arm and forearm; model 2 adds biceps and triceps; model 3 adds the hand. The shoulder is the origin,
z points up. Printed formulas that had to be corrected are listed in the documentation (D1–D17).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from borelli import attitude
from borelli.library.lifting_arm.angles import joint_angles
from borelli.library.lifting_arm.arm_pose import wrist_bend
from borelli.library.lifting_arm.elbow_tensions import elbow_tensions
from borelli.library.lifting_arm.muscles import ArmMuscle
from borelli.library.lifting_arm.parameters import Arm
from borelli.library.lifting_arm.postures import (
    HELD_AT,
    HIGH,
    posture_by_swivel,
    posture_of_hand,
    require_hand,
)
from borelli.library.lifting_arm.segments import TreePose
from borelli.library.lifting_arm.values import Array
from borelli.library.lifting_arm.wrenches import GRAVITY, Contact, Weight, static_wrenches
from borelli.results.labelled.dataset import AXES, labelled

if TYPE_CHECKING:
    import xarray as xr

CITATION = "Du A. Quaternion-based analytical inverse dynamics for the human body. 2021."


def model_1(
    arm: Arm,
    hand: ArrayLike,
    held_kg: float,
    swivel: ArrayLike = 0.0,
    *,
    weights: Iterable[Weight] = (),
    gravity: float = GRAVITY,
) -> xr.Dataset:
    """Upper arm and forearm hold a weight at the forearm's end; no muscles.

    Parameters
    ----------
    arm : Arm
        A hand, if it has one, is left out.
    hand : (n_instants, 3) or (3,) float
        End of the forearm, from the shoulder (m).
    held_kg : float
        Mass of the held weight (kg).
    swivel : float or (n_instants,) float
        From the lowest elbow, about the line from shoulder to hand (rad).
    weights : iterable of Weight
        Further weights, anywhere.
    gravity : float
        m/s², along -z.

    Returns
    -------
    Dataset
        That of :func:`static_wrenches`, with ``elbow`` (instant, axis), ``attitude`` (instant, segment, quaternion),
        and ``bend`` and ``twist`` (instant, joint) in rad, see :func:`joint_angles`; ``segment_end`` (instant, segment,
        axis) and, with muscles, ``muscle_path`` (instant, muscle, vertex, axis) are places to draw.

    Examples
    --------
    >>> told = la.model_1(arm, hand=(0.35, 0.05, -0.15), held_kg=5.0)
    >>> weight = 9.81 * (arm.upper_arm.mass + arm.forearm.mass + 5.0)
    >>> bool(np.isclose(told["load_force"].sel(joint="shoulder", axis="z")[0], -weight))
    True
    """
    return model_2(arm, hand, held_kg, swivel, muscles=(), weights=weights, gravity=gravity)


def model_2(
    arm: Arm,
    hand: ArrayLike,
    held_kg: float,
    swivel: ArrayLike = 0.0,
    *,
    muscles: Sequence[ArmMuscle] | None = None,
    weights: Iterable[Weight] = (),
    gravity: float = GRAVITY,
) -> xr.Dataset:
    """Model 1 with muscles at the elbow, of which one works.

    Parameters
    ----------
    arm, held_kg, weights, gravity
        As for :func:`model_1`.
    hand : (n_instants, 3) or (3,) float
        End of the forearm, from the shoulder (m).
    swivel : (n_instants,) float or float
        From the lowest elbow, about the line from shoulder to hand (rad).
    muscles : sequence of ArmMuscle, optional
        Any number that span the elbow; ``arm.du_muscles()`` by default: biceps and triceps from the shoulder blade. Of
        those that turn the elbow the way that is needed, the one with the longest moment arm works alone, which
        adds the least force.

    Returns
    -------
    Dataset
        That of :func:`model_1`; ``tension`` (instant, muscle), ``required_moment`` and ``residual_moment`` (instant,
        axis) at the elbow; ``load_force_with_muscles``, ``load_moment_with_muscles`` (instant, joint, axis).

    Raises
    ------
    UnsolvableError
        If no muscle can turn the elbow the way that is needed; the instant is named.

    Examples
    --------
    >>> told = la.model_2(arm, hand=(0.35, 0.05, -0.15), held_kg=5.0)
    >>> [float(tension) > 0 for tension in told["tension"][0]]
    [True, False]
    """
    pose = posture_by_swivel(arm, hand, swivel)
    object_held = Weight("held", arm.forearm.name, held_kg, arm.forearm.point(1.0))
    chosen = arm.du_muscles() if muscles is None else muscles
    return held_still(pose, chosen, (object_held, *weights), gravity=gravity)


def model_3(
    arm: Arm,
    held: ArrayLike,
    held_kg: float,
    hand_x: ArrayLike,
    hand_z: ArrayLike,
    fraction: float = HELD_AT,
    *,
    roll: str = HIGH,
    muscles: Sequence[ArmMuscle] | None = None,
    weights: Iterable[Weight] = (),
    gravity: float = GRAVITY,
) -> xr.Dataset:
    """Arm with a hand of given attitude that holds an object; the elbow bends the wrist least.

    Parameters
    ----------
    arm : Arm
        With a hand.
    held : (n_instants, 3) or (3,) float
        The object, from the shoulder (m).
    held_kg : float
        Its mass (kg).
    hand_x, hand_z : (n_instants, 3) or (3,) float
        Directions from the wrist along the hand, and out of its back.
    fraction : float
        Where the object is held, of the hand's length from the wrist.
    roll : "high" or "natural"
        Of forearm and upper arm, see :func:`posture_of_hand`; wrenches of rods do not depend on it.
    muscles, weights, gravity
        As for :func:`model_2`.

    Returns
    -------
    Dataset
        That of :func:`model_2`, with the joint ``wrist`` and ``wrist_bend`` (instant) in rad.

    Examples
    --------
    >>> told = la.model_3(arm, held=(0.35, 0.05, -0.15), held_kg=5.0, hand_x=(1, 0.2, 0), hand_z=(0, 0, 1))
    >>> told["tension"].dims
    ('instant', 'muscle')
    """
    pose = posture_of_hand(arm, held, hand_x, hand_z, fraction, roll)
    hand = require_hand(arm)
    object_held = Weight("held", hand.name, held_kg, hand.point(fraction))
    chosen = arm.du_muscles() if muscles is None else muscles
    answer = held_still(pose, chosen, (object_held, *weights), gravity=gravity)
    bend = wrist_bend(pose.joint(arm.forearm.name), pose.joint(hand.name), pose.rotation[:, 2, :, 0])
    return answer.assign(wrist_bend=labelled(("instant",), bend, "rad"))


def held_still(
    pose: TreePose,
    muscles: Sequence[ArmMuscle] = (),
    weights: Iterable[Weight] = (),
    contacts: Iterable[Contact] = (),
    *,
    gravity: float = GRAVITY,
) -> xr.Dataset:
    """Wrenches of any posture of an arm at rest and, with muscles, their tensions.

    Parameters
    ----------
    pose : TreePose
        With segments ``upper_arm`` and ``forearm``.
    muscles : sequence of ArmMuscle
        Muscles of the elbow, any number.
    weights, contacts : iterable
        Anywhere on any segment.
    gravity : float
        m/s², along -z.

    Examples
    --------
    >>> pose = arm.tree.placed(la.sagittal_posture(0.0, 90.0))
    >>> told = la.held_still(pose, arm.du_muscles(), [la.Weight("ball", "hand", 2.0)])
    >>> float(told["tension"].sel(muscle="triceps")[0])
    0.0
    """
    loads = (tuple(weights), tuple(contacts))
    answer = static_wrenches(pose, *loads, gravity=gravity)
    answer = answer.assign(
        elbow=labelled(("instant", "axis"), pose.joint("forearm").copy(), "m", "world"),
        attitude=labelled(
            ("instant", "segment", "quaternion"), attitude.from_matrix(pose.rotation), "1", "world"
        ),
    ).assign_coords(segment=list(pose.tree.names), quaternion=["s", *AXES])
    angles = joint_angles(pose)
    answer = answer.assign(
        bend=angles["bend"],
        twist=angles["twist"],
        segment_end=labelled(("instant", "segment", "axis"), segment_ends(pose), "m", "world"),
    )
    answer = answer.assign_attrs(analysis="held_still", citations=[CITATION])
    if not muscles:
        return answer
    elbow = pose.tree["forearm"].joint
    found = elbow_tensions(answer["load_moment"].sel(joint=elbow).values, pose, muscles)
    pulls = {muscle.name: found.tension[:, k] for k, muscle in enumerate(muscles)}
    borne = static_wrenches(pose, *loads, muscles, pulls, gravity=gravity)
    return answer.assign(
        tension=labelled(("instant", "muscle"), found.tension, "N"),
        required_moment=labelled(("instant", "axis"), found.required_moment, "N m", "world"),
        residual_moment=labelled(("instant", "axis"), found.residual_moment, "N m", "world"),
        load_force_with_muscles=borne["load_force"],
        load_moment_with_muscles=borne["load_moment"],
        muscle_path=labelled(
            ("instant", "muscle", "vertex", "axis"), muscle_paths(pose, muscles), "m", "world"
        ),
    ).assign_coords(muscle=[muscle.name for muscle in muscles])


def segment_ends(pose: TreePose) -> Array:
    """Far ends of all segments in the world, (n_instants, n_segments, 3) (m)."""
    return np.stack([pose.tip(name) for name in pose.tree.names], axis=1)


def muscle_paths(pose: TreePose, muscles: Sequence[ArmMuscle]) -> Array:
    """Points of all muscles in the world, (n_instants, n_muscles, n_points, 3) (m); NaN beyond the last of each."""
    paths = [muscle.path(pose) for muscle in muscles]
    most = max(path.shape[1] for path in paths)
    whole = np.full((pose.n_instants, len(paths), most, 3), np.nan)
    for number, path in enumerate(paths):
        whole[:, number, : path.shape[1]] = path
    return whole
