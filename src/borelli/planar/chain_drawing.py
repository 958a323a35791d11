"""What a picture of a moving chain needs: joints, mass centres, paths of muscles, contacts with their forces."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import xarray as xr

from borelli import units
from borelli.planar.chain import Chain
from borelli.planar.checks import Array
from borelli.planar.loads import Contact, tabulate
from borelli.planar.motion import Motion
from borelli.planar.pose import Pose, kinematics, vectors_of
from borelli.results.labelled.plausible import refuse_absurd

SUPPORT = "support of the base"


def drawing(
    chain: Chain, motion: Motion, contacts: Sequence[Contact] = (), answer: xr.Dataset | None = None
) -> xr.Dataset:
    """Positions over time, to be saved beside an analysis so that a page can show the motion.

    Parameters
    ----------
    contacts : sequence of Contact
        Outside forces to draw.
    answer : xarray.Dataset, optional
        Of the analysis: its support of the base is drawn as one more force, at the centre of pressure.

    Returns
    -------
    xarray.Dataset
        ``joint_position`` (time, point, axis) and ``com_position`` (time, link, axis); with muscles,
        ``path_point`` (time, muscle, vertex, axis), NaN beyond a path's last point; with contacts, ``load_point``
        (m) and ``load_force`` (N), both (time, load, axis) in the world, and the coordinate ``load_body`` (load).

    Examples
    --------
    >>> picture = planar.drawing(chain, motion)
    >>> picture["joint_position"].dims
    ('time', 'point', 'axis')
    """
    placed = kinematics(chain, motion)[["joint_position", "com_position"]]
    pose = Pose(chain, motion)
    if chain.muscles:
        placed = placed.assign_coords(muscle=list(chain.muscle_names))
        placed["path_point"] = _vectors(("time", "muscle", "vertex", "axis"), _paths(pose), units.METRE)
    names, bodies, points, forces = _loads(pose, tuple(contacts))
    if answer is not None:
        place = answer["centre_of_pressure"].values
        names, bodies = [*names, SUPPORT], [*bodies, "base"]
        # Where nothing presses the force, if any, is drawn at the first joint.
        points.append(np.where(np.isfinite(place), place, np.asarray(chain.base.position)))
        forces.append(answer["support_force"].values)
    if names:
        placed = placed.assign_coords(load=names, load_body=("load", bodies))
        dims = ("time", "load", "axis")
        drawn = {
            "load_point": _vectors(dims, np.stack(points, axis=1), units.METRE),
            "load_force": _vectors(dims, np.stack(forces, axis=1), units.NEWTON),
        }
        refuse_absurd(drawn, {"time": motion.time, "load": names})
        placed = placed.assign(drawn)
    return placed


def _loads(
    pose: Pose, contacts: tuple[Contact, ...]
) -> tuple[list[str], list[str], list[Array], list[Array]]:
    """Names and bodies of contacts, and their points and forces in the world, each (n_times, 2)."""
    rows = tabulate(pose.chain, pose.n_times, contacts).contacts
    points = [vectors_of(pose.point(row.link, row.point)) for row in rows]
    turns = [pose.turn[row.link - 1] if row.turns else np.ones(pose.n_times) for row in rows]
    forces = [vectors_of(row.force * turn) for row, turn in zip(rows, turns, strict=True)]
    bodies = [pose.chain.links[row.link - 1].name if row.link else "base" for row in rows]
    return [row.name for row in rows], bodies, points, forces


def _paths(pose: Pose) -> Array:
    muscles = pose.chain.muscles
    longest = max(len(muscle.path) for muscle in muscles)
    points = np.full((pose.n_times, len(muscles), longest, 2), np.nan)
    for index, muscle in enumerate(muscles):
        for vertex, (link, local) in enumerate(muscle.path):
            points[:, index, vertex] = vectors_of(pose.point(link, complex(*local)))
    return points


def _vectors(dims: tuple[str, ...], values: Array, unit: str) -> xr.Variable:
    return xr.Variable(dims, values, {"units": unit, "expressed_in": "world", "role": "drawing"})
