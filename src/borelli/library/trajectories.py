"""Smooth sample motions: minimum-jerk movements between postures, in closed form.

Between rest and rest, the movement of a given duration with the least integral of squared jerk is the
quintic 10 s³ - 15 s⁴ + 6 s⁵ of normalised time s (Flash & Hogan 1985, J. Neurosci. 5:1688–1703).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from borelli.errors import InvalidValueError, MissingInputError, ShapeError
from borelli.planar import checks
from borelli.planar.checks import Array
from borelli.planar.motion import Motion

CITATION = (
    "Flash T., Hogan N. The coordination of arm movements: an experimentally confirmed mathematical model. "
    "J. Neurosci. 1985, 5, 1688–1703."
)


def minimum_jerk(
    start: ArrayLike, end: ArrayLike, duration_s: float, time: ArrayLike
) -> tuple[Array, Array, Array]:
    """Position, velocity and acceleration of a minimum-jerk movement from rest to rest.

    Parameters
    ----------
    start, end : (...) float
        Where the movement begins and ends; any unit.
    duration_s : float
        How long it takes (s). Before 0 and after `duration_s` it rests.
    time : (n_times,) float
        s from the beginning of the movement.

    Returns
    -------
    position, velocity, acceleration : (n_times, ...) float
        In the unit of `start`, per s and per s².

    Examples
    --------
    >>> position, velocity, acceleration = bo.library.minimum_jerk([0.0], [1.0], 2.0, [0.0, 1.0, 2.0])
    >>> position.ravel(), velocity.ravel()  # rad, rad/s; at rest at both ends
    (array([0. , 0.5, 1. ]), array([0.    , 0.9375, 0.    ]))
    """
    where = "minimum_jerk"
    first = checks.finite(start, "The start", where)
    last = checks.finite(end, "The end", where)
    if first.shape != last.shape:
        raise ShapeError(
            f"The start has shape {first.shape}, the end {last.shape}.",
            where=where,
            remedy="give both the same shape",
        )
    length = checks.scalar(duration_s, "The duration", where, above=0.0)
    times = checks.finite(time, "Time", where)
    s = np.clip(times / length, 0.0, 1.0).reshape(times.shape + (1,) * first.ndim)
    way = last - first
    # Factored, so that rest is exact at both ends.
    position = first + way * (s**3 * (10.0 + s * (6.0 * s - 15.0)))
    velocity = way / length * (30.0 * s**2 * (1.0 - s) ** 2)
    acceleration = way / length**2 * (60.0 * s * (1.0 - s) * (1.0 - 2.0 * s))
    return position, velocity, acceleration


def posture_sequence(
    postures: Sequence[ArrayLike],
    durations_s: Sequence[float] | float,
    rests_s: Sequence[float] | float = 0.0,
    rate_hz: float = 100.0,
    *,
    joint_angles: bool = False,
) -> Motion:
    """Move a chain through postures, minimum-jerk from each to the next, resting at each.

    Parameters
    ----------
    postures : sequence of (n_links,) float
        At least two; absolute angles of the links (rad), or joint angles.
    durations_s : float, or one for each movement
        How long each movement takes (s).
    rests_s : float, or one for each posture
        How long the chain rests in each posture (s).
    rate_hz : float
        Instants per second. The last instant is the first at or after the end.
    joint_angles : bool
        Whether the postures are joint angles, each link relative to the one before.

    Examples
    --------
    >>> move = bo.library.posture_sequence([[0.0, 0.0], [0.5, 1.0], [0.0, 0.0]], 0.5)
    >>> move.angle[0].tolist() == move.angle[-1].tolist()
    True
    """
    where = "posture_sequence"
    points = [np.atleast_1d(checks.finite(posture, "A posture", where)) for posture in postures]
    if len(points) < 2:
        raise MissingInputError(
            f"{len(points)} posture(s) make no movement.", where=where, remedy="give at least two postures"
        )
    if len({point.shape for point in points}) > 1 or points[0].ndim != 1:
        shapes = ", ".join(str(point.shape) for point in points)
        raise ShapeError(
            f"The postures have shapes {shapes}.", where=where, remedy="give one angle a link in each posture"
        )
    durations = _each(durations_s, len(points) - 1, "duration", where, above_zero=True)
    rests = _each(rests_s, len(points), "rest", where, above_zero=False)
    rate = checks.scalar(rate_hz, "The sampling rate", where, above=0.0)

    total = float(durations.sum() + rests.sum())
    # The small allowance keeps 1.5 s at 100 Hz from becoming 152 instants by round-off.
    time = np.arange(int(np.ceil(total * rate - 1e-9)) + 1) / rate
    angle = np.broadcast_to(points[0], (len(time), len(points[0]))).copy()
    velocity, acceleration = np.zeros_like(angle), np.zeros_like(angle)
    begin = rests[0]
    for (start, end), duration, rest in zip(pairwise(points), durations, rests[1:], strict=True):
        x, v, a = minimum_jerk(start, end, duration, time - begin)
        angle += x - start
        velocity += v
        acceleration += a
        begin += duration + rest
    make = Motion.from_joint_angles if joint_angles else Motion
    return make(time, angle, velocity, acceleration)


def _each(value: Sequence[float] | float, count: int, what: str, where: str, *, above_zero: bool) -> Array:
    numbers = checks.finite(value, f"A {what}", where)
    if numbers.ndim == 0:
        numbers = np.full(count, float(numbers))
    if numbers.shape != (count,):
        raise ShapeError(
            f"{numbers.size} {what}(s) were given where {count} are needed.",
            where=where,
            remedy=f"give one {what} for all, or {count} of them",
        )
    if np.any(numbers <= 0.0 if above_zero else numbers < 0.0):
        bound = "greater than 0" if above_zero else "at least 0"
        raise InvalidValueError(
            f"A {what} is {numbers.min():g} s; it must be {bound}.", where=where, remedy="give seconds"
        )
    return numbers
