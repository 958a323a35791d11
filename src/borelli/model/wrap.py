"""Wrap objects: surfaces that paths slide over."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import ClassVar

from borelli.errors import InvalidValueError
from borelli.model.placement import Placement
from borelli.model.values import Number, Vector, is_concrete, number, vector


class Quadrant(enum.Enum):
    """Half of the surface, in its own axes, that a path may touch."""

    ALL = "all"
    PLUS_X = "+x"
    MINUS_X = "-x"
    PLUS_Y = "+y"
    MINUS_Y = "-y"
    PLUS_Z = "+z"
    MINUS_Z = "-z"


@dataclass(frozen=True, slots=True, kw_only=True)
class WrapObject:
    """What all wrap objects have.

    Parameters
    ----------
    name : str
        Unique among wrap objects.
    frame : str
        Body or frame that carries it.
    placement : Placement
        Its own axes in that frame.
    quadrant : Quadrant
    active : bool
    """

    kind: ClassVar[str] = ""
    name: str
    frame: str
    placement: Placement = field(default_factory=Placement)
    quadrant: Quadrant = Quadrant.ALL
    active: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "quadrant", Quadrant(self.quadrant))

    def _set_lengths(self, *names: str) -> None:
        for name in names:
            value = number(getattr(self, name), f"the {name} of wrap object {self.name!r}")
            object.__setattr__(self, name, value)
            _positive(value, name, self.name)


def _positive(value: Number, name: str, owner: str) -> None:
    if is_concrete(value) and not value > 0:
        raise InvalidValueError(f"the {name} of wrap object {owner!r} must be more than zero, not {value:g}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class WrapCylinder(WrapObject):
    """A cylinder about its own z axis; radius and length in m."""

    kind: ClassVar[str] = "cylinder"
    radius: Number
    length: Number = 1.0

    def __post_init__(self) -> None:
        WrapObject.__post_init__(self)
        self._set_lengths("radius", "length")


@dataclass(frozen=True, slots=True, kw_only=True)
class WrapSphere(WrapObject):
    """A sphere; radius in m."""

    kind: ClassVar[str] = "sphere"
    radius: Number

    def __post_init__(self) -> None:
        WrapObject.__post_init__(self)
        self._set_lengths("radius")


@dataclass(frozen=True, slots=True, kw_only=True)
class WrapEllipsoid(WrapObject):
    """An ellipsoid; semi-axes along its own x, y, z in m."""

    kind: ClassVar[str] = "ellipsoid"
    radii: Vector

    def __post_init__(self) -> None:
        WrapObject.__post_init__(self)
        object.__setattr__(self, "radii", vector(self.radii, f"the radii of wrap object {self.name!r}"))
        for radius in self.radii:
            _positive(radius, "radii", self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class WrapTorus(WrapObject):
    """A ring about its own z axis that paths run through.

    Parameters
    ----------
    inner_radius : number
        Radius of the tube (m).
    outer_radius : number
        Radius of the circle along the middle of the tube (m).
    """

    kind: ClassVar[str] = "torus"
    inner_radius: Number
    outer_radius: Number

    def __post_init__(self) -> None:
        WrapObject.__post_init__(self)
        self._set_lengths("inner_radius", "outer_radius")
