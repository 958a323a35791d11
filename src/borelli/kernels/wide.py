"""Two machine instructions that Python has no words for: a 128-bit product, and eight bytes at once."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_U64 = types.uint64


@intrinsic  # type: ignore[untyped-decorator]
def multiply_128(_context: Any, a: Any, b: Any) -> Any:
    """Return the high and low 64 bits of the product of two 64-bit numbers."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(*(builder.zext(argument, wide) for argument in arguments))
        high = builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))
        low = builder.trunc(product, ir.IntType(64))
        return context.make_tuple(builder, signature.return_type, [high, low])

    return types.UniTuple(_U64, 2)(_U64, _U64), emit


@intrinsic  # type: ignore[untyped-decorator]
def put_eight(_context: Any, out: Any, at: Any, pack: Any) -> Any:
    """Store eight bytes, the lowest first, at a position of an array of bytes that must have room for them."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = cgutils.pointer_add(builder, array.data, arguments[1], ir.IntType(64).as_pointer())
        builder.store(arguments[2], place, align=1)
        return context.get_dummy_value()

    return types.void(out, _U64, _U64), emit
