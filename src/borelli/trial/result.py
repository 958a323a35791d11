"""All that is computed of a trial: torques, power, reactions with their shares, ground, muscles, places, residuals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from borelli.model.constraint import closing_names
from borelli.results.gait.cycles import with_events
from borelli.results.labelled.plain_result import PlainResult
from borelli.results.labelled.returns_dataset import plain
from borelli.results.labelled.tensions import GivenForces
from borelli.trial.muscles import muscle_part
from borelli.trial.residuals import with_residuals

if TYPE_CHECKING:
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
    loops: bool = False,
) -> PlainResult:
    """Every torque and reaction, split; with what tells how far to trust it.

    Generalized forces are what the motion demands: muscles deliver them and are no source of them. Reactions
    are what the joints bear, the pull of every muscle included. With ``loops`` constraints between bodies bear
    their part of both, under all forces that are given.
    """
    # Loaded here, because they bring numba, which a result that is up to date need not wait for.
    from borelli.analyses.forces.contributions import contributions
    from borelli.analyses.movement.joint_power import power_and_work
    from borelli.analyses.movement.scene import scene
    from borelli.model.plausibility.limits import refuse_impossible_forces

    loads, tensions = forces.loads(model, motion), forces.tensions
    given = GivenForces(tensions, {})
    if loops and closing_names(model.constraints):
        given = forces.beside_loads(model)
    result = plain(contributions)(
        model, motion, loads, tensions=given, loops=loops, variables=variables, express_in=express_in, on=on
    )
    result = demanded(result, given.forces)
    total = result["total_generalized_force"].values
    refuse_impossible_forces(model, motion.time, list(result.labels("coordinate").names), total)
    parts = [
        power_and_work(model, motion, total),
        plain(scene)(model, motion, loads, tensions),
        *_ground_part(model, motion, forces),
    ]
    if model.paths:
        parts.append(_among_all(muscle_part(model, motion, loads, forces), result))
    own = {"analysis", "model"}
    for part in parts:
        said = {name: value for name, value in part.attrs.items() if name not in own}
        result = result.merged(part).with_attrs(said)
    if forces.external:
        # An actuator that pushes a body up is no ground under its foot.
        result = with_events(result, model.gravity, [load.name for load in forces.external])
    return with_residuals(result, model, motion, forces, settings)


def _ground_part(model: Model, motion: Motion, forces: Forces) -> list[PlainResult]:
    """Ground reaction and centre of pressure, where something stands on the ground."""
    if not forces.external or not any(model.gravity):
        return []
    # Loaded here for the same reason as above.
    from borelli.analyses.recordings.ground_reaction import ground_reaction

    found = plain(ground_reaction)(model, forces.external, motion.time)
    return [found] if found.sizes["foot"] else []


def demanded(result: PlainResult, given: Iterable[str]) -> PlainResult:
    """Take given forces out of the generalized forces: those that the motion demands, whoever delivers them."""
    names = {f"{kind}:{name}" for name in given for kind in ("muscle", "passive", "actuator")}
    pulled = [k for k, source in enumerate(result.labels("source").names) if source in names]
    if not pulled:
        return result
    shares, total = result["generalized_force"], result["total_generalized_force"]
    # Zeros stand in place of the shares that are taken out, so that what is left keeps its order in memory.
    left = shares.values.copy(order="K")
    left[..., pulled] = 0.0
    delivered = shares.values[..., pulled].sum(axis=-1)
    return result.with_variables(
        {
            "generalized_force": shares._replace(values=left),
            "total_generalized_force": total._replace(values=total.values - delivered),
        }
    )


def _among_all(part: PlainResult, result: PlainResult) -> PlainResult:
    """Return a part whose sources are some of the result's with all of them; it is zero where it has none."""
    if "source" not in part:
        return part
    places = [result.labels("source").places[name] for name in part.labels("source").names]
    variables = {name: each for name, each in part.variables.items() if name not in part.data_vars}
    variables["source"] = result["source"]
    for name in part.data_vars:
        own = part[name]
        if "source" in own.dims:
            values = np.zeros(
                [result.sizes["source"] if dim == "source" else n for dim, n in own.sizes.items()]
            )
            values[..., places] = own.values
            own = own._replace(values=values)
        variables[name] = own
    return replace(part, variables=variables)
