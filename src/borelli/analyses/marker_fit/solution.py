"""The fit of a model to a recording: the problem, its solution in every instant, and the labelled answer."""

from __future__ import annotations

from collections.abc import Mapping
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
from borelli.mechanics.markers.follow_motion import follow_motion
from borelli.mechanics.markers.misfit import misfit
from borelli.mechanics.markers.problem import PostureProblem, posture_problem
from borelli.mechanics.markers.targets import Measured, Tasks, no_sensors, weighed
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
    measured: Measured
    found: Found

    @property
    def problem(self) -> PostureProblem:
        """The model that was fitted."""
        return self.measured.problem

    @property
    def aims(self) -> Recording:
        """What the instants ask for."""
        return self.measured.aims


def solved(model: Model, asked: Asked) -> Solution:
    """Fit a model, and keep the problem with the answer."""
    engine()
    problem = posture_problem(model)
    time, chosen, sensors = _measured(problem, asked)
    wanted = Tasks(*task_tables(model, problem, len(time), asked.tasks))
    measured = Measured(problem, time, chosen.markers, wanted, sensors.sensors)
    found = follow_motion(measured, prior_values(problem, asked.prior), asked.threads)
    left = misfit(measured, found, asked.threads)
    result = labelled_fit(Fit(measured, chosen, sensors, found, left))
    if asked.covariance is not False:
        result = with_covariance(result, problem, chosen.markers, measured.aims, found, asked.covariance)
    tell_what_is_odd(result, model, asked.threads)
    return Solution(result, measured, found)


def _measured(problem: PostureProblem, asked: Asked) -> tuple[np.ndarray, MarkerTasks, SensorTasks]:
    """Return the instants, and the markers and sensors in use."""
    model, markers, orientations = problem.model, asked.markers, asked.orientations
    if markers is None and orientations is None:
        raise MissingInputError(
            "there are neither markers nor orientations.", remedy="give markers, orientations, or both"
        )
    time, chosen = None, None
    if markers is not None:
        time, names, measured, metres = recorded_markers(markers)
        chosen = measured_markers(model, problem, names, measured, metres, asked.weights, asked.threads)
    if orientations is None:
        assert time is not None and chosen is not None
        return time, chosen, SensorTasks((), no_sensors(len(time)))
    # Beside markers, the length of a limb: a marker at its end moves as much as a sensor on it turns. Alone, the
    # objective has no metres to be compared with, and is OpenSim's.
    usual = 1.0 if markers is None else 0.3
    metres = usual if asked.radian_in_metres is None else asked.radian_in_metres
    time, sensors = recorded_orientations(
        model, problem, time, orientations, asked.orientation_weights, metres**2
    )
    if chosen is None:
        chosen = MarkerTasks((), weighed((), np.zeros(0), np.zeros((len(time), 0, 3))), ())
    return time, chosen, sensors
