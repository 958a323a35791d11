"""The answer of inverse kinematics: labelled, with its residuals, and what is odd about it said."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
import xarray as xr

from borelli.analyses.inverse_kinematics_input import MarkerTasks, SensorTasks
from borelli.errors import BorelliWarning
from borelli.kernels.markers.solve import NO_MARKERS, SOLVED, STALLED, UNMET
from borelli.kernels.markers.track import Found
from borelli.kernels.tree.blocks import blocks
from borelli.mechanics.markers.problem import PostureProblem
from borelli.mechanics.markers.targets import Tasks
from borelli.model.model import Model
from borelli.results.dataset import AXES, labelled, time_axis

_REASONS = {
    SOLVED: "solved",
    NO_MARKERS: "no marker is seen",
    UNMET: "the constraints cannot be met",
    STALLED: "no optimum was found in the steps allowed",
}
MEANING = ", ".join(f"{code} {reason}" for code, reason in _REASONS.items())
CITATION = (
    "Lu TW, O'Connor JJ (1999) Bone position estimation from skin marker co-ordinates using global optimisation "
    "with joint constraints. J Biomech 32:129-134."
)


@dataclass(frozen=True, eq=False)
class Fit:
    """Everything that was found in n instants.

    Parameters
    ----------
    wanted : Tasks
        Coordinates in tree order, as in ``found``.
    q : (n, n_q) float
        In the order of the model.
    place : (n, n_markers, 3) float
        Modelled markers (m).
    turned : (n, n_sensors, 3, 3) float
        Modelled sensors.
    """

    problem: PostureProblem
    time: np.ndarray
    tasks: MarkerTasks
    sensors: SensorTasks
    wanted: Tasks
    q: np.ndarray
    found: Found
    place: np.ndarray
    turned: np.ndarray


def dataset(fit: Fit) -> xr.Dataset:
    """Label everything."""
    model, found, markers = fit.problem.model, fit.found, fit.tasks.markers
    gap = fit.place - markers.measured
    distance = np.where(markers.seen, np.sqrt(np.einsum("tmk,tmk->tm", gap, gap)), np.nan)
    square = np.nan_to_num(distance) ** 2
    count = np.isfinite(distance).sum(axis=1)
    rms = np.sqrt(np.divide(square.sum(axis=1), count, out=np.full(len(fit.time), np.nan), where=count > 0))
    angle = _angles(fit)
    objective = 0.5 * (markers.shares * square).sum(axis=1)
    objective += 0.5 * (fit.sensors.sensors.shares * np.nan_to_num(angle) ** 2).sum(axis=1)
    objective += 0.5 * (fit.wanted.weight * (np.nan_to_num(found.q) - fit.wanted.value) ** 2).sum(axis=1)
    solved = found.status == SOLVED
    seen = np.empty_like(found.unseen)
    seen[:, fit.problem.order] = ~found.unseen
    by_coordinate, alone, placed = ("time", "coordinate"), ("time",), ("time", "marker", "axis")
    measured = np.where(markers.seen[:, :, None], markers.measured, np.nan)
    result = xr.Dataset(
        {
            "q": labelled(by_coordinate, fit.q, "rad or m"),
            "marker_error": labelled(("time", "marker"), distance, "m"),
            "marker_measured": labelled(placed, measured, "m", "ground", role="drawing"),
            "marker_modelled": labelled(placed, fit.place, "m", "ground", role="drawing"),
            "rms_error": labelled(alone, rms, "m"),
            "objective": labelled(alone, np.where(solved, objective, np.nan), "m^2"),
            "kkt_residual": labelled(alone, np.where(solved, found.residual, np.nan), "m^2/rad or m"),
            "constraint_error": labelled(alone, _constraint_error(fit.problem, fit.q, fit.time), "m or rad"),
            "iterations": labelled(alone, found.steps, "1"),
            "status": labelled(alone, found.status, "1", meaning=MEANING),
            "seen": labelled(by_coordinate, seen, "1", meaning="whether something determines the coordinate"),
        },
        {
            "time": time_axis(fit.time),
            "coordinate": list(model.coordinate_names),
            "marker": list(fit.tasks.names),
            "axis": list(AXES),
            "unit": ("coordinate", [coordinate.unit for coordinate in model.coordinates]),
        },
        {
            "analysis": "inverse_kinematics",
            "model": model.name,
            "marker_weights": {n: float(w) for n, w in zip(fit.tasks.names, markers.weight, strict=True)},
            "ignored_markers": [*fit.tasks.ignored, *fit.sensors.ignored],
            "citations": [CITATION],
        },
    )
    if fit.sensors.names:
        result = result.assign(orientation_error=labelled(("time", "sensor"), angle, "rad"))
        result = result.assign_coords(sensor=list(fit.sensors.names))
    return result


def _angles(fit: Fit) -> np.ndarray:
    """Return the angle between each sensor and its frame, NaN where it was silent, (n, n_sensors) rad."""
    measured = fit.sensors.sensors.measured
    turn = np.einsum("tsij,tskj->tsik", fit.turned, np.nan_to_num(measured))
    axis = np.stack(
        [
            turn[..., 2, 1] - turn[..., 1, 2],
            turn[..., 0, 2] - turn[..., 2, 0],
            turn[..., 1, 0] - turn[..., 0, 1],
        ]
    )
    angle = np.arctan2(np.linalg.norm(axis, axis=0), np.trace(turn, axis1=2, axis2=3) - 1.0)
    return np.where(fit.sensors.sensors.seen, angle, np.nan)


def _constraint_error(problem: PostureProblem, q: np.ndarray, time: np.ndarray) -> np.ndarray:
    """Return the largest error of all constraints in each instant, as the other analyses see them, (n,)."""
    error = np.full(len(time), np.nan)
    known = np.flatnonzero(np.isfinite(q).all(axis=1))
    for block in blocks(len(known)):
        rows = known[block]
        error[rows] = np.abs(problem.system.errors(q[rows], time[rows])).max(axis=1, initial=0.0)
    return error


def tell_what_is_odd(result: xr.Dataset, model: Model) -> None:
    """Warn of instants without an answer, and of coordinates that nothing determines."""
    notes = []
    status, time = result["status"].values, result["time"].values
    for code, reason in _REASONS.items():
        if code != SOLVED and (status == code).any():
            first = float(time[int(np.argmax(status == code))])
            notes.append(
                f"{int((status == code).sum())} of {len(status)} instants have no answer (q is NaN there): {reason}, "
                f"first at {first:g} s."
            )
    solved = status == SOLVED
    held = ~result["seen"].values[solved]
    for name, lost in zip(model.coordinate_names, held.sum(axis=0), strict=True):
        if not lost:
            continue
        if lost == len(held):
            notes.append(f"No marker sees coordinate {name!r}: it stays where it was, at its prior.")
        else:
            notes.append(
                f"No marker sees coordinate {name!r} in {lost} of {len(held)} instants: it stays where it was before."
            )
    result.attrs["warnings"] = notes
    for note in notes:
        warnings.warn(note, BorelliWarning, stacklevel=4)
