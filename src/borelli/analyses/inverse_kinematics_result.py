"""The answer of inverse kinematics: labelled, with its residuals, and what is odd about it said."""

from __future__ import annotations

import warnings

import numpy as np
import xarray as xr

from borelli.analyses.inverse_kinematics_input import MarkerTasks
from borelli.errors import BorelliWarning
from borelli.kernels.markers.solve import NO_MARKERS, SOLVED, STALLED, UNMET
from borelli.kernels.markers.track import Found
from borelli.kernels.tree.frames import blocks
from borelli.mechanics.markers.problem import PostureProblem
from borelli.model.model import Model
from borelli.results.dataset import labelled, time_axis

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


def dataset(
    problem: PostureProblem,
    time: np.ndarray,
    tasks: MarkerTasks,
    q: np.ndarray,
    found: Found,
    seen: np.ndarray,
    place: np.ndarray,
    wanted: tuple[np.ndarray, np.ndarray],
) -> xr.Dataset:
    """Label everything.

    Parameters
    ----------
    place : (n, n_markers, 3) float
        Modelled markers (m).
    wanted : two (n, n_q) float
        Weights and values of coordinates in tree order.
    """
    model = problem.model
    distance = np.linalg.norm(place - tasks.markers.measured, axis=2)
    distance = np.where(tasks.markers.seen, distance, np.nan)
    square = np.nan_to_num(distance) ** 2
    count = np.isfinite(distance).sum(axis=1)
    rms = np.sqrt(np.divide(square.sum(axis=1), count, out=np.full(len(time), np.nan), where=count > 0))
    objective = 0.5 * (tasks.markers.shares * square).sum(axis=1)
    objective += 0.5 * (wanted[0] * (np.nan_to_num(found.q) - wanted[1]) ** 2).sum(axis=1)
    solved = found.status == SOLVED
    by_coordinate, by_marker, alone = ("time", "coordinate"), ("time", "marker"), ("time",)
    return xr.Dataset(
        {
            "q": labelled(by_coordinate, q, "rad or m"),
            "marker_error": labelled(by_marker, distance, "m"),
            "rms_error": labelled(alone, rms, "m"),
            "objective": labelled(alone, np.where(solved, objective, np.nan), "m^2"),
            "kkt_residual": labelled(alone, np.where(solved, found.residual, np.nan), "m^2/rad or m"),
            "constraint_error": labelled(alone, _constraint_error(problem, q, time), "m or rad"),
            "iterations": labelled(alone, found.steps, "1"),
            "status": labelled(alone, found.status, "1", meaning=MEANING),
            "seen": labelled(by_coordinate, seen, "1", meaning="whether something determines the coordinate"),
        },
        {
            "time": time_axis(time),
            "coordinate": list(model.coordinate_names),
            "marker": list(tasks.names),
            "unit": ("coordinate", [coordinate.unit for coordinate in model.coordinates]),
        },
        {
            "analysis": "inverse_kinematics",
            "model": model.name,
            "marker_weights": {n: float(w) for n, w in zip(tasks.names, tasks.markers.weight, strict=True)},
            "ignored_markers": list(tasks.ignored),
            "citations": [CITATION],
        },
    )


def _constraint_error(problem: PostureProblem, q: np.ndarray, time: np.ndarray) -> np.ndarray:
    """Return the largest error of all constraints in each instant, as the other analyses see them, (n,)."""
    error = np.full(len(time), np.nan)
    known = np.flatnonzero(np.isfinite(q).all(axis=1))
    n_u = problem.system.compiled.mechanism.n_speeds
    for block in blocks(len(known)):
        rows = known[block]
        own = problem.system.rows(q[rows], np.zeros((len(rows), n_u)), time[rows]).error
        error[rows] = np.abs(own).max(axis=1, initial=0.0)
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
