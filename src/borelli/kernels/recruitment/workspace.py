"""Room to work in for one frame."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Workspace(NamedTuple):
    """Arrays for n actuators and m balances.

    A column lists the balances that an actuator takes part in, because it takes part in few.
    """

    entries: np.ndarray
    """(n,) int: entries of each column"""
    rows: np.ndarray
    """(n, m) int: balances of each column"""
    values: np.ndarray
    """(n, m): generalized force of unit activation, over the scale of its balance"""
    scale: np.ndarray
    """(m,): what all actuators together can do about each balance"""
    target: np.ndarray
    """(m,): generalized force to be balanced, scaled"""
    drive: np.ndarray
    """(n,): price of the column, Aᵀλ"""
    drive_step: np.ndarray
    """(n,): its change along a step"""
    slope: np.ndarray
    """(n,): change of activation with drive"""
    gap: np.ndarray
    """(m,): A a - b"""
    step: np.ndarray
    """(m,): step of the prices"""
    matrix: np.ndarray
    """(m, m)"""
    stiffness: np.ndarray
    """(n,): second derivative of the quadratic costs"""
    center: np.ndarray
    """(n,): where the quadratic costs are least"""
    trial: np.ndarray
    """(n,): answer to a quadratic cost"""


def workspace(n: int, m: int) -> Workspace:
    """Return room for n actuators and m balances."""
    whole = np.zeros(n, dtype=np.int64)
    return Workspace(
        whole,
        np.zeros((n, m), dtype=np.int64),
        np.zeros((n, m)),
        *(np.zeros(m), np.zeros(m)),
        *(np.zeros(n), np.zeros(n), np.zeros(n)),
        *(np.zeros(m), np.zeros(m)),
        np.zeros((m, m)),
        *(np.zeros(n), np.zeros(n), np.zeros(n)),
    )
