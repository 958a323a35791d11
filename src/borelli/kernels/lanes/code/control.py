"""Loops, branches and switches of the emitted code, as ``with`` blocks.

The Python body of such a block runs once, while tracing; what it emits runs as often as the numbers say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from llvmlite import ir

from borelli.kernels.lanes.code.values import INTEGER, Emitter, Integer, Lanes, Number


@contextmanager
def count_up(emitter: Emitter, start: int | Integer, stop: int | Integer, step: int = 1) -> Iterator[Integer]:
    """Emit ``for i in range(start, stop, step)`` and yield ``i``."""
    with _loop(emitter, emitter.integer(start), step, "<", emitter.integer(stop)) as index:
        yield index


@contextmanager
def count_down(emitter: Emitter, start: int | Integer, stop: int | Integer) -> Iterator[Integer]:
    """Emit ``for i in reversed(range(start, stop))`` and yield ``i``."""
    last = emitter.integer(stop) - 1
    with _loop(emitter, last, -1, ">=", emitter.integer(start)) as index:
        yield index


@contextmanager
def _loop(emitter: Emitter, first: Integer, step: int, relation: str, bound: Integer) -> Iterator[Integer]:
    builder = emitter.builder
    before = builder.block
    head, body, after = (builder.append_basic_block(name) for name in ("head", "body", "after"))
    builder.branch(head)
    builder.position_at_end(head)
    counter = builder.phi(INTEGER)
    counter.add_incoming(first.ir, before)
    index = Integer(emitter, counter)
    builder.cbranch(index.compare(relation, bound), body, after)
    builder.position_at_end(body)
    yield index
    # The body may have opened blocks of its own: the back edge leaves from wherever it ended.
    following = index + step
    counter.add_incoming(following.ir, builder.block)
    builder.branch(head)
    builder.position_at_end(after)


@contextmanager
def only_if(emitter: Emitter, bit: Any) -> Iterator[None]:
    """Emit code that runs only where a bit is set."""
    with emitter.builder.if_then(bit):
        yield


class Switch:
    """A choice among cases by an integer; values without a case do nothing.

    Examples
    --------
    ::

        with Switch(kind) as switch:
            with switch.case(HINGE):
                ...
            with switch.otherwise():
                ...
    """

    def __init__(self, selector: Integer) -> None:
        self._emitter = selector.emitter
        self._selector = selector

    def __enter__(self) -> Switch:
        builder = self._emitter.builder
        self._default = builder.append_basic_block("otherwise")
        self._done = builder.append_basic_block("done")
        self._instruction = builder.switch(self._selector.ir, self._default)
        self._has_default = False
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        builder = self._emitter.builder
        if not self._has_default:
            builder.position_at_end(self._default)
            builder.branch(self._done)
        builder.position_at_end(self._done)

    @contextmanager
    def case(self, *values: int) -> Iterator[None]:
        """Emit the code for one or several values of the selector."""
        builder = self._emitter.builder
        block = builder.append_basic_block("case")
        for value in values:
            self._instruction.add_case(ir.Constant(INTEGER, value), block)
        builder.position_at_end(block)
        yield
        builder.branch(self._done)

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """Emit the code for all values without a case of their own."""
        self._has_default = True
        self._emitter.builder.position_at_end(self._default)
        yield
        self._emitter.builder.branch(self._done)


class Cells:
    """Local variables that keep numbers from one round of a loop to the next."""

    def __init__(self, emitter: Emitter, count: int) -> None:
        self._emitter = emitter
        self._cells = [emitter.cell(emitter.lanes(0.0).ir.type) for _ in range(count)]

    def set(self, values: Sequence[Number]) -> None:
        """Write all cells."""
        for cell, value in zip(self._cells, values, strict=True):
            self._emitter.builder.store(self._emitter.lanes(value).ir, cell)

    def get(self) -> tuple[Lanes, ...]:
        """Read all cells."""
        emitter = self._emitter
        return tuple(Lanes(emitter, emitter.builder.load(cell), emitter.width) for cell in self._cells)
