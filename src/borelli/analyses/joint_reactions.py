"""Which force and moment does every joint transmit?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import xarray as xr

from borelli.analyses.engine import engine
from borelli.analyses.frame_poses import NodePoses
from borelli.analyses.motion import Load, Motion
from borelli.analyses.prepare import Prepared, in_threads, part_of_loads, prepare
from borelli.compiled.compile import Attachment, CompiledJoint, CompiledModel, compile_model
from borelli.errors import UnknownNameError
from borelli.model.model import Model
from borelli.model.placement import Placement
from borelli.results.dataset import AXES, labelled, time_axis

GROUND, PARENT, CHILD = "ground", "parent", "child"


def joint_reactions(
    model: Model,
    motion: Motion,
    loads: Iterable[Load] = (),
    *,
    express_in: str = GROUND,
    on: str = CHILD,
    joints: Sequence[str] | None = None,
    threads: int = 1,
) -> xr.Dataset:
    """Net force and moment that every joint transmits, its generalized forces included.

    Parameters
    ----------
    model : Model
    motion : Motion
    loads : iterable of Load
        In ground axes; brought to the instants of the motion.
    express_in : str
        Axes: ``"ground"``, ``"parent"`` or ``"child"`` (the joint's own frame on that body), or the name of a
        body or frame.
    on : str
        ``"child"``: exerted by the parent on the child, about the origin of the joint's child frame.
        ``"parent"``: exerted by the child on the parent, about the origin of the joint's parent frame.
    joints : sequence of str, optional
        Only these joints; all by default.
    threads : int
        Threads to compute with; the result does not depend on it.

    Returns
    -------
    Dataset
        ``force`` (N), ``moment`` (N m), ``point`` (m), each (time, joint, axis). The attributes say on whom,
        about which point and in which axes. ``point`` is a position in the frame of ``express_in``.
    """
    names = _chosen(model, joints)
    if on not in (PARENT, CHILD):
        raise UnknownNameError.among(on, "side of a joint", (CHILD, PARENT), where="argument on")
    prepared = prepare(model, motion, loads, merge_welds=not compile_model(model).has_welds)
    compiled, backend = prepared.compiled, engine()
    chosen = [compiled.joints[name] for name in names]
    frames_of = [_frame(compiled, joint, express_in) for joint in chosen]

    def work(frames: slice) -> tuple[np.ndarray, ...]:
        wanted = sorted({joint.node for joint in chosen})
        q, u, udot = prepared.q[frames], prepared.u[frames], prepared.udot[frames]
        loads_here = part_of_loads(prepared.loads, frames)
        answer = backend.inverse_dynamics(compiled.mechanism, q, u, udot, loads_here, wanted)
        ends = [end for joint in chosen for end in (_node(joint), joint.child_frame, joint.parent_frame)]
        poses = NodePoses(backend, compiled.mechanism, q, [*ends, *frames_of])
        out = np.empty((3, len(q), len(chosen), 3))
        for index, (joint, frame) in enumerate(zip(chosen, frames_of, strict=True)):
            position = wanted.index(joint.node)
            wrench = answer.force[:, position], answer.moment[:, position]
            out[:, :, index] = _express(*_moved(poses, joint, on, *wrench), poses, frame)
        return tuple(out)

    found = [prepared.whole(part) for part in in_threads(len(prepared.q), threads, work)]
    return _dataset(model, prepared, names, found, express_in, on)


def _chosen(model: Model, joints: Sequence[str] | None) -> list[str]:
    names = (
        list(model.joint_names) if joints is None else [joints] if isinstance(joints, str) else list(joints)
    )
    for name in names:
        model.joints[name]
    return names


def _node(joint: CompiledJoint) -> Attachment:
    """Return the node whose wrench the joint transmits, as a frame."""
    return Attachment(joint.node, Placement())


def _frame(compiled: CompiledModel, joint: CompiledJoint, express_in: str) -> Attachment:
    if express_in == PARENT:
        return joint.parent_frame
    if express_in == CHILD:
        return joint.child_frame
    return compiled.attachment(express_in)


def _moved(
    poses: NodePoses, joint: CompiledJoint, on: str, force: np.ndarray, moment: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Wrench about the point asked for, on the side asked for, in ground axes."""
    point = poses.point(joint.child_frame if on == CHILD else joint.parent_frame)
    moment = moment - np.cross(point - poses.point(_node(joint)), force)
    return (force, moment, point) if on == CHILD else (-force, -moment, point)


def _express(
    force: np.ndarray, moment: np.ndarray, point: np.ndarray, poses: NodePoses, frame: Attachment
) -> np.ndarray:
    rotation = poses.rotation(frame)
    vectors = (force, moment, point - poses.point(frame))
    return np.stack([np.einsum("tij,ti->tj", rotation, vector) for vector in vectors])


def _dataset(
    model: Model,
    prepared: Prepared,
    names: list[str],
    found: list[np.ndarray],
    express_in: str,
    on: str,
) -> xr.Dataset:
    axes = f"{express_in} joint frame" if express_in in (PARENT, CHILD) else express_in
    other = PARENT if on == CHILD else CHILD
    says = {"on": f"{on}, by {other}", "about": f"origin of the joint's {on} frame"}
    dims = ("time", "joint", "axis")
    force, moment, point = found
    return xr.Dataset(
        {
            "force": labelled(dims, force, "N", axes, **says),
            "moment": labelled(dims, moment, "N m", axes, **says),
            "point": labelled(dims, point, "m", axes, description=says["about"]),
        },
        {"time": time_axis(prepared.time), "joint": names, "axis": list(AXES)},
        {"analysis": "joint_reactions", "model": model.name, "express_in": express_in, **says},
    )
