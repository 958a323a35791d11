"""What makes an array, or a number, of whole arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from borelli.kernels.native.arrays import as_integer, fill, load, loop, natural, new, part, store
from borelli.kernels.native.code import Code
from borelli.kernels.native.types import BOOL, FLOAT, INT, ArrayType, Scalar, Unsupported
from borelli.kernels.native.values import Value, chosen, shape, truth


def copied(code: Code, array: Value) -> Value:
    """Return a new array with the same items."""
    assert isinstance(array.kind, ArrayType)
    result = new(code, array.kind.item, [natural(extent) for extent in shape(array)])
    fill(code, result, array)
    return result


def reshaped(code: Code, array: Value, extents: Sequence[Value]) -> Value:
    """Return a contiguous array in another shape."""
    if not isinstance(array.kind, ArrayType) or not array.kind.contiguous:
        raise Unsupported("another shape of an array that is not contiguous")
    kind = ArrayType(array.kind.item, len(extents), True)
    return Value(kind, (array.leaf, *(as_integer(code, extent).leaf for extent in extents)))


def extreme(code: Code, array: Value, test: str) -> Value:
    """Return the largest (``"ogt"``) or least (``"olt"``) item of floats; one that is not a number if there is one."""
    if not isinstance(array.kind, ArrayType) or array.kind.ndim != 1 or array.kind.item is not FLOAT:
        raise Unsupported("the extreme of anything but a row of floats")
    best = code.slot("double")
    code.do(f"store double {load(code, part(code, array, [natural('0')])).leaf}, ptr {best}")

    def each(at: Value) -> None:
        item = load(code, part(code, array, [at]))
        before = Value(FLOAT, (code.value(f"load double, ptr {best}"),))
        better = code.value(f"fcmp {test} double {item.leaf}, {before.leaf}")
        strange = code.value(f"fcmp uno double {item.leaf}, {item.leaf}")
        take = chosen(code, code.value(f"or i1 {better}, {strange}"), item, before)
        lost = code.value(f"fcmp uno double {before.leaf}, {before.leaf}")
        code.do(f"store double {chosen(code, lost, before, take).leaf}, ptr {best}")

    loop(code, shape(array)[0], each)
    return Value(FLOAT, (code.value(f"load double, ptr {best}"),))


def _row(array: Value, what: str) -> ArrayType:
    if not isinstance(array.kind, ArrayType) or array.kind.ndim != 1:
        raise Unsupported(f"{what} anything but a row of numbers")
    return array.kind


def mapped(code: Code, array: Value, item: Scalar, function: Callable[[Value], Value]) -> Value:
    """Return a new row of a function of every item of a row."""
    _row(array, "a function of")
    result = new(code, item, [natural(shape(array)[0])])

    def each(at: Value) -> None:
        store(code, part(code, result, [at]), function(load(code, part(code, array, [at]))))

    loop(code, shape(array)[0], each)
    return result


def places_of_true(code: Code, array: Value) -> Value:
    """Return the places of the items of a row that are not zero, in a new row."""
    _row(array, "places in")
    extent, count = shape(array)[0], code.slot("i64")

    def run_through(found: Callable[[Value, Value], None]) -> None:
        code.do(f"store i64 0, ptr {count}")

        def each(at: Value) -> None:
            here = truth(code, load(code, part(code, array, [at])))
            before = natural(code.value(f"load i64, ptr {count}"))
            yes, after = code.new_block(), code.new_block()
            code.branch(here.leaf, yes, after)
            code.start(yes)
            found(before, at)
            code.do(f"store i64 {code.value(f'add nsw i64 {before.leaf}, 1')}, ptr {count}")
            code.jump(after)
            code.start(after)

        loop(code, extent, each)

    run_through(lambda number, at: None)
    result = new(code, INT, [natural(code.value(f"load i64, ptr {count}"))])
    run_through(lambda number, at: store(code, part(code, result, [number]), at))
    return result


def gathered(code: Code, array: Value, places: Value) -> Value:
    """Return the items of a row at some places, in a new row."""
    kind = _row(array, "items by a list of places of")
    if _row(places, "places in").item is BOOL:
        places = places_of_true(code, places)
    result = new(code, kind.item, [natural(shape(places)[0])])

    def each(at: Value) -> None:
        there = load(code, part(code, places, [at]))
        store(code, part(code, result, [at]), load(code, part(code, array, [there])))

    loop(code, shape(places)[0], each)
    return result


def scattered(code: Code, array: Value, places: Value, value: Value) -> None:
    """Write a number, or the items of a row, to some places of a row."""
    _row(array, "writing by a list of places to")
    if _row(places, "places in").item is BOOL:
        raise Unsupported("writing where something is true")

    def each(at: Value) -> None:
        there = load(code, part(code, places, [at]))
        own = load(code, part(code, value, [at])) if isinstance(value.kind, ArrayType) else value
        store(code, part(code, array, [there]), own)

    loop(code, shape(places)[0], each)
