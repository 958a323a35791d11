"""Which motion fits the markers?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import xarray as xr

from borelli.analyses.inverse_kinematics_input import (
    MarkerTasks,
    measured_markers,
    prior_values,
    recorded_markers,
    task_tables,
)
from borelli.analyses.inverse_kinematics_result import dataset, tell_what_is_odd
from borelli.compiled.frames import frame_poses, frames_as_nodes
from borelli.mechanics.engine import engine
from borelli.mechanics.markers.follow_motion import follow_motion
from borelli.mechanics.markers.problem import posture_problem
from borelli.mechanics.markers.targets import Sensors, Tasks, parts_of, recording
from borelli.model.model import Model


def inverse_kinematics(
    model: Model,
    markers: xr.DataArray,
    *,
    weights: Mapping[str, float] | None = None,
    tasks: Mapping[str, tuple[float, Any]] | None = None,
    prior: Mapping[str, float] | None = None,
) -> xr.Dataset:
    """Find in every instant the posture whose markers are nearest to the measured ones.

    The objective is OpenSim's, ½ Σ w |x(q) - m|² / Σ w over the markers seen + ½ Σ w_c (q_c - q_c*)², under all
    constraints, locks and prescribed motions, with clamped coordinates within their ranges. Every instant is solved to
    the optimum, by Newton's method with exact second derivatives, and reports how exactly. The first one is started
    from many postures, so that a model that faces the wrong way does not stay so.

    Parameters
    ----------
    model : Model
    markers : DataArray (time, marker, axis)
        Measured places in ground (m); NaN where a marker was not seen. See :func:`borelli.load_markers`.
    weights : mapping of marker to number, optional
        Markers to use and their weights, relative to each other; by default all that the model and the recording share,
        with equal weights.
    tasks : mapping of coordinate to (weight, value), optional
        Coordinates that should be near a value: a number, or one for each instant (rad or m). Weights are absolute: m²
        per squared unit of the coordinate. NaN leaves an instant out.
    prior : mapping of coordinate to number, optional
        Where coordinates stay that no marker sees; by default their default values.

    Returns
    -------
    Dataset
        ``q`` (time, coordinate); ``marker_error`` (time, marker): distance between measured and modelled marker (m),
        NaN where it was not seen; ``rms_error`` (time): root of their mean square; ``objective``, ``kkt_residual``,
        ``constraint_error``, ``iterations``, ``status`` (time): 0 solved, else why not, and ``q`` is NaN;
        ``seen`` (time, coordinate): whether something determines the coordinate.
        ``result.borelli.motion()`` is the Motion.
    """
    engine()
    problem = posture_problem(model)
    time, names, measured = recorded_markers(markers)
    chosen: MarkerTasks = measured_markers(model, problem, names, measured, weights)
    task_weight, task_value = task_tables(model, problem, len(time), tasks)
    nothing = Sensors((), np.zeros(0), np.zeros((len(time), 0, 3, 3)))
    aims = recording(problem, time, chosen.markers, Tasks(task_weight, task_value), nothing)
    found = follow_motion(
        problem, aims, parts_of(problem, chosen.markers, aims), prior_values(problem, prior)
    )
    q = np.empty_like(found.q)
    q[:, problem.order] = found.q
    seen = np.empty_like(found.unseen)
    seen[:, problem.order] = ~found.unseen
    placed = frames_as_nodes(problem.system.compiled.mechanism, chosen.markers.frames)
    known = np.isfinite(q).all(axis=1)
    place = np.full(chosen.markers.measured.shape, np.nan)
    place[known] = frame_poses(engine(), placed, q[known], 0)[1]
    result = dataset(problem, time, chosen, q, found, seen, place, (task_weight, task_value))
    tell_what_is_odd(result, model)
    return result
