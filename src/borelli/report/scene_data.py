"""Where everything is, frame by frame, for the drawing of the moving body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from borelli.report.blob import Blob
from borelli.report.mesh_data import Surface, mesh_data
from borelli.results.output import SOURCE

_PATH_DIMS = ("muscle", "path")
_REACTIONS = ("reaction", "total_reaction_force")
_COLOURS = ("tension", "activation")
# Power of two of a metre, 0.06 mm: finer than any screen.
_FINEST = -14


def scene_data(
    result: xr.Dataset,
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
    drawn = (result.drop_dims(SOURCE) if SOURCE in result.dims else result).isel(time=frames)
    points = [str(name) for name in drawn["point"].values]
    said = drawn["joint_position"].attrs
    pairs = said.get("bones", [[k, k + 1] for k in range(len(points) - 1)])
    links = [str(name) for name in drawn["link"].values] if "link" in drawn.coords else []
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
    if {"load_point", "load_force"} <= set(map(str, drawn.data_vars)):
        scene["loads"] = _arrows(drawn["load_point"], drawn["load_force"], "load", blob)
    force = next((drawn[name] for name in _REACTIONS if name in drawn), None)
    if force is not None and _can_be_placed(force, drawn["joint_position"], points):
        at = drawn["joint_position"].sel(point=drawn["joint"].values).rename(point="joint")
        scene["reactions"] = _arrows(at, force, "joint", blob)
    return scene


_PLACES = ("joint_position", "com_position", "body_ellipsoid", "path_point", "load_point", "load_force")


def scene_places(result: xr.Dataset) -> int:
    """Count the numbers that one drawn frame takes."""
    known = [result[name] for name in (*_PLACES, *_COLOURS, *_REACTIONS) if name in result]
    return sum(array.size // max(array.sizes["time"], 1) for array in known if "time" in array.dims)


def _can_be_placed(force: xr.DataArray, places: xr.DataArray, points: list[str]) -> bool:
    """Whether a reaction acts at drawn points and has the axes of the drawing."""
    same_axes = force.attrs.get("expressed_in") == places.attrs.get("expressed_in")
    joints = set(map(str, force["joint"].values)) if "joint" in force.dims else {""}
    return same_axes and set(force.dims) == {"time", "joint", "axis"} and joints <= set(points)


def _ellipsoids(drawn: xr.Dataset, blob: Blob) -> dict[str, Any] | None:
    if "body_ellipsoid" not in drawn or "com_position" not in drawn:
        return None
    return _lines(drawn["body_ellipsoid"].transpose("time", "link", "axis", "body_axis"), blob)


def _set(drawn: xr.Dataset, variable: str, dim: str, blob: Blob) -> dict[str, Any] | None:
    if variable not in drawn:
        return None
    values = drawn[variable].transpose("time", dim, "axis").values
    return {"names": [str(name) for name in drawn[dim].values], "at": blob.add_moving(values)}


def _lines(array: xr.DataArray, blob: Blob) -> dict[str, Any]:
    """Add positions (m) that are drawn but never told, rounded."""
    return blob.add_moving(array.values, _FINEST)


def _arrows(at: xr.DataArray, force: xr.DataArray, dim: str, blob: Blob) -> dict[str, Any]:
    order = ("time", dim, "axis")
    sizes = np.linalg.norm(force.transpose(*order).values, axis=-1)
    largest = float(np.nanmax(sizes, initial=0.0))
    return {
        "names": [str(name) for name in force[dim].values],
        "at": blob.add_moving(at.transpose(*order).values),
        "force": blob.add_moving(force.transpose(*order).values),
        "largest": largest,
        "unit": str(force.attrs.get("units", "N")),
    }


def _paths(drawn: xr.Dataset, blob: Blob) -> dict[str, Any] | None:
    if "path_point" not in drawn or not drawn["path_point"].size:
        return None
    lines = drawn["path_point"]
    dim = next(name for name in _PATH_DIMS if name in lines.dims)
    names = [str(name) for name in lines[dim].values]
    return {
        "names": names,
        "at": _lines(lines.transpose("time", dim, "vertex", "axis"), blob),
        "colours": [found for name in _COLOURS if (found := _colour(drawn, name, names, blob))],
    }


def _colour(drawn: xr.Dataset, variable: str, names: list[str], blob: Blob) -> dict[str, Any] | None:
    """A quantity to colour paths by, in their order; NaN where a path does not have it."""
    if variable not in drawn:
        return None
    array = drawn[variable]
    dim = next((name for name in _PATH_DIMS if set(array.dims) == {"time", name}), None)
    if dim is None:
        return None
    values = array.transpose("time", dim).reindex({dim: names}).values
    if not np.isfinite(values).any():
        return None
    return {
        "words": variable,
        "unit": "" if array.attrs.get("units") == "1" else str(array.attrs.get("units", "")),
        "values": blob.add_moving(values),
        "largest": float(np.nanmax(values, initial=0.0)),
    }
