"""Kernels as plain Python, for machines without a compiler: slow, and the same numbers.

Compiled code computes as NumPy does: division by zero gives infinity, the root of a negative number is NaN. Python's
own floats would raise. A module's kernels are therefore given NumPy's functions in place of those of ``math``, and
NumPy's float in place of Python's, so that every number they meet is one of NumPy's.
"""

from __future__ import annotations

import functools
import math
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, TypeVar, cast

import numpy as np

from borelli.notice import compilation_notice

F = TypeVar("F", bound=Callable[..., Any])

_NAMES = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2", "asinh": "arcsinh"}
_NAMES |= {"acosh": "arccosh", "atanh": "arctanh", "fabs": "absolute", "pow": "power"}


def _like_numpy() -> SimpleNamespace:
    """Return a stand-in for the module ``math`` whose functions never raise."""
    own: dict[str, Any] = {name: getattr(math, name) for name in ("pi", "e", "inf", "nan", "tau")}
    for name in dir(math):
        twin = getattr(np, _NAMES.get(name, name), None)
        if isinstance(twin, np.ufunc):
            own[name] = twin
    # As in compiled code these two give whole numbers.
    own["floor"] = lambda x: int(np.floor(x))
    own["ceil"] = lambda x: int(np.ceil(x))
    return SimpleNamespace(**own)


_MATH = _like_numpy()


class _Running(threading.local):
    """Whether a kernel is running in this thread: those that it calls need no preparation."""

    inside = False


_running = _Running()


def interpreted(function: F) -> F:
    """Return a kernel that runs as it stands, with NumPy's arithmetic; it never counts as yet to be compiled."""
    scope = function.__globals__
    if scope.get("math") is math:
        scope["math"] = _MATH
    scope.setdefault("float", np.float64)

    @functools.wraps(function)
    def run(*arguments: Any) -> Any:
        if _running.inside:
            return function(*arguments)
        _running.inside = True
        try:
            with np.errstate(all="ignore"), compilation_notice(function.__name__):
                return function(*map(_as_numpy, arguments))
        finally:
            _running.inside = False

    run.signatures = run.overloads = (None,)  # type: ignore[attr-defined]
    run.py_func = function  # type: ignore[attr-defined]
    return cast("F", run)


def _as_numpy(argument: Any) -> Any:
    return np.float64(argument) if type(argument) is float else argument
