"""Words of the command line as text, paths and numbers, where that is plain; the rest is Typer's.

Typer reads every option by pydantic, which takes a tenth of a second to load: more than ``borelli --help`` takes as a
whole. What a plain word or nothing at all stands for is known without. Whatever is not plain goes to Typer, and so do
all errors: what is accepted and what is told of a wrong word are Typer's own.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args, get_origin

from typer.core import TyperCommand

_PATTERNS: dict[Any, re.Pattern[str]] = {
    float: re.compile(r"[+-]?[0-9]{1,15}(\.[0-9]{0,15})?([eE][+-]?[0-9]{1,2})?"),
    int: re.compile(r"[+-]?(0|[1-9][0-9]{0,14})"),
}
_NO_VALUE = object()
# Settings of an option by which Typer checks or changes its value.
_CHECKS = ("parser", "min", "max", "formats", "exists", "writable", "resolve_path", "allow_dash", "path_type")


class PlainCommand(TyperCommand):
    """A command whose options read plain words without pydantic."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options and arguments."""
        return [plainly_read(option) for option in super().get_params(ctx)]


def plainly_read(option: Any) -> Any:
    """Let an option read plain words without pydantic; return the option."""
    if not isinstance(option.process_value, functools.partial):
        described: Any = getattr(option, "type_descriptor", None)
        settings = getattr(described, "parameter_info", None)
        if settings is not None and not any(getattr(settings, name, True) for name in _CHECKS):
            option.process_value = functools.partial(
                _value, option, described.annotation, option.process_value
            )
    return option


def _value(option: Any, kind: Any, by_typer: Callable[[Any, Any], Any], context: Any, word: Any) -> Any:
    """Return the value of an option, as Typer's ``process_value`` does."""
    several = option.multiple or option.nargs == -1
    if word is None:
        found: Any = _NO_VALUE if option.required else () if several else None
    elif several:
        found = _plain_list(kind, word)
    else:
        found = _plain(kind, word) if option.nargs == 1 else _NO_VALUE
    if found is _NO_VALUE:
        return by_typer(context, word)
    return found if option.callback is None else option.callback(context, option, found)


def _plain_list(kind: Any, words: Any) -> Any:
    """Return what several words stand for, or ``_NO_VALUE`` where that is not plain, or there are none."""
    if get_origin(kind) is not list or not isinstance(words, list | tuple):
        return _NO_VALUE
    found = [_plain(get_args(kind)[0], word) for word in words]
    return found if found and _NO_VALUE not in found else _NO_VALUE


def _plain(kind: Any, word: Any) -> Any:
    """Return what a word stands for, or ``_NO_VALUE`` where that is not plain."""
    if kind in (str, int, float) and type(word) is kind:
        return word
    if kind is Path and isinstance(word, Path):
        return word
    if type(word) is not str:
        return _NO_VALUE
    if kind is Path and word:
        return Path(word)
    pattern = _PATTERNS.get(kind)
    return kind(word) if pattern is not None and pattern.fullmatch(word) else _NO_VALUE
