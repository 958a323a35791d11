"""The answer of static optimization, refused where a load cannot be balanced."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np

from borelli.errors import BorelliWarning, UnsolvableError
from borelli.kernels.static_optimization.status import SOLVED, STALLED
from borelli.mechanics.muscles.optimization_task import Task
from borelli.model.force_units import force_units
from borelli.model.model import Model


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
