"""Where everything is, frame by frame, for the drawing of the moving body."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from borelli.report.blob import Blob
from borelli.report.mesh_data import Surface, mesh_data
from borelli.results.labelled.plain_result import PlainResult, PlainVariable

_PATH_DIMS = ("muscle", "path")
_REACTIONS = ("reaction", "total_reaction_force")
_COLOURS = ("tension", "activation")
# Power of two of a metre, 0.06 mm: finer than any screen.
_FINEST = -14


def scene_data(
    result: PlainResult,
    frames: NDArray[np.intp],
    blob: Blob,
    meshes: Mapping[str, Sequence[Surface]] | None = None,
) -> dict[str, Any] | None:
    """Return the drawn frames of joints, mass centres, paths, loads and reactions; None without positions.

    Bones join the points of ``joint_position`` (time, point, axis) that its attribute ``bones`` pairs; without
    it, each point and the next. Everything else is optional: ``com_position`` (time, link, axis),
    ``body_ellipsoid`` (time, link, axis, body_axis), ``body_mass`` (link), ``path_point`` (time, muscle, vertex,
    axis) with ``tension`` and ``activation``, ``load_point`` and ``load_force`` (time, load, axis), ``reaction`` or
    ``total_reaction_force`` (time, joint, axis) in the axes of the positions.
    """
    if "joint_position" not in result:
        return None
    # Shares, which are the most of a result, are not drawn here.
    shown = (*_PLACES, *_COLOURS, *_REACTIONS, "body_mass", "body_origin", "body_rotation")
    drawn = result.only([name for name in shown if name in result.data_vars]).at(frames)
    points = drawn.labels("point").names
    said = drawn["joint_position"].attrs
    pairs = said.get("bones", [[k, k + 1] for k in range(len(points) - 1)])
    links = list(result.labels("link").names) if "link" in result else []
    scene: dict[str, Any] = {
        "dimensions": int(drawn["joint_position"].sizes["axis"]),
        "points": _set(drawn, "joint_position", "point", blob),
        "up": said.get("up", [0.0, 1.0, 0.0]),
        "masses": [float(mass) for mass in drawn["body_mass"].values] if "body_mass" in drawn else None,
        "bones": [[int(first), int(second)] for first, second in pairs],
        "boneNames": said.get("bone_bodies", links),
        "centres": _set(drawn, "com_position", "link", blob),
        "ellipsoids": _ellipsoids(drawn, blob),
        "loads": None,
        "reactions": None,
        "paths": _paths(drawn, blob),
        "meshes": mesh_data(drawn, meshes, blob) if meshes else None,
    }
    if {"load_point", "load_force"} <= set(drawn.data_vars):
        scene["loads"] = _arrows(drawn, "load_point", "load_force", "load", blob)
    force = next((name for name in _REACTIONS if name in drawn), None)
    if force is not None and _can_be_placed(drawn, force, points):
        at = [drawn.labels("point").places[joint] for joint in drawn.labels("joint").names]
        scene["reactions"] = _arrows(drawn, "joint_position", force, "joint", blob, at)
    return scene


_PLACES = ("joint_position", "com_position", "body_ellipsoid", "path_point", "load_point", "load_force")


def scene_places(result: PlainResult) -> int:
    """Count the numbers that one drawn frame takes."""
    known = [result[name] for name in (*_PLACES, *_COLOURS, *_REACTIONS) if name in result]
    return sum(array.values.size // max(array.sizes["time"], 1) for array in known if "time" in array.dims)


def _can_be_placed(drawn: PlainResult, force: str, points: Collection[str]) -> bool:
    """Whether a reaction acts at drawn points and has the axes of the drawing."""
    own, axes = drawn[force], drawn["joint_position"].attrs.get("expressed_in")
    if own.attrs.get("expressed_in") != axes or set(own.dims) != {"time", "joint", "axis"}:
        return False
    return set(drawn.labels("joint").names) <= set(points)


def _ellipsoids(drawn: PlainResult, blob: Blob) -> dict[str, Any] | None:
    if "body_ellipsoid" not in drawn or "com_position" not in drawn:
        return None
    return _lines(drawn["body_ellipsoid"].transpose("time", "link", "axis", "body_axis"), blob)


def _set(drawn: PlainResult, variable: str, dim: str, blob: Blob) -> dict[str, Any] | None:
    if variable not in drawn:
        return None
    values = drawn[variable].transpose("time", dim, "axis").values
    return {"names": list(drawn.labels(dim).names), "at": blob.add_moving(values)}


def _lines(array: PlainVariable, blob: Blob) -> dict[str, Any]:
    """Add positions (m) that are drawn but never told, rounded."""
    return blob.add_moving(array.values, _FINEST)


def _arrows(
    drawn: PlainResult, at: str, force: str, dim: str, blob: Blob, rows: list[int] | None = None
) -> dict[str, Any]:
    """Forces along a dimension, at points along the same; of another set of points, at these rows of it."""
    forces = drawn[force].transpose("time", dim, "axis").values
    points = drawn[at].transpose("time", dim if rows is None else "point", "axis").values
    largest = float(np.nanmax(np.linalg.norm(forces, axis=-1), initial=0.0))
    return {
        "names": list(drawn.labels(dim).names),
        "at": blob.add_moving(points if rows is None else points[:, rows]),
        "force": blob.add_moving(forces),
        "largest": largest,
        "unit": str(drawn[force].attrs.get("units", "N")),
    }


def _paths(drawn: PlainResult, blob: Blob) -> dict[str, Any] | None:
    if "path_point" not in drawn or not drawn["path_point"].values.size:
        return None
    lines = drawn["path_point"]
    dim = next(name for name in _PATH_DIMS if name in lines.dims)
    names = drawn.labels(dim).names
    return {
        "names": list(names),
        "at": _lines(lines.transpose("time", dim, "vertex", "axis"), blob),
        "colours": [found for name in _COLOURS if (found := _colour(drawn, name, names, blob))],
    }


def _colour(drawn: PlainResult, variable: str, names: Sequence[str], blob: Blob) -> dict[str, Any] | None:
    """A quantity to colour paths by, in their order; NaN where a path does not have it."""
    if variable not in drawn:
        return None
    array = drawn[variable]
    dim = next((name for name in _PATH_DIMS if set(array.dims) == {"time", name}), None)
    if dim is None:
        return None
    known, own = drawn.labels(dim).places, array.transpose("time", dim).values
    values = np.full((len(own), len(names)), np.nan, dtype=own.dtype)
    for k, name in enumerate(names):
        if name in known:
            values[:, k] = own[:, known[name]]
    if not np.isfinite(values).any():
        return None
    return {
        "words": variable,
        "unit": "" if array.attrs.get("units") == "1" else str(array.attrs.get("units", "")),
        "values": blob.add_moving(values),
        "largest": float(np.nanmax(values, initial=0.0)),
    }
