"""Do motion and loads fit each other? Forces at a floating root, loads that were forgotten, a foot without load."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from borelli.results.labelled.plain_result import PlainResult
from borelli.results.verdict import Check, Light
from borelli.trial.load_places import place_check
from borelli.trial.root_forces import mass_centre_height, root_vectors

if TYPE_CHECKING:
    from borelli.model.model import Model
    from borelli.model.motion import Motion
    from borelli.trial.forces import Forces

_FORCE_PEAK, _MOMENT_PEAK = 5.0, 1.0
"""Per cent of the peak external force, and of that times the height of the mass centre, at the worst instant: Hicks et
al. (2015), Is my model good enough?, J Biomech Eng 137: 020905."""
_FORCE_RMS, _MOMENT_RMS = 10.0, 5.0
"""The same on average (rms), beyond which no answer should be used: twice as much force, and a moment of about 50 N m
for an adult who walks, OpenSim's guide."""
_NEAR_WEIGHT = 0.3
"""Share of the weight by which a mean force at the root may differ from it and still be it."""
_UNCARRIED = (20.0, 50.0)
"""Per cent of the weight that nothing carries for a tenth of a second."""
# Noise averages out over this time, and a step beside the plates still shows.
_STEP_S = 0.1
_FIX_LOADS = (
    "give the ground reactions (--loads); check that they act on the right bodies and at the right times"
)


def load_checks(result: PlainResult, model: Model, motion: Motion, forces: Forces) -> list[Check]:
    """Check a model that floats; one that is fixed to the ground needs no loads."""
    force, moment = root_vectors(result, model, motion)
    if force is None or not np.isfinite(force).any():
        return []
    weight = weight_of(model)
    external = [load.at(motion.time).force for load in forces.external]
    peak = float(np.nanmax(np.linalg.norm(np.sum(external, axis=0), axis=1))) if external else 0.0
    scale = peak if peak > 0.0 else weight
    if not scale > 0.0:
        return []
    of = "the peak load" if peak > 0.0 else "the weight"
    found = [_forgotten(force, weight), _residual("force", force, scale, of, _FORCE_PEAK, _FORCE_RMS)]
    height = mass_centre_height(result, model, motion)
    if moment is not None and height is not None:
        measure = f"{of} times the height of the mass centre"
        found.append(_residual("moment", moment, scale * height, measure, _MOMENT_PEAK, _MOMENT_RMS))
    if external and weight:
        found.append(_uncarried(result, model, motion, force, weight))
    placed = place_check(model, motion, forces.external)
    return found if placed is None else [*found, placed]


def weight_of(model: Model) -> float:
    """Weight of a whole model (N)."""
    return float(np.linalg.norm(np.array(model.gravity, dtype=float)) * sum(b.mass for b in model.bodies))


def uncarried_share(force: np.ndarray, weight: float) -> float | None:
    """Share of the weight that a floating root bears on average, where that is about all of it; else None.

    On average over a recording nothing but the ground, or a hand, carries a body that does not fall. A mean takes the
    accelerations out, which are a few times the weight in running and jumping.
    """
    if not weight or not force.shape[1] or not np.isfinite(force).any():
        return None
    share = float(np.linalg.norm(np.nanmean(force, axis=0))) / weight
    return share if abs(share - 1.0) <= _NEAR_WEIGHT else None


def _forgotten(force: np.ndarray, weight: float) -> Check:
    share = uncarried_share(force, weight)
    mean = 100.0 * float(np.linalg.norm(np.nanmean(force, axis=0))) / weight if weight else 0.0
    limit = 100.0 * (1.0 - _NEAR_WEIGHT)
    if share is None:
        return Check("loads are there", "green", mean, limit, "%", "The loads carry the body on average.")
    said = f"Loads are missing: on average {share:.0%} of the body weight has no support."
    return Check("loads are there", "red", mean, limit, "%", said.replace("%", " %"), _FIX_LOADS)


def _residual(
    kind: str, vector: np.ndarray, scale: float, of: str, peak_limit: float, rms_limit: float
) -> Check:
    size = 100.0 * np.linalg.norm(vector, axis=1) / scale
    peak, rms = float(np.nanmax(size)), float(np.sqrt(np.nanmean(size**2)))
    light: Light = "red" if rms > rms_limit else "yellow" if peak > peak_limit else "green"
    said = (
        f"Residual {kind} at the root: up to {peak:.3g} % of {of}, {rms:.3g} % rms (recommended: at most "
        f"{peak_limit:g} %, Hicks et al. 2015)."
    )
    remedy = (
        "motion and loads do not match: check units, loads, times and masses; filter the motion (--cutoff-hz)"
        if light == "red"
        else "filter motion and loads at the same cut-off, scale the masses to the subject, or reduce the "
        "residuals (RRA) before you interpret small differences"
    )
    return Check(f"residual {kind}", light, peak, peak_limit, "%", said, "" if light == "green" else remedy)


def _uncarried(result: PlainResult, model: Model, motion: Motion, force: np.ndarray, weight: float) -> Check:
    """Look for a tenth of a second in which nothing carries a part of the weight: a foot off the plates."""
    time = motion.time
    step = float(time[-1] - time[0]) / max(len(time) - 1, 1)
    width = max(1, round(_STEP_S / step)) if step > 0.0 else 1
    known = np.nan_to_num(force)
    window = np.ones(min(width, len(known))) / min(width, len(known))
    smooth = np.column_stack([np.convolve(column, window, "valid") for column in known.T])
    size = 100.0 * np.linalg.norm(smooth, axis=1) / weight
    at = int(np.argmax(size)) + len(window) // 2
    foot = _lowest_body(result, model, at)
    who = f" ({foot} is lowest then)" if foot else ""
    return Check.graded(
        "every foot on the ground has its load",
        float(size.max()),
        _UNCARRIED,
        "%",
        f"At {time[min(at, len(time) - 1)]:.3g} s nothing carries {size.max():.0f} % of the weight: a foot is on the "
        f"ground without its load{who}."
        if size.max() > _UNCARRIED[0]
        else "Every foot on the ground has a load.",
        "add the loads of that foot, or cut off those instants (--from-s, --to-s)",
    )


def _lowest_body(result: PlainResult, model: Model, instant: int) -> str | None:
    if "com_position" not in result or instant >= result.sizes["time"]:
        return None
    up = np.asarray(result["joint_position"].attrs.get("up", (0.0, 1.0, 0.0)), dtype=float)
    heights = result["com_position"].transpose("time", "link", "axis").values[instant] @ up
    return result.labels("link").names[int(np.nanargmin(heights))]
