"""How far the postures that were found leave the model from what was measured."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from borelli.arrays import all_plausible
from borelli.kernels.lanes.memory import result_array
from borelli.kernels.markers.modelled import compare_markers
from borelli.kernels.markers.track import Found
from borelli.kernels.tree.blocks import in_blocks
from borelli.mechanics.markers.places import axes_of, places_of
from borelli.mechanics.markers.targets import Measured

_AT_A_TIME = 4096
"""Instants: what is done once for each block needs the interpreter, for which two threads wait in turn if blocks are
half as long."""


class Misfit(NamedTuple):
    """Postures in the order of the model, and what is left in n instants; NaN where there is no posture."""

    q: np.ndarray
    """(n, n_q)"""
    place: np.ndarray
    """(n, n_markers, 3): modelled markers (m)"""
    distance: np.ndarray
    """(n, n_markers): of each marker (m), NaN where it was not seen"""
    angle: np.ndarray
    """(n, n_sensors): between each sensor and its frame (rad), NaN where it was silent"""
    rms: np.ndarray
    """(n,): of the distances (m)"""
    objective: np.ndarray
    """(n,): m²"""
    constraint_error: np.ndarray
    """(n,): the largest of all constraints, as the other analyses see them (m or rad)"""
    is_plausible: bool = False
    """Whether postures, places and distances were found to be numbers of a body; else some are not, or not known."""


def misfit(measured: Measured, found: Found, threads: int = 1) -> Misfit:
    """Compare postures with what was measured."""
    n, n_markers = measured.markers.seen.shape
    n_sensors = len(measured.sensors.frames)
    left = Misfit(
        result_array(*found.q.shape),
        result_array(n, n_markers, 3),
        result_array(n, n_markers),
        np.empty((n, n_sensors)),
        np.full(n, np.nan),
        np.empty(n),
        np.full(n, np.nan),
    )

    # In blocks: fresh memory for the steps between takes longer than the steps.
    def fill(rows: slice) -> None:
        own = Misfit._make([*(part[rows] for part in left[:-1]), False])
        _fill(measured.at(rows), found.q[rows], own)
        # While they are in the cache.
        if not all(map(all_plausible, (own.q, own.place, own.distance))):
            odd.append(rows)

    odd: list[slice] = []
    in_blocks(n, fill, _AT_A_TIME, threads=threads)
    return left._replace(is_plausible=not odd)


def _fill(measured: Measured, found: np.ndarray, left: Misfit) -> None:
    problem, markers, sensors, tasks = measured.problem, measured.markers, measured.sensors, measured.tasks
    left.q[:, problem.order] = found
    known = np.isfinite(found).all(axis=1)
    # A choice of instants copies everything.
    some = slice(None) if known.all() else known
    for part in (left.place, left.angle):
        part[~known] = np.nan
    q, mechanism = left.q[some], problem.system.compiled.mechanism
    left.place[some] = places_of(mechanism, q, markers.frames)
    if sensors.frames:
        left.angle[some] = _angles(axes_of(mechanism, q, sensors.frames), sensors.measured[some])
    error = problem.system.errors(q, measured.time[some])
    left.constraint_error[some] = np.abs(error).max(axis=1, initial=0.0)
    compare_markers(
        left.place, markers.measured, markers.seen, markers.shares, left.distance, left.rms, left.objective
    )
    if sensors.frames:
        left.angle[~sensors.seen] = np.nan
        left.objective[:] += 0.5 * (sensors.shares * np.nan_to_num(left.angle) ** 2).sum(axis=1)
    if tasks.weight.any():
        gap = np.where(known[:, None], found, 0.0) - tasks.value
        left.objective[:] += 0.5 * (tasks.weight * gap**2).sum(axis=1)


def _angles(turned: np.ndarray, measured: np.ndarray) -> np.ndarray:
    """Return the angles between orientations, (n, n_sensors) rad."""
    turn = np.einsum("tsij,tskj->tsik", turned, np.nan_to_num(measured))
    axis = np.stack(
        [
            turn[..., 2, 1] - turn[..., 1, 2],
            turn[..., 0, 2] - turn[..., 2, 0],
            turn[..., 1, 0] - turn[..., 0, 1],
        ]
    )
    return np.asarray(np.arctan2(np.linalg.norm(axis, axis=0), np.trace(turn, axis1=2, axis2=3) - 1.0))
