"""Scratch memory for one instant."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from borelli.kernels.own_lines import on_own_lines
from borelli.kernels.static_optimization.columns import Columns


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
    tried: np.ndarray
    """(n,): answer to a quadratic cost"""


def workspace(columns: Columns, m: int) -> Workspace:
    """Return scratch memory for the problems of some instants with m constraints."""
    starts, constraint = columns.starts, columns.rows
    n = len(starts) - 1
    first = np.arange(m)
    # Each list is in rising order, so that its first constraint is the least.
    actuator = np.repeat(np.arange(n), np.diff(starts))
    np.minimum.at(first, constraint, constraint[starts[actuator]])
    work = Workspace(
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
    return on_own_lines(work)
