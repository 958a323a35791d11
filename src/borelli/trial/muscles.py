"""What a trial says about its muscles: forces that balance the load, moment arms, and what they deliver."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from borelli.mechanics.muscles.criterion import Criterion
from borelli.results.labelled.dataset import labelled
from borelli.results.labelled.plain_result import PlainResult, plain_result
from borelli.results.labelled.returns_dataset import plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from borelli.mechanics.motion.ordered_motion import Load, Motion
    from borelli.model.model import Model
    from borelli.trial.forces import Forces

_KEPT = ("activation", "passive_force", "control", "actuator_force", "reserve")


def shared_load(
    model: Model,
    motion: Motion,
    loads: list[Load],
    power: float,
    reserves: float,
    spare: Mapping[str, float] | None = None,
) -> PlainResult:
    """Muscle forces by static optimization, as ``muscle_forces`` gives them.

    A reserve at every coordinate makes the balance possible; how much it bears is a residual of the result.
    """
    # Loaded here, because it brings numba, which a result that is up to date need not wait for.
    from borelli.analyses.muscles.muscle_forces import muscle_forces

    criterion = Criterion(power=power, joints=spare or {})
    return plain(muscle_forces)(
        model, motion, loads, criterion=criterion, reserves=reserves, infeasible="report"
    )


def muscle_part(model: Model, motion: Motion, loads: list[Load], forces: Forces) -> PlainResult:
    """Moment arms; with tensions also the moments they deliver; activations where they were optimized.

    Parameters
    ----------
    loads : list of Load
        All that act on bodies, those of actuators included.
    """
    # Loaded here for the same reason.
    from borelli.analyses.muscles.moment_arms import moment_arms
    from borelli.analyses.muscles.muscle_balance import muscle_balance

    whole = plain(moment_arms)(model, motion)
    arms = whole["moment_arm"]
    # Most paths cross few joints: the rest is zero and means nothing.
    found = plain_result(
        {"moment_arm": arms._replace(attrs={**arms.attrs, "units": "m", "sparse": True})},
        {dim: whole[dim] for dim in arms.dims},
    )
    if forces.tensions:
        found = found.merged(plain(muscle_balance)(model, motion, loads, tensions=forces.tensions))
    optimized = forces.optimized
    if optimized is None:
        return found
    kept = [name for name in _KEPT if bool(np.nan_to_num(optimized[name].values).any())]
    found = found.merged(optimized.only(kept))
    optimality = float(np.nanmax(optimized["kkt_residual"].values))
    numbers = {"optimality": labelled((), np.asarray(optimality), "1")}
    bearing = _largest_reserve(found)
    if bearing is not None:
        numbers["largest_reserve_moment"] = labelled((), np.asarray(bearing), "N m")
    says = {"citations": optimized.attrs["citations"], "tensions": _rule(optimized)}
    return found.with_variables(numbers).with_attrs(says)


def _rule(optimized: PlainResult) -> str:
    power = f"{optimized.attrs['power']:g}"
    return (
        f"static optimization, instant by instant: the least sum of activations to the power of {power} that balances "
        f"the load; strength of muscles by {str(optimized.attrs['strength']).replace('_', ' ')}"
    )


def _largest_reserve(found: PlainResult) -> float | None:
    """Largest moment of a reserve at a coordinate that muscles act on: elsewhere nothing but a reserve can act."""
    turned = [bool(np.nan_to_num(curve).any()) for curve in found["total_muscle_moment"].values.T]
    own = np.array(turned) & (found["unit"].values == "N m")
    if "reserve" not in found or not own.any():
        return None
    return float(np.nanmax(np.abs(found["reserve"].values[:, own])))
