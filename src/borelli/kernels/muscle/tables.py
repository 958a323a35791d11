"""What the muscle kernels read: flat arrays, no names."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

ACTIVE, VELOCITY, PASSIVE, TENDON = 0, 1, 2, 3
"""Curves of a muscle, in the order of ``MuscleTables.curves``."""


class Curves(NamedTuple):
    """The curves of all muscles; what the kernels hand on, small because every call counts its arrays."""

    kind: np.ndarray
    """(n,) int"""
    values: np.ndarray
    """(n, 6): parameters of the curves, by kind"""
    ranges: np.ndarray
    """(n, 4, 2) int: first and last + 1 of the corners or pieces of each curve made of such; none: 0, 0"""
    corners: np.ndarray
    """(n_corners, 12): of Bézier curves, and pieces of splines"""


class MuscleTables(NamedTuple):
    """All muscles of a model."""

    curves: Curves
    force: np.ndarray
    """(n,): maximum isometric force (N)"""
    fiber: np.ndarray
    """(n,): optimal fibre length (m)"""
    tendon: np.ndarray
    """(n,): tendon slack length (m)"""
    height: np.ndarray
    """(n,): distance between the aponeuroses, which stays constant (m)"""
    shortest: np.ndarray
    """(n,): fibres no longer than this give no force (m)"""
    shortest_along: np.ndarray
    """(n,): the same along the tendon (m)"""
    fastest: np.ndarray
    """(n,): maximum contraction velocity (m/s)"""
