"""Dual numbers: a value over instants and its derivatives by many parameters, carried through every operation."""

from __future__ import annotations

from typing import Any

import numpy as np

from borelli.planar.checks import Array


class Dual:
    """A value (n_times,) with its slopes (n_parameters, n_times)."""

    __slots__ = ("slope", "value")
    # NumPy leaves array-and-Dual operations to this class.
    __array_ufunc__ = None

    def __init__(self, value: Array, slope: Array) -> None:
        self.value = value
        self.slope = slope

    def __add__(self, other: Any) -> Dual:
        if isinstance(other, Dual):
            return Dual(self.value + other.value, self.slope + other.slope)
        return Dual(self.value + other, self.slope)

    __radd__ = __add__

    def __neg__(self) -> Dual:
        return Dual(-self.value, -self.slope)

    def __sub__(self, other: Any) -> Dual:
        return self + (-other)

    def __rsub__(self, other: Any) -> Dual:
        return -self + other

    def __mul__(self, other: Any) -> Dual:
        if isinstance(other, Dual):
            return Dual(self.value * other.value, self.slope * other.value + self.value * other.slope)
        return Dual(self.value * other, self.slope * other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Dual:
        if not isinstance(other, Dual):
            return Dual(self.value / other, self.slope / other)
        ratio = self.value / other.value
        return Dual(ratio, (self.slope - ratio * other.slope) / other.value)

    def __rtruediv__(self, other: Any) -> Dual:
        ratio = other / self.value
        return Dual(ratio, -ratio / self.value * self.slope)


def sin(number: Any) -> Any:
    """Sine of an array or a dual number."""
    if isinstance(number, Dual):
        return Dual(np.sin(number.value), np.cos(number.value) * number.slope)
    return np.sin(number)


def cos(number: Any) -> Any:
    """Cosine of an array or a dual number."""
    if isinstance(number, Dual):
        return Dual(np.cos(number.value), -np.sin(number.value) * number.slope)
    return np.cos(number)


def sqrt(number: Any) -> Any:
    """Square root of an array or a dual number."""
    if isinstance(number, Dual):
        root = np.sqrt(number.value)
        return Dual(root, 0.5 / root * number.slope)
    return np.sqrt(number)
