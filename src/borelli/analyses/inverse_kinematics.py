"""Which motion fits the markers?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import xarray as xr

from borelli.analyses.inverse_kinematics_input import (
    MarkerTasks,
    SensorTasks,
    measured_markers,
    prior_values,
    recorded_markers,
    recorded_orientations,
    task_tables,
)
from borelli.analyses.inverse_kinematics_quaternions import on_quaternions, quaternion_joints
from borelli.analyses.inverse_kinematics_result import Fit, dataset, tell_what_is_odd
from borelli.analyses.inverse_kinematics_spread import with_covariance
from borelli.errors import MissingInputError
from borelli.kernels.markers.track import Found, Recording
from borelli.mechanics.engine import engine
from borelli.mechanics.markers.follow_motion import follow_motion
from borelli.mechanics.markers.places import axes_of, places_of
from borelli.mechanics.markers.problem import PostureProblem, posture_problem
from borelli.mechanics.markers.targets import Markers, Tasks, no_sensors, parts_of, recording
from borelli.model.model import Model


def inverse_kinematics(
    model: Model,
    markers: xr.DataArray | None = None,
    *,
    weights: Mapping[str, float] | None = None,
    tasks: Mapping[str, tuple[float, Any]] | None = None,
    orientations: xr.DataArray | None = None,
    orientation_weights: Mapping[str, float] | None = None,
    radian_in_metres: float | None = None,
    prior: Mapping[str, float] | None = None,
    covariance: bool | float = False,
) -> xr.Dataset:
    """Find in every instant the posture whose markers are nearest to the measured ones.

    The objective is OpenSim's, ½ Σ w |x(q) - m|² / Σ w over the markers seen + ½ Σ w_c (q_c - q_c*)², under all
    constraints, locks and prescribed motions, with clamped coordinates within their ranges. Orientations of sensors add
    ½ L² Σ w θ² / Σ w, with θ the angle between a sensor and its frame. Every instant is solved to the optimum, by
    Newton's method with exact second derivatives, and reports how exactly. The first one is started from many postures,
    so that a model that faces the wrong way does not stay so.

    Parameters
    ----------
    model : Model
    markers : DataArray (time, marker, axis), optional
        Measured places in ground (m); NaN where a marker was not seen. See :func:`borelli.load_markers`.
    weights : mapping of marker to number, optional
        Markers to use and their weights, relative to each other; by default all that the model and the recording share,
        with equal weights.
    tasks : mapping of coordinate to (weight, value), optional
        Coordinates that should be near a value: a number, or one for each instant (rad or m). Weights are absolute: m²
        per squared unit of the coordinate. NaN leaves an instant out.
    orientations : DataArray (time, sensor, axis, sensor_axis), optional
        Axes of sensors in ground; each is matched to the frame or body with its name. See
        :func:`borelli.load_orientations`. Alone they are OpenSim's IMUInverseKinematicsTool's objective.
    orientation_weights : mapping of sensor to number, optional
        Sensors to use and their weights, relative to each other; by default all with equal weights.
    radian_in_metres : float, optional
        L: how many metres of a marker one radian of a sensor counts as; 0.3 beside markers, 1 alone.
    prior : mapping of coordinate to number, optional
        Where coordinates stay that nothing sees; by default their default values.
    covariance : bool or float
        Add what noise of the markers does to the coordinates: of so many metres in each direction, or, if True, as the
        residuals tell.

    Returns
    -------
    Dataset
        ``q`` (time, coordinate); ``marker_error`` (time, marker): distance between measured and modelled marker (m),
        NaN where it was not seen; ``marker_measured``, ``marker_modelled`` (time, marker, axis): their places in
        ground (m); ``orientation_error`` (time, sensor) (rad), with orientations; ``rms_error`` (time):
        root of the mean square of marker errors; ``objective``, ``kkt_residual``, ``constraint_error``, ``iterations``,
        ``status`` (time): 0 solved, else why not, and ``q`` is NaN; ``seen`` (time, coordinate): whether something
        determines the coordinate. With ``covariance``: ``q_std`` (time, coordinate), ``q_covariance`` (time,
        coordinate, coordinate_) and ``singular_value`` (time, direction).
        ``result.borelli.motion()`` is the Motion.

    Examples
    --------
    >>> fit = bo.inverse_kinematics(model, bo.load_markers(walk.markers))
    >>> fit["q"].dims, bool(fit["rms_error"].max() < 0.002)  # rad and m; m
    (('time', 'coordinate'), True)
    >>> found = fit.borelli.motion()
    """

    def fitted(which: Model, start: Mapping[str, float] | None) -> xr.Dataset:
        return solved(
            which,
            markers,
            weights=weights,
            tasks=tasks,
            orientations=orientations,
            orientation_weights=orientation_weights,
            radian_in_metres=radian_in_metres,
            prior=start,
            covariance=covariance,
        ).result

    if quaternion_joints(model):
        return on_quaternions(model, tasks or {}, prior or {}, fitted)
    return fitted(model, prior)


class Solution(NamedTuple):
    """An answer, and the problem that it solves: what more may be asked of it starts from these."""

    result: xr.Dataset
    problem: PostureProblem
    aims: Recording
    found: Found


def solved(
    model: Model,
    markers: xr.DataArray | None = None,
    *,
    weights: Mapping[str, float] | None = None,
    tasks: Mapping[str, tuple[float, Any]] | None = None,
    orientations: xr.DataArray | None = None,
    orientation_weights: Mapping[str, float] | None = None,
    radian_in_metres: float | None = None,
    prior: Mapping[str, float] | None = None,
    covariance: bool | float = False,
) -> Solution:
    """Do what :func:`inverse_kinematics` does, and keep the problem."""
    engine()
    problem = posture_problem(model)
    time, chosen, sensors = _measured(
        problem, markers, weights, orientations, orientation_weights, radian_in_metres
    )
    wanted = Tasks(*task_tables(model, problem, len(time), tasks))
    aims = recording(problem, time, chosen.markers, wanted, sensors.sensors)
    parts = parts_of(problem, chosen.markers, aims)
    found = follow_motion(problem, aims, parts, prior_values(problem, prior))
    q = np.empty_like(found.q)
    q[:, problem.order] = found.q
    known = np.isfinite(q).all(axis=1)
    place = np.full(chosen.markers.measured.shape, np.nan)
    turned = np.full(sensors.sensors.measured.shape, np.nan)
    mechanism = problem.system.compiled.mechanism
    place[known] = places_of(mechanism, q[known], chosen.markers.frames)
    turned[known] = axes_of(mechanism, q[known], sensors.sensors.frames)
    result = dataset(Fit(problem, time, chosen, sensors, wanted, q, found, place, turned))
    if covariance is not False:
        result = with_covariance(result, problem, chosen.markers, aims, found, covariance)
    tell_what_is_odd(result, model)
    return Solution(result, problem, aims, found)


def _measured(
    problem: PostureProblem,
    markers: xr.DataArray | None,
    weights: Mapping[str, float] | None,
    orientations: xr.DataArray | None,
    orientation_weights: Mapping[str, float] | None,
    radian_in_metres: float | None,
) -> tuple[np.ndarray, MarkerTasks, SensorTasks]:
    """Return the instants, and the markers and sensors in use."""
    model = problem.model
    if markers is None and orientations is None:
        raise MissingInputError(
            "there are neither markers nor orientations.", remedy="give markers, orientations, or both"
        )
    time, chosen = None, None
    if markers is not None:
        time, names, measured = recorded_markers(markers)
        chosen = measured_markers(model, problem, names, measured, weights)
    if orientations is None:
        assert time is not None and chosen is not None
        return time, chosen, SensorTasks((), no_sensors(len(time)))
    lever = radian_in_metres if radian_in_metres is not None else 1.0 if markers is None else 0.3
    time, sensors = recorded_orientations(model, problem, time, orientations, orientation_weights, lever**2)
    if chosen is None:
        chosen = MarkerTasks((), Markers((), np.zeros(0), np.zeros((len(time), 0, 3))), ())
    return time, chosen, sensors
