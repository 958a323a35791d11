"""Run the Python body of a kernel on lane numbers and collect what it emits."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from llvmlite import ir

from borelli.kernels.lanes.code.values import (
    FLOAT,
    INTEGER,
    TABLE_INTEGER,
    Doubles,
    Emitter,
    Integer,
    Integers,
)

if TYPE_CHECKING:
    from borelli.kernels.lanes.code.compile import Kernel

_IR_TYPES = {"integer": INTEGER, "integers": TABLE_INTEGER.as_pointer(), "doubles": FLOAT.as_pointer()}
_WRAPPERS: dict[str, Any] = {"integer": Integer, "integers": Integers, "doubles": Doubles}


@contextmanager
def _no_search_for_garbage() -> Iterator[None]:
    """Let everything live: what is traced is needed until the end, and the search takes a third of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def trace(kernel: Kernel, width: int) -> str:
    """Return the LLVM assembly of a kernel, for vectors of so many instants."""
    with _no_search_for_garbage():
        return _trace(kernel, width)


def _trace(kernel: Kernel, width: int) -> str:
    module = ir.Module(kernel.name)
    kinds = list(kernel.arguments.values())
    function = ir.Function(module, ir.FunctionType(INTEGER, [_IR_TYPES[k] for k in kinds]), kernel.name)
    emitter = Emitter(ir.IRBuilder(function.append_basic_block("entry")), width)
    arguments: dict[str, Any] = {}
    for (name, kind), value in zip(kernel.arguments.items(), function.args, strict=True):
        value.name = name
        if kind != "integer":
            # Lets the optimiser keep table entries in registers across stores to the workspace.
            value.add_attribute("noalias")
        arguments[name] = _WRAPPERS[kind](emitter, value)
    status = kernel.emit(emitter, **arguments)
    emitter.builder.ret(ir.Constant(INTEGER, 0) if status is None else status)
    return str(module)
