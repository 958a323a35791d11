"""Arguments from Python: their types, and their registers."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from borelli.kernels.native.types import (
    BOOL,
    FLOAT,
    INT,
    INT8,
    INT32,
    KNOWN,
    ArrayType,
    Scalar,
    TupleType,
    Type,
    Unsupported,
    registers,
)

_ITEMS: dict[np.dtype[Any], Scalar] = {
    np.dtype(np.float64): FLOAT,
    np.dtype(np.int64): INT,
    np.dtype(np.int32): INT32,
    np.dtype(np.int8): INT8,
    np.dtype(np.bool_): BOOL,
}


def taken_apart(arguments: Sequence[Any]) -> tuple[tuple[Type, ...], list[Any]]:
    """Return the types of arguments, and their registers one after the other.

    Raises
    ------
    Unsupported
        If one is of no type that a kernel takes.
    """
    leaves: list[Any] = []
    return tuple([_add(argument, leaves) for argument in arguments]), leaves


def packed(kinds: Sequence[Type], leaves: Sequence[Any]) -> bytes:
    """Return registers as memory, 8 bytes each."""
    words = ["d" if register == "double" else "q" for kind in kinds for register in registers(kind)]
    return struct.pack("=" + "".join(words), *leaves)


def put_together(kind: Type | None, memory: bytes) -> Any:
    """Return what a kernel has written as a result."""
    if kind is None:
        return None
    words = ["d" if register == "double" else "q" for register in registers(kind)]
    leaves = list(struct.unpack_from("=" + "".join(words), memory))
    return _built(kind, leaves)


def _built(kind: Type, leaves: list[Any]) -> Any:
    if isinstance(kind, Scalar):
        leaf = leaves.pop(0)
        return bool(leaf) if kind is BOOL else leaf
    if isinstance(kind, TupleType):
        items = [_built(item, leaves) for item in kind.items]
        return tuple(items) if kind.of is None else kind.of(*items)
    return None


def _add(argument: Any, leaves: list[Any]) -> Type:
    if isinstance(argument, np.ndarray):
        return _add_array(argument, leaves)
    if isinstance(argument, bool | np.bool_):
        leaves.append(int(argument))
        return BOOL
    if isinstance(argument, int | np.integer):
        leaves.append(int(argument))
        return INT
    if isinstance(argument, float):
        leaves.append(argument)
        return FLOAT
    if isinstance(argument, tuple):
        kinds = tuple([_add(item, leaves) for item in argument])
        return TupleType(kinds, type(argument) if hasattr(argument, "_fields") else None)
    if argument is None:
        return KNOWN
    raise Unsupported(f"an argument of type {type(argument).__name__}")


def _add_array(array: np.ndarray, leaves: list[Any]) -> ArrayType:
    item = _ITEMS.get(array.dtype)
    if item is None or not array.flags.aligned:
        raise Unsupported(f"an array of {array.dtype}")
    contiguous = array.flags.c_contiguous
    leaves.append(array.ctypes.data)
    leaves += array.shape
    if not contiguous:
        size = array.itemsize
        if any(step % size for step in array.strides):
            raise Unsupported("an array with items across those of others")
        leaves += [step // size for step in array.strides]
    return ArrayType(item, array.ndim, contiguous)
