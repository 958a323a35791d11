"""Inverse kinematics of the arm: where the elbow is when shoulder and wrist are known.

The shoulder is the origin, z points up. With the wrist at distance r along the unit vector n, upper arm l1 and
forearm l2, the elbow lies on the circle

    E = a n + rho e,    a = (r² + l1² - l2²) / (2 r),    rho² = l1² - a²,    e unit, e · n = 0.

Du (2021) leaves two ways to choose e: a swivel angle from the lowest elbow (his models 1 and 2), and the elbow
that bends the wrist least (model 3). All functions take any number of instants at once.
"""

from __future__ import annotations

import enum

import numpy as np
from numpy.typing import ArrayLike

from borelli.errors import UnsolvableError
from borelli.library.lifting_arm.values import (
    Array,
    instants_of,
    numbers_of,
    positive,
    spread,
    unit,
    where_instants,
)
from borelli.records import dataclass

TOLERANCE = 1e-12
"""Of a length: what counts as equal in double precision."""


class Locus(enum.IntEnum):
    """Where the elbow can be.

    Examples
    --------
    >>> bool(la.elbow_circle([0.3, 0.0, 0.0], 0.3, 0.25).locus[0] == la.Locus.CIRCLE)
    True
    """

    NOWHERE = 0
    POINT = 1
    CIRCLE = 2
    SPHERE = 3


@dataclass(frozen=True, slots=True, eq=False)
class ElbowCircle:
    """All places of the elbow for given wrists.

    Attributes
    ----------
    upper_arm, forearm : float
        Lengths (m).
    locus : (n_instants,) int
        One of :class:`Locus`.
    distance : (n_instants,)
        From shoulder to wrist (m).
    axis : (n_instants, 3)
        Unit vector from shoulder to wrist; zero where they coincide.
    centre_distance, radius : (n_instants,)
        Of the circle: a and rho (m). For a sphere the radius is its own; NaN where the wrist is out of reach.
    """

    upper_arm: float
    forearm: float
    locus: Array
    distance: Array
    axis: Array
    centre_distance: Array
    radius: Array

    @property
    def reachable(self) -> Array:
        """Instants in which the arm reaches the wrist, (n_instants,) bool."""
        return self.locus != Locus.NOWHERE

    def elbow(self, direction: ArrayLike) -> Array:
        """Return the elbow on the circle in the direction e, (n_instants, 3) (m)."""
        e = np.asarray(direction, dtype=float)
        return self.centre_distance[:, None] * self.axis + self.radius[:, None] * e

    def require_reach(self) -> None:
        """Refuse wrists that no arm of these lengths reaches, naming the first instant."""
        bad = ~self.reachable
        if not bad.any():
            return
        instant = int(np.argmax(bad))
        least, most = abs(self.upper_arm - self.forearm), self.upper_arm + self.forearm
        far = self.distance[instant] > most
        raise UnsolvableError(
            f"The wrist is {self.distance[instant]:.4g} m from the shoulder; an arm of {self.upper_arm:g} m and "
            f"{self.forearm:g} m reaches from {least:.4g} m to {most:.4g} m.",
            where=where_instants(bad),
            remedy="bring the hand nearer" if far else "move the hand away from the shoulder",
        )


def elbow_circle(wrist: ArrayLike, upper_arm: float, forearm: float) -> ElbowCircle:
    """Find all places that the elbow can have.

    Parameters
    ----------
    wrist : (n_instants, 3) or (3,) float
        From the shoulder (m).
    upper_arm, forearm : float
        Lengths (m).

    Returns
    -------
    ElbowCircle
        Also for wrists out of reach, which are marked.

    Examples
    --------
    >>> la.elbow_circle([[0.3, 0.0, 0.0], [0.9, 0.0, 0.0]], upper_arm=0.31, forearm=0.27).reachable
    array([ True, False])
    """
    w = instants_of(wrist, "the wrist")
    l1, l2 = (
        positive(upper_arm, "the length of the upper arm"),
        positive(forearm, "the length of the forearm"),
    )
    near = TOLERANCE * (l1 + l2)
    r = np.linalg.norm(w, axis=1)
    at_shoulder = r <= near
    safe = np.where(at_shoulder, 1.0, r)
    axis = np.where(at_shoulder[:, None], 0.0, w / safe[:, None])
    least, most = abs(l1 - l2), l1 + l2
    locus = np.full(len(r), Locus.CIRCLE)
    locus[(np.abs(r - most) <= near) | (np.abs(r - least) <= near)] = Locus.POINT
    locus[(r > most + near) | (r < least - near)] = Locus.NOWHERE
    locus[at_shoulder] = Locus.SPHERE if least <= near else Locus.NOWHERE
    a = (safe**2 + l1**2 - l2**2) / (2.0 * safe)
    # Heron's product keeps the radius accurate where the arm is almost straight or folded; l1² - a² does not.
    product = (r + l1 + l2) * (l1 + l2 - r) * (r - l1 + l2) * (r + l1 - l2)
    rho = np.sqrt(np.maximum(product, 0.0)) / (2.0 * safe)
    rho[locus == Locus.POINT] = 0.0
    a[locus == Locus.SPHERE], rho[locus == Locus.SPHERE] = 0.0, l1
    a[locus == Locus.NOWHERE] = rho[locus == Locus.NOWHERE] = np.nan
    return ElbowCircle(l1, l2, locus, r, axis, a, rho)


