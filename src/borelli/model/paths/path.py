"""Paths: the line that a muscle, ligament or spring follows over the bodies."""

from __future__ import annotations

import enum
from dataclasses import field
from typing import TypeAlias

from borelli.errors import InvalidValueError, ShapeError
from borelli.model.functions.function import Constant, Function
from borelli.model.values import Vector, numbers, vector
from borelli.records import dataclass


@dataclass(frozen=True, slots=True)
class PathPoint:
    """A point fixed to a body or frame.

    Parameters
    ----------
    name : str
    frame : str
        Body or frame that carries it.
    location : 3 numbers
        Position in that frame (m).

    Examples
    --------
    >>> bm.PathPoint("origin", "femur", (0.0, -0.3, 0.0)).location  # m, in the frame
    (0.0, -0.3, 0.0)
    """

    name: str
    frame: str
    location: Vector

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "location", vector(self.location, f"the location of path point {self.name!r}")
        )


@dataclass(frozen=True, slots=True)
class ConditionalPathPoint:
    """A fixed point that belongs to the path only while a coordinate is inside a range.

    Parameters
    ----------
    name, frame, location
        As for :class:`PathPoint`.
    coordinate : str
    range : (float, float)
        Lowest and highest value, both included.

    Examples
    --------
    >>> via = bm.ConditionalPathPoint("via", "femur", (0.03, -0.4, 0.0), coordinate="knee_angle", range=(1.2, 2.6))
    >>> via.range  # rad, in which the point is part of the path
    (1.2, 2.6)
    """

    name: str
    frame: str
    location: Vector
    coordinate: str
    range: tuple[float, float]

    def __post_init__(self) -> None:
        what = f"of path point {self.name!r}"
        object.__setattr__(self, "location", vector(self.location, f"the location {what}"))
        low, high = numbers(self.range, f"the range {what}", 2)
        if not low <= high:
            raise InvalidValueError(f"the range {what} ends ({high:g}) before it begins ({low:g}).")
        object.__setattr__(self, "range", (low, high))


@dataclass(frozen=True, slots=True)
class Component:
    """One component of a moving point: a function of at most one coordinate (m).

    Examples
    --------
    >>> along = bm.Component(function=bm.Linear((0.01,)), coordinate="knee_angle")
    >>> along.function.evaluate([0.5])  # m, at 0.5 rad
    array([0.005])
    """

    function: Function = field(default_factory=Constant)
    coordinate: str | None = None

    def __post_init__(self) -> None:
        if self.coordinate is None and self.function.n_arguments is not None:
            raise ShapeError("a component of a moving point varies, but names no coordinate.")
        if self.function.n_arguments not in (None, 1):
            raise ShapeError("a component of a moving point is a function of one coordinate.")


@dataclass(frozen=True, slots=True)
class MovingPathPoint:
    """A point that moves in its body with coordinates.

    Beyond the range of a coordinate the point stays where the end of the range puts it, as in OpenSim.

    Parameters
    ----------
    name, frame
        As for :class:`PathPoint`.
    x, y, z : Component
        Its position in the frame (m).

    Examples
    --------
    >>> slide = bm.Component(bm.Linear((0.01,), 0.04), "knee_angle")
    >>> bm.MovingPathPoint("P2", "tibia", x=slide).x.function.evaluate([1.0])
    array([0.05])
    """

    name: str
    frame: str
    x: Component = field(default_factory=Component)
    y: Component = field(default_factory=Component)
    z: Component = field(default_factory=Component)

    @property
    def components(self) -> tuple[Component, Component, Component]:
        """The three components in order."""
        return (self.x, self.y, self.z)


AnyPathPoint: TypeAlias = PathPoint | ConditionalPathPoint | MovingPathPoint


class WrapMethod(enum.Enum):
    """How OpenSim's ellipsoid wrap looks for its way; other surfaces do not need it.

    Examples
    --------
    >>> bm.WrapMethod("midpoint")
    <WrapMethod.MIDPOINT: 'midpoint'>
    """

    HYBRID = "hybrid"
    MIDPOINT = "midpoint"
    AXIAL = "axial"


@dataclass(frozen=True, slots=True)
class PathWrap:
    """A wrap object that the path may touch.

    Parameters
    ----------
    wrap_object : str
        Its name.
    method : WrapMethod
    range : (int, int) or None
        First and last path point (counted from 1) between which it may be touched; None for the whole path.
        A number of -1 stands for the first or the last point.

    Examples
    --------
    >>> bm.PathWrap("condyle", range=(1, 2)).method
    <WrapMethod.HYBRID: 'hybrid'>
    """

    wrap_object: str
    method: WrapMethod = WrapMethod.HYBRID
    range: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "method", WrapMethod(self.method))
        if self.range is not None:
            first, last = self.range
            object.__setattr__(self, "range", None if (first, last) == (-1, -1) else (int(first), int(last)))


@dataclass(frozen=True, slots=True)
class Path:
    """Points in order from origin to insertion, and the surfaces in the way.

    Parameters
    ----------
    points : tuple of path points
        At least two.
    wraps : tuple of PathWrap

    Examples
    --------
    >>> path = bm.Path(
    ...     (bm.PathPoint("a", "femur", (0.0, -0.3, 0.0)), bm.PathPoint("b", "tibia", (0.0, -0.05, 0.0)))
    ... )
    >>> [point.frame for point in path.points]
    ['femur', 'tibia']
    """

    points: tuple[AnyPathPoint, ...]
    wraps: tuple[PathWrap, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", tuple(self.points))
        object.__setattr__(self, "wraps", tuple(self.wraps))
        if len(self.points) < 2:
            raise ShapeError(f"a path needs at least two points, but has {len(self.points)}.")
