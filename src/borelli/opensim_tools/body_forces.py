"""Generalized forces of a joint as one force and one torque on its child, as OpenSim's inverse dynamics reports them.

Many wrenches do the work of a joint's generalized forces. OpenSim takes the smallest force and the smallest torque
that do it alone, keeps whichever does more with less, and lets the other do the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from borelli.compiled.compile import compile_model
from borelli.errors import warn
from borelli.io.osim.document import document_version
from borelli.kernels.tree.blocks import blocks
from borelli.mechanics.motion.frame_motion import FrameMotion
from borelli.mechanics.motion.ordered_motion import positions
from borelli.results.labelled.table import Table

if TYPE_CHECKING:
    from borelli.io.setups.setup_xml import InverseDynamicsSetup
    from borelli.mechanics.motion.ordered_motion import Motion
    from borelli.model.joints.joint import Joint
    from borelli.model.model import Model

TITLE = "Inverse Dynamics Body Forces at Specified Joints"
_WITH_FRAMES = 30500
"""Documents from this version on have frames of their own at joints."""
_NOTHING = 2e-14
"""A generalized force below this is zero to Simbody (its ``SignificantReal``)."""
_RANK = 1e-10
"""Directions in which a joint moves its child by less than this per unit of its largest are none."""


def body_forces(
    settings: InverseDynamicsSetup, model: Model, motion: Motion, forces: np.ndarray
) -> Table | None:
    """Return the table at the joints that a setup names, None if it names none.

    Parameters
    ----------
    forces : (n_times, n_u) float
        Generalized forces in the order of the model's speeds.
    """
    asked = settings.body_forces_joints
    everything = any(word.casefold() == "all" for word in asked)
    joints = [name for name in (model.joint_names if everything else asked) if name in model.joint_names]
    strange = [] if everything else [name for name in asked if name not in model.joint_names]
    if strange:
        warn(f"joints_to_report_body_forces names joints that the model does not have: {', '.join(strange)}")
    if not joints:
        return None
    old = document_version(settings.model) < _WITH_FRAMES
    return body_force_table(model, motion.time, positions(model, motion), forces, joints, old)


def body_force_table(
    model: Model,
    time: np.ndarray,
    q: np.ndarray,
    forces: np.ndarray,
    joints: list[str],
    offsets: bool,
) -> Table:
    """Return force and torque on the child of each joint, in ground, in the columns of the tool.

    Parameters
    ----------
    q : (n_times, n_q) float
    forces : (n_times, n_u) float
        Generalized forces in the order of the model's speeds.
    joints : list of str
    offsets : bool
        Whether the document is so old that OpenSim puts a frame ``<body>_offset`` on every child.
    """
    columns, parts = [], []
    compiled = compile_model(model)
    for name in joints:
        joint = model.joints[name]
        stem = f"{name}_{_frame_name(model, joint, offsets)}"
        columns += [f"{stem}_{kind}{axis}" for kind in "FM" for axis in "XYZ"]
        own = [model.speed_names.index(speed) for speed in joint.speed_names]
        wrench = np.zeros((len(time), 6))
        child = compiled.attachment(joint.child, joint.child_placement)
        for block in blocks(len(time)) if own else ():
            moving = FrameMotion(compiled.mechanism, q[block])
            linear = moving.point_jacobian(child, moving.point(child))[:, :, own]
            angular = moving.angular_jacobian(child)[:, :, own]
            wrench[block] = smallest_wrench(linear, angular, forces[block][:, own])
        parts.append(wrench)
    return Table(time, tuple(columns), np.hstack(parts), in_degrees=False, name=TITLE)


def smallest_wrench(linear: np.ndarray, angular: np.ndarray, forces: np.ndarray) -> np.ndarray:
    """Return force and torque that do the work of generalized forces, (n, 6).

    Parameters
    ----------
    linear, angular : (n, 3, n_u) float
        Velocity and angular velocity of the child's frame in the parent per unit of each speed.
    forces : (n, n_u) float
    """
    slide, turn = (np.linalg.pinv(x.transpose(0, 2, 1), rcond=_RANK) for x in (linear, angular))

    def applied(by: np.ndarray, to: np.ndarray) -> np.ndarray:
        return np.asarray(np.einsum("nij,nj->ni", by, to))

    push, torque = applied(slide, forces), applied(turn, forces)
    by_push = applied(linear.transpose(0, 2, 1), push)
    by_torque = applied(angular.transpose(0, 2, 1), torque)
    size = [np.linalg.norm(x, axis=1) for x in (by_push, push, by_torque, torque)]
    both = (size[0] > _NOTHING) & (size[2] > _NOTHING)
    # More work with less: compared as OpenSim does, newtons with newton metres.
    turning = both & (size[2] * size[1] > size[0] * size[3])
    sliding = both & ~turning
    push = np.where(turning[:, None], applied(slide, forces - by_torque), push)
    torque = np.where(sliding[:, None], applied(turn, forces - by_push), torque)
    return np.hstack([push, torque])


def _frame_name(model: Model, joint: Joint, offsets: bool) -> str:
    """Name of the joint's frame on its child."""
    leaf = joint.child.rpartition("/")[2]
    on_body = joint.child in model.body_names
    return f"{leaf}_offset" if on_body and (offsets or not joint.child_placement.is_identity) else leaf
