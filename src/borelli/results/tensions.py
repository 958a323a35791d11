"""Tensions as users give them, a mapping or the Dataset of ``muscle_forces``, as one mapping of names to newtons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import xarray as xr

from borelli.errors import MissingInputError

Tensions: TypeAlias = Mapping[str, Any] | xr.Dataset | xr.DataArray | None


def as_mapping(tensions: Tensions) -> Mapping[str, Any]:
    """Return tensions as a mapping of path names to newtons."""
    if tensions is None:
        return {}
    if isinstance(tensions, xr.Dataset):
        if "force" not in tensions:
            raise MissingInputError(
                "The Dataset of tensions has no variable 'force'.",
                where="tensions",
                remedy="give the result of muscle_forces, or a mapping of path names to newtons",
            )
        tensions = tensions["force"]
    if isinstance(tensions, xr.DataArray):
        (along,) = [dim for dim in tensions.dims if dim != "time"]
        table = tensions.transpose("time", along)
        return {str(name): table.values[:, index] for index, name in enumerate(table[along].values)}
    return tensions


def given_forces(tensions: Tensions) -> dict[str, Any]:
    """Return tensions of paths and, where a Dataset of ``muscle_forces`` has them, forces of actuators (N or N m)."""
    given = dict(as_mapping(tensions))
    if isinstance(tensions, xr.Dataset) and "actuator_force" in tensions:
        given |= as_mapping(tensions["actuator_force"])
    return given
