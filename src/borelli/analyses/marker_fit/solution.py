"""The fit of a model to a recording: the problem, its solution in every instant, and the labelled answer."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from borelli.analyses.marker_fit.answer import Fit, labelled_fit, tell_what_is_odd
from borelli.analyses.marker_fit.given import (
    MarkerTasks,
    SensorTasks,
    measured_markers,
    prior_values,
    recorded_markers,
    recorded_orientations,
    task_tables,
)
from borelli.analyses.marker_fit.spread import with_covariance
from borelli.errors import MissingInputError
from borelli.kernels.markers.track import Found, Recording
from borelli.mechanics.engine import engine
from borelli.mechanics.markers.follow_motion import first_postures, follow_motion
from borelli.mechanics.markers.places import axes_of, places_of
from borelli.mechanics.markers.problem import PostureProblem, posture_problem
from borelli.mechanics.markers.targets import Markers, Measured, Tasks, no_sensors, parts_of, recording
from borelli.model.model import Model
from borelli.records import dataclass

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True, eq=False)
class Asked:
    """What inverse kinematics is asked for; see its parameters."""

    markers: xr.DataArray | None = None
    weights: Mapping[str, float] | None = None
    tasks: Mapping[str, tuple[float, Any]] | None = None
    orientations: xr.DataArray | None = None
    orientation_weights: Mapping[str, float] | None = None
    radian_in_metres: float | None = None
    prior: Mapping[str, float] | None = None
    covariance: bool | float = False
    threads: int = 1


class Solution(NamedTuple):
    """An answer, and the problem that it solves: what more may be asked of it starts from these."""

    result: xr.Dataset
    problem: PostureProblem
    aims: Recording
    found: Found


def solved(model: Model, asked: Asked) -> Solution:
    """Fit a model, and keep the problem with the answer."""
    engine()
    problem = posture_problem(model)
    time, chosen, sensors = _measured(problem, asked)
    wanted = Tasks(*task_tables(model, problem, len(time), asked.tasks))
    aims, found = _followed(problem, time, Measured(chosen.markers, wanted, sensors.sensors), asked)
    q = np.empty_like(found.q)
    q[:, problem.order] = found.q
    known = np.isfinite(q).all(axis=1)
    mechanism = problem.system.compiled.mechanism
    place = _spread(places_of(mechanism, q[known], chosen.markers.frames), known)
    turned = _spread(axes_of(mechanism, q[known], sensors.sensors.frames), known)
    result = labelled_fit(Fit(problem, time, chosen, sensors, wanted, q, found, place, turned))
    if asked.covariance is not False:
        result = with_covariance(result, problem, chosen.markers, aims, found, asked.covariance)
    tell_what_is_odd(result, model)
    return Solution(result, problem, aims, found)


def _followed(
    problem: PostureProblem, time: np.ndarray, measured: Measured, asked: Asked
) -> tuple[Recording, Found]:
    """Return what the instants ask for, and the postures that were found."""
    prior = prior_values(problem, asked.prior)
    usable = np.flatnonzero(measured.usable)

    def first(aims: Recording, markers: Markers, t: int) -> list[np.ndarray]:
        parts = parts_of(problem, markers, aims)
        return first_postures(problem, aims, parts, prior, t, usable.size == 1)

    if asked.threads == 1 or not usable.size:
        aims = recording(problem, time, *measured)
        postures = first(aims, measured.markers, int(usable[0])) if usable.size else []
    else:
        # The first instant is all that the search asks for; it takes as long as the sums of ten thousand instants.
        with ThreadPoolExecutor(1) as pool:
            whole = pool.submit(recording, problem, time, *measured)
            now = slice(usable[0], usable[0] + 1)
            one = measured.at(now)
            postures = first(recording(problem, time[now], *one), one.markers, 0)
            aims = whole.result()
    parts = parts_of(problem, measured.markers, aims)
    return aims, follow_motion(problem, aims, parts, prior, postures, asked.threads)


def _spread(values: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Return the values of known instants in their places among all; NaN in the others."""
    if known.all():
        return values
    out = np.full((len(known), *values.shape[1:]), np.nan)
    out[known] = values
    return out


def _measured(problem: PostureProblem, asked: Asked) -> tuple[np.ndarray, MarkerTasks, SensorTasks]:
    """Return the instants, and the markers and sensors in use."""
    model, markers, orientations = problem.model, asked.markers, asked.orientations
    if markers is None and orientations is None:
        raise MissingInputError(
            "there are neither markers nor orientations.", remedy="give markers, orientations, or both"
        )
    time, chosen = None, None
    if markers is not None:
        time, names, measured = recorded_markers(markers)
        chosen = measured_markers(model, problem, names, measured, asked.weights)
    if orientations is None:
        assert time is not None and chosen is not None
        return time, chosen, SensorTasks((), no_sensors(len(time)))
    usual = 1.0 if markers is None else 0.3
    metres = usual if asked.radian_in_metres is None else asked.radian_in_metres
    time, sensors = recorded_orientations(
        model, problem, time, orientations, asked.orientation_weights, metres**2
    )
    if chosen is None:
        chosen = MarkerTasks((), Markers((), np.zeros(0), np.zeros((len(time), 0, 3))), ())
    return time, chosen, sensors