def elbow_by_swivel(wrist: ArrayLike, upper_arm: float, forearm: float, swivel: ArrayLike = 0.0) -> Array:
    """Elbow at a swivel angle from its lowest place, about the line from shoulder to wrist.

    Where that line is vertical no elbow is lowest: the one farthest along -x takes its place. With the wrist at
    the shoulder the elbow hangs below it; there is then no line to swivel about.

    Parameters
    ----------
    wrist : (n_instants, 3) or (3,) float
        From the shoulder (m).
    upper_arm, forearm : float
        Lengths (m).
    swivel : float or (n_instants,) float
        rad, right-handed about the direction from shoulder to wrist.

    Returns
    -------
    (n_instants, 3) float
        m, from the shoulder.

    Raises
    ------
    UnsolvableError
        If the wrist is out of reach, or at the shoulder with a swivel angle; the instant is named.

    Examples
    --------
    >>> la.elbow_by_swivel([0.4, 0.0, 0.0], upper_arm=0.25, forearm=0.25).round(6)
    array([[ 0.2 ,  0.  , -0.15]])
    """
    circle = elbow_circle(wrist, upper_arm, forearm)
    circle.require_reach()
    angle = numbers_of(swivel, len(circle.distance), "the swivel angle")
    no_axis = (circle.locus == Locus.SPHERE) & (angle != 0.0)
    if no_axis.any():
        raise UnsolvableError(
            "The wrist is at the shoulder: there is no line to swivel about.",
            where=where_instants(no_axis),
            remedy="give a swivel angle of zero there, or the hand's direction instead of a swivel",
        )
    n = circle.axis
    lowest = _across(np.broadcast_to([0.0, 0.0, -1.0], n.shape), n)
    height = np.linalg.norm(lowest, axis=1)
    vertical = height <= TOLERANCE
    e0 = np.where(vertical[:, None], [-1.0, 0.0, 0.0], lowest / np.where(vertical, 1.0, height)[:, None])
    # e0 is across n, so Rodrigues' formula has no part along n.
    turned = np.cos(angle)[:, None] * e0 + np.sin(angle)[:, None] * np.cross(n, e0)
    return circle.elbow(turned)


def elbow_of_least_wrist_bend(
    wrist: ArrayLike, upper_arm: float, forearm: float, hand_axis: ArrayLike, palm_normal: ArrayLike
) -> Array:
    """Elbow that puts the forearm most nearly in line with the hand.

    The forearm points along (r - a) n - rho e, so the best e is opposite to the part of the hand's direction
    that is across n, always. Only a hand along n leaves a tie; it is broken to the side of the palm:
    e = sign((r - a)(n · h)) p. With the wrist at the shoulder the bend can be zero, E = -l1 h.

    Parameters
    ----------
    wrist : (n_instants, 3) or (3,) float
        From the shoulder (m).
    upper_arm, forearm : float
        Lengths (m).
    hand_axis : (n_instants, 3) or (3,) float
        Direction from the wrist along the hand; of any length.
    palm_normal : (n_instants, 3) or (3,) float
        Direction out of the palm; of any length. Only a tie needs it.

    Returns
    -------
    (n_instants, 3) float
        m, from the shoulder.

    Raises
    ------
    UnsolvableError
        If the wrist is out of reach, or a tie is not broken by the palm; the instant is named.

    Examples
    --------
    >>> elbow = la.elbow_of_least_wrist_bend([0.4, 0, 0], 0.25, 0.25, hand_axis=[1, 0, 1], palm_normal=[0, 0, -1])
    >>> elbow.round(6)
    array([[ 0.2 ,  0.  , -0.15]])
    """
    circle = elbow_circle(wrist, upper_arm, forearm)
    circle.require_reach()
    n = circle.axis
    h = spread(unit(hand_axis, "the hand's direction"), len(n), "the hand's direction")
    e = -_across(h, n)
    size = np.linalg.norm(e, axis=1)
    tie = (size <= TOLERANCE) & (circle.locus == Locus.CIRCLE)
    e = e / np.where(size <= TOLERANCE, 1.0, size)[:, None]
    if tie.any():
        e = np.where(tie[:, None], _palmar_side(circle, h, palm_normal, tie), e)
    elbow = circle.elbow(e)
    return np.where((circle.locus == Locus.SPHERE)[:, None], -circle.upper_arm * h, elbow)


