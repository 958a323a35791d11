"""Functions of Python, ``math`` and NumPy that kernels may call."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from borelli.kernels.native import arrays, whole_arrays
from borelli.kernels.native.code import Code
from borelli.kernels.native.types import BOOL, FLOAT, INT, ArrayType, Scalar, TupleType, Unsupported, told
from borelli.kernels.native.values import Value, cast, chosen, constant, items_of, numbers, shape

_ITEMS: dict[Any, Scalar] = {
    np.int64: INT,
    np.float64: FLOAT,
    np.bool_: BOOL,
    float: FLOAT,
    int: INT,
    bool: BOOL,
}
_INTRINSICS = {math.sqrt: "sqrt", math.sin: "sin", math.cos: "cos", math.exp: "exp", math.log: "log"}
LIBRARY: dict[Any, str] = {
    math.atan2: "atan2",
    math.hypot: "hypot",
    math.acos: "acos",
    math.asin: "asin",
    math.atan: "atan",
    math.tan: "tan",
    math.asinh: "asinh",
    math.sinh: "sinh",
    math.cosh: "cosh",
    math.tanh: "tanh",
    math.expm1: "expm1",
    math.log1p: "log1p",
}
"""Functions of the C library, under their names there."""

DECLARATIONS = "\n".join(
    [
        *(
            f"declare double @llvm.{name}.f64(double)"
            for name in (*_INTRINSICS.values(), "fabs", "ceil", "floor")
        ),
        *(f"declare double @llvm.{name}.f64(double, double)" for name in ("pow", "copysign")),
        *(
            f"declare double @{name}({', '.join(['double'] * (2 if name in ('atan2', 'hypot') else 1))}) nounwind"
            for name in LIBRARY.values()
        ),
    ]
)

Arguments = Sequence[Value]


def _float_call(name: str, code: Code, given: Arguments) -> Value:
    words = ", ".join(f"double {cast(code, value, FLOAT).leaf}" for value in given)
    return Value(FLOAT, (code.value(f"call double @{name}({words})"),))


def _abs(code: Code, given: Arguments) -> Value:
    (value,) = given
    if isinstance(value.kind, ArrayType):
        return whole_arrays.mapped(code, value, value.kind.item, lambda item: _abs(code, [item]))
    if value.kind is FLOAT:
        return _float_call("llvm.fabs.f64", code, given)
    value = cast(code, value, INT)
    negative = code.value(f"icmp slt i64 {value.leaf}, 0")
    opposite = Value(INT, (code.value(f"sub nsw i64 0, {value.leaf}"),))
    return Value(INT, chosen(code, negative, opposite, value).leaves, natural=True)


def _extreme(float_test: str, int_test: str) -> Callable[[Code, Arguments], Value]:
    def find(code: Code, given: Arguments) -> Value:
        best, *others = items_of(given[0]) if len(given) == 1 else given
        for other in others:
            # As in Python: the first of equals, and NaN only where it comes first.
            best, other, kind = numbers(code, best, other, INT)
            test = f"fcmp {float_test} double" if kind is FLOAT else f"icmp {int_test} i64"
            best = chosen(code, code.value(f"{test} {other.leaf}, {best.leaf}"), other, best)
        return best

    return find


def _len(code: Code, given: Arguments) -> Value:
    (value,) = given
    if isinstance(value.kind, TupleType):
        return constant(len(value.kind.items))
    if isinstance(value.kind, ArrayType) and value.kind.ndim:
        return Value(INT, (shape(value)[0],), natural=True)
    raise Unsupported(f"length of {told(value.kind)}")


def _to(kind: Scalar) -> Callable[[Code, Arguments], Value]:
    return lambda code, given: cast(code, given[0], kind)


def _rounded(name: str) -> Callable[[Code, Arguments], Value]:
    return lambda code, given: cast(code, _float_call(f"llvm.{name}.f64", code, given), INT)


def _isinf(code: Code, given: Arguments) -> Value:
    size = _float_call("llvm.fabs.f64", code, given)
    return Value(BOOL, (code.value(f"fcmp oeq double {size.leaf}, {constant(math.inf).leaf}"),))


def _isnan(code: Code, given: Arguments) -> Value:
    value = cast(code, given[0], FLOAT)
    return Value(BOOL, (code.value(f"fcmp uno double {value.leaf}, {value.leaf}"),))


def _isfinite(code: Code, given: Arguments) -> Value:
    size = _float_call("llvm.fabs.f64", code, given)
    return Value(BOOL, (code.value(f"fcmp olt double {size.leaf}, {constant(math.inf).leaf}"),))


def _extents(value: Value) -> list[Value]:
    return items_of(value) if isinstance(value.kind, TupleType) else [value]


def _zeros(code: Code, given: Arguments) -> Value:
    item = _ITEMS.get(given[1].constant) if len(given) > 1 else FLOAT
    if item is None:
        raise Unsupported("arrays of other items than int64, float64 and bool")
    return arrays.new(code, item, _extents(given[0]))


def _full(code: Code, given: Arguments) -> Value:
    if len(given) != 2 or not isinstance(given[1].kind, Scalar):
        raise Unsupported("np.full with more than a shape and a number")
    result = arrays.new(code, given[1].kind, _extents(given[0]))
    arrays.fill(code, result, given[1])
    return result


def _arange(code: Code, given: Arguments) -> Value:
    if len(given) != 1:
        raise Unsupported("np.arange with more than a number")
    count = cast(code, given[0], INT)
    result = arrays.new(code, INT, [count])
    arrays.loop(code, count.leaf, lambda at: arrays.store(code, arrays.part(code, result, [at]), at))
    return result


def _eye(code: Code, given: Arguments) -> Value:
    if len(given) != 1:
        raise Unsupported("np.eye with more than a number")
    result = arrays.new(code, FLOAT, [given[0], given[0]])
    arrays.loop(
        code,
        cast(code, given[0], INT).leaf,
        lambda at: arrays.store(code, arrays.part(code, result, [at, at]), constant(1.0)),
    )
    return result


FUNCTIONS: dict[Any, Callable[[Code, Arguments], Value]] = {
    abs: _abs,
    np.abs: _abs,
    max: _extreme("ogt", "sgt"),
    min: _extreme("olt", "slt"),
    len: _len,
    int: _to(INT),
    float: _to(FLOAT),
    bool: _to(BOOL),
    math.ceil: _rounded("ceil"),
    math.floor: _rounded("floor"),
    math.fabs: lambda code, given: _float_call("llvm.fabs.f64", code, given),
    math.copysign: lambda code, given: _float_call("llvm.copysign.f64", code, given),
    math.isinf: _isinf,
    math.isnan: _isnan,
    math.isfinite: _isfinite,
    np.zeros: _zeros,
    np.empty: _zeros,
    np.full: _full,
    np.arange: _arange,
    np.eye: _eye,
    np.flatnonzero: lambda code, given: whole_arrays.places_of_true(code, given[0]),
}
FUNCTIONS |= {
    function: functools.partial(_float_call, f"llvm.{name}.f64") for function, name in _INTRINSICS.items()
}
FUNCTIONS |= {function: functools.partial(_float_call, name) for function, name in LIBRARY.items()}


def method(code: Code, array: Value, name: str, given: Arguments) -> Value:
    """Call a method of an array."""
    if name == "copy" and not given:
        return whole_arrays.copied(code, array)
    if name == "max" and not given:
        return whole_arrays.extreme(code, array, "ogt")
    if name == "min" and not given:
        return whole_arrays.extreme(code, array, "olt")
    if name == "reshape" and given:
        return whole_arrays.reshaped(code, array, _extents(given[0]) if len(given) == 1 else list(given))
    raise Unsupported(f"method {name} of an array")
