"""Attributes of a result as NetCDF can hold them: text and numbers as they are, the rest as JSON."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from borelli.errors import InvalidValueError
from borelli.results.labelled.plain_result import PlainResult

_JSON_NAMES = "borelli_json_attributes"
_WIDEST = 2**31 - 1
"""Integers of version 2 of the classic NetCDF format have 32 bits."""


def encode(result: PlainResult) -> PlainResult:
    """Return a result whose attributes are text and numbers alone; :func:`decoded` undoes it."""
    variables = {
        name: each._replace(attrs=_encoded(each.attrs, f"variable {name!r}"))
        for name, each in result.variables.items()
    }
    return PlainResult(variables, result.data_vars, _encoded(result.attrs, "the result"))


def plain(value: Any, where: str) -> Any:
    """Return a value made of what JSON knows; NumPy's arrays and numbers become lists and numbers."""
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist(), where)
    if isinstance(value, Mapping):
        return {str(key): plain(each, where) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each, where) for each in value]
    if value is None or isinstance(value, str | bool | int | float):
        return value
    raise InvalidValueError(
        f"An attribute is of type {type(value).__name__}, which cannot be saved.",
        where=where,
        remedy="give text, numbers, or lists and mappings of these",
    )


def _encoded(attributes: Mapping[Hashable, Any], owner: str) -> dict[str, Any]:
    coded: dict[str, Any] = {}
    as_json: list[str] = []
    for key, value in attributes.items():
        value = plain(value, f"attribute {str(key)!r} of {owner}")
        # NetCDF has no truth values, wide integers and empty text, and a list of one number comes back as a number.
        simple = (
            isinstance(value, str | int | float)
            and not isinstance(value, bool)
            and value != ""
            and not (isinstance(value, int) and abs(value) > _WIDEST)
        )
        coded[str(key)] = value if simple else json.dumps(value)
        as_json += [] if simple else [str(key)]
    return {**coded, _JSON_NAMES: json.dumps(as_json)} if as_json else coded


def decoded(attributes: Mapping[Any, Any]) -> dict[Hashable, Any]:
    """Return attributes as they were before they were written: what stands in JSON is taken out of it."""
    as_json = set(json.loads(attributes.get(_JSON_NAMES, "[]")))
    found: dict[Hashable, Any] = {}
    for key, value in attributes.items():
        if key == _JSON_NAMES:
            continue
        value = value.item() if isinstance(value, np.generic) else value
        found[key] = json.loads(value) if key in as_json else value
    return found
