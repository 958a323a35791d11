"""Immutable records: the classes of ``dataclass(frozen=True)``, made in a quarter of the time.

The standard library writes six functions for every class as text and compiles each: a millisecond, and two hundred
classes are made before the first model is read. Here ``__init__`` alone is made so. To compare, to show, to refuse a
change and to be copied is the same for all classes, and needs no text.
"""

from __future__ import annotations

import dataclasses
import operator
import reprlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    # What type checkers know about is the decorator that this one stands for.
    from dataclasses import dataclass as dataclass
else:

    def dataclass(
        *, frozen: bool, eq: bool = True, repr: bool = True, **settings: Any
    ) -> Callable[[type], type]:
        """Make a class of immutable records, as ``dataclasses.dataclass`` does with the same arguments."""

        def made(cls: type) -> type:
            return _record(cls, eq, repr, settings)

        if not frozen:
            raise TypeError("for records that change there is dataclasses.dataclass")
        return made


def _record(cls: type, eq: bool, shown: bool, settings: dict[str, Any]) -> type:
    own = dict(vars(cls))
    with _thawed(cls.__mro__[1:]):
        made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, **settings)(cls)
    methods: dict[str, Any] = {
        "__setattr__": _refuse_change,
        "__delattr__": _refuse_removal,
        "__compared__": _compared(made),
    }
    if "__init__" not in own:
        methods["__init__"] = _initializer(made)
    if shown and "__repr__" not in own:
        methods["__repr__"] = _shown
    if eq and "__eq__" not in own:
        methods["__eq__"] = _equal
    # A class that says how to compare, and not how to hash, has None of the latter.
    if eq and own.get("__hash__") is None:
        methods["__hash__"] = _hash
    if settings.get("slots"):
        methods |= {"__getstate__": _state, "__setstate__": _restore}
    for name, method in methods.items():
        setattr(made, name, method)
    made.__dataclass_params__.init = made.__dataclass_params__.frozen = True
    made.__dataclass_params__.eq, made.__dataclass_params__.repr = eq, shown
    return made


@contextmanager
def _thawed(bases: tuple[type, ...]) -> Iterator[None]:
    """Let the standard library collect the fields of a class whose bases are records: it takes them for frozen."""
    params = [vars(base)["__dataclass_params__"] for base in bases if "__dataclass_params__" in vars(base)]
    frozen = [each for each in params if each.frozen]
    if len(frozen) < len(params):
        raise TypeError("cannot make an immutable record of one that changes")
    for each in frozen:
        each.frozen = False
    try:
        yield
    finally:
        for each in frozen:
            each.frozen = True


def _initializer(cls: Any) -> Callable[..., None]:
    """Return ``__init__``: the only function that is faster if it is written out."""
    known: dict[str, Any] = {"_put": object.__setattr__, "_left_out": _LEFT_OUT}
    positional: list[str] = []
    by_name: list[str] = []
    lines: list[str] = []
    for field in dataclasses.fields(cls):
        name, value = field.name, field.name
        given = name
        if field.default_factory is not dataclasses.MISSING:
            known[f"_make_{name}"] = field.default_factory
            given = f"{name}=_left_out"
            value = f"_make_{name}() if {name} is _left_out else {name}" if field.init else f"_make_{name}()"
        elif field.default is not dataclasses.MISSING:
            known[f"_default_{name}"] = field.default
            given = f"{name}=_default_{name}"
            value = name if field.init else f"_default_{name}"
        elif not field.init:
            continue
        lines.append(f" _put(self, {name!r}, {value})")
        if field.init:
            (by_name if field.kw_only else positional).append(given)
    if hasattr(cls, "__post_init__"):
        lines.append(" self.__post_init__()")
    arguments = ", ".join(["self", *positional, *(["*", *by_name] if by_name else [])])
    exec("\n".join([f"def __init__({arguments}):", *(lines or [" pass"])]), known)
    found: Callable[..., None] = known["__init__"]
    types = {field.name: field.type for field in dataclasses.fields(cls) if field.init}
    found.__annotations__ = {**types, "return": None}
    found.__qualname__, found.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    return found


class _LeftOut:
    """Stands for a default that is made anew for every record."""

    def __repr__(self) -> str:
        return "<factory>"


_LEFT_OUT = _LeftOut()


def _refuse_change(self: Any, name: str, value: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_removal(self: Any, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


@reprlib.recursive_repr()
def _shown(self: Any) -> str:
    parts = [f"{each.name}={getattr(self, each.name)!r}" for each in dataclasses.fields(self) if each.repr]
    return f"{type(self).__qualname__}({', '.join(parts)})"


def _equal(self: Any, other: Any) -> bool:
    if other.__class__ is not self.__class__:
        return NotImplemented
    return bool(self.__compared__(self) == self.__compared__(other))


def _hash(self: Any) -> int:
    return hash((type(self), self.__compared__(self)))


def _compared(cls: Any) -> Callable[[object], object]:
    """Return what gives the values of the fields by which records are compared and hashed."""
    names = [each.name for each in dataclasses.fields(cls) if each.compare]
    if len(names) > 1:
        return operator.attrgetter(*names)
    # Of one name alone, that would give the value and no tuple.
    return staticmethod(lambda record: tuple(getattr(record, name) for name in names))


def _state(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in dataclasses.fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for each, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)
