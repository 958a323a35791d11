"""A result as arrays and labels alone: for questions that need no more of it.

A question about a saved result can so be answered before xarray and pandas, which take half a second, are loaded; and
one that asks for some thousand curves does not pay for the labels of each.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

Result: TypeAlias = "xr.Dataset | PlainResult"


class Labels(NamedTuple):
    """Labels of a dimension in order, and where each stands first."""

    names: tuple[str, ...]
    places: Mapping[str, int]

    @classmethod
    def of(cls, names: tuple[str, ...]) -> Labels:
        """Return the labels with their places."""
        return cls(names, {name: place for place, name in reversed(tuple(enumerate(names)))})


class PlainVariable(NamedTuple):
    """Dimensions, numbers or texts, and attributes of a variable."""

    dims: tuple[str, ...]
    values: np.ndarray
    attrs: Mapping[Hashable, Any]

    @property
    def sizes(self) -> dict[str, int]:
        """How long each dimension is."""
        return dict(zip(self.dims, self.values.shape, strict=True))


@dataclass(frozen=True)
class PlainResult:
    """What an ``xarray.Dataset`` holds, by the same names.

    Attributes
    ----------
    variables : mapping of name to PlainVariable
        Coordinates among them.
    data_vars : tuple of str
        The variables that are no coordinates.
    attrs : mapping
    """

    variables: Mapping[str, PlainVariable]
    data_vars: tuple[str, ...]
    attrs: Mapping[Hashable, Any]

    @classmethod
    def of(cls, result: Result) -> PlainResult:
        """Return a result without its labels; the numbers are not copied."""
        if isinstance(result, PlainResult):
            return result
        variables = {
            str(name): PlainVariable(tuple(map(str, each.dims)), each.values, each.attrs)
            for name, each in result.variables.items()
        }
        return cls(variables, tuple(map(str, result.data_vars)), result.attrs)

    @functools.cached_property
    def sizes(self) -> dict[str, int]:
        """How long each dimension is."""
        return {dim: size for each in self.variables.values() for dim, size in each.sizes.items()}

    @functools.cached_property
    def found(self) -> dict[Hashable, Any]:
        """What was found of this result, by a name of its own: a page asks for the same again and again."""
        return {}

    @functools.cached_property
    def _labels(self) -> dict[str, Labels]:
        return {}

    def labels(self, dim: str) -> Labels:
        """Return the labels of a dimension; those of one without labels are its numbers from 0."""
        if dim not in self._labels:
            own = self.variables.get(dim)
            names = map(str, range(self.sizes[dim]) if own is None else own.values)
            self._labels[dim] = Labels.of(tuple(names))
        return self._labels[dim]

    def at(self, instant: int) -> PlainResult:
        """Return one instant of the result, as a result of one instant."""
        variables = dict(self.variables)
        for name, each in self.variables.items():
            if "time" in each.dims:
                place = tuple(
                    slice(instant, instant + 1) if dim == "time" else slice(None) for dim in each.dims
                )
                variables[name] = PlainVariable(each.dims, each.values[place], each.attrs)
        return PlainResult(variables, self.data_vars, self.attrs)


_known: dict[int, tuple[weakref.ref[pd.Index], Labels]] = {}
"""By the identity of pandas' indexes, which never change and are shared by all that is made from a Dataset."""


def labels(result: Result, dim: str) -> Labels:
    """Return the labels of a dimension; those of one without labels are its numbers from 0."""
    if isinstance(result, PlainResult):
        return result.labels(dim)
    if dim not in result.variables:
        return Labels.of(tuple(map(str, range(result.sizes[dim]))))
    index = result.get_index(dim)
    kept = _known.get(id(index))
    if kept is not None and kept[0]() is index:
        return kept[1]
    key, found = id(index), Labels.of(tuple(map(str, result.variables[dim].values)))
    _known[key] = weakref.ref(index, lambda _: _known.pop(key, None)), found
    return found
