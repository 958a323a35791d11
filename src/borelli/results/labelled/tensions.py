"""Tensions as users give them, a mapping or the Dataset of ``muscle_forces``, as one mapping of names to newtons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

import numpy as np

from borelli.errors import MissingInputError
from borelli.results.labelled.plain_result import PlainResult, is_dataset

if TYPE_CHECKING:
    import xarray as xr

Tensions: TypeAlias = "Mapping[str, Any] | xr.Dataset | xr.DataArray | GivenForces | None"


class GivenForces(NamedTuple):
    """What a Dataset of ``muscle_forces`` says of forces, as curves (n_times,)."""

    forces: Mapping[str, np.ndarray]
    """Of paths and actuators (N or N m)"""
    reserves: Mapping[str, np.ndarray]
    """Generalized forces on coordinates that reserves bear, or nothing (N or N m)"""


def as_mapping(tensions: Tensions) -> Mapping[str, Any]:
    """Return tensions as a mapping of path names to newtons."""
    if tensions is None:
        return {}
    if isinstance(tensions, GivenForces):
        return tensions.forces
    if is_dataset(tensions):
        if "force" not in tensions:
            raise MissingInputError(
                "The Dataset of tensions has no variable 'force'.",
                where="tensions",
                remedy="give the result of muscle_forces, or a mapping of path names to newtons",
            )
        return curves_of(PlainResult.of(tensions), "force")
    if isinstance(tensions, Mapping):
        return cast("Mapping[str, Any]", tensions)
    return curves_of(PlainResult.of(tensions.to_dataset(name="force")), "force")


def given_forces(tensions: Tensions) -> dict[str, Any]:
    """Return tensions of paths and, where a Dataset of ``muscle_forces`` has them, forces of actuators (N or N m)."""
    given = dict(as_mapping(tensions))
    if is_dataset(tensions) and "actuator_force" in tensions:
        given |= curves_of(PlainResult.of(tensions), "actuator_force")
    return given


def reserves_of(tensions: Tensions | PlainResult) -> dict[str, np.ndarray]:
    """Return what a Dataset of ``muscle_forces`` leaves to reserves, and to nothing, of each coordinate (N or N m)."""
    if isinstance(tensions, GivenForces):
        return dict(tensions.reserves)
    if not (is_dataset(tensions) or isinstance(tensions, PlainResult)):
        return {}
    found: dict[str, np.ndarray] = {}
    for part in ("reserve", "residual"):
        # What has nothing to balance is NaN.
        curves = curves_of(PlainResult.of(tensions), part) if part in tensions else {}
        for name, values in curves.items():
            found[name] = found.get(name, 0.0) + np.nan_to_num(values)
    return {name: values for name, values in found.items() if values.any()}


def curves_of(result: PlainResult, variable: str) -> dict[str, Any]:
    """Return the curves (n_times,) of a variable over time and one more dimension, by their labels."""
    own = result[variable]
    (along,) = [dim for dim in own.dims if dim != "time"]
    return dict(zip(result.labels(along).names, own.transpose(along, "time").values, strict=True))
