"""How does the ground push on each foot, and where? Force, centre of pressure and free moment from external loads."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from borelli.arrays import one_number, seconds
from borelli.errors import MissingInputError
from borelli.mechanics.motion.ordered_motion import Load
from borelli.mechanics.motion.prepare import warn_of_unknown
from borelli.model.model import Model
from borelli.results.gait.contact_events import THRESHOLD_N
from borelli.results.labelled.dataset import AXES, labelled, time_axis
from borelli.results.labelled.plain_result import PlainResult, plain_result
from borelli.results.labelled.returns_dataset import returns_dataset


@returns_dataset
def ground_reaction(
    model: Model, loads: Iterable[Load], time: np.ndarray, *, threshold_n: float = THRESHOLD_N
) -> PlainResult:
    """Force of the ground on every foot, its centre of pressure and the moment about the vertical through it.

    Parameters
    ----------
    model : Model
        Its gravity says where up is.
    loads : iterable of Load
        Those on one body are added up. A body that they push up for most of the time that they act stands on the
        ground; others (a hand that carries something) are left out.
    time : (n_times,) float
        Instants (s).
    threshold_n : float
        Below this vertical force (N) there is no centre of pressure: it is NaN, and so is the free moment.

    Returns
    -------
    Dataset
        ``ground_force`` (time, foot, axis), N; ``centre_of_pressure`` (time, foot, axis), m, at the height of the
        points at which the loads act (their mean, weighted by the vertical force); ``free_moment`` (time, foot), N m,
        about the vertical, positive counter-clockwise seen from above. All in ground axes; ``foot`` is the name of
        the body.

    Guarantees, each a test
    -----------------------
    - a load with a moment about the vertical alone acts at its centre of pressure
    - force at the centre of pressure and free moment make the same moment about any point as the loads do

    Examples
    --------
    >>> ground = bo.ground_reaction(model, loads, motion.time)
    >>> ground["foot"].values.tolist()
    ['foot_r', 'foot_l']
    """
    gravity = np.asarray(model.gravity, dtype=float)
    if not np.linalg.norm(gravity):
        raise MissingInputError(
            "The model has no gravity, so the direction of the ground is unknown.",
            remedy="give the model its gravity",
        )
    up = -gravity / np.linalg.norm(gravity)
    threshold_n = one_number(threshold_n, "threshold_n")
    time = seconds(time, "time")
    if time.ndim != 1 or not time.size:
        raise MissingInputError(
            f"The ground reaction needs instants, but time has the shape {time.shape}.",
            remedy="give those of the motion, motion.time",
        )
    acting: dict[str, list[Load]] = {}
    for load in loads:
        acting.setdefault(load.body, []).append(load.at(time))
    warn_of_unknown(
        time,
        [part for own in acting.values() for load in own for part in (load.force, load.point, load.moment)],
    )
    pushed = {body: own for body, own in acting.items() if body != "ground" and _stands(own, up, threshold_n)}
    parts = [_of_foot(own, up, threshold_n) for own in pushed.values()]
    shape = (len(time), 0, 3)
    force, centre, twist = (
        np.stack([part[k] for part in parts], axis=1) if parts else np.zeros(shape[: 3 if k < 2 else 2])
        for k in range(3)
    )
    return plain_result(
        {
            "ground_force": labelled(("time", "foot", "axis"), force, "N", "ground"),
            "centre_of_pressure": labelled(("time", "foot", "axis"), centre, "m", "ground"),
            "free_moment": labelled(("time", "foot"), twist, "N m"),
        },
        {"time": time_axis(time), "foot": list(pushed), "axis": list(AXES)},
        {"analysis": "ground_reaction", "model": model.name},
    )


def _stands(loads: list[Load], up: np.ndarray, threshold: float) -> bool:
    vertical = np.sum([load.force @ up for load in loads], axis=0)
    acts = np.abs(vertical) >= threshold
    return bool(acts.any() and np.mean(vertical[acts] > 0.0) > 0.5)


def _of_foot(
    loads: list[Load], up: np.ndarray, threshold: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Force, centre of pressure and free moment of all loads on a body."""
    points = [np.where(np.isfinite(load.point), load.point, 0.0) for load in loads]
    force = np.sum([load.force for load in loads], axis=0)
    lift = force @ up
    there = lift >= threshold
    safe = np.where(there, lift, 1.0)
    weighted = sum((load.force @ up) * (point @ up) for load, point in zip(loads, points, strict=True))
    base = np.asarray(weighted / safe)[:, None] * up
    moment = np.sum(
        [np.cross(point - base, load.force) + load.moment for load, point in zip(loads, points, strict=True)],
        axis=0,
    )
    # In the plane through `base` across the vertical, where no moment but that about the vertical is left.
    arm = np.cross(up, moment) / safe[:, None]
    twist = (moment - np.cross(arm, force)) @ up
    unknown = np.where(there, 0.0, np.nan)
    return force, base + arm + unknown[:, None], twist + unknown
