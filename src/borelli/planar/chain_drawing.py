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


def drawing(chain: Chain, motion: Motion, contacts: Sequence[Contact] = ()) -> xr.Dataset:
    """Positions over time, to be saved beside an analysis so that a page can show the motion.

    Returns
    -------
    xarray.Dataset
        ``joint_position`` (time, point, axis) and ``com_position`` (time, link, axis); with muscles,
        ``path_point`` (time, muscle, vertex, axis), NaN beyond a path's last point; with contacts, ``load_point``
        (m) and ``load_force`` (N), both (time, load, axis) in the world, and the coordinate ``load_body`` (load).
    """
    placed = kinematics(chain, motion)[["joint_position", "com_position"]]
    pose = Pose(chain, motion)
    if chain.muscles:
        placed = placed.assign_coords(muscle=list(chain.muscle_names))
        placed["path_point"] = _vectors(("time", "muscle", "vertex", "axis"), _paths(pose), units.METRE)
    if contacts:
        rows = tabulate(chain, motion.n_times, tuple(contacts)).contacts
        points = np.array([vectors_of(pose.point(row.link, row.point)) for row in rows])
        turns = [pose.turn[row.link - 1] if row.turns else np.ones(motion.n_times) for row in rows]
        forces = np.array([vectors_of(row.force * turn) for row, turn in zip(rows, turns, strict=True)])
        names = [row.name for row in rows]
        bodies = [chain.links[row.link - 1].name if row.link else "base" for row in rows]
        placed = placed.assign_coords(load=names, load_body=("load", bodies))
        dims = ("time", "load", "axis")
        placed["load_point"] = _vectors(dims, points.transpose(1, 0, 2), units.METRE)
        placed["load_force"] = _vectors(dims, forces.transpose(1, 0, 2), units.NEWTON)
    return placed


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
