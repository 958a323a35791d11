"""How far to trust a result: what nothing in the model provides, and what the motion violates."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from borelli.errors import BorelliError, BorelliWarning

if TYPE_CHECKING:
    import xarray as xr

    from borelli.model.model import Model
    from borelli.model.motion import Motion
    from borelli.trial.forces import Forces

_NEAR_WEIGHT = 0.3
"""Share of the weight by which a mean force at the root may differ from it and still be it."""
_FREE = 6
"""Speeds of a joint that holds nothing: what it transmits is what the model cannot explain."""


def with_residuals(
    result: xr.Dataset, model: Model, motion: Motion, forces: Forces, settings: Mapping[str, Any]
) -> xr.Dataset:
    """Add the residuals of a trial as variables without dimensions, and its settings as attributes."""
    residuals = {
        **root_residuals(result, model),
        **forces.largest_of_actuators(model),
        "constraint_violation": (constraint_violation(model, motion), "rad, m"),
    }
    for name, (value, unit) in residuals.items():
        if value is not None:
            result[name] = ((), value, {"units": unit})
    plain = {name: value for name, value in settings.items() if value is not None}
    missing = forgotten_loads(result, model)
    if missing:
        warnings.warn(missing, BorelliWarning, stacklevel=2)
        plain["forgotten_loads"] = missing
    return result.assign_attrs({**result.attrs, **plain})


def forgotten_loads(result: xr.Dataset, model: Model) -> str | None:
    """Say that loads are missing, where a root joint that floats would have to bear the weight of the whole model.

    On average over a recording nothing but the ground, or a hand, carries a body that does not fall.
    """
    weight = float(np.linalg.norm(np.array(model.gravity, dtype=float)) * sum(b.mass for b in model.bodies))
    root = model.joints_from_ground()[0]
    names = [name for name in root.speed_names if name in result["coordinate"].values]
    own = result["total_generalized_force"].sel(coordinate=names).transpose("time", "coordinate")
    pushes = own.values[:, own["unit"].values == "N"]
    if not weight or not pushes.shape[1] or not np.isfinite(pushes).any():
        return None
    # A mean takes the accelerations out, which are a few times the weight in running and jumping.
    share = float(np.linalg.norm(np.nanmean(pushes, axis=0))) / weight
    if abs(share - 1.0) > _NEAR_WEIGHT:
        return None
    return (
        f"LOADS ARE MISSING: the root joint {root.name!r} would have to bear {share:.0%} of the weight on average. "
        "Nothing in the model can do that; give the ground reactions (--loads), or check that they act on the right "
        "bodies and at the right times"
    )


def root_residuals(result: xr.Dataset, model: Model) -> dict[str, tuple[float | None, str]]:
    """Largest force and moment at a root joint that floats: nothing in the model can provide them.

    A joint with six freedoms transmits nothing else. One with fewer (a model that walks in a plane) floats if
    it slides: its residuals are along its freedoms.
    """
    root = model.joints_from_ground()[0]
    kinds = (("force", "N"), ("moment", "N m"))
    names = [name for name in root.speed_names if name in result["coordinate"].values]
    own = result["total_generalized_force"].sel(coordinate=names).transpose("time", "coordinate")
    if len(names) == _FREE:
        if "total_reaction_force" not in result:
            # The generalized forces of its angles are no components of a moment.
            return {}
        at_root = result.sel(joint=root.name)
        vectors = {
            kind: at_root[f"total_reaction_{kind}"].transpose("time", "axis").values for kind, _ in kinds
        }
    elif (own["unit"] == "N").any() and (own["unit"] == "N m").any():
        vectors = {kind: own.values[:, own["unit"].values == unit] for kind, unit in kinds}
    else:
        return {}
    return {
        f"root_residual_{kind}": (float(np.nanmax(np.linalg.norm(vectors[kind], axis=1))), unit)
        for kind, unit in kinds
    }


def constraint_violation(model: Model, motion: Motion) -> float | None:
    """Largest violation of the model's constraints by the motion; None without constraints."""
    from borelli.analyses.constraints import constraint_residuals

    if not model.constraints:
        return None
    try:
        found = constraint_residuals(model, motion, locks=False)
    except BorelliError as error:
        warnings.warn(f"the constraints could not be checked: {error.what}", BorelliWarning, stacklevel=2)
        return None
    first = next(iter(found.data_vars))
    values = np.abs(found[first].values)
    return float(np.nanmax(values)) if values.size else None
