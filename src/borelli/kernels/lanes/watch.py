"""Whether numbers that a kernel reads or computes may be those of a body, told while they are in the processor."""

from __future__ import annotations

import functools
from typing import Any

from llvmlite import ir

from borelli.kernels.lanes.control import count_up
from borelli.kernels.lanes.values import INTEGER, Emitter, Integer
from borelli.kernels.lanes.workspace import Workspace

_WITHOUT_SIGN = (1 << 63) - 1


class Watch:
    """Remembers the largest magnitude of all numbers that it looked at; infinity is larger than any, NaN larger still.

    Magnitudes are compared by their bits, whose order as whole numbers is the same.
    """

    def __init__(self, emitter: Emitter) -> None:
        self._emitter = emitter
        self._kind = ir.VectorType(INTEGER, emitter.width)
        self._cell = emitter.cell(self._kind)
        emitter.builder.store(self._whole(0), self._cell)

    def _whole(self, number: int) -> Any:
        return ir.Constant(self._kind, [number] * self._emitter.width)

    def look_at(self, work: Workspace, first_row: Integer, n_rows: Integer) -> None:
        """Look at rows of the workspace."""
        builder, width = self._emitter.builder, self._emitter.width
        with count_up(self._emitter, first_row * width, (first_row + n_rows) * width, width) as place:
            bits = builder.bitcast(work.doubles.load(place).ir, self._kind)
            size, largest = builder.and_(bits, self._whole(_WITHOUT_SIGN)), builder.load(self._cell)
            builder.store(builder.select(builder.icmp_signed(">", size, largest), size, largest), self._cell)

    def beyond(self, limit: Any, status: int) -> Any:
        """Return an IR integer: the status if anything was beyond a limit, an IR double; else 0."""
        builder = self._emitter.builder
        sizes, bits = builder.load(self._cell), builder.bitcast(limit, INTEGER)
        lanes = [
            builder.icmp_signed(">", builder.extract_element(sizes, ir.Constant(ir.IntType(32), lane)), bits)
            for lane in range(self._emitter.width)
        ]
        anywhere = functools.reduce(builder.or_, lanes)
        return builder.select(anywhere, ir.Constant(INTEGER, status), ir.Constant(INTEGER, 0))
