"""The workspace as emitted code sees it: rows that hold one quantity for a block of instants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir

from borelli.kernels.lanes.code.control import count_up
from borelli.kernels.lanes.code.values import Doubles, Emitter, Integer, Lanes, Number
from borelli.kernels.tree.algebra import Vector


class Workspace:
    """Rows of one vector of instants each."""

    def __init__(self, doubles: Doubles) -> None:
        self.doubles = doubles
        self.emitter: Emitter = doubles.emitter
        self._places: dict[Any, Integer] = {}

    def fresh(self) -> Workspace:
        """Return a view for another branch of the code, where places computed elsewhere are not known."""
        return Workspace(self.doubles)

    def fence(self) -> None:
        """Have what is read from here on read again, and nothing kept in registers for it: no instruction."""
        nothing = ir.FunctionType(ir.VoidType(), [])
        self.emitter.builder.asm(nothing, "", "~{memory}", [], side_effect=True)

    def fill(self, row: Integer, count: int | Integer, value: Number) -> None:
        """Set rows to one number."""
        width = self.emitter.width
        with count_up(self.emitter, row * width, (row + count) * width, width) as place:
            self.doubles.store(place, value)

    def _place(self, row: Integer, k: int) -> Integer:
        # Places already computed, by the IR value of their row: less code to optimise.
        place = self._places.get(row.ir)
        if place is None:
            place = self._places[row.ir] = row * self.emitter.width
        return place + k * self.emitter.width

    def load(self, row: Integer, k: int = 0) -> Lanes:
        """Return the k-th row from ``row`` on."""
        return self.doubles.load(self._place(row, k))

    def store(self, row: Integer, value: Number, k: int = 0) -> None:
        """Write the k-th row from ``row`` on."""
        self.doubles.store(self._place(row, k), value)

    def numbers(self, row: Integer, count: int, first: int = 0) -> tuple[Lanes, ...]:
        """Return consecutive rows."""
        return tuple(self.load(row, first + k) for k in range(count))

    def vector(self, row: Integer, first: int = 0) -> Vector:
        """Return three consecutive rows."""
        x, y, z = self.numbers(row, 3, first)
        return (x, y, z)

    def store_numbers(self, row: Integer, values: Sequence[Number], first: int = 0) -> None:
        """Write consecutive rows."""
        for k, value in enumerate(values):
            self.store(row, value, first + k)

    def add_numbers(self, row: Integer, values: Sequence[Number], first: int = 0) -> None:
        """Add to consecutive rows."""
        for k, value in enumerate(values):
            self.store(row, self.load(row, first + k) + value, first + k)
