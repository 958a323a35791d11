"""Dual numbers: a value and its derivatives by any number of parameters, carried through all arithmetic.

The kernels run on them unchanged and give exact derivatives (no step size) of every output: forward-mode
automatic differentiation.
"""

from __future__ import annotations

from typing import Any

import numpy as np


class Dual:
    """A number with derivatives.

    Parameters
    ----------
    value : float or (n_instants,) array
    tangent : (n_parameters, n_instants) or (n_parameters, 1) array
        Derivative of the value by each parameter.
    """

    __slots__ = ("tangent", "value")

    # NumPy then leaves array + Dual to the reflected operators below.
    __array_ufunc__ = None

    def __init__(self, value: Any, tangent: np.ndarray) -> None:
        self.value = value
        self.tangent = tangent

    def __repr__(self) -> str:
        return f"Dual({self.value!r}, {self.tangent!r})"

    def __add__(self, other: Any) -> Dual:
        if isinstance(other, Dual):
            return Dual(self.value + other.value, self.tangent + other.tangent)
        return Dual(self.value + other, self.tangent)

    __radd__ = __add__

    def __neg__(self) -> Dual:
        return Dual(-self.value, -self.tangent)

    def __sub__(self, other: Any) -> Dual:
        if isinstance(other, Dual):
            return Dual(self.value - other.value, self.tangent - other.tangent)
        return Dual(self.value - other, self.tangent)

    def __rsub__(self, other: Any) -> Dual:
        return Dual(other - self.value, -self.tangent)

    def __mul__(self, other: Any) -> Dual:
        if isinstance(other, Dual):
            tangent = self.tangent * other.value + other.tangent * self.value
            return Dual(self.value * other.value, tangent)
        return Dual(self.value * other, self.tangent * other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Dual:
        if isinstance(other, Dual):
            value = self.value / other.value
            return Dual(value, (self.tangent - other.tangent * value) / other.value)
        return Dual(self.value / other, self.tangent / other)

    def __rtruediv__(self, other: Any) -> Dual:
        value = other / self.value
        return Dual(value, self.tangent * (-value / self.value))

    def sin(self) -> Dual:
        """Sine."""
        return Dual(np.sin(self.value), self.tangent * np.cos(self.value))

    def cos(self) -> Dual:
        """Cosine."""
        return Dual(np.cos(self.value), self.tangent * -np.sin(self.value))

    def sqrt(self) -> Dual:
        """Square root."""
        root = np.sqrt(self.value)
        return Dual(root, self.tangent / (2.0 * root))


def seeded(values: list[np.ndarray], first: int, n_parameters: int) -> list[Dual]:
    """Make each of some numbers a parameter of its own: number k has derivative one by parameter first + k."""
    duals = []
    for index, value in enumerate(values):
        tangent = np.zeros((n_parameters, 1))
        tangent[first + index] = 1.0
        duals.append(Dual(value, tangent))
    return duals


def parameter(value: float, index: int, n_parameters: int) -> Dual:
    """Return one constant as a parameter."""
    tangent = np.zeros((n_parameters, 1))
    tangent[index] = 1.0
    return Dual(value, tangent)


def tangent_of(number: Any, n_parameters: int, n_instants: int) -> np.ndarray:
    """Derivatives of an outcome, (n_parameters, n_instants); zero if it is no dual number."""
    if isinstance(number, Dual):
        return np.broadcast_to(number.tangent, (n_parameters, n_instants))
    return np.zeros((n_parameters, n_instants))
