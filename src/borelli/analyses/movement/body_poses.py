"""Where is every body, and every marker?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from borelli.compiled.frames import frame_poses, marker_nodes
from borelli.mechanics.engine import engine
from borelli.mechanics.motion.body_places import body_places
from borelli.mechanics.motion.ordered_motion import Motion
from borelli.mechanics.motion.postures import in_every_posture
from borelli.mechanics.motion.prepare import prepare_postures
from borelli.model.model import Model
from borelli.results.labelled.dataset import AXES, data_array, dataset, labelled, time_axis

if TYPE_CHECKING:
    import xarray as xr


def body_poses(model: Model, motion: Motion, *, threads: int = 1) -> xr.Dataset:
    """Position and orientation of every body in ground.

    Parameters
    ----------
    model : Model
    motion : Motion
        Only its coordinates matter.
    threads : int
        Threads to compute with; the result does not depend on it.

    Returns
    -------
    Dataset
        ``origin`` and ``com`` (time, body, axis): body-frame origin and mass centre (m);
        ``rotation`` (time, body, axis, body_axis): columns are the body's axes in ground.

    Guarantees, each a test
    -----------------------
    - equal to references computed with 60 digits, and to OpenSim for every kind of joint
    - speeds and accelerations of the motion do not matter

    Examples
    --------
    >>> poses = bo.body_poses(model, motion)
    >>> poses["origin"].dims, poses["rotation"].dims
    (('time', 'body', 'axis'), ('time', 'body', 'axis', 'body_axis'))
    >>> float(poses["origin"].sel(body="pelvis", axis="y").mean().round(1))  # m
    0.9
    """
    time, origin, com, rotation = body_places(model, motion, threads)
    dims = ("time", "body", "axis")
    return dataset(
        {
            "origin": labelled(dims, origin, "m", "ground"),
            "com": labelled(dims, com, "m", "ground"),
            "rotation": labelled((*dims, "body_axis"), rotation, "1", "ground"),
        },
        {
            "time": time_axis(time),
            "body": list(model.body_names),
            "axis": list(AXES),
            "body_axis": list(AXES),
        },
        {"analysis": "body_poses", "model": model.name},
        # Places in body_places; directions have no size.
        looked_at=("origin", "com", "rotation"),
    )


def marker_positions(model: Model, motion: Motion, *, threads: int = 1) -> xr.DataArray:
    """Place of every marker in ground.

    Parameters
    ----------
    model : Model
    motion : Motion
        Only its coordinates matter.
    threads : int
        Threads to compute with; the result does not depend on it.

    Returns
    -------
    DataArray (time, marker, axis)
        m.

    Guarantees, each a test
    -----------------------
    - a marker moves with its body, or with the frame that it is fixed to

    Examples
    --------
    >>> places = bo.marker_positions(model, motion)
    >>> places.dims, places.sizes["marker"]
    (('time', 'marker', 'axis'), 47)
    """
    prepared = prepare_postures(model, motion)
    placed, backend = marker_nodes(prepared.compiled), engine()
    (positions,) = in_every_posture(prepared, threads, lambda q: (frame_poses(backend, placed, q, 0)[1],))
    return data_array(
        labelled(("time", "marker", "axis"), positions, "m", "ground"),
        {"time": time_axis(prepared.time), "marker": list(model.marker_names), "axis": list(AXES)},
        name="marker_positions",
    )
