"""How far to trust a result: what nothing in the model provides, and what the motion violates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from borelli.errors import warn
from borelli.results.labelled.dataset import labelled
from borelli.results.labelled.plain_result import PlainResult
from borelli.results.outputs.body_size import MASS_KG, WEIGHT_N
from borelli.trial.load_checks import uncarried_share, weight_of
from borelli.trial.root_forces import root_vectors
from borelli.trial.verdict import with_verdict

if TYPE_CHECKING:
    from borelli.model.model import Model
    from borelli.model.motion import Motion
    from borelli.trial.forces import Forces


def with_residuals(
    result: PlainResult, model: Model, motion: Motion, forces: Forces, settings: Mapping[str, Any]
) -> PlainResult:
    """Add the residuals of a trial as variables without dimensions, and its settings as attributes."""
    residuals = {
        **root_residuals(result, model, motion),
        **forces.largest_of_actuators(model),
        "constraint_violation": (constraint_violation(model, motion), "rad, m"),
    }
    result = result.with_variables(
        {
            name: labelled((), np.asarray(value), unit)
            for name, (value, unit) in residuals.items()
            if value is not None
        }
    )
    plain = {name: value for name, value in settings.items() if value is not None}
    if root_vectors(result, model, motion)[0] is not None:
        # What floats is a whole body: the mass of an arm alone would be nobody's body weight.
        plain |= {WEIGHT_N: weight_of(model), MASS_KG: float(sum(body.mass for body in model.bodies))}
    missing = forgotten_loads(result, model, motion)
    if missing:
        warn(missing)
        plain["forgotten_loads"] = missing
    return with_verdict(result.with_attrs(plain), model, motion, forces)


def forgotten_loads(result: PlainResult, model: Model, motion: Motion) -> str | None:
    """Say that loads are missing, where a root joint that floats would have to bear the weight of the whole model.

    On average over a recording nothing but the ground, or a hand, carries a body that does not fall.
    """
    force, _ = root_vectors(result, model, motion)
    share = None if force is None else uncarried_share(force, weight_of(model))
    if share is None:
        return None
    root = model.joints_from_ground()[0]
    return (
        f"LOADS ARE MISSING: on average the root joint {root.name!r} carries {share:.0%} of the body weight. "
        "Nothing in the model can do that; give the ground reactions (--loads), or check that they act on the right "
        "bodies and at the right times"
    )


def root_residuals(result: PlainResult, model: Model, motion: Motion) -> dict[str, tuple[float | None, str]]:
    """Largest force and moment at a root joint that floats: nothing in the model can provide them.

    A joint with six freedoms transmits nothing else. One with fewer (a model that walks in a plane) floats if
    it slides: its residuals are along its freedoms.
    """
    vectors = dict(zip((("force", "N"), ("moment", "N m")), root_vectors(result, model, motion), strict=True))
    if any(each is None for each in vectors.values()):
        return {}
    return {
        f"root_residual_{kind}": (float(np.nanmax(np.linalg.norm(each, axis=1))), unit)
        for (kind, unit), each in vectors.items()
        if each is not None
    }


def constraint_violation(model: Model, motion: Motion) -> float | None:
    """Largest violation of the model's constraints by the motion; None without constraints."""
    # Loaded here, because a result that is up to date needs no engine.
    from borelli.analyses.movement.constraints import residuals_if_known

    if not model.constraints:
        return None
    found = residuals_if_known(model, motion)
    if found is None:
        return None
    values = np.abs(found["position_error"].values)
    return float(np.nanmax(values)) if values.size else None
