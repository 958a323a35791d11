"""Values of expressions, and arithmetic on numbers."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from borelli.kernels.native.code import Code, literal
from borelli.kernels.native.types import (
    BOOL,
    FLOAT,
    INT,
    KNOWN,
    ArrayType,
    KnownType,
    Scalar,
    TupleType,
    Type,
    Unsupported,
    registers,
    told,
    unified,
)
from borelli.records import dataclass

_UNKNOWN: Any = object()
_FLOAT_OPERATIONS = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}
_INT_OPERATIONS = {ast.Add: "add nsw", ast.Sub: "sub nsw", ast.Mult: "mul nsw", ast.LShift: "shl"}
_BIT_OPERATIONS = {ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor"}
_COMPARISONS: dict[type, tuple[str, str]] = {
    ast.Eq: ("oeq", "eq"),
    ast.NotEq: ("une", "ne"),
    ast.Lt: ("olt", "slt"),
    ast.LtE: ("ole", "sle"),
    ast.Gt: ("ogt", "sgt"),
    ast.GtE: ("oge", "sge"),
}


@dataclass(frozen=True, slots=True)
class Value:
    """What an expression gives.

    Attributes
    ----------
    kind : Type
    leaves : tuple of str
        Registers, or literals.
    constant : object
        What it is, where that is known now.
    natural : bool
        Whether it is known to be an integer of zero or more: as an index it then counts from the beginning.
    """

    kind: Type
    leaves: tuple[str, ...] = ()
    constant: Any = _UNKNOWN
    natural: bool = False

    @property
    def is_constant(self) -> bool:
        """Whether it is known now."""
        return self.constant is not _UNKNOWN

    @property
    def is_none(self) -> bool:
        """Whether it is None."""
        return self.constant is None

    @property
    def leaf(self) -> str:
        """The first register: a number, or the address of an array."""
        return self.leaves[0]


def constant(thing: Any) -> Value:
    """Return the value of something that is known when the code is written."""
    if isinstance(thing, bool | np.bool_):
        return Value(BOOL, (literal(bool(thing), BOOL),), bool(thing))
    if isinstance(thing, int | np.integer):
        return Value(INT, (literal(int(thing), INT),), int(thing), bool(thing >= 0))
    if isinstance(thing, float):
        return Value(FLOAT, (literal(thing, FLOAT),), thing)
    if isinstance(thing, tuple):
        return tuple_of(
            [constant(item) for item in thing], type(thing) if hasattr(thing, "_fields") else None
        )
    return Value(KNOWN, (), thing)


def tuple_of(items: list[Value], of: type | None = None) -> Value:
    """Return a tuple of values."""
    kind = TupleType(tuple(item.kind for item in items), of)
    known = tuple(item.constant for item in items) if all(item.is_constant for item in items) else _UNKNOWN
    return Value(kind, tuple(leaf for item in items for leaf in item.leaves), known)


def items_of(value: Value) -> list[Value]:
    """Take a tuple apart."""
    if not isinstance(value.kind, TupleType):
        raise Unsupported(f"items of {told(value.kind)}")
    items, at = [], 0
    for number, kind in enumerate(value.kind.items):
        size = len(registers(kind))
        if value.is_constant:
            items.append(constant(value.constant[number]))
        else:
            # None and other things without a register are known from their type alone.
            known = None if isinstance(kind, KnownType) else _UNKNOWN
            items.append(Value(kind, value.leaves[at : at + size], known))
        at += size
    return items


def cast(code: Code, value: Value, kind: Type) -> Value:
    """Return a value as one of another type that holds it."""
    if value.kind == kind:
        return value
    if isinstance(kind, Scalar) and isinstance(value.kind, Scalar):
        if value.is_constant:
            python = {FLOAT: float, INT: int, BOOL: bool}[kind]
            return constant(python(value.constant))
        if kind is BOOL:
            return truth(code, value)
        if kind is FLOAT:
            how = "sitofp i64" if value.kind is INT else "uitofp i1"
            return Value(FLOAT, (code.value(f"{how} {value.leaf} to double"),))
        how = "zext i1" if value.kind is BOOL else "fptosi double"
        return Value(INT, (code.value(f"{how} {value.leaf} to i64"),), natural=value.kind is BOOL)
    if (
        isinstance(kind, ArrayType)
        and isinstance(value.kind, ArrayType)
        and unified(kind, value.kind) == kind
    ):
        return Value(kind, (value.leaf, *shape(value), *strides(code, value)))
    if (
        isinstance(kind, TupleType)
        and isinstance(value.kind, TupleType)
        and len(kind.items) == len(value.kind.items)
    ):
        pairs = zip(items_of(value), kind.items, strict=True)
        return tuple_of([cast(code, item, own) for item, own in pairs], kind.of)
    raise Unsupported(f"{told(value.kind)} as {told(kind)}")


def shape(array: Value) -> tuple[str, ...]:
    """Return the registers of an array's shape."""
    assert isinstance(array.kind, ArrayType)
    return array.leaves[1 : 1 + array.kind.ndim]


def strides(code: Code, array: Value) -> list[str]:
    """Return the registers of an array's strides, in items."""
    assert isinstance(array.kind, ArrayType)
    if not array.kind.contiguous:
        return list(array.leaves[1 + array.kind.ndim :])
    steps = ["1"]
    for extent in reversed(shape(array)[1:]):
        steps.insert(0, extent if steps[0] == "1" else code.value(f"mul nsw i64 {extent}, {steps[0]}"))
    return steps


