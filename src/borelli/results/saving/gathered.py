"""Large arrays most of whose curves are zero throughout, as a file holds them: the other curves, and which these are.

Most sources have no part in most outputs: what a muscle does not span has no share of it. The CF conventions call this
compression by gathering (section 8.2): in place of the dimensions ``coordinate`` and ``source`` there is one of
entries, and a list of that name says where each belongs.
"""

from __future__ import annotations

import math

import numpy as np

from borelli.results.saving.classic_netcdf import NetcdfVariable

LARGE = 2**24
"""Bytes; smaller arrays are written whole, so that every program reads them as they are."""
COMPRESS, SHAPE = "compress", "borelli_full_shape"
"""Attributes of a list: dimensions that it stands for (the conventions' own), and how long they are."""
_ENTRY = "_entry"
_ROWS = 1024
"""Curves looked at together: memory stays flat."""
_SPARSEST = 1000
"""A file may say that it stands for so many times its own size; more is not a result but a trap."""


def gathered(name: str, variable: NetcdfVariable) -> dict[str, NetcdfVariable] | None:
    """Return the curves of an array (time, …) that are not zero, and their list; None where that is not worth it."""
    dims, values, said = variable
    if values.nbytes < LARGE or dims[0] != "time" or len(dims) < 3 or values.dtype.kind != "f":
        return None
    curves = np.moveaxis(values, 0, -1).reshape(-1, len(values))
    parts = (curves[start : start + _ROWS] for start in range(0, len(curves), _ROWS))
    # A negative zero is kept: what is read is what was saved, to the last bit.
    heard = np.concatenate([np.any((part != 0.0) | np.signbit(part), axis=1) for part in parts])
    if 2 * np.count_nonzero(heard) > len(heard) or not heard.any():
        return None
    entry = f"{name}{_ENTRY}"
    about = {COMPRESS: " ".join(dims[1:]), SHAPE: " ".join(map(str, values.shape[1:]))}
    places = np.flatnonzero(heard).astype(np.int32)
    return {
        name: NetcdfVariable((entry, "time"), curves[heard], said),
        entry: NetcdfVariable((entry,), places, about),
    }


def scattered(variables: dict[str, NetcdfVariable], n_bytes: int) -> dict[str, NetcdfVariable]:
    """Undo :func:`gathered` for all variables of a file of so many bytes.

    Raises
    ------
    ValueError
        If a list is not one, or stands for more than any file of that size does.
    """
    lists = {name: each for name, each in variables.items() if COMPRESS in each.attrs}
    found = {}
    for name, each in variables.items():
        if name in lists:
            continue
        if each.dims[:1] and each.dims[0] in lists:
            each = _scattered(name, each, lists[each.dims[0]], n_bytes)
        found[name] = each
    return found


def _scattered(name: str, variable: NetcdfVariable, entries: NetcdfVariable, n_bytes: int) -> NetcdfVariable:
    dims = tuple(str(entries.attrs[COMPRESS]).split())
    shape = tuple(map(int, str(entries.attrs[SHAPE]).split()))
    places, (_, n_times) = entries.values, variable.values.shape
    full = math.prod(shape)
    if len(dims) != len(shape) or places.ndim != 1 or min(shape, default=0) < 1:
        raise ValueError(f"the list of the entries of {name!r} is not one")
    if full * n_times * variable.values.itemsize > _SPARSEST * n_bytes or not (
        np.all(places[1:] > places[:-1]) and places[0] >= 0 and places[-1] < full
    ):
        raise ValueError(f"the entries of {name!r} do not fit into it")
    curves = np.zeros((full, n_times), variable.values.dtype)
    curves[places] = variable.values
    values = np.moveaxis(curves.reshape(*shape, n_times), -1, 0)
    return NetcdfVariable(("time", *dims), values, variable.attrs)
