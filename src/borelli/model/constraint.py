"""Constraints between coordinates or between bodies, beyond what the joints say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import ClassVar

from borelli.errors import InvalidValueError, ShapeError
from borelli.model.functions.function import Function, Linear
from borelli.model.placement import Placement
from borelli.model.values import ZERO, Number, Vector, is_concrete, number, vector
from borelli.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraint:
    """What all constraints have: a unique name, and whether they are in force.

    Examples
    --------
    >>> rod = bm.ConstantDistanceConstraint(name="rod", first="crank", second="rocker", distance=0.3)
    >>> isinstance(rod, bm.Constraint), rod.enforced
    (True, True)
    """

    kind: ClassVar[str] = ""
    name: str
    enforced: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class CoordinateCoupler(Constraint):
    """``dependent = scale * function(independent…)``.

    Both sides are in the coordinate's unit (rad or m). The dependent coordinate is computed, not solved for: what
    acts on it acts on those it follows. OpenSim's CoordinateCouplerConstraint.

    Parameters
    ----------
    dependent : str
        The coordinate that follows.
    independent : tuple of str
        The coordinates it follows, in the order of the function's arguments.
    function : Function
    scale : float

    Examples
    --------
    >>> patella = bm.CoordinateCoupler(
    ...     name="patella", dependent="patella_angle", independent=("knee_angle",), function=bm.Linear((0.6,), 0.1)
    ... )
    >>> patella.function.evaluate([0.5])  # the dependent angle at a knee angle of 0.5 rad
    array([0.4])
    """

    kind: ClassVar[str] = "coordinate coupler"
    dependent: str
    independent: tuple[str, ...]
    function: Function = field(default_factory=Linear)
    scale: Number = 1.0

    def __post_init__(self) -> None:
        names = (self.independent,) if isinstance(self.independent, str) else tuple(self.independent)
        object.__setattr__(self, "independent", names)
        object.__setattr__(self, "scale", number(self.scale, f"the scale of constraint {self.name!r}"))
        needed = self.function.n_arguments
        if needed is not None and needed != len(names):
            raise ShapeError(
                f"constraint {self.name!r} has a function of {needed} arguments, but {len(names)} coordinates."
            )
        if self.dependent in names:
            raise InvalidValueError(f"constraint {self.name!r} makes {self.dependent!r} depend on itself.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PointConstraint(Constraint):
    """A point of one body coincides with a point of another.

    Three equations: a ball joint that closes a loop. OpenSim's PointConstraint.

    Parameters
    ----------
    first, second : str
        Bodies or frames.
    first_location, second_location : 3 numbers
        The points in them (m).

    Examples
    --------
    >>> loop = bm.PointConstraint(name="loop", first="thigh", second="bar", first_location=(0.0, -0.4, 0.0))
    >>> loop.kind
    'point'
    """

    kind: ClassVar[str] = "point"
    first: str
    second: str
    first_location: Vector = ZERO
    second_location: Vector = ZERO

    def __post_init__(self) -> None:
        _set_vectors(self, "first_location", "second_location")


@dataclass(frozen=True, slots=True, kw_only=True)
class PointOnLineConstraint(Constraint):
    """A point of one body stays on a line of another.

    Two equations; along the line the point is free. OpenSim's PointOnLineConstraint.

    Parameters
    ----------
    line_frame, follower : str
        Bodies or frames that carry the line and the point.
    line_direction, line_point : 3 numbers
        Direction of the line (any length) and a point on it (m).
    follower_location : 3 numbers
        The point that follows (m).

    Examples
    --------
    >>> groove = bm.PointOnLineConstraint(
    ...     name="groove", line_frame="femur", follower="patella", line_direction=(0.0, 1.0, 0.0)
    ... )
    >>> groove.line_direction
    (0.0, 1.0, 0.0)
    """

    kind: ClassVar[str] = "point on line"
    line_frame: str
    follower: str
    line_direction: Vector
    line_point: Vector = ZERO
    follower_location: Vector = ZERO

    def __post_init__(self) -> None:
        _set_vectors(self, "line_direction", "line_point", "follower_location")
        if self.line_direction == ZERO:
            raise InvalidValueError(f"the line of constraint {self.name!r} has no direction.")


@dataclass(frozen=True, slots=True, kw_only=True)
class WeldConstraint(Constraint):
    """Two frames coincide.

    Six equations, three of them on the turn of one frame in the other: a weld that closes a loop. OpenSim's
    WeldConstraint.

    Parameters
    ----------
    first, second : str
        Bodies or frames.
    first_placement, second_placement : Placement
        The frames that coincide, placed in them.

    Examples
    --------
    >>> held = bm.WeldConstraint(name="held", first="hand", second="bar")
    >>> held.first_placement.is_identity
    True
    """

    kind: ClassVar[str] = "weld"
    first: str
    second: str
    first_placement: Placement = field(default_factory=Placement)
    second_placement: Placement = field(default_factory=Placement)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstantDistanceConstraint(Constraint):
    """Two points keep their distance: a massless rod with ball ends.

    One equation. OpenSim's ConstantDistanceConstraint.

    Parameters
    ----------
    first, second : str
        Bodies or frames.
    first_location, second_location : 3 numbers
        The ends in them (m).
    distance : float
        Length of the rod, more than zero (m).

    Examples
    --------
    >>> rod = bm.ConstantDistanceConstraint(name="rod", first="crank", second="rocker", distance=0.3)
    >>> rod.enforced
    True
    """

    kind: ClassVar[str] = "constant distance"
    first: str
    second: str
    distance: Number
    first_location: Vector = ZERO
    second_location: Vector = ZERO

    def __post_init__(self) -> None:
        _set_vectors(self, "first_location", "second_location")
        object.__setattr__(
            self, "distance", number(self.distance, f"the distance of constraint {self.name!r}")
        )
        if is_concrete(self.distance) and not self.distance > 0:
            raise InvalidValueError(
                f"the distance of constraint {self.name!r} must be more than zero, not {self.distance:g}.",
                remedy="use a point constraint to make two points coincide",
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class RollingConstraint(Constraint):
    """A ball rolls on a plane without slipping: its height is given, and so is the velocity where it touches.

    OpenSim has none of this kind; its RollingOnSurfaceConstraint is kept as data.

    The two rows of the velocity are nonholonomic: they do not follow from any equation between coordinates.
    Nothing resists twist about the normal. In a plane of motion the ball is a wheel.

    Parameters
    ----------
    surface_frame, roller : str
        Bodies or frames that carry the plane and the ball.
    radius : float
        Of the ball, more than zero (m).
    centre : 3 numbers
        Its centre, in the roller (m).
    plane_point, normal : 3 numbers
        A point of the plane (m) and the direction (any length) to the side where the ball is, in ``surface_frame``.

    Examples
    --------
    >>> wheel = bm.RollingConstraint(name="wheel", surface_frame="ground", roller="rim", radius=0.3)
    >>> wheel.normal  # of the plane that it rolls on
    (0.0, 1.0, 0.0)
    """

    kind: ClassVar[str] = "rolling"
    surface_frame: str
    roller: str
    radius: Number
    centre: Vector = ZERO
    plane_point: Vector = ZERO
    normal: Vector = (0.0, 1.0, 0.0)

    def __post_init__(self) -> None:
        _set_vectors(self, "centre", "plane_point", "normal")
        object.__setattr__(self, "radius", number(self.radius, f"the radius of constraint {self.name!r}"))
        if is_concrete(self.radius) and not self.radius > 0:
            raise InvalidValueError(
                f"the radius of constraint {self.name!r} must be more than zero, not {self.radius:g}."
            )
        if self.normal == ZERO:
            raise InvalidValueError(f"the plane of constraint {self.name!r} has no normal.")


def _set_vectors(constraint: Constraint, *names: str) -> None:
    for name in names:
        what = f"{name} of constraint {constraint.name!r}"
        object.__setattr__(constraint, name, vector(getattr(constraint, name), what))


def closing_names(constraints: Iterable[Constraint]) -> list[str]:
    """Names of the constraints in force that close loops between bodies."""
    return [each.name for each in constraints if each.enforced and not isinstance(each, CoordinateCoupler)]
