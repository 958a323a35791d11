"""Plain values as TOML text: what the standard library reads but does not write."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from borelli.errors import UnsupportedError

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
# Letters of a line: a list of vectors that is longer takes a line for each.
_WIDTH = 100


def document(content: dict[str, Any]) -> str:
    """Write a document: scalars first, then a ``[[table]]`` for each item of a list of tables."""
    tables = {key: value for key, value in content.items() if _is_list_of_tables(value)}
    lines = [f"{_key(key)} = {_value(value)}" for key, value in content.items() if key not in tables]
    for key, items in tables.items():
        for item in items:
            lines += ["", f"[[{_key(key)}]]"]
            lines += [f"{_key(name)} = {_value(value)}" for name, value in item.items()]
    return "\n".join(lines) + "\n"


def _is_list_of_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _string(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return _list([_value(item) for item in value])
    raise UnsupportedError(
        f"{value!r} cannot be written to a file: it is not a plain number or text.",
        remedy="replace symbols and dual numbers by numbers first",
    )


def _list(items: list[str]) -> str:
    one_line = "[" + ", ".join(items) + "]"
    if len(one_line) <= _WIDTH or not any(item.startswith(("{", "[")) for item in items):
        return one_line
    return "[\n" + "".join(f"    {item},\n" for item in items) + "]"


def _float(value: float) -> str:
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return repr(float(value))


def _string(text: str) -> str:
    # JSON and TOML escape alike, but for the delete character, which JSON lets pass.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
