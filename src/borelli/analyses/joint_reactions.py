"""Which force and moment does every joint transmit?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import xarray as xr

from borelli.analyses.engine import engine
from borelli.analyses.motion import Load, Motion
from borelli.analyses.prepare import Prepared, in_threads, prepare
from borelli.compiled.compile import compile_model
from borelli.compiled.frames import joint_nodes
from borelli.errors import UnknownNameError
from borelli.model.model import Model
from borelli.model.values import ZERO
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
    placed = joint_nodes(compiled, tuple(names), on, express_in)
    wanted = [compiled.joints[name].node for name in names]
    # A joint's node sits at the origin of its child frame, but for joints of several parts.
    elsewhere = on == PARENT or any(
        compiled.joints[name].child_frame.placement.translation != ZERO for name in names
    )

    def work(frames: slice) -> tuple[np.ndarray, ...]:
        q, u, udot = prepared.q[frames], prepared.u[frames], prepared.udot[frames]
        loads_here = prepared.loads_in(frames)
        answer = backend.inverse_dynamics(compiled.mechanism, q, u, udot, loads_here, wanted)
        at_nodes = wanted if elsewhere else []
        rotation, origin = backend.poses(placed.mechanism, q, [*placed.nodes, *at_nodes])
        count, n_frames = len(wanted), len(placed.nodes)
        force, moment, point = answer.force, answer.moment, origin[:, :count]
        if elsewhere:
            moment = moment - np.cross(point - origin[:, n_frames:], force)
        if on == PARENT:
            force, moment = -force, -moment
        if express_in == GROUND:
            return force, moment, point
        return _expressed((force, moment, point), rotation[:, count:n_frames], origin[:, count:n_frames])

    answers = in_threads(len(prepared.q), threads, work, prepared.most_at_once)
    found = [prepared.whole(part) for part in answers]
    return _dataset(model, prepared, names, found, express_in, on)


def _chosen(model: Model, joints: Sequence[str] | None) -> list[str]:
    names = (
        list(model.joint_names) if joints is None else [joints] if isinstance(joints, str) else list(joints)
    )
    for name in names:
        model.joints[name]
    return names


def _expressed(
    vectors: tuple[np.ndarray, ...], rotation: np.ndarray, origin: np.ndarray
) -> tuple[np.ndarray, ...]:
    """Force, moment and point in the axes of other frames, (n_frames, n_joints or 1, …)."""
    force, moment, point = vectors
    return tuple(
        np.einsum("tjab,tja->tjb", *_same_joints(rotation, x)) for x in (force, moment, point - origin)
    )


def _same_joints(rotation: np.ndarray, vector: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.broadcast_to(rotation, (*vector.shape[:2], 3, 3)), vector


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
