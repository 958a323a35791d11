"""Which muscle of the elbow works, and how hard: Du's rule, for any number of muscles.

Tensions take the load moment about one axis and add as little force as they can (Du 2021, 3.2): of all muscles that
turn the joint the way that is needed, the one with the longest moment arm works alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from borelli.errors import InvalidValueError, ShapeError, UnsolvableError
from borelli.library.lifting_arm.muscles import ArmMuscle
from borelli.library.lifting_arm.segments import SegmentTree, TreePose
from borelli.library.lifting_arm.values import Array, instants_of, where_instants
from borelli.records import dataclass

STRAIGHT = 1e-12
"""Sine of the angle between two segments, or two muscles, at which an elbow counts as straight or folded."""

NO_MOMENT = 1e-9
"""N m that a joint may be left with where its muscles have no moment arm: round-off of a vertical arm."""


@dataclass(frozen=True, slots=True, eq=False)
class ElbowTensions:
    """Answer of :func:`opposing_tensions` and :func:`elbow_tensions`.

    Attributes
    ----------
    normal : (n_instants, 3)
        Axis about which the muscles take the moment: of two opposing muscles u_2 x u_1, across their plane.
    required_moment : (n_instants, 3)
        What the muscles must provide (N m).
    tension : (n_instants, n_muscles)
        N; at most one of them is not zero.
    residual_moment : (n_instants, 3)
        Load moment that the joint is left with (N m).
    """

    normal: Array
    required_moment: Array
    tension: Array
    residual_moment: Array


def opposing_tensions(
    load_moment: ArrayLike, directions: tuple[Array, Array], unit_torques: tuple[Array, Array]
) -> ElbowTensions:
    """Tensions of two muscles that take the load moment about the normal of their plane.

    R = -(M · N)/(N · N) N with N = u_2 x u_1; the active muscle is the one whose unit torque t_j has R · t_j > 0, its
    tension R · t_j / t_j · t_j; the other rests (Du 2021, 3.2, with the muscles named as their signs demand). If both
    could, the one with the longer moment arm works.

    Parameters
    ----------
    load_moment : (n_instants, 3) or (3,) float
        Of everything distal on the joint, muscles left out (N m).
    directions, unit_torques : pairs of (n_instants, 3)
        u_j and t_j of the two muscles.

    Raises
    ------
    UnsolvableError
        If the muscles are in line (elbow straight or folded) and a moment is to be carried, or if neither can turn the
        joint the way that is needed; the instant is named.

    Examples
    --------
    >>> front, back = np.array([[0.0, 0.0, 1.0]]), np.array([[-0.6, 0.0, 0.8]])
    >>> torques = np.array([[0.0, -0.03, 0.0]]), np.array([[0.0, 0.02, 0.0]])
    >>> la.opposing_tensions([0.0, 15.0, 0.0], (front, back), torques).tension.round(6)
    array([[500.,   0.]])
    """
    normal = np.cross(directions[1], directions[0])
    return _about(instants_of(load_moment, "the load moment"), normal, np.stack(unit_torques, axis=1))


def elbow_tensions(load_moment: ArrayLike, pose: TreePose, muscles: Sequence[ArmMuscle]) -> ElbowTensions:
    """Tensions of any number of muscles that take the load moment about the normal of the arm's plane.

    Where upper arm and forearm are in line, about the axis of the muscle with the longest moment arm.

    Parameters
    ----------
    load_moment : (n_instants, 3) or (3,) float
        Of everything distal on the elbow, muscles left out (N m).
    pose : TreePose
        With segments ``upper_arm`` and ``forearm``.
    muscles : sequence of ArmMuscle
        All of them span the elbow.

    Raises
    ------
    InvalidValueError
        If a muscle does not span the elbow: nothing here says how hard it pulls.
    UnsolvableError
        If no muscle can turn the elbow the way that is needed, or none has a moment arm; the instant is named.

    Examples
    --------
    >>> pose = arm.tree.placed(la.sagittal_posture(0.0, 90.0))
    >>> told = la.elbow_tensions([0.0, 20.0, 0.0], pose, arm.du_muscles())
    >>> told.tension.round(1)
    array([[747.2,   0. ]])
    """
    require_elbow_muscles(pose.tree, muscles)
    elbow = pose.tree.index("forearm")
    torques = np.stack([muscle.unit_moments(pose)[:, elbow] for muscle in muscles], axis=1)
    axes = pose.rotation[:, pose.tree.index("upper_arm"), :, 0], pose.rotation[:, elbow, :, 0]
    normal = np.cross(*axes)
    straight = (normal * normal).sum(axis=1) <= STRAIGHT**2
    longest = (torques * torques).sum(axis=2).argmax(axis=1)
    normal[straight] = torques[straight, longest[straight]]
    return _about(instants_of(load_moment, "the load moment"), normal, torques)


def require_elbow_muscles(tree: SegmentTree, muscles: Sequence[ArmMuscle]) -> None:
    """Refuse a muscle that does not span the elbow: its moment says nothing about how hard that one pulls."""
    for muscle in muscles:
        if not muscle.spans(tree, "forearm"):
            raise InvalidValueError(
                f"muscle {muscle.name!r} does not span the elbow.",
                remedy="leave it out, or balance it by all muscles: borelli.muscle_forces with LiftingArm(…).model",
            )


def _about(moment: Array, normal: Array, torques: Array) -> ElbowTensions:
    """Tensions that take a moment (n_instants, 3) about an axis; unit torques (n_instants, n_muscles, 3)."""
    size = np.linalg.norm(normal, axis=1)
    flat = size <= STRAIGHT
    loaded = flat & (np.abs(moment).max(axis=1) > NO_MOMENT)
    if loaded.any():
        instant = int(np.argmax(loaded))
        raise UnsolvableError(
            "The elbow is straight or folded, so its muscles have no moment arm, but a moment of "
            f"{np.linalg.norm(moment[instant]):.3g} N m must be balanced.",
            where=where_instants(loaded),
            remedy="bend the elbow, or give muscles that pass beside it",
        )
    axis = normal / np.where(flat, 1.0, size)[:, None]
    needed = -(moment * axis).sum(axis=1)
    tension = hinge_tensions(needed, np.einsum("nmi,ni->nm", torques, axis))
    residual = moment + np.einsum("nm,nmi->ni", tension, torques)
    return ElbowTensions(normal, needed[:, None] * axis, tension, residual)


def hinge_tensions(torque: ArrayLike, arms: ArrayLike) -> Array:
    """Tensions of muscles at a hinge: of those whose moment arm has the torque's sign, the longest provides all of it.

    Parameters
    ----------
    torque : (n_instants,) float
        To be provided about the hinge (N m); instants that are NaN stay so.
    arms : (n_instants, n_muscles) float
        Moment arms about it (m); zero arms provide nothing.

    Returns
    -------
    (n_instants, n_muscles) float
        N.

    Raises
    ------
    UnsolvableError
        If no muscle can turn the joint the way that is needed; the instant is named.

    Examples
    --------
    >>> la.hinge_tensions([12.0, -6.0], [[0.04, -0.02], [0.04, -0.02]])
    array([[300.,   0.],
           [  0., 300.]])
    """
    needed, arm = np.atleast_1d(np.asarray(torque, dtype=float)), np.atleast_2d(np.asarray(arms, dtype=float))
    if arm.shape[0] != needed.size or not arm.shape[1]:
        raise ShapeError(
            f"moment arms need the shape ({needed.size}, n_muscles), but have {np.shape(arms)}.",
            remedy="give one row for each instant and one column for each muscle",
        )
    helps = needed[:, None] * arm > 0.0
    unknown = np.isnan(needed)
    helpless = ~helps.any(axis=1) & (np.abs(needed) > NO_MOMENT) & ~unknown
    if helpless.any():
        instant = int(np.argmax(helpless))
        shown = ", ".join(f"{value:.3g}" for value in arm[instant])
        raise UnsolvableError(
            f"No muscle can provide {needed[instant]:.3g} N m: the moment arms are {shown} m.",
            where=where_instants(helpless),
            remedy="give muscles on both sides of the joint",
        )
    best = np.where(helps, np.abs(arm), 0.0).argmax(axis=1)[:, None]
    chosen = np.take_along_axis(helps, best, axis=1)
    chosen_arm = np.where(chosen, np.take_along_axis(arm, best, axis=1), 1.0)
    tension = np.zeros(arm.shape)
    np.put_along_axis(tension, best, np.where(chosen, needed[:, None] / chosen_arm, 0.0), axis=1)
    tension[unknown] = np.nan
    return tension
