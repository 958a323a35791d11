"""Curves of a result that are not split by source, and whether it has any that are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from borelli.results.labelled.plain_result import PlainResult, Result
from borelli.results.outputs.output import SOURCE, curves

DRAWING = "drawing"
"""Value of the attribute ``role`` of a variable that only a picture needs."""


def has_shares(result: Result) -> bool:
    """Whether any variable is split by source."""
    return any({"time", SOURCE} <= set(result.variables[str(name)].dims) for name in result.data_vars)


def total_columns(result: Result) -> list[tuple[str, np.ndarray]]:
    """Return name with unit, and values (n_times,), of every curve that is not split by source.

    What is there for a drawing alone (attribute ``role``) is left out, and so are curves that are zero throughout
    of a variable that is mostly zeros (attribute ``sparse``).
    """
    if not isinstance(result, PlainResult):
        return list(_total_columns(result))
    if "total columns" not in result.found:
        result.found["total columns"] = list(_total_columns(result))
    return list(result.found["total columns"])


def _total_columns(result: Result) -> Iterator[tuple[str, np.ndarray]]:
    for variable in map(str, result.data_vars):
        array = result.variables[variable]
        if "time" not in array.dims or SOURCE in array.dims or array.attrs.get("role") == DRAWING:
            continue
        values = np.moveaxis(array.values, array.dims.index("time"), 0)
        flat = values.reshape(len(values), int(np.prod(values.shape[1:]))).T
        told = np.ones(len(flat), dtype=bool)
        if array.attrs.get("sparse"):
            told = ((flat != 0.0) & ~np.isnan(flat)).any(axis=1)
        for curve, column, is_told in zip(curves(result, variable), flat, told, strict=True):
            if is_told:
                yield f"{curve.name} [{curve.unit}]" if curve.unit else curve.name, column
