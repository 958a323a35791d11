"""What every search for activations is handed: who may help, and where it stands."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Actuators(NamedTuple):
    """The n actuators that balance the load: the same at all instants."""

    lower: np.ndarray
    """(n,): least activation, -inf where there is none"""
    upper: np.ndarray
    """(n,): largest activation, inf where there is none"""
    weight: np.ndarray
    """(n,): weight of the cost, more than zero"""


class Point(NamedTuple):
    """Where a search starts, stands and ends, with n actuators and m constraints."""

    multiplier: np.ndarray
    """(m,): scaled multipliers λ of the constraints"""
    activation: np.ndarray
    """(n,)"""
