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


def taken_apart(arguments: Sequence[Any]) -> tuple[tuple[int, ...], list[Any]]:
    """Return a key that tells the types of arguments, and their registers one after the other.

    The types themselves take longer to make and to compare than a short kernel takes to run: :func:`types_of` gives
    them where the key is new. Equal keys mean equal types; they are good in one process.

    Raises
    ------
    Unsupported
        If one is of no type that a kernel takes.
    """
    leaves: list[Any] = []
    key: list[int] = []
    for argument in arguments:
        _add(argument, key, leaves)
    return tuple(key), leaves


def types_of(arguments: Sequence[Any]) -> tuple[Type, ...]:
    """Return the types of arguments that :func:`taken_apart` took."""
    return tuple([_type_of(argument) for argument in arguments])


def _type_of(argument: Any) -> Type:
    if isinstance(argument, np.ndarray):
        return _array_type(argument)
    if isinstance(argument, bool | np.bool_):
        return BOOL
    if isinstance(argument, int | np.integer):
        return INT
    if isinstance(argument, float):
        return FLOAT
    if isinstance(argument, tuple):
        return TupleType(types_of(argument), type(argument) if hasattr(argument, "_fields") else None)
    return KNOWN


def layout(kinds: Sequence[Type]) -> struct.Struct:
    """Return how registers are packed as memory, 8 bytes each."""
    words = ["d" if register == "double" else "q" for kind in kinds for register in registers(kind)]
    return struct.Struct("=" + "".join(words))


def put_together(kind: Type | None, memory: bytes) -> Any:
    """Return what a kernel has written as a result."""
    if kind is None:
        return None
    return _built(kind, list(layout([kind]).unpack_from(memory)))


def _built(kind: Type, leaves: list[Any]) -> Any:
    if isinstance(kind, Scalar):
        leaf = leaves.pop(0)
        return bool(leaf) if kind is BOOL else leaf
    if isinstance(kind, TupleType):
        items = [_built(item, leaves) for item in kind.items]
        return tuple(items) if kind.of is None else kind.of(*items)
    return None


_BOOL_KEY, _INT_KEY, _FLOAT_KEY, _KNOWN_KEY, _END_KEY = range(-5, 0)
"""Parts of keys: negative ones, which are the address of no object."""
_ARRAYS: dict[tuple[np.dtype[Any], int, bool], ArrayType] = {}
_NAMED: dict[int, type] = {}
"""Kept, so that no other object gets the address that stands for them in a key."""


def _add(argument: Any, key: list[int], leaves: list[Any]) -> None:
    if isinstance(argument, np.ndarray):
        _add_array(argument, key, leaves)
    elif isinstance(argument, tuple):
        own = type(argument)
        _NAMED[id(own)] = own
        key.append(id(own))
        for item in argument:
            _add(item, key, leaves)
        key.append(_END_KEY)
    elif isinstance(argument, bool | np.bool_):
        key.append(_BOOL_KEY)
        leaves.append(int(argument))
    elif isinstance(argument, int | np.integer):
        key.append(_INT_KEY)
        leaves.append(int(argument))
    elif isinstance(argument, float):
        key.append(_FLOAT_KEY)
        leaves.append(argument)
    elif argument is None:
        key.append(_KNOWN_KEY)
    else:
        raise Unsupported(f"an argument of type {type(argument).__name__}")


def _array_type(array: np.ndarray) -> ArrayType:
    """Return the type of an array, always the same object."""
    flags = array.flags
    known = _ARRAYS.get((array.dtype, array.ndim, flags.c_contiguous))
    if known is None or not flags.aligned:
        item = _ITEMS.get(array.dtype)
        if item is None or not flags.aligned:
            raise Unsupported(f"an array of {array.dtype}")
        made = ArrayType(item, array.ndim, flags.c_contiguous)
        # Of two threads that make it the first one counts.
        known = _ARRAYS.setdefault((array.dtype, array.ndim, flags.c_contiguous), made)
    return known


def _add_array(array: np.ndarray, key: list[int], leaves: list[Any]) -> None:
    kind = _array_type(array)
    key.append(id(kind))
    # Several times as quick as array.ctypes.data.
    leaves.append(array.__array_interface__["data"][0])
    leaves += array.shape
    if not kind.contiguous:
        size = array.itemsize
        if any(step % size for step in array.strides):
            raise Unsupported("an array with items across those of others")
        leaves += [step // size for step in array.strides]
