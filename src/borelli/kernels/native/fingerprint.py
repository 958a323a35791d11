"""What the code of a kernel depends on: its own, and that of all kernels it calls, however far away."""

from __future__ import annotations

import hashlib
import types
from collections.abc import Callable
from typing import Any

from borelli.kernels.native.expressions import python_function

_PLAIN = (bool, int, float, str, type(None))


def fingerprint(function: Callable[..., Any]) -> bytes:
    """Return a digest that changes with anything that the code of a kernel is made from.

    These are the instructions of the function and of every kernel that it reaches by name, in whatever folder, and the
    constants of the modules that they read.
    """
    digest = hashlib.sha256()
    seen: set[int] = set()
    waiting = [function]
    while waiting:
        plain = waiting.pop()
        if id(plain) in seen:
            continue
        seen.add(id(plain))
        digest.update(f"{plain.__module__}.{plain.__qualname__}\0".encode())
        digest.update(_told(plain.__code__))
        digest.update(repr(plain.__defaults__).encode())
        for name, thing in _named(plain):
            reached = python_function(thing)
            if reached is not None:
                waiting.append(reached)
                digest.update(f"{name}={reached.__module__}.{reached.__qualname__}\0".encode())
            else:
                digest.update(f"{name}={_constant(thing)}\0".encode())
    return digest.digest()


def _named(plain: Callable[..., Any]) -> list[tuple[str, Any]]:
    """Return what a function finds outside itself, by name."""
    code = plain.__code__
    found = {name: plain.__globals__[name] for name in code.co_names if name in plain.__globals__}
    for name, cell in zip(code.co_freevars, plain.__closure__ or (), strict=True):
        found[name] = cell.cell_contents
    return sorted(found.items(), key=lambda pair: pair[0])


def _told(code: types.CodeType) -> bytes:
    inner = b"".join(_told(item) for item in code.co_consts if isinstance(item, types.CodeType))
    plain = repr([item for item in code.co_consts if not isinstance(item, types.CodeType)])
    return code.co_code + repr((code.co_names, code.co_varnames)).encode() + plain.encode() + inner


def _constant(thing: Any) -> str:
    if isinstance(thing, _PLAIN):
        return repr(thing)
    if isinstance(thing, tuple):
        return f"{type(thing).__name__}({','.join(map(_constant, thing))})"
    if isinstance(thing, type):
        return f"{thing.__name__}{getattr(thing, '_fields', '')}"
    if isinstance(thing, types.ModuleType):
        return thing.__name__
    return str(getattr(thing, "tobytes", lambda: type(thing).__name__)())
