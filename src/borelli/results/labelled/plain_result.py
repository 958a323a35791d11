"""A result as arrays and labels alone: what a trial is computed, saved and drawn as.

A trial, or a question about a saved result, can so be answered before xarray and pandas, which take half a second, are
loaded; and one that asks for some thousand curves does not pay for the labels of each. Who asks in Python gets a
Dataset: :meth:`PlainResult.to_dataset`.
"""

from __future__ import annotations

import functools
import sys
import weakref
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeGuard

import numpy as np

from borelli.records import dataclass
from borelli.results.labelled.plausible import refuse_absurd

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
    attrs: Mapping[Any, Any]

    @property
    def sizes(self) -> dict[str, int]:
        """How long each dimension is."""
        return dict(zip(self.dims, self.values.shape, strict=True))

    def transpose(self, *dims: str) -> PlainVariable:
        """Return the variable with its dimensions in this order."""
        order = [self.dims.index(dim) for dim in dims]
        return PlainVariable(dims, self.values.transpose(order), self.attrs)

    def at(self, dim: str, place: Any) -> np.ndarray:
        """Return the values at one or several places along a dimension; all of them, where it has no such one."""
        if dim not in self.dims:
            return self.values
        return self.values[tuple(place if each == dim else slice(None) for each in self.dims)]


Given: TypeAlias = "Sequence[Any] | np.ndarray"
"""A variable, its dimensions, values and perhaps attributes, or the labels of the dimension that it is called after."""


@dataclass(frozen=True)
class PlainResult:
    """What an ``xarray.Dataset`` holds, by the same names, as arrays alone.

    Attributes
    ----------
    variables : mapping of name to PlainVariable
        Each with ``dims``, ``values`` and ``attrs``; coordinates among them.
    data_vars : tuple of str
        The variables that are no coordinates.
    attrs : mapping

    Examples
    --------
    >>> from pathlib import Path
    >>> filters = {"cutoff_hz": 10.0, "loads_cutoff_hz": 10.0}
    >>> done = bo.run(bo.Trial(walk.model, walk.motion, Path("arrays"), loads=walk.loads, **filters))
    >>> done.plain["power"].dims, done.plain.to_dataset().identical(done.result)
    (('time', 'coordinate'), True)
    """

    variables: Mapping[str, PlainVariable]
    data_vars: tuple[str, ...]
    attrs: Mapping[Any, Any]

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

    def __getitem__(self, name: str) -> PlainVariable:
        return self.variables[name]

    def __contains__(self, name: object) -> bool:
        return name in self.variables

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

    def at(self, instants: int | np.ndarray) -> PlainResult:
        """Return some instants of the result; of a single one, a result of one instant."""
        place = slice(instants, instants + 1) if isinstance(instants, int) else instants
        variables = {
            name: PlainVariable(each.dims, each.at("time", place), each.attrs)
            for name, each in self.variables.items()
        }
        return replace(self, variables=variables)

    def only(self, names: Collection[str]) -> PlainResult:
        """Return the result with these of its variables, and the coordinates along their dimensions."""
        dims = {dim for name in names for dim in self.variables[name].dims}
        variables = {
            name: each
            for name, each in self.variables.items()
            if name in names or (name not in self.data_vars and set(each.dims) <= dims)
        }
        return replace(self, variables=variables, data_vars=tuple(names))

    def with_attrs(self, attrs: Mapping[Any, Any]) -> PlainResult:
        """Return the result with these attributes besides its own, or in place of them."""
        return replace(self, attrs={**self.attrs, **attrs})

    def with_variables(self, data: Mapping[str, Given]) -> PlainResult:
        """Return the result with these variables besides its own, or in place of them."""
        found = {name: _variable(name, each) for name, each in data.items()}
        names = dict.fromkeys((*self.data_vars, *found))
        return replace(self, variables={**self.variables, **found}, data_vars=tuple(names))

    def merged(self, part: PlainResult) -> PlainResult:
        """Return the result with the variables of a part that it does not have; its attributes stay its own.

        Raises
        ------
        ValueError
            If a dimension that both have differs in its length or its labels.
        """
        for dim in set(self.sizes) & set(part.sizes):
            own, other = (each.variables.get(dim) for each in (self, part))
            alike = own is None or other is None or np.array_equal(own.values, other.values)
            if self.sizes[dim] != part.sizes[dim] or not alike:
                raise ValueError(f"dimension {dim!r} of the part is not that of the result")
        added = {name: each for name, each in part.variables.items() if name not in self.variables}
        data = (*self.data_vars, *(name for name in part.data_vars if name in added))
        return replace(self, variables={**self.variables, **added}, data_vars=data)

    def to_dataset(self) -> xr.Dataset:
        """Return the result as an ``xarray.Dataset``; the numbers are not copied."""
        # Loaded here: it brings xarray.
        from borelli.results.labelled.dataset import unchecked_dataset

        coordinates = dict(self.variables)
        data = {name: coordinates.pop(name) for name in self.data_vars}
        return unchecked_dataset(data, coordinates, self.attrs)


def plain_result(
    data: Mapping[str, Given],
    coordinates: Mapping[str, Given],
    attrs: Mapping[Any, Any] | None = None,
    *,
    looked_at: Collection[str] = (),
) -> PlainResult:
    """Return a result of variables, coordinates and attributes, given as to an ``xarray.Dataset``.

    Numbers that no body has are refused, but in the variables that were ``looked_at`` before.
    """
    refuse_absurd({name: each for name, each in data.items() if name not in looked_at}, coordinates)
    variables = {name: _variable(name, each) for name, each in {**data, **coordinates}.items()}
    return PlainResult(variables, tuple(data), dict(attrs or {}))


def _variable(name: str, given: Given) -> PlainVariable:
    if not isinstance(given, tuple):
        return PlainVariable((name,), np.asarray(given), {})
    dims, values, *attrs = given
    own = (dims,) if isinstance(dims, str) else tuple(dims)
    return PlainVariable(own, np.asarray(values), attrs[0] if attrs else {})


def is_dataset(value: object) -> TypeGuard[xr.Dataset]:
    """Whether something is an ``xarray.Dataset``; where xarray is not loaded, nothing is."""
    xarray = sys.modules.get("xarray")
    return xarray is not None and isinstance(value, xarray.Dataset)


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
