"""The arms of all actuators as lists: an actuator takes part in few of the constraints."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from borelli.kernels.jit import jit

_ROUND_OFF = 1e-10
"""Arms over the largest of their actuator, here some picometres, that cancellation leaves where there is none."""


class Columns(NamedTuple):
    """Arms of n actuators on m constraints in f instants."""

    starts: np.ndarray
    """(n + 1,) int: where each actuator begins in the lists"""
    rows: np.ndarray
    """(n_entries,) int: constraints of each actuator, in rising order"""
    arms: np.ndarray
    """(f, n_entries): generalized force per newton of the actuator's force"""


def columns_of(arms: np.ndarray) -> Columns:
    """Return the lists of arms (f, n, m)."""
    size = np.maximum(arms.max(axis=0, initial=0.0), -arms.min(axis=0, initial=0.0))
    starts, actuator, constraint = _taking_part(size)
    return Columns(starts, constraint, np.ascontiguousarray(arms[:, actuator, constraint], dtype=float))


def columns_of_rows(rows: np.ndarray, place: np.ndarray) -> Columns:
    """Return the lists of arms that lie with time last.

    Parameters
    ----------
    rows : (n_rows, f) float
    place : (n, m) int
        Row of the arms of each actuator on each constraint; -1 where there are none.
    """
    size, listed = np.zeros(place.shape), place >= 0
    found = np.zeros(np.count_nonzero(listed))
    largest_of_rows(rows, place[listed], found)
    size[listed] = found
    starts, actuator, constraint = _taking_part(size)
    arms = np.empty((rows.shape[1], len(actuator)))
    turn_rows(rows, place[actuator, constraint], arms)
    return Columns(starts, constraint, arms)


def _taking_part(size: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Starts, actuators and constraints of all arms that are ever more than round-off, from their sizes (n, m)."""
    # Written so that an arm that is not a number stays, and shows.
    taking_part = ~(size <= _ROUND_OFF * size.max(axis=1, initial=0.0, keepdims=True))
    actuator, constraint = np.nonzero(taking_part)
    starts = np.zeros(len(size) + 1, dtype=np.int64)
    starts[1:] = np.cumsum(taking_part.sum(axis=1))
    return starts, actuator, constraint


@jit
def largest_of_rows(rows: np.ndarray, chosen: np.ndarray, size: np.ndarray) -> None:
    """Largest absolute number of each chosen row; NaN if there is one."""
    for k in range(len(chosen)):
        row, largest = rows[chosen[k]], 0.0
        for instant in range(len(row)):
            here = abs(row[instant])
            if largest < here or here != here:
                largest = here
        size[k] = largest


@jit
def turn_rows(rows: np.ndarray, chosen: np.ndarray, out: np.ndarray) -> None:
    """Copy chosen rows (…, f) into the columns of out, (f, n_chosen)."""
    for k in range(len(chosen)):
        row = rows[chosen[k]]
        for instant in range(len(row)):
            out[instant, k] = row[instant]
