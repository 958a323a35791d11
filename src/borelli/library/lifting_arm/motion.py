"""The arm in motion: minimum-jerk movements between postures or of the hand, throws, and recorded attitudes.

Between rest and rest a joint turns about one axis by a minimum-jerk angle, so that speeds and accelerations are exact.
Movements of the hand go through the arm's inverse kinematics instant by instant, and recorded attitudes come as they
are: there the speeds are those of quintic splines on the sphere of quaternions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from borelli import attitude
from borelli.errors import MissingInputError, ShapeError, UnknownNameError
from borelli.library.lifting_arm.model import LiftingArm
from borelli.library.lifting_arm.parameters import Arm
from borelli.library.lifting_arm.postures import HELD_AT, arm_plane_attitudes, reach_with_hand
from borelli.library.lifting_arm.segments import BASE
from borelli.library.lifting_arm.values import Array, instants_of, not_negative, positive
from borelli.library.trajectories import minimum_jerk
from borelli.model.motion import Motion

Posture = Mapping[str, ArrayLike]
"""Segment → quaternion, scalar first, segment to world."""


def postures_at_rest(arm: LiftingArm, attitudes: Posture, time: ArrayLike | None = None) -> Motion:
    """Postures without speed; instant numbers stand for time if none is given.

    Parameters
    ----------
    arm : LiftingArm
    attitudes : mapping of segment to (n_instants, 4) or (4,) float
        Quaternions, scalar first, segment to world; fixed segments need none.
    time : (n_instants,) float, optional
        s.

    Examples
    --------
    >>> still = la.postures_at_rest(la.LiftingArm(arm.tree), la.sagittal_posture(0.0, 90.0))
    >>> float(np.abs(still.u).max())
    0.0
    """
    relative = _relative(arm, attitudes)
    q = np.concatenate(list(relative.values()), axis=1)
    speeds = np.zeros((len(q), 3 * len(relative)))
    times = np.arange(float(len(q))) if time is None else np.asarray(time, dtype=float)
    return _motion(arm, times, q, speeds, speeds)


def recorded_motion(arm: LiftingArm, time: ArrayLike, attitudes: Posture) -> Motion:
    """Motion from attitudes over time, such as those of inertial sensors or motion capture.

    Parameters
    ----------
    arm : LiftingArm
    time : (n_times,) float
        s.
    attitudes : mapping of segment to (n_times, 4) float
        Quaternions, scalar first, segment to world; signs and lengths do not matter.

    Examples
    --------
    >>> time = np.linspace(0.0, 1.0, 21)
    >>> postures = [la.sagittal_posture(0.0, 60.0 + 30.0 * np.sin(np.pi * t)) for t in time]
    >>> recorded = {name: np.array([each[name] for each in postures]) for name in postures[0]}
    >>> la.recorded_motion(la.LiftingArm(arm.tree), time, recorded).n_times
    21
    """
    relative = _relative(arm, attitudes)
    q = np.concatenate(list(relative.values()), axis=1)
    times = np.asarray(time, dtype=float)
    if times.shape != (len(q),):
        raise ShapeError(f"{len(q)} instants of attitudes do not fit time of shape {times.shape}.")
    rates = [attitude.rates_from_quaternions(times, each) for each in relative.values()]
    velocity = np.concatenate([each[0] for each in rates], axis=1)
    acceleration = np.concatenate([each[1] for each in rates], axis=1)
    return _motion(arm, times, q, velocity, acceleration)


def minimum_jerk_motion(
    arm: LiftingArm,
    postures: Sequence[Posture],
    duration_s: float,
    *,
    rest_s: float = 0.0,
    rate_hz: float = 100.0,
) -> Motion:
    """Move through postures, each joint by the shortest turn and with minimum jerk, resting at every posture.

    Parameters
    ----------
    arm : LiftingArm
    postures : sequence of mappings of segment to (4,) float
        At least two.
    duration_s, rest_s : float
        Of every movement, and at every posture (s).
    rate_hz : float
        Instants per second.

    Examples
    --------
    >>> moving = la.LiftingArm(arm.tree)
    >>> ends = [la.sagittal_posture(0.0, 20.0), la.sagittal_posture(30.0, 110.0)]
    >>> la.minimum_jerk_motion(moving, ends, duration_s=0.5, rate_hz=100.0).n_times
    51
    """
    if len(postures) < 2:
        raise MissingInputError(f"{len(postures)} posture(s) make no movement.", remedy="give at least two")
    moves, stays = positive(duration_s, "the duration"), not_negative(rest_s, "the rest")
    rate = positive(rate_hz, "the sampling rate")
    total = (len(postures) - 1) * moves + len(postures) * stays
    # The small allowance keeps 1.5 s at 100 Hz from becoming 152 instants by round-off.
    time = np.arange(int(np.ceil(total * rate - 1e-9)) + 1) / rate
    joints = [_relative(arm, posture) for posture in postures]
    turned = [_joint_turns([each[name][0] for each in joints], moves, stays, time) for name in joints[0]]
    q, velocity, acceleration = (np.concatenate(part, axis=1) for part in zip(*turned, strict=True))
    return _motion(arm, time, q, velocity, acceleration)


def straight_path(
    start: ArrayLike,
    end: ArrayLike,
    duration_s: float,
    *,
    release_velocity: ArrayLike = (0.0, 0.0, 0.0),
    rate_hz: float = 100.0,
) -> tuple[Array, Array]:
    """Path of least jerk from rest to a place: a lift or, with a velocity at its end, a throw up to its release.

    x = start + (end - start)(10 s³ - 15 s⁴ + 6 s⁵) + T v (-4 s³ + 7 s⁴ - 3 s⁵), s = t/T: the first part is that of
    Flash & Hogan (1985), the second adds the velocity v at the end; the acceleration is zero at both ends.

    Parameters
    ----------
    start, end : (3,) float
        m.
    duration_s : float
        T (s).
    release_velocity : (3,) float
        v (m/s).
    rate_hz : float
        Instants per second.

    Returns
    -------
    time : (n_times,) float
    place : (n_times, 3) float

    Examples
    --------
    >>> time, place = la.straight_path((0, 0, 0), (0, 0, 0.4), duration_s=1.0)
    >>> float(place[50, 2].round(6))
    0.2
    """
    length = positive(duration_s, "the duration")
    time = np.arange(int(np.ceil(length * positive(rate_hz, "the sampling rate") - 1e-9)) + 1) / rate_hz
    first, last = instants_of(start, "the start")[0], instants_of(end, "the end")[0]
    velocity = instants_of(release_velocity, "the velocity at release")[0]
    place, _, _ = minimum_jerk(first, last, length, time)
    s = np.clip(time / length, 0.0, 1.0)[:, None]
    return time, place + length * velocity * s**3 * (-4.0 + s * (7.0 - 3.0 * s))


def hand_motion(
    arm: Arm,
    moving: LiftingArm,
    time: ArrayLike,
    held: ArrayLike,
    hand_x: ArrayLike,
    hand_z: ArrayLike,
    fraction: float = HELD_AT,
) -> Motion:
    """Motion of the arm whose hand carries an object along a path, the wrist bent least at every instant.

    Parameters
    ----------
    arm : Arm
        With a hand; its lengths.
    moving : LiftingArm
        The arm that moves.
    time : (n_times,) float
        s.
    held : (n_times, 3) float
        Path of the object, from the shoulder (m).
    hand_x, hand_z : (n_times, 3) or (3,) float
        Directions from the wrist along the hand, and out of its back.
    fraction : float
        Where the object is held, of the hand's length from the wrist.

    Examples
    --------
    >>> moving = la.LiftingArm(arm.tree, muscles=arm.du_muscles())
    >>> time, held = la.straight_path((0.35, 0.05, -0.25), (0.35, 0.05, 0.1), duration_s=0.8, rate_hz=50.0)
    >>> la.hand_motion(arm, moving, time, held, hand_x=(1, 0.2, 0), hand_z=(0, 0, 1)).n_times
    41
    """
    elbow, wrist, hand = reach_with_hand(arm, held, hand_x, hand_z, fraction)
    return recorded_motion(moving, time, {**arm_plane_attitudes(elbow, wrist), **hand})


def _relative(arm: LiftingArm, attitudes: Posture) -> dict[str, Array]:
    """Attitudes of the moving segments relative to those that carry them, (n_instants, 4) each."""
    given = _given(arm, attitudes)
    world: dict[str, Array] = {BASE: np.array([[1.0, 0.0, 0.0, 0.0]])}
    found: dict[str, Array] = {}
    for segment in arm.tree.segments:
        carrier = world[segment.parent]
        if segment.name in arm.fixed:
            world[segment.name] = attitude.multiply(carrier, np.atleast_2d(arm.fixed[segment.name]))
        else:
            world[segment.name] = given[segment.name]
            found[segment.name] = attitude.multiply(attitude.conjugate(carrier), given[segment.name])
    return found


def _given(arm: LiftingArm, attitudes: Posture) -> dict[str, Array]:
    """Attitudes of the moving segments as unit quaternions over the same instants, (n_instants, 4) each."""
    for name in attitudes:
        if name not in arm.tree.names:
            raise UnknownNameError.among(name, "segment", arm.tree.names, of="the tree", where="attitudes")
    moving = [segment.name for segment in arm.moving]
    missing = [name for name in moving if name not in attitudes]
    if missing:
        raise MissingInputError(
            f"segment {missing[0]!r} has no attitude.",
            remedy="give a quaternion for every segment that moves",
        )
    rows = {name: attitude.normalized(np.atleast_2d(attitudes[name])) for name in moving}
    counts = {len(each) for each in rows.values()}
    if not counts <= {1, max(counts)}:
        raise ShapeError(f"attitudes over {sorted(counts)} instants do not fit together.")
    return {name: np.broadcast_to(each, (max(counts), 4)) for name, each in rows.items()}


def _joint_turns(
    stations: Sequence[Array], moves: float, stays: float, time: Array
) -> tuple[Array, Array, Array]:
    """Quaternion, angular velocity and acceleration, in child axes, of one joint through its stations."""
    q = np.broadcast_to(stations[0], (len(time), 4)).copy()
    velocity, acceleration = np.zeros((len(time), 3)), np.zeros((len(time), 3))
    begin = stays
    for start, end in pairwise(stations):
        turn = rotation_vector(attitude.multiply(attitude.conjugate(start), end))
        angle, rate, rise = minimum_jerk(np.zeros(3), turn, moves, time - begin)
        here = time >= begin
        # About a fixed axis, the angular velocity is the rate of the angle along it, in child and parent axes alike.
        q[here] = attitude.multiply(start, quaternion_of(angle[here]))
        velocity += rate
        acceleration += rise
        begin += moves + stays
    return q, velocity, acceleration


def rotation_vector(quaternion: ArrayLike) -> Array:
    """Axis times angle of the shortest turn that a quaternion stands for, (…, 3) rad."""
    q = attitude.normalized(quaternion)
    q = np.where(q[..., :1] < 0.0, -q, q)
    sine = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    half = np.arctan2(sine, q[..., :1])
    # For small turns sin(x)/x is 1 to the last bit.
    return 2.0 * q[..., 1:] * np.where(sine > 1e-9, half / np.where(sine > 1e-9, sine, 1.0), 1.0)


def quaternion_of(turn: ArrayLike) -> Array:
    """Quaternion of a turn given as axis times angle (rad), (…, 4) scalar first."""
    vector = np.asarray(turn, dtype=float)
    half = 0.5 * np.linalg.norm(vector, axis=-1, keepdims=True)
    return np.concatenate([np.cos(half), 0.5 * vector * np.sinc(half / np.pi)], axis=-1)


def _motion(arm: LiftingArm, time: Array, q: Array, velocity: Array, acceleration: Array) -> Motion:
    model = arm.model
    return Motion(time, model.coordinate_names, q, velocity, acceleration, speeds=model.speed_names)
