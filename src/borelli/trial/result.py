"""All that is computed of a trial: torques and reactions with their shares, muscles, positions, residuals."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from borelli.errors import BorelliError, BorelliWarning
from borelli.trial.muscles import muscle_part

if TYPE_CHECKING:
    import xarray as xr

    from borelli.mechanics.motion.ordered_motion import Motion
    from borelli.model.model import Model
    from borelli.trial.forces import Forces

_FREE = 6
"""Speeds of a joint that holds nothing: what it transmits is what the model cannot explain."""


def split(
    model: Model, motion: Motion, forces: Forces, variables: str, settings: Mapping[str, Any]
) -> xr.Dataset:
    """Every torque and reaction, split; with what tells how far to trust it.

    Generalized forces are what the motion demands: muscles deliver them and are no source of them. Reactions
    are what the joints bear, the pull of every muscle included.
    """
    from borelli.analyses.contributions import contributions
    from borelli.analyses.scene import scene
    from borelli.model.limits import refuse_impossible_forces
    from borelli.results.cycles import with_events

    loads, tensions = forces.loads(model, motion), forces.tensions
    result = contributions(model, motion, loads, tensions=tensions or None, variables=variables)
    result = demanded(result, tensions)
    total = result["total_generalized_force"].transpose("time", "coordinate")
    refuse_impossible_forces(model, motion.time, list(map(str, total["coordinate"].values)), total.values)
    parts = [scene(model, motion, loads, tensions)]
    if model.paths:
        parts.append(muscle_part(model, motion, loads, forces))
    for part in parts:
        result = _merged(result, part)
    if forces.external:
        # An actuator that pushes a body up is no ground under its foot.
        result = with_events(result, model.gravity, [load.name for load in forces.external])
    residuals = {
        **root_residuals(result, model),
        **forces.largest_of_actuators(model),
        "constraint_violation": (constraint_violation(model, motion), "rad, m"),
    }
    for name, (value, unit) in residuals.items():
        if value is not None:
            result[name] = ((), value, {"units": unit})
    plain = {name: value for name, value in settings.items() if value is not None}
    return result.assign_attrs({**result.attrs, **plain})


def demanded(result: xr.Dataset, tensions: Iterable[str]) -> xr.Dataset:
    """Take the given paths out of the generalized forces: those that the motion demands, whoever delivers them."""
    labels = {f"{kind}:{name}" for name in tensions for kind in ("muscle", "passive")}
    pulled = [k for k, source in enumerate(result["source"].values) if source in labels]
    if not pulled:
        return result
    shares = result["generalized_force"]
    delivered = shares.isel(source=pulled).sum("source")
    total = result["total_generalized_force"]
    found = result.assign(total_generalized_force=total.copy(data=(total - delivered).transpose(*total.dims)))
    found["generalized_force"] = shares.copy()
    found["generalized_force"][{"source": pulled}] = 0.0
    return found


def _merged(result: xr.Dataset, part: xr.Dataset) -> xr.Dataset:
    """Add a part; its sources are some of the result's, and its attributes come after the result's own."""
    if "source" in part.dims:
        part = part.reindex(source=result["source"], fill_value=0.0)
    found = result.merge(part, combine_attrs="override", compat="override", join="exact")
    own = {"analysis", "model"}
    return found.assign_attrs({**found.attrs, **{k: v for k, v in part.attrs.items() if k not in own}})


def root_residuals(result: xr.Dataset, model: Model) -> dict[str, tuple[float | None, str]]:
    """Largest force and moment at a root joint that floats: nothing in the model can provide them.

    A joint with six freedoms transmits nothing else. One with fewer (a model that walks in a plane) floats if
    it slides: its residuals are along its freedoms.
    """
    import numpy as np

    root = model.joints_from_ground()[0]
    kinds = (("force", "N"), ("moment", "N m"))
    names = [name for name in root.speed_names if name in result["coordinate"].values]
    own = result["total_generalized_force"].sel(coordinate=names).transpose("time", "coordinate")
    if len(names) == _FREE:
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
    import numpy as np

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