def wrist_bend(elbow: ArrayLike, wrist: ArrayLike, hand_axis: ArrayLike) -> Array:
    """Angle between the directions of forearm and hand, (n_instants,) rad, from 0 to π.

    Parameters
    ----------
    elbow, wrist : (n_instants, 3) or (3,) float
        Positions (m).
    hand_axis : (n_instants, 3) or (3,) float
        Direction from the wrist along the hand; of any length.

    Examples
    --------
    >>> np.degrees(la.wrist_bend(elbow=[0, 0, -0.3], wrist=[0.3, 0, -0.3], hand_axis=[1, 0, 1])).round(6)
    array([45.])
    """
    forearm = instants_of(wrist, "the wrist") - instants_of(elbow, "the elbow")
    h = spread(unit(hand_axis, "the hand's direction"), len(forearm), "the hand's direction")
    across = np.linalg.norm(np.cross(forearm, h), axis=1)
    return np.arctan2(across, (forearm * h).sum(axis=1))


def elbow_flexion(wrist: ArrayLike, upper_arm: float, forearm: float) -> Array:
    """Angle between the directions of upper arm and forearm, (n_instants,) rad: 0 for a straight arm.

    cos = (r² - l1² - l2²) / (2 l1 l2). It is the supplement of the triangle's angle at the elbow.

    Parameters
    ----------
    wrist : (n_instants, 3) or (3,) float
        From the shoulder (m).
    upper_arm, forearm : float
        Lengths (m).

    Examples
    --------
    >>> np.degrees(la.elbow_flexion([0.3, 0.0, 0.4], upper_arm=0.3, forearm=0.4)).round(6)
    array([90.])
    """
    circle = elbow_circle(wrist, upper_arm, forearm)
    circle.require_reach()
    l1, l2, r = circle.upper_arm, circle.forearm, circle.distance
    # The half-angle form is accurate near 0 and π, where an arc cosine is not.
    straight, folded = (r + l1 - l2) * (r - l1 + l2), (l1 + l2 - r) * (l1 + l2 + r)
    return 2.0 * np.arctan2(np.sqrt(np.maximum(folded, 0.0)), np.sqrt(np.maximum(straight, 0.0)))


def _across(vector: Array, axis: Array) -> Array:
    """Return the part of vectors that is perpendicular to unit vectors."""
    return vector - (vector * axis).sum(axis=1, keepdims=True) * axis


def _palmar_side(circle: ElbowCircle, h: Array, palm_normal: ArrayLike, tie: Array) -> Array:
    n = circle.axis
    palm = _across(spread(unit(palm_normal, "the palm's normal"), len(n), "the palm's normal"), n)
    size = np.linalg.norm(palm, axis=1)
    undecided = tie & (size <= TOLERANCE)
    if undecided.any():
        raise UnsolvableError(
            "The hand is in line with shoulder and wrist, and so is the palm's normal: every elbow bends the wrist "
            "alike.",
            where=where_instants(undecided),
            remedy="give a palm normal that is across the hand's direction",
        )
    side = (circle.distance - circle.centre_distance) * (n * h).sum(axis=1)
    # Where the circle is about the wrist itself (r = a) all bends are 90°: the palmar one is with +p.
    sign = np.where(side < -TOLERANCE * (circle.upper_arm + circle.forearm), -1.0, 1.0)
    return sign[:, None] * palm / np.where(size <= TOLERANCE, 1.0, size)[:, None]
