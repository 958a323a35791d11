"""The answer of static optimization, refused where a load cannot be balanced."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from borelli.errors import UnsolvableError, warn
from borelli.kernels.static_optimization.status import SOLVED, STALLED
from borelli.mechanics.muscles.optimization_task import Task
from borelli.model.force_units import force_units
from borelli.model.model import Model

_MOST_SPANS = 5
"""Spans of time that a message lists."""


class Answer(NamedTuple):
    """Answer in n instants, with muscles first, then actuators, then reserves."""

    activation: np.ndarray
    force: np.ndarray
    """(n, n_actuators): that of passive fibres included"""
    strength: np.ndarray
    bound: np.ndarray
    """(n, n_muscles): -1 at the lower bound of activation, 1 at the upper, else 0"""
    passive: np.ndarray
    borne: np.ndarray
    needed: np.ndarray
    unmet: np.ndarray
    violation: np.ndarray
    status: np.ndarray
    iterations: np.ndarray

    @classmethod
    def empty(cls, task: Task) -> Answer:
        """Memory for the answer of a task."""
        n, speeds = len(task.prepared.q), task.prepared.compiled.mechanism.n_speeds
        muscles, actuators, constraints = (
            len(task.muscles.names),
            len(task.weight),
            len(task.independent.speeds),
        )
        counts = (actuators, actuators, actuators, muscles, muscles, speeds, constraints, constraints)
        return cls(*(np.empty((n, count)) for count in counts), *(np.empty(n) for _ in range(3)))


def refuse_unmet(model: Model, task: Task, answer: Answer, infeasible: str) -> None:
    """Raise, or warn, if some instant is not balanced: which, by how much, and at which coordinate."""
    bad = np.flatnonzero(answer.status != SOLVED)
    if not bad.size:
        return
    prepared, speeds = task.prepared, task.independent.speeds
    time = prepared.time[prepared.known]
    instant, constraint = np.unravel_index(np.abs(answer.unmet[bad]).argmax(), answer.unmet[bad].shape)
    worst = bad[instant]
    name, unit = model.speed_names[speeds[constraint]], force_units(model)[speeds[constraint]]
    missing, whole = answer.unmet[worst, constraint], answer.needed[worst, constraint]
    stalled = int((answer.status == STALLED).sum())
    what = (
        f"the load cannot be balanced in {bad.size} of {len(answer.status)} instants: at {float(time[worst]):g} s "
        f"coordinate {name!r} lacks {missing:.4g} of {whole:.4g} {unit}."
    )
    if stalled:
        what += f" In {stalled} of them no answer was found in the iterations allowed."
    if infeasible == "report":
        warn(f"{what} {_where(model, task, answer, bad)}")
        return
    raise UnsolvableError(
        what,
        where=f"model {model.name!r}, first at {float(time[bad[0]]):g} s",
        remedy=f"give reserves={{{name!r}: 1.0}} or stronger muscles, or infeasible='report' "
        "(--infeasible report)",
    )


def _where(model: Model, task: Task, answer: Answer, bad: np.ndarray) -> str:
    """Say which instants and coordinates lack something: spans of time, and the largest gap of each coordinate."""
    time = task.prepared.time[task.prepared.known]
    spans = np.split(bad, np.flatnonzero(np.diff(bad) > 1) + 1)
    shown = ", ".join(f"{time[span[0]]:g} to {time[span[-1]]:g}" for span in spans[:_MOST_SPANS])
    more = f" and {len(spans) - _MOST_SPANS} more spans" if len(spans) > _MOST_SPANS else ""
    gap = np.abs(answer.unmet[bad]).max(axis=0)
    units = force_units(model)
    # What round-off leaves of a constraint is no gap.
    lacking = [row for row in np.argsort(-gap) if gap[row] > 1e-6 * max(gap.max(), 1.0)]
    speeds = task.independent.speeds
    each = ", ".join(
        f"{model.speed_names[speeds[row]]} {gap[row]:.4g} {units[speeds[row]]}" for row in lacking
    )
    return f"Instants (s): {shown}{more}. Largest gaps: {each}. See 'residual'."
