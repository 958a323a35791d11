"""Do loads act where their bodies are? A wrong foot or millimetres leave the forces at the root as they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from borelli.model.body import GROUND
from borelli.results.verdict import Check

if TYPE_CHECKING:
    from borelli.model.load import Load
    from borelli.model.model import Model
    from borelli.model.motion import Motion

_ASIDE = (12.0, 20.0)
"""Per cent of the size of the body: two on the foot that a plate measures, twenty on the other foot in walking."""
_LOADED = 0.05
"""Share of its peak from which on a load has a place that can be trusted."""
_NOISE = 0.01
"""The same of the peak of all loads: a plate on which nothing stands reads a few newtons."""
_INSTANTS = 200
"""Enough for a mean over a recording of any length."""


def place_check(model: Model, motion: Motion, external: Sequence[Load]) -> Check | None:
    """Measure how far from its body the line lies along which each load acts, on average; None without a force."""
    # Loaded here, because a result that is up to date needs no engine.
    from borelli.mechanics.motion.body_places import body_places

    known = np.flatnonzero(np.isfinite(motion.q).all(axis=1))
    rows = known[:: max(1, len(known) // _INSTANTS)]
    if not rows.size or not external:
        return None
    found = body_places(model, motion.instants(rows))
    points = {
        name: np.stack([found.origin[:, k], found.com[:, k]]) for k, name in enumerate(model.body_names)
    }
    every = np.concatenate(list(points.values()))
    size = float(np.mean(np.linalg.norm(np.ptp(every, axis=0), axis=1)))
    strongest = max(map(_peak, external))
    aside: dict[str, tuple[float, str | None]] = {}
    for load in external:
        if load.body == GROUND or not size > 0.0:
            continue
        force, place, moment = (part[rows] for part in _parts(load.at(motion.time)))
        strength = np.linalg.norm(force, axis=1)
        on = strength > max(_LOADED * _peak(load), _NOISE * strongest)
        if not on.any():
            continue
        carried = _carried(model, load.body)
        own = np.concatenate([points[name] for name in carried])[:, on]
        axis = place[on] + np.cross(force[on], moment[on]) / strength[on, None] ** 2
        far = np.linalg.norm(np.cross(own - axis, force[on]), axis=2).min(axis=0) / strength[on]
        mean = float(np.average(far, weights=strength[on]))
        others = {name: each[:, on] for name, each in points.items() if name not in carried}
        aside[load.name] = (mean, _nearest(others, place[on], strength[on], 0.5 * mean))
    if not aside:
        return None
    worst = max(aside, key=lambda name: aside[name][0])
    mean, nearest = aside[worst]
    share, body = 100.0 * mean / size, next(load.body for load in external if load.name == worst)
    hint = f"; {nearest} is nearest" if nearest else ""
    return Check.graded(
        "loads act on their bodies",
        share,
        _ASIDE,
        "%",
        f"Load {worst} acts on {body}, but on average its line passes {mean:.2g} m beside it{hint}."
        if share > _ASIDE[0]
        else f"Every load acts where its body is, {mean:.2g} m beside it at most.",
        "check the body that the load is applied to, the units (metres) and axes of its points, and the times",
    )


def _peak(load: Load) -> float:
    """Largest force of a load in its whole recording (N): the motion may be that of a swing."""
    return float(np.linalg.norm(np.nan_to_num(load.force), axis=1).max(initial=0.0))


def _parts(load: Load) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Force, point and moment; a point that is not known belongs to no force."""
    return load.force, np.nan_to_num(load.point), load.moment


def _carried(model: Model, body: str) -> list[str]:
    """Return a body and all that joints hang on it: a load on a heel acts under the toes, too."""
    found = [body]
    for name in found:
        for joint in model.joints:
            child = model.place(joint.child)[0]
            if model.place(joint.parent)[0] == name and child not in found:
                found.append(child)
    return found


def _nearest(
    points: dict[str, np.ndarray], place: np.ndarray, strength: np.ndarray, farthest: float
) -> str | None:
    """Body that is nearest to the point of a load, on average; None where all are farther than so many metres."""
    far = {
        name: float(np.average(np.linalg.norm(own - place, axis=2).min(axis=0), weights=strength))
        for name, own in points.items()
    }
    nearest = min(far, key=lambda name: far[name], default=None)
    return nearest if nearest is not None and far[nearest] < farthest else None
