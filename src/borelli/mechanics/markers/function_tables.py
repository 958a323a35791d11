"""Functions of coordinates as the tables that the fit of a posture reads."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from borelli.errors import UnsupportedError
from borelli.kernels.markers.layout import (
    ARC_X,
    LINEAR,
    MOST_ARGUMENTS,
    PIECEWISE,
    POLYNOMIAL,
    SINE,
    Functions,
)
from borelli.kernels.tree import functions as described
from borelli.kernels.tree.arc import ArcEnd, arc_powers


class FunctionTables:
    """Collects functions; each gets the number of its place."""

    def __init__(self) -> None:
        self._kind: list[int] = []
        self._arguments: list[tuple[int, ...]] = []
        self._start: list[int] = []
        self._data: list[float] = []

    def __len__(self) -> int:
        return len(self._kind)

    def add(self, function: described.CoordinateFunction, coordinates: Sequence[int]) -> int:
        """Add a function; ``coordinates`` are those that its arguments count."""
        arguments = tuple(coordinates[k] for k in function.arguments)
        if isinstance(function, described.Constant):
            return self.add_raw(POLYNOMIAL, (), [1.0, float(function.value)])
        if isinstance(function, described.Linear):
            return self.add_raw(LINEAR, arguments, [float(function.slope), float(function.intercept)])
        if isinstance(function, described.Sine):
            parts = (function.amplitude, function.frequency, function.phase, function.offset)
            return self.add_raw(SINE, arguments, [float(part) for part in parts])
        if isinstance(function, described.PiecewisePolynomial):
            count, width = function.coefficients.shape
            pieces = np.column_stack([function.origins, function.coefficients]).ravel()
            head = [float(count), float(width - 1)]
            return self.add_raw(PIECEWISE, arguments, [*head, *map(float, function.breaks), *pieces])
        if isinstance(function, described.MultivariatePolynomial):
            terms = [float(len(function.coefficients))]
            for coefficient, exponents in zip(function.coefficients, function.exponents, strict=True):
                terms += [float(coefficient), *map(float, exponents)]
            return self.add_raw(POLYNOMIAL, arguments, terms)
        if isinstance(function, ArcEnd):
            f, g = arc_powers()
            powers = g if function.part == 1 else f
            head = [*map(float, function.neutral), float(function.length), float(len(powers) - 1)]
            return self.add_raw(ARC_X + function.part, arguments, [*head, *powers])
        raise UnsupportedError(
            f"inverse kinematics has no code for a function of type {type(function).__name__}."
        )

    def add_raw(self, kind: int, arguments: tuple[int, ...], data: Sequence[float]) -> int:
        """Add a function by its kind and constants."""
        if len(arguments) > MOST_ARGUMENTS:
            raise UnsupportedError(
                f"inverse kinematics has no code for a function of {len(arguments)} coordinates.",
                remedy=f"use at most {MOST_ARGUMENTS}",
            )
        self._kind.append(kind)
        self._arguments.append(arguments)
        self._start.append(len(self._data))
        self._data += data
        return len(self._kind) - 1

    def tables(self) -> Functions:
        """Return what was collected."""
        arguments = np.zeros((len(self), MOST_ARGUMENTS), dtype=np.int64)
        for k, own in enumerate(self._arguments):
            arguments[k, : len(own)] = own
        counts = np.array([len(own) for own in self._arguments], dtype=np.int64)
        kind, start = (np.array(x, dtype=np.int64) for x in (self._kind, self._start))
        return Functions(kind, counts, arguments, start, np.array(self._data, dtype=float))
