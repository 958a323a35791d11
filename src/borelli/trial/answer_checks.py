"""Is the answer one that a body gives? What reserves had to add, and peaks at the ends of a recording."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from borelli.errors import few
from borelli.results.verdict import Check

if TYPE_CHECKING:
    from borelli.model.model import Model
    from borelli.results.labelled.plain_result import PlainResult

_RESERVE = (5.0, 25.0)
"""Per cent of the joint's peak moment: Hicks et al. (2015) are cited for at most five, OpenSim's guide has ten."""
_LITTLE = 0.05
"""Of the largest peak of its kind. A joint with less has no peak worth looking for, and what its reserve bears is
compared with this much: a tenth of a newton metre is not half of a toe."""
_ABOVE = 1e-3
"""A peak at an end is higher by this part than all between: a load that is constant has no peak."""
# Instants; of fewer, the two ends are half or more, and a peak there says nothing.
_FEWEST = 5


def reserve_check(result: PlainResult, model: Model) -> Check | None:
    """Compare what reserves bear with the peak moment of their joint, where muscles act.

    Elsewhere nothing but a reserve can act.
    """
    if "reserve" not in result or "total_muscle_moment" not in result:
        return None
    borne, peaks = {}, {}
    known = result.labels("coordinate").places
    turns = [str(unit) == "N m" for unit in result["unit"].values]
    muscles, forces, reserves = (
        result[name].transpose("coordinate", "time").values
        for name in ("total_muscle_moment", "total_generalized_force", "reserve")
    )
    for joint in model.joints:
        turned = [known[name] for name in joint.speed_names if name in known and turns[known[name]]]
        pulled = [place for place in turned if np.nan_to_num(muscles[place]).any()]
        if pulled:
            peaks[joint.name] = _largest(forces[turned])
            borne[joint.name] = _largest(reserves[pulled])
    least = _LITTLE * max(peaks.values(), default=0.0)
    shares = {name: 100.0 * own / max(peaks[name], least) for name, own in borne.items() if least > 0.0}
    where = max(shares, key=lambda name: shares[name], default="")
    if not where:
        return None
    worst = shares[where]
    return Check.graded(
        "reserves",
        worst,
        _RESERVE,
        "%",
        f"Reserves carry up to {worst:.2g} % of the peak moment of joint {where} (recommended: at most "
        f"{_RESERVE[0]:g} %, Hicks et al. 2015): the muscles cannot balance the "
        "load, so muscle forces and joint reactions there are too low."
        if worst > _RESERVE[0]
        else f"Muscles balance the load; reserves carry at most {worst:.2g} % of a joint's peak moment.",
        "check the strength and paths of the muscles at that joint, the loads, and the scaling of the model",
    )


def _largest(values: np.ndarray) -> float:
    return float(np.nanmax(np.abs(values), initial=0.0))


def end_check(result: PlainResult, model: Model) -> Check | None:
    """Find joints whose peak lies at the first or last instant: the real one may lie beyond, or a filter made it."""
    if result.sizes["time"] < _FEWEST:
        return None
    root = model.joints_from_ground()[0]
    if "total_reaction_force" in result:
        force = result["total_reaction_force"].transpose("time", "joint", "axis")
        names = result.labels("joint").names
        sizes = np.linalg.norm(force.values, axis=2)
        own = [index for index, name in enumerate(names) if name != root.name]
    else:
        total = result["total_generalized_force"].transpose("time", "coordinate")
        names = result.labels("coordinate").names
        sizes = np.abs(total.values) * (result["unit"].values == "N m")
        own = [index for index, name in enumerate(names) if name not in root.speed_names]
    known = np.nan_to_num(sizes[:, own])
    if not known.size or not known.any():
        return None
    peaks, between = known.max(axis=0), known[1:-1].max(axis=0)
    at_end = (peaks > _LITTLE * peaks.max()) & (peaks > (1.0 + _ABOVE) * between)
    ends = [names[own[k]] for k in np.flatnonzero(at_end)]
    return Check.graded(
        "peaks lie inside the recording",
        float(len(ends)),
        (0.0, math.inf),
        "1",
        f"The largest load of {few(ends, 4)} is at the first or last instant: "
        "the true peak may lie outside the recording, or be an end effect of the filter."
        if ends
        else "Every peak load lies inside the recording.",
        "record longer, or cut off the ends (--from-s, --to-s)",
    )