def truth(code: Code, value: Value) -> Value:
    """Return whether a number counts as true."""
    if value.kind is BOOL:
        return value
    if value.kind is INT:
        return Value(BOOL, (code.value(f"icmp ne i64 {value.leaf}, 0"),))
    if value.kind is FLOAT:
        return Value(BOOL, (code.value(f"fcmp une double {value.leaf}, 0.0"),))
    raise Unsupported(f"whether {told(value.kind)} is true")


def numbers(code: Code, a: Value, b: Value, at_least: Scalar = BOOL) -> tuple[Value, Value, Scalar]:
    """Return two numbers as ones of the same type."""
    if not (isinstance(a.kind, Scalar) and isinstance(b.kind, Scalar)):
        raise Unsupported(f"arithmetic of {told(a.kind)} and {told(b.kind)}")
    kind = unified(unified(a.kind, b.kind), at_least)
    assert isinstance(kind, Scalar)
    return cast(code, a, kind), cast(code, b, kind), kind


def arithmetic(code: Code, operator: ast.operator, a: Value, b: Value) -> Value:
    """Apply an operator of Python to two numbers."""
    how = type(operator)
    product = b.kind is INT and b.is_constant
    if how in _BIT_OPERATIONS:
        a, b, kind = numbers(code, a, b)
        if kind is FLOAT:
            raise Unsupported("bits of floats")
        return Value(kind, (code.value(f"{_BIT_OPERATIONS[how]} {kind.register} {a.leaf}, {b.leaf}"),))
    a, b, kind = numbers(code, a, b, FLOAT if how is ast.Div else INT)
    if a.is_constant and b.is_constant and how in (ast.Add, ast.Sub, ast.Mult):
        x, y = a.constant, b.constant
        return constant(x + y if how is ast.Add else x - y if how is ast.Sub else x * y)
    if how is ast.Pow:
        return _power(code, a, b, kind, product)
    if kind is FLOAT:
        if how not in _FLOAT_OPERATIONS:
            raise Unsupported(f"{how.__name__} of floats")
        return Value(FLOAT, (code.value(f"{_FLOAT_OPERATIONS[how]} double {a.leaf}, {b.leaf}"),))
    if how in (ast.FloorDiv, ast.Mod):
        return _floored(code, how is ast.Mod, a, b)
    if how not in _INT_OPERATIONS:
        raise Unsupported(f"{how.__name__} of integers")
    natural = a.natural and b.natural and how is not ast.Sub
    return Value(INT, (code.value(f"{_INT_OPERATIONS[how]} i64 {a.leaf}, {b.leaf}"),), natural=natural)


def _floored(code: Code, remainder: bool, a: Value, b: Value) -> Value:
    """Quotient or remainder that round down, as in Python, by a positive constant: others might be zero."""
    if not b.is_constant or b.constant <= 0:
        raise Unsupported("division by an integer that is no positive constant")
    rest = code.value(f"srem i64 {a.leaf}, {b.leaf}")
    below = "false" if a.natural else code.value(f"icmp slt i64 {rest}, 0")
    if remainder:
        up = code.value(f"add nsw i64 {rest}, {b.leaf}")
        return Value(INT, (code.value(f"select i1 {below}, i64 {up}, i64 {rest}"),), natural=True)
    quotient = code.value(f"sdiv i64 {a.leaf}, {b.leaf}")
    less = code.value(f"sub nsw i64 {quotient}, 1")
    return Value(INT, (code.value(f"select i1 {below}, i64 {less}, i64 {quotient}"),), natural=a.natural)


def _power(code: Code, a: Value, b: Value, kind: Scalar, product: bool) -> Value:
    """Products for small constant integers, as Numba writes them; the library's function for anything else."""
    if kind is not FLOAT:
        raise Unsupported("powers of integers")
    if not product or not 0 < b.constant <= 64:
        return Value(FLOAT, (code.value(f"call double @llvm.pow.f64(double {a.leaf}, double {b.leaf})"),))
    exponent, result, square = int(b.constant), "", a.leaf
    while exponent:
        if exponent & 1:
            result = code.value(f"fmul double {result}, {square}") if result else square
        exponent >>= 1
        if exponent:
            square = code.value(f"fmul double {square}, {square}")
    return Value(FLOAT, (result,))


def compared(code: Code, operator: ast.cmpop, a: Value, b: Value) -> Value:
    """Compare two numbers."""
    if type(operator) not in _COMPARISONS:
        raise Unsupported(f"{type(operator).__name__} as a comparison")
    a, b, kind = numbers(code, a, b, INT)
    float_test, int_test = _COMPARISONS[type(operator)]
    test = f"fcmp {float_test} double" if kind is FLOAT else f"icmp {int_test} i64"
    return Value(BOOL, (code.value(f"{test} {a.leaf}, {b.leaf}"),))


def chosen(code: Code, condition: str, yes: Value, no: Value) -> Value:
    """Return one of two values of the same type, both of which have been computed."""
    leaves = tuple(
        code.value(f"select i1 {condition}, {register} {a}, {register} {b}")
        for register, a, b in zip(registers(yes.kind), yes.leaves, no.leaves, strict=True)
    )
    return Value(yes.kind, leaves, natural=yes.natural and no.natural)
