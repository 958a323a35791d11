"""Whether numbers that a kernel reads or computes may be those of a body, told while they are in the processor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir

from borelli.kernels.lanes.code.control import count_up
from borelli.kernels.lanes.code.values import INTEGER, Doubles, Emitter, Integer, Lanes

_WITHOUT_SIGN = (1 << 63) - 1


class Watch:
    """Remembers whether a number that it looked at was beyond a limit, infinite or NaN.

    Magnitudes are compared by their bits, whose order as whole numbers is the same: infinity is larger than any number,
    NaN larger still. The limit less each of them is negative for what is beyond, and the sign bit stays once it is set.

    Parameters
    ----------
    emitter : Emitter
    limit : ir.Value
        The largest magnitude of an ordinary number: an IR double.
    """

    def __init__(self, emitter: Emitter, limit: Any) -> None:
        self._emitter = emitter
        self._kind = ir.VectorType(INTEGER, emitter.width)
        self._limit = emitter.builder.bitcast(emitter.spread(limit).ir, self._kind)
        self._seen = emitter.cell(self._kind)
        emitter.builder.store(self._whole(0), self._seen)

    def _whole(self, number: int) -> Any:
        return ir.Constant(self._kind, [number] * self._emitter.width)

    def look_at(self, workspace: Doubles, first_row: Integer, n_rows: Integer) -> None:
        """Look at rows of the workspace."""
        width = self._emitter.width
        with count_up(self._emitter, first_row * width, (first_row + n_rows) * width, width) as place:
            self.see([workspace.load(place)])

    def see(self, numbers: Sequence[Lanes]) -> None:
        """Look at numbers that are at hand."""
        builder = self._emitter.builder
        left = []
        for number in numbers:
            size = builder.and_(builder.bitcast(number.ir, self._kind), self._whole(_WITHOUT_SIGN))
            left.append(builder.sub(self._limit, size))
        # In pairs, so that few wait for each other.
        while len(left) > 1:
            pairs = zip(left[::2], left[1::2], strict=False)
            left = [builder.or_(a, b) for a, b in pairs] + left[len(left) // 2 * 2 :]
        builder.store(builder.or_(builder.load(self._seen), left[0]), self._seen)

    def status(self, number: int) -> Any:
        """Return an IR integer: the number if anything was beyond the limit, else 0."""
        builder = self._emitter.builder
        seen, anywhere = builder.load(self._seen), ir.Constant(INTEGER, 0)
        for lane in range(self._emitter.width):
            anywhere = builder.or_(anywhere, builder.extract_element(seen, ir.Constant(ir.IntType(32), lane)))
        is_beyond = builder.icmp_signed("<", anywhere, ir.Constant(INTEGER, 0))
        return builder.select(is_beyond, ir.Constant(INTEGER, number), ir.Constant(INTEGER, 0))
