"""No quantity of a body is infinite or beyond 1e12, whatever its unit: such results are refused where they are made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from borelli.arrays import FARTHEST, all_plausible
from borelli.errors import UnsolvableError


def refuse_absurd(variables: Mapping[Any, Any], coordinates: Mapping[Any, Any]) -> None:
    """Raise if a variable holds what no quantity of a body can be; NaN stands for what is not known.

    Parameters
    ----------
    variables : mapping of name to (dims, values, …)
    coordinates : mapping of dimension to its labels
        Plain, or a variable of them; they tell where the number stands.

    Raises
    ------
    UnsolvableError
        With the variable, its labels and the instant.
    """
    for name, variable in variables.items():
        dims, values = (variable.dims, variable.values) if hasattr(variable, "dims") else variable[:2]
        values = np.asarray(values)
        if values.dtype.kind != "f" or all_plausible(values):
            continue
        size = np.abs(values)
        if not np.fmax.reduce(size, axis=None) > FARTHEST:
            continue
        # The first, not the largest: what came after may follow from it.
        place = np.unravel_index(int(np.argmax(size > FARTHEST)), values.shape)
        own = (dims,) if isinstance(dims, str) else tuple(dims)
        where = _words(dict(zip(own, map(int, place), strict=True)), coordinates)
        about = getattr(variable, "attrs", None) or (variable[2] if len(variable) > 2 else {})
        unit = f" {about['units']}" if about.get("units") else ""
        raise UnsolvableError(
            f"{name} would be {values[place]:.1e}{unit}{where}, which is not plausible for a body.",
            remedy="look for a damaged number or a wrong unit in what was given, at that place first: the model, "
            "the motion, loads, tensions, states of muscles",
        )


def _words(place: Mapping[Any, int], coordinates: Mapping[Any, Any]) -> str:
    """Say where a number stands: of which muscle, coordinate or body, and when."""
    said, when = [], ""
    for dim, index in place.items():
        given = coordinates.get(dim)
        if given is None:
            continue
        labels = given.values if hasattr(given, "values") else given[1] if isinstance(given, tuple) else given
        label = np.asarray(labels)[index]
        if dim == "time":
            when = f" at {float(label):g} s"
        else:
            said.append(f"{dim.rstrip('_')} {str(label)!r}")
    return (f" ({', '.join(said)})" if said else "") + when
