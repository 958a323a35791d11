"""One step towards the least cost of a high power, from activations that balance."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from borelli.kernels.jit import jit
from borelli.kernels.static_optimization.cholesky import factorize, solve
from borelli.kernels.static_optimization.elimination import eliminate
from borelli.kernels.static_optimization.response import cost_slope

_SMALLEST, _RANGE = 1e-12, 280.0
"""Least activation over the largest that costs are measured at, and orders of magnitude that numbers allow."""
_FALLING = 0.3
"""Drive over slope of the cost, below which an actuator is so much too active that Newton's step is too short."""


class Part(NamedTuple):
    """A problem with m constraints and n actuators."""

    columns: np.ndarray
    """(m, n)"""
    target: np.ndarray
    """(m,)"""
    lower: np.ndarray
    """(n,)"""
    upper: np.ndarray
    """(n,)"""
    weight: np.ndarray
    """(n,)"""


class Scratch(NamedTuple):
    """Scratch memory for the steps of a part."""

    table: np.ndarray
    """(m, n + m + 1): columns, unit columns, right-hand side; transformed"""
    basis: np.ndarray
    """(m,) int"""
    size: np.ndarray
    """(n,): largest entry of each column"""
    ease: np.ndarray
    """(n,): d^-½"""
    kept: np.ndarray
    """(n,): part of the activation that the model of the cost leaves where it is"""
    step: np.ndarray
    """(n,)"""
    multiplier: np.ndarray
    """(m,): multipliers of the transformed constraints, that is, drives of the basis"""
    drive: np.ndarray
    """(n,): multiplier of each column, and ..."""
    term: np.ndarray
    """(n,): ... the largest of its terms"""
    held: np.ndarray
    """(n,) int: -1 at the lower bound, 1 at the upper, else 0"""


@jit
def scratch_for(m: int, n: int) -> Scratch:
    """Return scratch memory for m constraints and n actuators."""
    return Scratch(
        np.zeros((m, n + m + 1)),
        np.zeros(m, dtype=np.int64),
        np.zeros(n),
        np.zeros(n),
        np.zeros(n),
        np.zeros(n),
        np.zeros(m),
        np.zeros(n),
        np.zeros(n),
        np.zeros(n, dtype=np.int64),
    )


@jit
def aim(part: Part, power: float, unit: float, activation: np.ndarray, scratch: Scratch) -> None:
    """Fill the step to the least second-order model of the cost, and the multipliers there."""
    m, n = part.columns.shape
    table, basis, ease, kept = scratch.table, scratch.basis, scratch.ease, scratch.kept
    smallest = max(_SMALLEST, 10.0 ** (-_RANGE / max(power - 2.0, 1.0)))
    free = scratch.held == 0
    for j in range(n):
        size = abs(activation[j]) / unit
        stiff = max(size, smallest)
        ease[j] = stiff ** (1.0 - 0.5 * power) / math.sqrt(part.weight[j] * (power - 1.0))
        # Newton's step for |a|^p: the model has its minimum at this part of the activation.
        kept[j] = activation[j] * (1.0 - (size / stiff) ** (power - 2.0) / (power - 1.0))
    for i in range(m):
        rest = part.target[i]
        for j in range(n):
            table[i, j] = part.columns[i, j]
            rest -= part.columns[i, j] * (kept[j] if free[j] else activation[j])
        for k in range(m):
            table[i, n + k] = 1.0 if k == i else 0.0
        table[i, n + m] = rest
    eliminate(table, n, free, ease, scratch.size, basis)
    _solve_in_basis(scratch, n, free)
    for j in range(n):
        scratch.drive[j], scratch.term[j] = 0.0, 0.0
        for i in range(m):
            term = table[i, j] * scratch.multiplier[i]
            scratch.drive[j] += term
            scratch.term[j] = max(scratch.term[j], abs(term))
        scratch.step[j] = 0.0
        if free[j]:
            scratch.step[j] = kept[j] + ease[j] * ease[j] * scratch.drive[j] - activation[j]


@jit
def _solve_in_basis(scratch: Scratch, n: int, free: np.ndarray) -> None:
    """Fill the multipliers of the transformed constraints: (I + E Eᵀ) h = e, multiplier = h d(basis)^½."""
    table, basis, ease = scratch.table, scratch.basis, scratch.ease
    m = len(basis)
    matrix, h, column = np.eye(m), np.zeros(m), np.zeros(m)
    for j in range(n):
        if not free[j]:
            continue
        for i in range(m):
            column[i] = table[i, j] * (ease[j] / ease[basis[i]]) if basis[i] >= 0 else 0.0
            if basis[i] == j:
                column[i] = 0.0
        for i in range(m):
            if column[i] != 0.0:
                for k in range(i + 1):
                    matrix[i, k] += column[i] * column[k]
    for i in range(m):
        if basis[i] >= 0:
            h[i] = table[i, n + m] / ease[basis[i]]
    first = np.zeros(m, dtype=np.int64)
    factorize(matrix, first)
    solve(matrix, first, h)
    for i in range(m):
        scratch.multiplier[i] = h[i] / ease[basis[i]] if basis[i] >= 0 else 0.0


@jit
def let_fall(part: Part, power: float, unit: float, activation: np.ndarray, scratch: Scratch) -> None:
    """Send actuators outside the basis that are much too active straight to what their drive asks for.

    Newton's step would take them there by a fraction 1 / (p - 1) at a time; the basis makes up for them.
    """
    m, n = part.columns.shape
    outside = scratch.held == 0
    for i in range(m):
        if scratch.basis[i] >= 0:
            outside[scratch.basis[i]] = False
    for j in range(n):
        drive = scratch.drive[j] / unit
        slope = cost_slope(activation[j] / unit, part.weight[j], power)
        if not outside[j] or abs(drive) >= _FALLING * abs(slope):
            continue
        wanted = math.copysign((abs(drive) / part.weight[j]) ** (1.0 / (power - 1.0)) * unit, drive)
        jump = wanted - activation[j] - scratch.step[j]
        scratch.step[j] += jump
        for i in range(m):
            if scratch.basis[i] >= 0:
                scratch.step[scratch.basis[i]] -= scratch.table[i, j] * jump
