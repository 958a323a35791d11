"""What a kernel computes with: numbers, arrays, tuples, and None."""

from __future__ import annotations

import importlib
from typing import Any

from borelli.records import dataclass


class Unsupported(Exception):
    """A kernel uses what this compiler does not translate; Numba does."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """A number: one LLVM register."""

    name: str
    register: str
    memory: str
    """LLVM type of an item of an array"""


FLOAT = Scalar("float", "double", "double")
INT = Scalar("int", "i64", "i64")
BOOL = Scalar("bool", "i1", "i8")
INT8 = Scalar("int8", "i64", "i8")
INT32 = Scalar("int32", "i64", "i32")
"""Integers that are short in memory; read, they are like all others."""


@dataclass(frozen=True, slots=True)
class ArrayType:
    """An array: its address, its shape and, where it is not contiguous, its strides in items."""

    item: Scalar
    ndim: int
    contiguous: bool


@dataclass(frozen=True, slots=True)
class TupleType:
    """A tuple of values side by side; ``of`` is the class of a NamedTuple."""

    items: tuple[Type, ...]
    of: type | None = None


@dataclass(frozen=True, slots=True)
class KnownType:
    """Something known when the code is written, such as None, a module or a function; it takes no register."""


Type = Scalar | ArrayType | TupleType | KnownType
KNOWN = KnownType()


def registers(kind: Type) -> list[str]:
    """Return the LLVM types of the registers that a value takes."""
    if isinstance(kind, Scalar):
        return [kind.register]
    if isinstance(kind, ArrayType):
        return ["ptr"] + ["i64"] * (kind.ndim if kind.contiguous else 2 * kind.ndim)
    if isinstance(kind, TupleType):
        return [register for item in kind.items for register in registers(item)]
    return []


def unified(a: Type, b: Type) -> Type:
    """Return the narrowest type that holds values of both.

    Raises
    ------
    Unsupported
        If there is none.
    """
    if a == b:
        return a
    if isinstance(a, Scalar) and isinstance(b, Scalar):
        return FLOAT if FLOAT in (a, b) else INT
    if isinstance(a, ArrayType) and isinstance(b, ArrayType) and (a.item, a.ndim) == (b.item, b.ndim):
        return ArrayType(a.item, a.ndim, False)
    if (
        isinstance(a, TupleType)
        and isinstance(b, TupleType)
        and len(a.items) == len(b.items)
        and a.of is b.of
    ):
        return TupleType(tuple(unified(x, y) for x, y in zip(a.items, b.items, strict=True)), a.of)
    raise Unsupported(f"one name for {told(a)} and {told(b)}")


def holds_arrays(kind: Type) -> bool:
    """Whether a value refers to memory."""
    return isinstance(kind, ArrayType) or (
        isinstance(kind, TupleType) and any(holds_arrays(item) for item in kind.items)
    )


def told(kind: Type) -> str:
    """Name a type; equal names mean equal types."""
    if isinstance(kind, Scalar):
        return kind.name
    if isinstance(kind, ArrayType):
        return f"{kind.item.name}[{kind.ndim}{'' if kind.contiguous else ' strided'}]"
    if isinstance(kind, TupleType):
        fields: Any = getattr(kind.of, "_fields", ())
        return f"{getattr(kind.of, '__name__', '')}{','.join(fields)}({', '.join(map(told, kind.items))})"
    return "known"


def written(kind: Type | None) -> str:
    """Write a type that Python gets as a result, so that :func:`read` finds it again."""
    if kind is None or isinstance(kind, KnownType):
        return "n"
    if isinstance(kind, Scalar):
        return kind.name[0]
    if isinstance(kind, TupleType):
        of = "" if kind.of is None else f"{kind.of.__module__}:{kind.of.__qualname__}"
        return f"({of} {' '.join(map(written, kind.items))})"
    raise Unsupported("a kernel that returns an array to Python")


def read(text: str) -> Type | None:
    """Return the type that :func:`written` wrote; None for none.

    Raises
    ------
    ValueError
        If it wrote something else.
    """
    words = text.replace(")", " )").split(" ")
    kind = _read(words)
    if words:
        raise ValueError(f"no type: {text!r}")
    return None if kind == KNOWN else kind


def _read(words: list[str]) -> Type:
    word = words.pop(0)
    if not word.startswith("("):
        plain: dict[str, Type] = {"f": FLOAT, "i": INT, "b": BOOL, "n": KNOWN}
        return plain[word]
    items: list[Type] = []
    while words and words[0] != ")":
        if words[0]:
            items.append(_read(words))
        else:
            words.pop(0)
    words.pop(0)
    module, _, name = word[1:].partition(":")
    return TupleType(tuple(items), getattr(importlib.import_module(module), name) if name else None)
