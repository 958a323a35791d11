"""Scratch memory for one instant."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

_ROUND_OFF = 1e-10
"""Arms over the largest of their actuator, here some picometres, that cancellation leaves where there is none."""


class Workspace(NamedTuple):
    """Arrays for n actuators and m constraints.

    A column lists the constraints that an actuator takes part in, because it takes part in few.
    """

    starts: np.ndarray
    """(n + 1,) int: where each column begins in the lists"""
    rows: np.ndarray
    """(n_entries,) int: constraints of each column, in rising order"""
    values: np.ndarray
    """(n_entries,): generalized force of unit activation, over the scale of its constraint"""
    first: np.ndarray
    """(m,) int: first constraint with which each one has an actuator"""
    scale: np.ndarray
    """(m,): what all actuators together can do about each constraint"""
    target: np.ndarray
    """(m,): generalized force to be constraintd, scaled"""
    drive: np.ndarray
    """(n,): multiplier of the column, Aᵀλ"""
    drive_step: np.ndarray
    """(n,): its change along a step"""
    slope: np.ndarray
    """(n,): change of activation with drive"""
    gap: np.ndarray
    """(m,): A a - b"""
    step: np.ndarray
    """(m,): step of the multipliers"""
    matrix: np.ndarray
    """(m, m)"""
    compliance: np.ndarray
    """(n,): inverse of the second derivative of the quadratic costs"""
    center: np.ndarray
    """(n,): where the quadratic costs are least"""
    trial: np.ndarray
    """(n,): answer to a quadratic cost"""


def workspace(arms: np.ndarray) -> Workspace:
    """Return scratch memory for the problems of some instants, with the columns that they have in common.

    Parameters
    ----------
    arms : (f, n, m) float
        What is never more than round-off of an actuator's largest arm is taken as none.
    """
    _, n, m = arms.shape
    size = np.maximum(arms.max(axis=0, initial=0.0), -arms.min(axis=0, initial=0.0))
    # Written so that an arm that is not a number stays, and shows.
    taking_part = ~(size <= _ROUND_OFF * size.max(axis=1, initial=0.0, keepdims=True))
    actuator, constraint = np.nonzero(taking_part)
    starts = np.zeros(n + 1, dtype=np.int64)
    starts[1:] = np.cumsum(taking_part.sum(axis=1))
    first = np.arange(m)
    np.minimum.at(first, constraint, constraint[starts[actuator]])
    return Workspace(
        starts,
        constraint,
        np.zeros(len(constraint)),
        first,
        *(np.zeros(m), np.zeros(m)),
        *(np.zeros(n), np.zeros(n), np.zeros(n)),
        *(np.zeros(m), np.zeros(m)),
        np.zeros((m, m)),
        *(np.zeros(n), np.zeros(n), np.zeros(n)),
    )
