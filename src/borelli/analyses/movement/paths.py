"""How long is every path, how fast does it lengthen, where does it run, and how does it pull on the bodies?"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from borelli.arrays import listed
from borelli.compiled.compile import compile_model
from borelli.compiled.paths import CompiledPaths
from borelli.errors import InvalidValueError
from borelli.kernels.tree.node import GROUND
from borelli.mechanics.engine import engine
from borelli.mechanics.motion.frame_poses import NodePoses
from borelli.mechanics.motion.ordered_motion import Motion
from borelli.mechanics.motion.prepare import Prepared, prepare
from borelli.mechanics.paths.path_pass import (
    path_drawings,
    path_forces,
    path_speeds,
    path_wrenches,
    paths_of,
    warn_of_status,
)
from borelli.model.model import Model
from borelli.results.labelled.dataset import AXES, labelled, time_axis
from borelli.results.labelled.plain_result import PlainResult, PlainVariable, plain_result
from borelli.results.labelled.returns_dataset import returns_dataset


@returns_dataset
def paths(
    model: Model,
    motion: Motion,
    *,
    names: Iterable[str] | str | None = None,
    forces: bool = False,
    transmission: bool = False,
    points: bool = False,
    arc_points: int = 8,
    threads: int = 1,
) -> PlainResult:
    """Length and lengthening speed of paths: muscles, ligaments, springs, actuators along paths.

    A path runs straight between its points and over its wrap objects along geodesics; it is the taut line,
    and depends on the posture alone.

    Parameters
    ----------
    model : Model
    motion : Motion
    names : str or iterable of str, optional
        Only these paths, in this order; all by default.
    forces : bool
        Add ``generalized_force`` (time, path, speed): what unit tension exerts on every speed, -dl/du,
        moving points included (N per N and N m per N).
    transmission : bool
        Add ``force`` and ``moment`` (time, path, body, axis): what unit tension exerts on every body, the
        ground included; the moment is about the origin of the body's frame. They add up to nothing.
    points : bool
        Add ``points`` (time, path, vertex, axis): the polyline in ground, NaN beyond its last vertex, and
        ``n_points`` (time, path).
    arc_points : int
        Vertices within each way over a surface, besides its ends.
    threads : int
        Threads to compute with; the result does not depend on it.

    Returns
    -------
    Dataset
        ``length`` (m) and ``speed`` (m/s, positive while it lengthens), both (time, path).

    Guarantees, each a test
    -----------------------
    - equal to polylines pulled taut over the surfaces; no longer than OpenSim's where its line stays outside of them
    - pulls on all bodies cancel, and their work is the shortening of the path

    Examples
    --------
    >>> along = bo.paths(model, motion)
    >>> along["length"].dims, along["speed"].attrs["units"]
    (('time', 'path'), 'm/s')
    """
    if arc_points < 0:
        raise InvalidValueError(f"arc_points must not be negative, but is {arc_points}.")
    prepared = prepare(model, motion, threads)
    chosen = paths_of(prepared.compiled, listed(names))
    variables: dict[str, PlainVariable] = {}
    looked_at: tuple[str, ...] = ()
    if forces:
        found = path_forces(prepared.compiled, chosen, prepared.q, threads, prepared.u, time_last=True)
        length, speed, status = found.length, found.speed, None if found.is_settled else found.status
        dims = ("time", "path", "speed_name")
        if found.is_plausible:
            looked_at = ("length", "speed", "generalized_force")
        variables["generalized_force"] = labelled(
            dims, prepared.whole(found.force), "N per N, N m per N", convention="-dl/du"
        )
    else:
        length, speeds, status = path_speeds(
            prepared.compiled, chosen, prepared.q, prepared.u[:, None], threads
        )
        speed = speeds[:, 0]
    if status is not None:
        warn_of_status(chosen.names, status, prepared.time[prepared.known])
    variables["length"] = labelled(("time", "path"), prepared.whole(length), "m")
    variables["speed"] = labelled(("time", "path"), prepared.whole(speed), "m/s", positive="lengthening")
    coordinates = {"time": time_axis(prepared.time), "path": list(chosen.names)}
    if forces:
        coordinates["speed_name"] = list(model.speed_names)
    if points:
        variables |= _drawing(prepared, chosen, arc_points)
        coordinates["axis"] = list(AXES)
    if transmission:
        variables |= _transmission(model, prepared, chosen.names)
        coordinates |= {"axis": list(AXES), "body": ["ground", *model.body_names]}
    about = {"analysis": "paths", "model": model.name}
    return plain_result(variables, coordinates, about, looked_at=looked_at)


def _drawing(prepared: Prepared, chosen: CompiledPaths, arc_points: int) -> dict[str, PlainVariable]:
    lines, number = path_drawings(prepared.compiled, chosen, prepared.q, arc_points)
    dims = ("time", "path", "vertex", "axis")
    return {
        "points": labelled(dims, prepared.whole(lines), "m", "ground"),
        "n_points": labelled(("time", "path"), prepared.whole(number.astype(float)), "1"),
    }


def _transmission(model: Model, prepared: Prepared, names: tuple[str, ...]) -> dict[str, PlainVariable]:
    # Welded bodies share a node; here each body needs one of its own.
    apart = compile_model(model, merge_welds=False)
    chosen = paths_of(apart, names)
    unit = np.ones((len(prepared.q), len(names)))
    wrench = path_wrenches(apart, chosen, prepared.q, unit, apart=True)
    shape = (len(prepared.q), len(names), len(model.body_names) + 1, 3)
    force, moment = np.zeros(shape), np.zeros(shape)
    attached = [apart.bodies[name] for name in model.body_names]
    poses = NodePoses(engine(), apart.mechanism, prepared.q, attached)
    if GROUND in chosen.nodes:
        own = wrench[:, :, chosen.nodes.index(GROUND)]
        moment[:, :, 0], force[:, :, 0] = own[..., :3], own[..., 3:]
    for index, body in enumerate(attached, start=1):
        if body.node in chosen.nodes and body.node != GROUND:
            own = wrench[:, :, chosen.nodes.index(body.node)]
            force[:, :, index] = own[..., 3:]
            origin = poses.point(body)[:, None]
            moment[:, :, index] = own[..., :3] - np.cross(
                np.broadcast_to(origin, own[..., 3:].shape), own[..., 3:]
            )
    dims = ("time", "path", "body", "axis")
    about = {"about": "origin of the body's frame"}
    return {
        "force": labelled(dims, prepared.whole(force), "N per N", "ground"),
        "moment": labelled(dims, prepared.whole(moment), "N m per N", "ground", **about),
    }
