"""Whether what a kernel computed are numbers that a body can have, told while they are in the processor."""

from __future__ import annotations

import functools
from typing import Any

from llvmlite import ir

from borelli.kernels.lanes.control import count_up
from borelli.kernels.lanes.values import FLOAT, INTEGER, Emitter, Integer, Lanes
from borelli.kernels.lanes.workspace import Workspace


class Watch:
    """Remembers whether all numbers that it looked at were nearer to zero than a limit; NaN is not.

    Parameters
    ----------
    limit : Lanes
        The same in all lanes.
    """

    def __init__(self, emitter: Emitter, limit: Lanes) -> None:
        self._emitter, self._limit = emitter, limit
        self._cell = emitter.cell(ir.VectorType(FLOAT, emitter.width))
        emitter.builder.store(emitter.lanes(1.0).ir, self._cell)

    def look_at(self, work: Workspace, first_row: Integer, n_rows: Integer) -> None:
        """Look at rows of the workspace."""
        builder, width = self._emitter.builder, self._emitter.width
        with count_up(self._emitter, first_row * width, (first_row + n_rows) * width, width) as place:
            so_far = Lanes(self._emitter, builder.load(self._cell), width)
            within = self._limit.exceeds(work.doubles.load(place).absolute())
            builder.store(so_far.where(within, 0.0).ir, self._cell)

    def status(self, bit: int) -> Any:
        """Return an IR integer: 0 if all were, else the bit."""
        builder = self._emitter.builder
        kept, one = builder.load(self._cell), ir.Constant(FLOAT, 1.0)
        lanes = [
            builder.fcmp_ordered("==", builder.extract_element(kept, ir.Constant(ir.IntType(32), lane)), one)
            for lane in range(self._emitter.width)
        ]
        everywhere = functools.reduce(builder.and_, lanes)
        return builder.select(everywhere, ir.Constant(INTEGER, 0), ir.Constant(INTEGER, bit))
