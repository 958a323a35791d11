"""Public functions that return labels of xarray, made from computations that return arrays.

A computation is written once, with the signature and the docstring of its public name; ``@returns_dataset`` makes the
public function of it. A trial, which must not wait for xarray, calls ``plain(paths)(model, motion)`` instead of
``paths(model, motion)`` and gets the same result as arrays.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, cast

from borelli.results.labelled.plain_result import PlainResult

if TYPE_CHECKING:
    import xarray as xr

P = ParamSpec("P")


def returns_dataset(compute: Callable[P, PlainResult]) -> Callable[P, xr.Dataset]:
    """Make the public function of a computation: what it returns is a Dataset."""
    return _public(compute, PlainResult.to_dataset, "xr.Dataset")


def returns_array(variable: str) -> Callable[[Callable[P, PlainResult]], Callable[P, xr.DataArray]]:
    """Make the public function of a computation: what it returns is one variable, with all coordinates."""
    # By way of a Dataset, because a DataArray copies what it is given as coordinates.
    return lambda compute: _public(compute, lambda found: found.to_dataset()[variable], "xr.DataArray")


def plain(public: Callable[P, xr.Dataset | xr.DataArray]) -> Callable[P, PlainResult]:
    """Return the computation that a public function was made from."""
    return cast("Any", public).__wrapped__


def _public(compute: Callable[P, PlainResult], label: Callable[[PlainResult], Any], says: str) -> Any:
    @wraps(compute)
    def public(*args: P.args, **kwargs: P.kwargs) -> Any:
        return label(compute(*args, **kwargs))

    # What help() and inspect show; without it, they would show what the computation returns.
    public.__signature__ = inspect.signature(compute).replace(return_annotation=says)  # type: ignore[attr-defined]
    public.__annotations__ = {**compute.__annotations__, "return": says}
    return public
