"""One instant after the other, each started from those before it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from borelli.kernels.jit import inner, jit
from borelli.kernels.markers.factor import UNSEEN
from borelli.kernels.markers.layout import FIXED, Aim, Functions, Ties, Tree, Work
from borelli.kernels.markers.solve import NO_MARKERS, SOLVED, solve


class Recording(NamedTuple):
    """Aims of all instants; see :class:`~borelli.kernels.markers.layout.Aim`."""

    centre: np.ndarray
    """(n, 3)"""
    carrier: np.ndarray
    sums: np.ndarray
    """(n, n_parts, N_SUMS)"""
    constant: np.ndarray
    """(n,)"""
    sensor_carrier: np.ndarray
    sensor_weight: np.ndarray
    """(n, n_sensors)"""
    sensor_target: np.ndarray
    """(n, n_sensors, 3, 3)"""
    task_weight: np.ndarray
    """(n, n_q)"""
    task_value: np.ndarray
    """(n, n_q)"""
    fixed: np.ndarray
    """(n, n_q): values of fixed coordinates"""
    usable: np.ndarray
    """(n,) bool: instants in which something is seen"""


class Found(NamedTuple):
    """Answers of all instants, to be filled."""

    q: np.ndarray
    """(n, n_q)"""
    status: np.ndarray
    """(n,) int"""
    steps: np.ndarray
    """(n,) int"""
    value: np.ndarray
    """(n,)"""
    residual: np.ndarray
    """(n,)"""
    unseen: np.ndarray
    """(n, n_q) bool: coordinates that nothing determines"""


def nothing(n: int, n_q: int) -> Found:
    """Return arrays for the answers of n instants, none of them found yet."""
    return Found(
        np.full((n, n_q), np.nan),
        np.full(n, NO_MARKERS, dtype=np.int64),
        np.zeros(n, dtype=np.int64),
        np.full(n, np.nan),
        np.full(n, np.nan),
        np.zeros((n, n_q), dtype=np.bool_),
    )


@jit
def aim_at(recording: Recording, t: int) -> Aim:
    """Return what one instant asks for."""
    return Aim(
        recording.centre[t],
        recording.carrier,
        recording.sums[t],
        recording.constant[t],
        recording.sensor_carrier,
        recording.sensor_weight[t],
        recording.sensor_target[t],
        recording.task_weight[t],
        recording.task_value[t],
    )


@inner
def _drifted(q: np.ndarray, last: np.ndarray, work: Work) -> bool:
    """Whether a coordinate that nothing determines is not where it was before."""
    drifted = False
    for k in range(len(q)):
        if work.state[k] == UNSEEN and q[k] != last[k]:
            drifted = True
    return drifted


@jit
def track(
    tree: Tree,
    functions: Functions,
    ties: Ties,
    recording: Recording,
    first: np.ndarray,
    roles: np.ndarray,
    longest: np.ndarray,
    most: int,
    wanted: float,
    found: Found,
    work: Work,
) -> None:
    """Solve all instants in their order.

    Parameters
    ----------
    first : (1 to n, n_q) float
        Where the first instants start, whatever was found before; each of the others starts from those before it.
    roles : (0 to n, n_q) int
        Of the coordinates in the first instants; written to those of the ties, which otherwise stay as they are.
    most, wanted
        Steps allowed for an instant, and the residual of optimality to stop at.
    """
    n, n_q = recording.fixed.shape
    scratch, last, older = np.zeros(n_q), first[0].copy(), first[0].copy()
    known = 0
    for t in range(n):
        q = found.q[t]
        if t < len(roles):
            ties.role[:] = roles[t]
        if not recording.usable[t]:
            found.status[t] = NO_MARKERS
            q[:] = np.nan
            known = 0
            continue
        foreseen = known > 1 and t >= len(first)
        for k in range(n_q):
            if t < len(first):
                q[k] = first[t, k]
            else:
                # A straight line through the last two is nearer than the last alone.
                q[k] = 2.0 * last[k] - older[k] if foreseen else last[k]
            if ties.role[k] == FIXED:
                q[k] = recording.fixed[t, k]
        aim = aim_at(recording, t)
        status, steps, value, left = solve(
            tree, functions, ties, aim, q, longest, most, wanted, scratch, work
        )
        if foreseen and (status != SOLVED or _drifted(q, last, work)):
            for k in range(n_q):
                q[k] = recording.fixed[t, k] if ties.role[k] == FIXED else last[k]
            status, steps, value, left = solve(
                tree, functions, ties, aim, q, longest, most, wanted, scratch, work
            )
        found.status[t], found.steps[t], found.value[t], found.residual[t] = status, steps, value, left
        for k in range(n_q):
            found.unseen[t, k] = work.state[k] == UNSEEN
        if status == SOLVED:
            for k in range(n_q):
                older[k], last[k] = last[k], q[k]
            known += 1
        else:
            known = 0
