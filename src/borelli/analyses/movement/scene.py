"""Where is everything that a picture of a moving model shows?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from borelli.analyses.movement.paths import paths
from borelli.arrays import curve_of
from borelli.errors import UnknownNameError
from borelli.mechanics.forces.joint_wrenches import bearing, joint_wrenches
from borelli.mechanics.forces.reaction_frames import reaction_frames
from borelli.mechanics.motion.body_places import body_places
from borelli.mechanics.motion.long_axes import long_axes
from borelli.mechanics.motion.ordered_motion import Load, Motion
from borelli.mechanics.motion.prepare import warn_of_unknown
from borelli.model.body import Body
from borelli.model.model import Model
from borelli.results.labelled.dataset import AXES, labelled, time_axis
from borelli.results.labelled.plain_result import Given, PlainResult, PlainVariable, plain_result
from borelli.results.labelled.returns_dataset import plain, returns_dataset

_ROLE = {"role": "drawing"}
_ARC_POINTS = 4
"""Within a way over a surface: straight pieces between them miss a quarter turn of 5 cm radius by 0.6 mm."""


@returns_dataset
def scene(
    model: Model,
    motion: Motion,
    loads: Iterable[Load] = (),
    tensions: Mapping[str, np.ndarray] | None = None,
) -> PlainResult:
    """Positions in ground over time, to be saved beside an analysis so that a page can show the motion.

    Parameters
    ----------
    model : Model
    motion : Motion
    loads : iterable of Load
        In ground axes; drawn as arrows.
    tensions : mapping of path to (n_times,) newtons, optional
        Colours the muscles.

    Returns
    -------
    Dataset
        ``joint_position`` (time, point, axis): centres of the joints, and mass centres of the last bodies; its
        attribute ``bones`` lists the pairs of points that a bone joins and ``bone_bodies`` their bodies, ``up`` is the
        direction against gravity, ``long_axes`` says of each joint from which points to which the axis runs that its
        compression is told along, and of which body it is.
        ``com_position`` (time, link, axis), ``body_mass`` (link). Where the model names files that show its bones,
        ``body_origin`` (time, link, axis), ``body_rotation`` (time, link, axis, body_axis),
        and the attribute ``geometry``.
        ``body_ellipsoid`` (time, link, axis, body_axis): semi-axes of the ellipsoid of equal mass and inertia.
        With paths, ``path_point`` (time, path, vertex, axis), NaN beyond the last vertex, ``length``, ``speed``
        and, where given, ``tension`` (time, path). With loads, ``load_point`` (m) and ``load_force`` (N), (time, load,
        axis), and the coordinate ``load_body`` (load).

    Examples
    --------
    >>> bo.scene(model, motion, loads)["joint_position"].dims
    ('time', 'point', 'axis')
    """
    poses = body_places(model, motion)
    frames = reaction_frames(model, None, "child", "ground", None)
    centres = joint_wrenches(bearing(model, motion, (), {}, False), frames).point
    last = [name for name in model.body_names if not _joints_on(model, name)]
    tips = poses.com[:, [model.body_names.index(name) for name in last]]
    bodies, bones = [model.bodies[name] for name in model.body_names], _bones(model, last)
    own_axes = np.array([_semi_axes(body) for body in bodies]).reshape(-1, 3, 3)
    axes = np.einsum("tbij,bjk->tbik", poses.rotation, own_axes)
    data = {
        "joint_position": _vectors(
            "point",
            np.concatenate([centres, tips], axis=1),
            "m",
            bones=[pair for pair, _ in bones],
            bone_bodies=[body for _, body in bones],
            up=_up(model),
            long_axes=_long_axes(model, last, np.concatenate([centres, poses.com], axis=1)),
        ),
        "com_position": _vectors("link", poses.com, "m"),
        "body_ellipsoid": labelled(("time", "link", "axis", "body_axis"), axes, "m", "ground", **_ROLE),
        "body_mass": labelled(("link",), np.array([float(body.mass) for body in bodies]), "kg", **_ROLE),
    }
    coordinates: dict[str, Given] = {
        "time": time_axis(poses.time),
        "point": [*model.joint_names, *(f"{name} mass centre" for name in last)],
        "link": list(model.body_names),
        "axis": list(AXES),
    }
    if model.paths:
        lines = plain(paths)(model, motion, points=True, arc_points=_ARC_POINTS)
        # Single precision is finer than any screen, and half the size of the largest part of the result.
        vertices = lines["points"].values.astype(np.float32)
        data["path_point"] = labelled(("time", "path", "vertex", "axis"), vertices, "m", "ground", **_ROLE)
        data["length"], data["speed"] = lines["length"], lines["speed"]
        coordinates["path"] = list(model.path_names)
        if tensions:
            for name in tensions:
                if name not in model.path_names:
                    raise UnknownNameError.among(
                        str(name), "path", model.path_names, of=f"model {model.name!r}", where="tensions"
                    )
            unknown = np.full(len(poses.time), np.nan)
            values = np.column_stack(
                [
                    curve_of(tensions.get(name, unknown), len(unknown), f"the tension of {name!r}")
                    for name in model.path_names
                ]
            )
            pulling = [name in tensions for name in model.path_names]
            warn_of_unknown(poses.time, [values[:, pulling]])
            data["tension"] = labelled(("time", "path"), values, "N")
    shown = {body.name: [[f, list(s)] for f, s in _geometry(body)] for body in bodies if body.geometry}
    if shown:
        # What shows a bone is looked for when a page is written, here only how it lies.
        placed = ("time", "link", "axis")
        data["body_origin"] = _vectors("link", poses.origin.astype(np.float32), "m")
        turns = poses.rotation.astype(np.float32)
        data["body_rotation"] = labelled((*placed, "body_axis"), turns, "1", "ground", **_ROLE)
    acting = [load.at(motion.time) for load in loads]
    if acting:
        warn_of_unknown(poses.time, [part for load in acting for part in (load.force, load.point)])
        data["load_point"] = _vectors("load", np.stack([load.point for load in acting], axis=1), "m")
        data["load_force"] = _vectors("load", np.stack([load.force for load in acting], axis=1), "N")
        coordinates["load"] = [load.name for load in acting]
        coordinates["load_body"] = ("load", [load.body for load in acting])
    return plain_result(data, coordinates, {"geometry": shown} if shown else {})


def _geometry(body: Body) -> list[tuple[str, tuple[float, ...]]]:
    scales = body.geometry_scale or ((1.0, 1.0, 1.0),) * len(body.geometry)
    return [(file, tuple(float(x) for x in scale)) for file, scale in zip(body.geometry, scales, strict=True)]


def _vectors(dim: str, values: np.ndarray, unit: str, **more: object) -> PlainVariable:
    return labelled(("time", dim, "axis"), values, unit, "ground", **_ROLE, **more)


def _up(model: Model) -> list[float]:
    gravity = np.asarray(model.gravity, dtype=float)
    size = float(np.linalg.norm(gravity))
    return [float(part) for part in -gravity / size] if size else [0.0, 1.0, 0.0]


def _joints_on(model: Model, body: str) -> list[int]:
    """Numbers of the joints whose parent a body is."""
    joints = [model.joints[name] for name in model.joint_names]
    return [k for k, joint in enumerate(joints) if model.parent_of(joint)[0] == body]


def _bones(model: Model, last: list[str]) -> list[tuple[list[int], str]]:
    """From the joint that carries a body to the joints that it carries, or to its mass centre; and the body."""
    found: list[tuple[list[int], str]] = []
    for number, name in enumerate(model.joint_names):
        body = model.child_of(model.joints[name])[0]
        ends = _joints_on(model, body) or [len(model.joint_names) + last.index(body)]
        found += [([number, end], body) for end in ends]
    return found


def _long_axes(model: Model, last: list[str], places: np.ndarray) -> dict[str, list[object]]:
    """Of each joint that has one: first points, last points, body; points as they are drawn."""
    names, number = model.body_names, {name: k for k, name in enumerate(model.body_names)}
    joints = [model.joints[name] for name in model.joint_names]
    found = long_axes(
        [number.get(model.parent_of(joint)[0], -1) for joint in joints],
        [number[model.child_of(joint)[0]] for joint in joints],
        [float(model.bodies[name].mass) for name in names],
        places,
    )
    drawn = {len(joints) + number[name]: len(joints) + k for k, name in enumerate(last)}
    return {
        name: [axis.begin, [drawn.get(point, point) for point in axis.end], names[axis.body]]
        for name, axis in zip(model.joint_names, found, strict=True)
        if axis is not None
    }


def _semi_axes(body: Body) -> np.ndarray:
    """Columns: semi-axes of the solid ellipsoid with a body's mass and inertia, in body axes; NaN without mass."""
    if not body.mass:
        return np.full((3, 3), np.nan)
    moments, directions = np.linalg.eigh(body.inertia_matrix.astype(float))
    # I_1 = m (b² + c²) / 5 and cyclically, so that a² = 5 (I_2 + I_3 - I_1) / (2 m).
    squared = 2.5 * (moments.sum() - 2.0 * moments) / float(body.mass)
    return np.asarray(directions * np.sqrt(np.maximum(squared, 0.0)))
