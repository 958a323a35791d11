"""Arrays: items, parts, filling, and new ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from borelli.kernels.native.code import Code
from borelli.kernels.native.types import BOOL, FLOAT, INT, INT8, INT32, ArrayType, Scalar, Unsupported, told
from borelli.kernels.native.values import Value, cast, shape, strides
from borelli.records import dataclass

_ITEM_BYTES = {FLOAT: 8, INT: 8, BOOL: 1, INT8: 1, INT32: 4}


@dataclass(frozen=True, slots=True)
class Slice:
    """``start:stop`` within brackets; None where it is left out."""

    start: Value | None
    stop: Value | None


Index = Value | Slice


def as_integer(code: Code, index: Value) -> Value:
    """Return a number that counts or points at something."""
    if index.kind not in (INT, BOOL):
        raise Unsupported(f"{told(index.kind)} as an index")
    return cast(code, index, INT)


def _from_start(code: Code, index: Value, extent: str) -> str:
    """Return an index that counts from the beginning where it counted from the end."""
    index = as_integer(code, index)
    if index.natural:
        return index.leaf
    wrapped = code.value(f"add nsw i64 {index.leaf}, {extent}")
    negative = code.value(f"icmp slt i64 {index.leaf}, 0")
    return code.value(f"select i1 {negative}, i64 {wrapped}, i64 {index.leaf}")


def _least(code: Code, a: str, b: str) -> str:
    less = code.value(f"icmp slt i64 {a}, {b}")
    return code.value(f"select i1 {less}, i64 {a}, i64 {b}")


def _limit(code: Code, bound: Value, extent: str) -> str:
    """Return a bound of a slice, within the array."""
    at = _from_start(code, bound, extent)
    if not bound.natural:
        negative = code.value(f"icmp slt i64 {at}, 0")
        at = code.value(f"select i1 {negative}, i64 0, i64 {at}")
    return at if at == "0" else _least(code, at, extent)


def part(code: Code, array: Value, indices: Sequence[Index]) -> Value:
    """Return ``array[indices]``: a view, or the address of one item as a view without dimensions."""
    kind = array.kind
    if not isinstance(kind, ArrayType):
        raise Unsupported(f"indices of {told(kind)}")
    if len(indices) > kind.ndim:
        raise Unsupported("more indices than dimensions")
    extents, steps = shape(array), strides(code, array)
    offset, contiguous = "", kind.contiguous
    kept_extents: list[str] = []
    kept_steps: list[str] = []
    for axis, (extent, step) in enumerate(zip(extents, steps, strict=True)):
        index = indices[axis] if axis < len(indices) else Slice(None, None)
        if isinstance(index, Slice):
            start = "0" if index.start is None else _limit(code, index.start, extent)
            stop = extent if index.stop is None else _limit(code, index.stop, extent)
            whole = start == "0" and stop == extent
            # After the first slice of a contiguous part, all that follows must be whole.
            contiguous = contiguous and (whole or not kept_extents)
            if not whole:
                length = code.value(f"sub nsw i64 {stop}, {start}")
                empty = code.value(f"icmp slt i64 {length}, 0")
                extent = code.value(f"select i1 {empty}, i64 0, i64 {length}")
            kept_extents.append(extent)
            kept_steps.append(step)
            at = start
        else:
            contiguous = contiguous and not kept_extents
            at = _from_start(code, index, extent)
        if at != "0":
            move = at if step == "1" else code.value(f"mul nsw i64 {at}, {step}")
            offset = code.value(f"add nsw i64 {offset}, {move}") if offset else move
    address = array.leaf
    if offset:
        address = code.value(f"getelementptr inbounds {kind.item.memory}, ptr {address}, i64 {offset}")
    own = ArrayType(kind.item, len(kept_extents), contiguous or not kept_extents)
    rest = (*kept_extents,) if own.contiguous else (*kept_extents, *kept_steps)
    return Value(own, (address, *rest))


def load(code: Code, item: Value) -> Value:
    """Read an item."""
    assert isinstance(item.kind, ArrayType)
    kind = item.kind.item
    read = code.value(f"load {kind.memory}, ptr {item.leaf}")
    if kind is BOOL:
        return Value(BOOL, (code.value(f"icmp ne i8 {read}, 0"),))
    if kind.memory != kind.register:
        return Value(INT, (code.value(f"sext {kind.memory} {read} to i64"),))
    return Value(kind, (read,))


def store(code: Code, item: Value, value: Value) -> None:
    """Write an item."""
    assert isinstance(item.kind, ArrayType)
    kind = item.kind.item
    own = cast(code, value, INT if kind.register == "i64" else kind).leaf
    if kind is BOOL:
        own = code.value(f"zext i1 {own} to i8")
    elif kind.memory != kind.register:
        own = code.value(f"trunc i64 {own} to {kind.memory}")
    code.do(f"store {kind.memory} {own}, ptr {item.leaf}")


def loop(code: Code, count: str, body: Callable[[Value], None]) -> None:
    """Run through 0 … count - 1."""
    counter = code.slot("i64")
    code.do(f"store i64 0, ptr {counter}")
    test, inside, after = code.new_block(), code.new_block(), code.new_block()
    code.jump(test)
    code.start(test)
    at = code.value(f"load i64, ptr {counter}")
    code.branch(code.value(f"icmp slt i64 {at}, {count}"), inside, after)
    code.start(inside)
    body(Value(INT, (at,), natural=True))
    code.do(f"store i64 {code.value(f'add nsw i64 {at}, 1')}, ptr {counter}")
    code.jump(test)
    code.start(after)


def fill(code: Code, target: Value, value: Value) -> None:
    """Write a number, or the items of another array of the same shape, into every item."""
    assert isinstance(target.kind, ArrayType)
    if not target.kind.ndim:
        store(code, target, load(code, value) if isinstance(value.kind, ArrayType) else value)
        return
    source = value.kind
    if isinstance(source, ArrayType) and source.ndim != target.kind.ndim:
        raise Unsupported("arrays of different dimensions in an assignment")
    if not isinstance(source, ArrayType | Scalar):
        raise Unsupported(f"{told(source)} into an array")

    def each(at: Value) -> None:
        own = part(code, value, [at]) if isinstance(source, ArrayType) else value
        fill(code, part(code, target, [at]), own)

    loop(code, shape(target)[0], each)


def size(code: Code, array: Value) -> Value:
    """Return how many items an array has."""
    count = "1"
    for extent in shape(array):
        count = extent if count == "1" else code.value(f"mul nsw i64 {count}, {extent}")
    return Value(INT, (count,), natural=True)


def natural(register: str) -> Value:
    """Return an integer that is zero or more."""
    return Value(INT, (register,), natural=True)


def new(code: Code, item: Scalar, extents: Sequence[Value]) -> Value:
    """Return a new array of zeros; its memory is given back when the function that made it ends."""
    array = Value(
        ArrayType(item, len(extents), True), ("", *(as_integer(code, extent).leaf for extent in extents))
    )
    count = size(code, array).leaf
    code.makes_arrays = True
    address = code.value(f"call ptr @borelli_scratch(ptr %scratch, i64 {count}, i64 {_ITEM_BYTES[item]})")
    code.leave_if(code.value(f"icmp eq ptr {address}, null"))
    return Value(array.kind, (address, *array.leaves[1:]))
