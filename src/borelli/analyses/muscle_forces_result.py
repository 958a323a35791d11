"""The answer to a sharing problem: labelled, and refused where a load cannot be balanced."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np
import xarray as xr

from borelli.analyses.generalized import FORCE_UNITS, force_units
from borelli.analyses.muscle_forces_task import Task
from borelli.analyses.muscle_strength import citations
from borelli.errors import BorelliWarning, UnsolvableError
from borelli.kernels.recruitment.status import SOLVED, STALLED
from borelli.model.model import Model
from borelli.results.dataset import labelled, time_axis

CITATION = (
    "Crowninshield RD, Brand RA (1981) A physiologically based criterion of muscle force prediction in "
    "locomotion. J Biomech 14:793-801."
)


class Answer(NamedTuple):
    """Answer in n frames, with muscles first, then actuators, then reserves."""

    activation: np.ndarray
    strength: np.ndarray
    passive: np.ndarray
    borne: np.ndarray
    needed: np.ndarray
    unmet: np.ndarray
    violation: np.ndarray
    status: np.ndarray
    iterations: np.ndarray


def refuse_unmet(model: Model, task: Task, answer: Answer, infeasible: str) -> None:
    """Raise, or warn, if some frame is not balanced: which, by how much, and at which coordinate."""
    bad = np.flatnonzero(answer.status != SOLVED)
    if not bad.size:
        return
    prepared, speeds = task.prepared, task.balances.speeds
    time = prepared.time[prepared.known]
    frame, balance = np.unravel_index(np.abs(answer.unmet[bad]).argmax(), answer.unmet[bad].shape)
    worst = bad[frame]
    name, unit = model.speed_names[speeds[balance]], force_units(model)[speeds[balance]]
    missing, whole = answer.unmet[worst, balance], answer.needed[worst, balance]
    stalled = int((answer.status == STALLED).sum())
    what = (
        f"the load cannot be balanced in {bad.size} of {len(answer.status)} frames: at {float(time[worst]):g} s "
        f"coordinate {name!r} lacks {missing:.4g} of {whole:.4g} {unit}."
    )
    if stalled:
        what += f" In {stalled} of them no answer was found in the iterations allowed."
    if infeasible == "report":
        warnings.warn(f"{what} See 'residual'.", BorelliWarning, stacklevel=3)
        return
    raise UnsolvableError(
        what,
        where=f"model {model.name!r}, first at {float(time[bad[0]]):g} s",
        remedy=f"give reserves={{{name!r}: 1.0}} or stronger muscles, or infeasible='report'",
    )


def dataset(model: Model, task: Task, answer: Answer) -> xr.Dataset:
    """Label everything."""
    prepared, speeds, options = task.prepared, task.balances.speeds, task.options
    own, helpers = task.of_muscles, task.of_actuators
    force = answer.activation * answer.strength
    reserve = np.zeros((len(force), len(model.speed_names)))
    reserve[:, speeds[task.reserves[:, 0].astype(int)]] = force[:, task.of_reserves]
    residual = np.full(reserve.shape, np.nan)
    residual[:, speeds] = answer.unmet
    low, high = task.bounds[own].T
    at_bound = (answer.activation[:, own] >= high).astype(float) - (answer.activation[:, own] <= low)
    by_muscle, by_actuator = ("time", "muscle"), ("time", "actuator")

    def table(dims: tuple[str, ...], values: np.ndarray, units: str, **notes: str) -> xr.Variable:
        return labelled(dims, prepared.whole(np.asarray(values, dtype=float)), units, **notes)

    return xr.Dataset(
        {
            "activation": table(by_muscle, answer.activation[:, own], "1"),
            "force": table(by_muscle, force[:, own] + answer.passive, "N"),
            "passive_force": table(by_muscle, answer.passive, "N"),
            "strength": table(by_muscle, answer.strength[:, own], "N"),
            "bound": table(by_muscle, at_bound, "1", meaning="-1 at the lower bound, 1 at the upper"),
            "control": table(by_actuator, answer.activation[:, helpers], "1"),
            "actuator_force": table(by_actuator, force[:, helpers], "N or N m"),
            "reserve": table(("time", "coordinate"), reserve, FORCE_UNITS),
            "passive_element": table(("time", "coordinate"), answer.borne, FORCE_UNITS),
            "residual": table(
                ("time", "coordinate"), residual, FORCE_UNITS, meaning="NaN where nothing has to balance"
            ),
            "kkt_residual": table(("time",), answer.violation, "1"),
            "iterations": table(("time",), answer.iterations, "1"),
            "status": table(("time",), answer.status, "1", meaning="0 solved, 1 infeasible, 2 stalled"),
        },
        {
            "time": time_axis(prepared.time),
            "muscle": list(model.muscle_names),
            "actuator": list(task.actuators.names),
            "coordinate": list(model.speed_names),
            "unit": ("coordinate", force_units(model)),
        },
        {
            "analysis": "muscle_forces",
            "model": model.name,
            "mode": options.mode.value,
            "power": float(options.criterion.power),
            "strength": options.strength.value,
            "passive_fibers": str(options.passive),
            "passive_elements": list(task.elements.names),
            "citations": [CITATION, *citations(model)],
        },
    )
