"""What a moving arm needs and bears: joint wrenches, torques, tensions of the elbow's muscles, and every share.

All of it comes from the spatial engine (:func:`borelli.joint_reactions`, :func:`borelli.contributions`). A posture at
rest is the special case that :func:`static_wrenches` solves by itself.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import xarray as xr

from borelli.analyses.forces.contributions import contributions
from borelli.analyses.forces.joint_reactions import joint_reactions
from borelli.analyses.movement.body_poses import body_poses
from borelli.library.lifting_arm.elbow_tensions import hinge_tensions, require_elbow_muscles
from borelli.library.lifting_arm.model import LiftingArm
from borelli.library.lifting_arm.segments import TreePose
from borelli.library.lifting_arm.static_arm import CITATION
from borelli.library.lifting_arm.values import Array
from borelli.library.lifting_arm.wrenches import Contact
from borelli.model.load import Load
from borelli.model.motion import Motion
from borelli.records import dataclass
from borelli.results.labelled.dataset import AXES, dataset, labelled, time_axis
from borelli.results.outputs.totals import DRAWING

_ON = "the distal segment by the proximal one"
_TENSION_RULE = (
    "of the muscles that can, the one with the longest moment arm provides all of the elbow's flexion torque"
)


def arm_dynamics(arm: LiftingArm, motion: Motion, contacts: Iterable[Contact] = ()) -> xr.Dataset:
    """Joint loads of a moving arm, the tensions of its muscles at the elbow, and where everything comes from.

    Parameters
    ----------
    arm : LiftingArm
        With any number of muscles that span the elbow; in every instant one of those that can turn it works.
    motion : Motion
        Such as those of :mod:`borelli.library.lifting_arm.motion`. Results are NaN in instants that it does not know.
    contacts : iterable of Contact
        Forces on segments from outside, one row per instant or one for all.

    Returns
    -------
    Dataset
        - ``force``, ``moment`` (time, joint, axis): net resultant on the distal segment;
        - ``torque`` (time, joint): its moment about the segment's flexion axis; ``torque_share`` by source;
        - ``tension`` (time, muscle), ``moment_arm`` (time, joint, muscle) about the flexion axes;
        - ``residual_torque`` (time, joint): what the muscles leave to others;
        - ``reaction`` (time, joint, axis): force that the joint itself bears, muscles taken out, and
          ``reaction_share`` by source;
        - ``joint_position`` (time, point, axis), the last point being the end of the last segment, and
          ``path_point`` (time, muscle, vertex, axis), NaN beyond a muscle's last point;
        - ``closure``: the largest gap between sums of shares and totals, over the largest share;
          ``torque_closure`` (N m) and ``reaction_closure`` (N) are the gaps themselves.

    Guarantees, each a test
    -----------------------
    - at rest, equal to :func:`static_wrenches`
    - shares add up to the wrench recursion
    - a muscle from the shoulder blade loads shoulder and elbow, one from the upper arm the elbow alone

    Examples
    --------
    >>> curler = la.exercising_arm()
    >>> told = la.arm_dynamics(curler, la.curl_motion(curler, rate_hz=20.0))
    >>> told["torque"].dims, float(told["closure"]) < 1e-12
    (('time', 'joint'), True)
    """
    joints = list(arm.tree.joints)
    pose = tree_pose(arm, motion)
    axes = _flexion_axes(arm, pose)
    loads = [
        Load(contact.name, contact.segment, contact.force, pose.point(contact.segment, contact.at, where))
        for contact in contacts
        for where in (f"contact {contact.name!r}",)
    ]
    net = joint_reactions(arm.model, motion, loads, joints=joints)
    torque = np.einsum("tja,tja->tj", net["moment"].values, axes)
    work = _muscle_work(arm, pose, axes, torque)
    borne = joint_reactions(arm.model, motion, loads, tensions=work.by_name(arm), joints=joints)["force"]
    shares = contributions(arm.model, motion, loads, tensions=work.by_name(arm), joints=joints)
    return _dataset(arm, motion, pose, net, axes, torque, work, borne.values, _Shares.of(arm, shares, axes))


def tree_pose(arm: LiftingArm, motion: Motion) -> TreePose:
    """Return where the segments of a moving arm are."""
    poses = body_poses(arm.model, motion).sel(body=list(arm.tree.names))
    return TreePose(arm.tree, poses["origin"].values, poses["rotation"].values, np.zeros(3))


def in_sagittal_axes(result: xr.Dataset) -> xr.Dataset:
    """Turn all vectors from (forward, left, up) to (forward, up, right), in which side views are drawn.

    Examples
    --------
    >>> curler = la.exercising_arm()
    >>> told = la.arm_dynamics(curler, la.curl_motion(curler, rate_hz=20.0))
    >>> up_before, up_after = told["reaction"].sel(axis="z"), la.in_sagittal_axes(told)["reaction"].sel(axis="y")
    >>> bool(np.array_equal(up_before, up_after))
    True
    """
    turned = {}
    for name, array in result.data_vars.items():
        if "axis" in array.dims:
            values = array.transpose(..., "axis").values[..., [0, 2, 1]] * np.array([1.0, 1.0, -1.0])
            dims = [dim for dim in array.dims if dim != "axis"]
            fresh = xr.Variable((*dims, "axis"), values, {**array.attrs, "expressed_in": "sagittal"})
            turned[name] = fresh.transpose(*array.dims)
    return result.assign(turned).assign_attrs(axes="x forward, y up, z to the right")


@dataclass(frozen=True, slots=True, eq=False)
class _Shares:
    """Sources, and their parts of torques (n_times, n_joints, n_sources) and reactions (…, 3, n_sources)."""

    sources: list[str]
    torque: Array
    reaction: Array

    @classmethod
    def of(cls, arm: LiftingArm, shares: xr.Dataset, axes: Array) -> _Shares:
        labels = {f"passive:{muscle.name}": f"muscle:{muscle.name}" for muscle in arm.muscles}
        sources = [labels.get(str(name), str(name)) for name in shares["source"].values]
        torque = np.einsum("tjas,tja->tjs", shares["reaction_moment"].values, axes)
        # The torque is what muscles have to provide: they are not among its sources.
        torque[:, :, [name.startswith("muscle:") for name in sources]] = 0.0
        return cls(sources, torque, shares["reaction_force"].values)


@dataclass(frozen=True, slots=True, eq=False)
class _MuscleWork:
    """Tensions (n_times, n_muscles) and moment arms (n_times, n_joints, n_muscles)."""

    tension: Array
    arm: Array

    def by_name(self, arm: LiftingArm) -> dict[str, Array]:
        return {muscle.name: self.tension[:, k] for k, muscle in enumerate(arm.muscles)}


def _flexion_axes(arm: LiftingArm, pose: TreePose) -> Array:
    local = np.array([segment.flexion for segment in arm.tree.segments], dtype=float)
    return np.einsum("tjab,jb->tja", pose.rotation, local)


def _muscle_work(arm: LiftingArm, pose: TreePose, axes: Array, torque: Array) -> _MuscleWork:
    n_times, n_joints = torque.shape
    count = len(arm.muscles)
    require_elbow_muscles(arm.tree, arm.muscles)
    arms = np.zeros((n_times, n_joints, count))
    for k, muscle in enumerate(arm.muscles):
        arms[:, :, k] = (axes * muscle.unit_moments(pose)).sum(axis=2)
    if not count:
        return _MuscleWork(np.zeros((n_times, 0)), arms)
    elbow = arm.tree.index("forearm")
    return _MuscleWork(hinge_tensions(torque[:, elbow], arms[:, elbow]), arms)


def _paths(arm: LiftingArm, pose: TreePose) -> Array:
    """Points of all muscles, (n_times, n_muscles, n_vertices, 3), NaN beyond the last of each."""
    longest = max((len(muscle.points) for muscle in arm.muscles), default=0)
    found = np.full((pose.n_instants, len(arm.muscles), longest, 3), np.nan)
    for index, muscle in enumerate(arm.muscles):
        found[:, index, : len(muscle.points)] = muscle.path(pose)
    return found


def _dataset(
    arm: LiftingArm,
    motion: Motion,
    pose: TreePose,
    net: xr.Dataset,
    axes: Array,
    torque: Array,
    work: _MuscleWork,
    borne: Array,
    shares: _Shares,
) -> xr.Dataset:
    names = [muscle.name for muscle in arm.muscles]
    gaps = {
        "torque": float(np.nanmax(np.abs(shares.torque.sum(axis=-1) - torque))),
        "reaction": float(np.nanmax(np.abs(shares.reaction.sum(axis=-1) - borne))),
    }
    largest = {"torque": np.nanmax(np.abs(shares.torque)), "reaction": np.nanmax(np.abs(shares.reaction))}
    closure = max(gaps[name] / max(float(largest[name]), np.finfo(float).tiny) for name in gaps)
    left = torque - np.einsum("tjm,tm->tj", work.arm, work.tension)
    last = arm.tree.segments[-1].name
    points = np.concatenate([pose.origin, pose.tip(last)[:, None]], axis=1)
    vector = ("time", "joint", "axis")
    return dataset(
        {
            "torque": labelled(("time", "joint"), torque, "N m"),
            "torque_share": labelled(("time", "joint", "source"), shares.torque, "N m"),
            "reaction": labelled(vector, borne, "N", "world"),
            "reaction_share": labelled((*vector, "source"), shares.reaction, "N", "world"),
            "force": labelled(vector, net["force"].values, "N", "world"),
            "moment": labelled(vector, net["moment"].values, "N m", "world"),
            "tension": labelled(("time", "muscle"), work.tension, "N"),
            "moment_arm": labelled(("time", "joint", "muscle"), work.arm, "m"),
            "residual_torque": labelled(("time", "joint"), left, "N m"),
            "joint_position": labelled(("time", "point", "axis"), points, "m", "world"),
            "path_point": labelled(
                ("time", "muscle", "vertex", "axis"), _paths(arm, pose), "m", "world", role=DRAWING
            ),
            "closure": labelled((), np.array(closure), "1"),
            "torque_closure": labelled((), np.array(gaps["torque"]), "N m"),
            "reaction_closure": labelled((), np.array(gaps["reaction"]), "N"),
        },
        {
            "time": time_axis(np.asarray(motion.time)),
            "joint": list(arm.tree.joints),
            "axis": list(AXES),
            "muscle": names,
            "source": shares.sources,
            "point": [*arm.tree.joints, f"{last}_end"],
        },
        {
            "analysis": "arm_dynamics",
            "model": arm.model.name,
            "torque_on": f"{_ON}, about its flexion axis, muscles included",
            "reaction_on": f"{_ON}, muscles taken out",
            "tensions": _TENSION_RULE,
            "citations": [CITATION],
        },
    )
