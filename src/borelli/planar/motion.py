"""The motion of a chain: absolute (segment) angles and their rates, and the other ways to state them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from borelli.arrays import plain_numbers, seconds
from borelli.errors import InvalidValueError, MissingInputError, ShapeError
from borelli.instants import distinct
from borelli.planar import checks
from borelli.planar.checks import Array
from borelli.records import dataclass

# Loaded where needed: scipy, whose parts are slow to load and seldom needed.

# Accelerations of a quintic are cubics, smooth where those of a cubic are bent at every instant.
_SPLINE_DEGREE = 5
_LARGEST_ANGLE = 1e9
"""rad. Beyond it an angle is known to a ten-millionth of a radian at best."""


def segment_from_joint(alpha: ArrayLike) -> Array:
    """Absolute angles theta from joint (external) angles alpha: theta_k is the sum of alpha_1..alpha_k.

    Parameters
    ----------
    alpha : (…, n_links)
        Joint angles (rad).

    Examples
    --------
    >>> planar.segment_from_joint([[0.1, 0.2, 0.3]]).round(12)  # rad
    array([[0.1, 0.3, 0.6]])
    """
    return np.cumsum(_table_of_angles(alpha, "The table of joint angles"), axis=-1)


def joint_from_segment(theta: ArrayLike) -> Array:
    """Joint (external) angles alpha from absolute angles theta: alpha_k = theta_k - theta_(k-1).

    Parameters
    ----------
    theta : (…, n_links)
        Absolute angles (rad).

    Examples
    --------
    >>> planar.joint_from_segment([[0.1, 0.3, 0.6]]).round(12)  # rad
    array([[0.1, 0.2, 0.3]])
    """
    return np.diff(_table_of_angles(theta, "The table of angles"), axis=-1, prepend=0.0)


def internal_from_joint(alpha: ArrayLike) -> Array:
    """Internal joint angles beta from alpha: beta_1 = alpha_1, else pi - alpha_k (Cesari et al. 2001, (1)).

    Parameters
    ----------
    alpha : (…, n_links)
        Joint angles (rad).

    Examples
    --------
    >>> planar.joint_from_internal(planar.internal_from_joint([[0.1, 0.2, 0.3]])).round(12)
    array([[0.1, 0.2, 0.3]])
    """
    angle = _table_of_angles(alpha, "The table of joint angles")
    return np.concatenate([angle[..., :1], np.pi - angle[..., 1:]], axis=-1)


def joint_from_internal(beta: ArrayLike) -> Array:
    """Joint (external) angles alpha from internal angles beta; the same rule both ways.

    Parameters
    ----------
    beta : (…, n_links)
        Internal joint angles (rad).

    Examples
    --------
    >>> planar.internal_from_joint(planar.joint_from_internal([[0.1, 0.2, 0.3]])).round(12)
    array([[0.1, 0.2, 0.3]])
    """
    return internal_from_joint(beta)


@dataclass(frozen=True, slots=True)
class Motion:
    """How a chain moves.

    Parameters
    ----------
    time : (n_times,)
        s, strictly increasing.
    angle : (n_times, n_links)
        Absolute angle of each link (rad), counter-clockwise from the world's x axis.
    velocity, acceleration : (n_times, n_links), optional
        Their rates (rad/s, rad/s²). Left out, they are derivatives of the interpolating quintic
        spline through the angles.
    base_acceleration : (n_times, 2), optional
        Acceleration of the base in the world (m/s²). Positions are then relative to the moving base.

    Examples
    --------
    >>> still = planar.Motion(time=[0.0], angle=[[0.3, 0.5]], velocity=[[0.0, 0.0]], acceleration=[[0.0, 0.0]])
    >>> still.angle.shape  # instants, links
    (1, 2)
    """

    time: Array
    angle: Array
    velocity: Array
    acceleration: Array
    base_acceleration: Array | None = None

    def __init__(
        self,
        time: ArrayLike,
        angle: ArrayLike,
        velocity: ArrayLike | None = None,
        acceleration: ArrayLike | None = None,
        base_acceleration: ArrayLike | None = None,
    ) -> None:
        times = _check_time(time)
        angles = _check_rows(angle, len(times), "The table of angles")
        if velocity is None:
            velocities = _spline_derivative(times, angles, 1)
        else:
            velocities = _check_rows(velocity, len(times), "The table of velocities", angles.shape)
        if acceleration is None:
            source, order = (angles, 2) if velocity is None else (velocities, 1)
            accelerations = _spline_derivative(times, source, order)
        else:
            accelerations = _check_rows(acceleration, len(times), "The table of accelerations", angles.shape)
        base = None
        if base_acceleration is not None:
            base = checks.series(
                base_acceleration, (2,), len(times), "The acceleration of the base", "motion"
            )
        self._set(times, angles, velocities, accelerations, base)

    def _set(self, *values: Array | None) -> None:
        for name, value in zip(Motion.__slots__, values, strict=True):
            object.__setattr__(self, name, value)

    @classmethod
    def from_joint_angles(
        cls,
        time: ArrayLike,
        angle: ArrayLike,
        velocity: ArrayLike | None = None,
        acceleration: ArrayLike | None = None,
        base_acceleration: ArrayLike | None = None,
    ) -> Motion:
        """Make a motion from joint angles alpha (each link relative to the one before) and their rates."""
        given = [
            None if value is None else segment_from_joint(value) for value in (angle, velocity, acceleration)
        ]
        return cls(time, given[0] if given[0] is not None else angle, given[1], given[2], base_acceleration)

    @classmethod
    def static(cls, angle: ArrayLike) -> Motion:
        """Make a posture at rest: one instant at time 0, or one instant a row, one second apart."""
        angles = np.atleast_2d(plain_numbers(angle, "The posture"))
        return cls(np.arange(len(angles), dtype=float), angles, np.zeros_like(angles), np.zeros_like(angles))

    @property
    def n_times(self) -> int:
        """Number of instants."""
        return len(self.time)

    @property
    def n_links(self) -> int:
        """Number of links."""
        return self.angle.shape[1]

    def instants(self, which: slice) -> Motion:
        """Return the instants of a slice as a motion of its own."""
        base = None if self.base_acceleration is None else self.base_acceleration[which]
        part = object.__new__(Motion)  # what was checked whole need not be checked again in parts
        part._set(self.time[which], self.angle[which], self.velocity[which], self.acceleration[which], base)
        return part

    def frames(self, which: slice) -> Motion:
        """Return :meth:`instants`; its name in earlier versions."""
        return self.instants(which)

    def check_fits(self, n_links: int, chain_name: str, *, trial_step: bool = False) -> None:
        """Refuse a motion whose number of columns is not the chain's number of links, or that no chain makes.

        An integrator's ``trial_step`` may be absurd: it takes a shorter one then.
        """
        if not trial_step:
            checks.plausible(self.angle, "The table of angles", "motion", _LARGEST_ANGLE)
            checks.plausible(self.velocity, "The table of velocities", "motion")
            checks.plausible(self.acceleration, "The table of accelerations", "motion")
            if self.base_acceleration is not None:
                checks.plausible(self.base_acceleration, "The acceleration of the base", "motion")
        if self.n_links != n_links:
            raise ShapeError(
                f"The motion has {self.n_links} angle(s) per instant, chain {chain_name!r} has {n_links} link(s).",
                where="motion",
                remedy="give one column for each link, from the base outwards",
            )


def _table_of_angles(values: ArrayLike, what: str) -> Array:
    # Controls turn angles of an integrator's trial steps, which may be absurd: only what is no number is refused.
    table = checks.finite(values, what, "motion")
    if table.ndim == 0:
        raise ShapeError(f"{what} is one number.", where="motion", remedy="give a column for each link")
    return table


def _check_time(time: ArrayLike) -> Array:
    times = checks.finite(seconds(time, "Time"), "Time", "motion")
    if times.ndim != 1:
        raise ShapeError(f"Time has shape {times.shape}; it must be (n_times,).", where="motion")
    if times.size == 0:
        raise MissingInputError(
            "The motion has no instants.", where="motion", remedy="give at least one instant"
        )
    steps = np.diff(times)
    if np.any(steps <= 0):
        instant = int(np.argmax(steps <= 0)) + 1
        raise InvalidValueError(
            f"Time does not increase: instant {instant} is at {times[instant]:g} s, after {times[instant - 1]:g} s.",
            where="motion",
            remedy="sort the instants and remove repeated times",
        )
    return times


def _check_rows(value: ArrayLike, n_times: int, what: str, shape: tuple[int, ...] | None = None) -> Array:
    array = checks.finite(value, what, "motion")
    wanted = shape or (n_times, array.shape[-1] if array.ndim == 2 else -1)
    if array.ndim != 2 or array.shape != wanted:
        columns = wanted[1] if wanted[1] > 0 else "n_links"
        raise ShapeError(
            f"{what} has shape {array.shape}; it must be ({n_times}, {columns}).",
            where="motion",
            remedy="give one row per instant and one column a link",
        )
    return array


def _spline_derivative(times: Array, values: Array, order: int) -> Array:
    knots = distinct(times, values)
    if knots.sum() <= _SPLINE_DEGREE:
        raise MissingInputError(
            f"{int(knots.sum())} instant(s) are too few to derive the rates of the angles from a quintic spline.",
            where="motion",
            remedy=f"give velocity and acceleration, at least {_SPLINE_DEGREE + 1} instants, or use Motion.static",
        )
    from scipy.interpolate import make_interp_spline

    # Of instants that are too near for floats, rates are no numbers: refused by name, not told by SciPy.
    with np.errstate(all="ignore"):
        spline = make_interp_spline(times[knots], values[knots], k=_SPLINE_DEGREE)
        rates = np.asarray(spline.derivative(order)(times))
    if not np.isfinite(rates).all():
        raise InvalidValueError(
            f"The rates of the angles are no numbers: {times.size} instants within {np.ptp(times):.1e} s.",
            where="motion",
            remedy="give times in seconds, or velocity and acceleration",
        )
    return rates
