"""What is said where a public function is given something of another kind: a path for a model, one load for several.

Nothing is looked at before a call: an object of another class that has what is needed will do. Only where a call fails
with an error of Python's are its arguments compared with the kinds that its signature names.
"""

from __future__ import annotations

import functools
import inspect
import operator
import os
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from borelli.errors import BorelliError, InvalidValueError

_RECORDS = frozenset(
    {
        "Model",
        "Motion",
        "Load",
        "SymbolicLoad",
        "Measurement",
        "Criterion",
        "Norms",
        "Trial",
        "Recording",
        "Table",
    }
    | {"Chain", "PlanarCase", "Output", "Contact", "Couple", "Equipment"}
)
_READERS = {
    "Model": "borelli.load_model reads one from a file",
    "Motion": "borelli.load_motion reads one from a file",
    "Load": "borelli.load_loads reads them from a file; put a single one into a list",
    "Table": "borelli.load_table reads one from a file",
    "Chain": "borelli.load_chain reads one from a file",
    "Recording": "borelli.load_c3d reads one from a file",
    "Dataset": "borelli.load_result reads one from a folder",
}
_SEVERAL = re.compile(r"(?:Iterable|Sequence|Collection|tuple)\[(.+?)(?:, \.\.\.)?\]")


def told_of_kinds(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a public function whose failed calls name the argument that is not of its kind.

    Parameters
    ----------
    function : callable
        Its annotations are texts, such as ``Iterable[Load]``.
    """

    @functools.wraps(function)
    def public(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except BorelliError:
            raise
        except Exception as error:  # compilers have errors of their own
            _refuse_other_kinds(function, args, kwargs, error)
            raise

    # Who asks for what a public function was made from means its computation, not the function without this.
    del public.__wrapped__
    if hasattr(function, "__wrapped__"):
        public.__wrapped__ = function.__wrapped__
    public.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    return public


def _refuse_other_kinds(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], error: Exception
) -> None:
    signature = inspect.signature(function)
    try:
        given = signature.bind(*args, **kwargs).arguments
    except TypeError:
        return
    # Two packages may have a class of the same name, such as a motion.
    known = getattr(inspect.unwrap(function), "__globals__", {})
    for name, value in given.items():
        wanted = str(signature.parameters[name].annotation)
        if not _fits(value, wanted, known):
            kinds = [remedy for kind, remedy in _READERS.items() if kind in re.findall(r"\w+", wanted)]
            raise InvalidValueError(
                f"{name} of {function.__name__} must be {_in_words(wanted)}, not {_described(value)}.",
                remedy=kinds[0] if kinds else None,
            ) from error


def _fits(value: Any, wanted: str, known: Mapping[str, Any]) -> bool:
    """Whether a value is of one of the kinds of an annotation; kinds that are not known here fit."""
    return any(_is(value, kind, known) for kind in _alternatives(wanted))


def _alternatives(wanted: str) -> list[str]:
    """Split an annotation at the bars that are not inside brackets."""
    parts, depth = [""], 0
    for letter in wanted:
        depth += (letter == "[") - (letter == "]")
        if letter == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def _is(value: Any, kind: str, known: Mapping[str, Any]) -> bool:
    several = _SEVERAL.fullmatch(kind)
    if several is not None:
        if isinstance(value, str | bytes) or not isinstance(value, Iterable):
            return False
        # What gives its items only once has given them to the call.
        return not hasattr(value, "__len__") or all(_fits(each, several[1], known) for each in value)
    if kind in _RECORDS and isinstance(known.get(kind), type):
        return isinstance(value, known[kind])
    if kind in _RECORDS:
        return any(each.__name__ == kind for each in type(value).__mro__)
    if kind.startswith("Mapping["):
        return isinstance(value, Mapping)
    if kind.startswith("Callable["):
        return callable(value)
    test = _TESTS.get(kind)
    return True if test is None else bool(test(value))


def _is_whole(value: Any) -> bool:
    try:
        operator.index(value)
    except (TypeError, ValueError):
        return False
    return True


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return not isinstance(value, str | bytes) and "time" not in str(getattr(value, "dtype", ""))


def _is_logical(value: Any) -> bool:
    return isinstance(value, bool) or type(value).__name__ in ("bool", "bool_")


def _has_variables(value: Any) -> bool:
    return hasattr(value, "data_vars") or hasattr(value, "to_dataset")


_TESTS: dict[str, Callable[[Any], bool]] = {
    "None": lambda value: value is None,
    "str": lambda value: isinstance(value, str),
    "int": _is_whole,
    "float": _is_number,
    "bool": _is_logical,
    "os.PathLike[str]": lambda value: isinstance(value, os.PathLike),
    "File": lambda value: isinstance(value, str | os.PathLike),
    "Result": _has_variables,
    "xr.Dataset": _has_variables,
    "xr.DataArray": lambda value: hasattr(value, "dims"),
    "Tensions": lambda value: value is None or isinstance(value, Mapping) or _has_variables(value),
    "Curves": lambda value: value is None or isinstance(value, Mapping),
    "Progress": callable,
}


_WORDS = {
    "Result": "a result",
    "Curves": "a mapping of names to arrays",
    "Tensions": "a Dataset, or a mapping of names to arrays",
    "os.PathLike[str]": "a path",
}


def _in_words(wanted: str) -> str:
    words = [
        _WORDS.get(each)
        or re.sub(
            r"^(?:Iterable|Sequence|Collection|tuple(?=.*\.{3}))\[(.+?)(?:, \.{3})?\]$", r"several \1", each
        ).replace("[str]", "")
        for each in _alternatives(wanted)
    ]
    return " or ".join(word.removeprefix("xr.").removeprefix("os.") for word in words)


def _described(value: Any) -> str:
    if isinstance(value, str | int | float | os.PathLike) or value is None:
        return f"{type(value).__name__} {str(value)[:40]!r}" if value is not None else "None"
    return f"a {type(value).__name__}"
