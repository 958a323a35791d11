"""What a surface does to one straight piece of a path, in OpenSim's terms."""

from __future__ import annotations

import enum
import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from borelli.records import dataclass


class Action(enum.Enum):
    """OpenSim's verdict on one piece."""

    MISSED = "missed"
    """The piece does not touch the surface."""
    INSIDE = "inside"
    """An end of the piece lies within the surface."""
    OFFERED = "offered"
    """The piece may go round; among several, that which grows least does."""
    REQUIRED = "required"
    """The piece runs through the surface: it goes round, and no other is asked."""


@dataclass(frozen=True, eq=False)
class Wrap:
    """A piece that has met a surface.

    Parameters
    ----------
    action : Action
    first, last : (3,) float
        Where the piece meets and leaves the surface, in the surface's axes (m); NaN where it does not.
    length : float
        Length between them (m). OpenSim's is negative on the far side of a sphere.
    """

    action: Action
    first: np.ndarray
    last: np.ndarray
    length: float


_NOWHERE = np.full(3, np.nan)
MISSED = Wrap(Action.MISSED, _NOWHERE, _NOWHERE, 0.0)
INSIDE = Wrap(Action.INSIDE, _NOWHERE, _NOWHERE, 0.0)


@dataclass(frozen=True)
class Half:
    """The half of a surface that a path may touch: an axis, and the sign of that coordinate."""

    axis: int
    sign: int

    def holds(self, point: np.ndarray) -> bool:
        """Whether a point lies on this half."""
        return side(point[self.axis]) == self.sign

    def parts(self, first: np.ndarray, last: np.ndarray) -> bool:
        """Whether two points lie on different halves."""
        return side(first[self.axis]) != side(last[self.axis])


def side(value: float) -> int:
    """Sign of a number; zero counts as positive."""
    return 1 if value >= 0.0 else -1


def unit(vector: np.ndarray) -> np.ndarray:
    """Direction of a vector; zero for one too short to have any."""
    length = norm(vector)
    return vector / length if length >= SHORTEST else np.zeros(3)


SHORTEST = 2.0**-52
"""Simbody's precision, below which OpenSim gives a vector no direction."""


def norm(vector: np.ndarray) -> float:
    """Length of a vector."""
    # Numbers of Python, here and below: those of NumPy take three times as long one by one.
    x, y, z = vector.tolist()
    return math.sqrt(x * x + y * y + z * z)


def dot(a: np.ndarray, b: np.ndarray) -> float:
    """Scalar product."""
    (x, y, z), (i, j, k) = a.tolist(), b.tolist()
    return float(x * i + y * j + z * k)


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Vector product; NumPy's own takes ten times as long for a single one."""
    (x, y, z), (i, j, k) = a.tolist(), b.tolist()
    return np.array([y * k - z * j, z * i - x * k, x * j - y * i])


def arc_cosine(value: float) -> float:
    """Angle of a cosine; NaN where rounding has carried it beyond one, as in C."""
    return math.acos(value) if -1.0 <= value <= 1.0 else math.nan


Pair: TypeAlias = tuple[np.ndarray, np.ndarray]


def closest_pair(of_p: Pair, of_q: Pair, cosine: Callable[[np.ndarray, np.ndarray], float]) -> Pair:
    """The two tangent points, one of each end, with the least angle between them."""
    pairs = [(a, b) for a in of_p for b in of_q]
    best = pairs[-1]
    for pair in reversed(pairs[:-1]):
        if cosine(*pair) > cosine(*best):
            best = pair
    return best


def crossings(start: np.ndarray, along: np.ndarray, radius: float) -> tuple[float, float] | None:
    """Fractions of a piece, the larger first, at which it crosses a sphere about zero; None if it does not run through.

    Parameters
    ----------
    start, along : (3,) float
        One end of the piece, and the way to the other.
    """
    a, b, c = dot(along, along), 2.0 * dot(along, start), dot(start, start) - radius * radius
    under_root = b * b - 4.0 * a * c
    if under_root < 0.0:
        return None
    root = math.sqrt(under_root)
    far, near = (-b + root) / (2.0 * a), (-b - root) / (2.0 * a)
    return (far, near) if 0.0 < far < 1.0 and 0.0 < near < 1.0 else None


def nearest_of_lines(
    first: tuple[np.ndarray, np.ndarray], second: tuple[np.ndarray, np.ndarray]
) -> tuple[np.ndarray, float, np.ndarray]:
    """Nearest points of two lines, each given by two of its points.

    Returns
    -------
    on_first : (3,) float
    fraction : float
        Of the way between the points of the first line.
    on_second : (3,) float
        All NaN where the lines are parallel.
    """
    along, across = first[1] - first[0], second[1] - second[0]
    distance = norm(along)
    along, across = unit(along), unit(across)
    normal = cross(along, across)
    square = dot(normal, normal)
    if square <= _PARALLEL:
        return _NOWHERE, math.nan, _NOWHERE
    gap = second[0] - first[0]
    s = dot(cross(gap, across), normal) / square
    t = dot(cross(gap, along), normal) / square
    return first[0] + s * along, s / distance, second[0] + t * across


# ROUNDOFF_ERROR of OpenSim's SimmMacros.
_PARALLEL = 2e-13
