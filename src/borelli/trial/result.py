"""All that is computed of a trial: torques, power, reactions with their shares, ground, muscles, places, residuals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from borelli.trial.muscles import muscle_part
from borelli.trial.residuals import with_residuals

if TYPE_CHECKING:
    import xarray as xr

    from borelli.mechanics.motion.ordered_motion import Motion
    from borelli.model.model import Model
    from borelli.trial.forces import Forces


def split(
    model: Model,
    motion: Motion,
    forces: Forces,
    variables: str,
    settings: Mapping[str, Any],
    *,
    express_in: str = "ground",
    on: str = "child",
) -> xr.Dataset:
    """Every torque and reaction, split; with what tells how far to trust it.

    Generalized forces are what the motion demands: muscles deliver them and are no source of them. Reactions
    are what the joints bear, the pull of every muscle included.
    """
    # Loaded here, because they bring numba, which a result that is up to date need not wait for.
    from borelli.analyses.contributions import contributions
    from borelli.analyses.joint_power import joint_power
    from borelli.analyses.scene import scene
    from borelli.model.limits import refuse_impossible_forces
    from borelli.results.cycles import with_events

    loads, tensions = forces.loads(model, motion), forces.tensions
    result = contributions(
        model, motion, loads, tensions=tensions or None, variables=variables, express_in=express_in, on=on
    )
    result = demanded(result, tensions)
    total = result["total_generalized_force"].transpose("time", "coordinate")
    refuse_impossible_forces(model, motion.time, list(map(str, total["coordinate"].values)), total.values)
    parts = [
        joint_power(model, motion, result["total_generalized_force"]),
        scene(model, motion, loads, tensions),
        *_ground_part(model, motion, forces),
    ]
    if model.paths:
        parts.append(muscle_part(model, motion, loads, forces))
    for part in parts:
        result = _merged(result, part)
    if forces.external:
        # An actuator that pushes a body up is no ground under its foot.
        result = with_events(result, model.gravity, [load.name for load in forces.external])
    return with_residuals(result, model, motion, forces, settings)


def _ground_part(model: Model, motion: Motion, forces: Forces) -> list[xr.Dataset]:
    """Ground reaction and centre of pressure, where something stands on the ground."""
    if not forces.external or not any(model.gravity):
        return []
    # Loaded here for the same reason as above.
    from borelli.analyses.ground_reaction import ground_reaction

    found = ground_reaction(model, forces.external, motion.time)
    return [found] if found.sizes["foot"] else []


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
