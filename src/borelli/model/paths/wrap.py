"""Wrap objects: surfaces that paths slide over.

Each class states its facts: what it is called, the three numbers that its kernel takes, and how it grows with its
body. To add one, see "a wrap surface" in CONTRIBUTING.md.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import field
from typing import Any, ClassVar

from borelli.errors import InvalidValueError, UnsupportedError
from borelli.model.placement import Placement
from borelli.model.values import Number, Vector, is_concrete, number, vector
from borelli.records import dataclass


class Quadrant(enum.Enum):
    """Half of the surface, in its own axes, that a path may touch.

    Examples
    --------
    >>> bm.Quadrant("+x")
    <Quadrant.PLUS_X: '+x'>
    """

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

    Examples
    --------
    >>> condyle = bm.WrapCylinder(name="condyle", frame="femur", radius=0.025)
    >>> isinstance(condyle, bm.WrapObject), condyle.active
    (True, True)
    """

    kind: ClassVar[str] = ""
    """Name of the surface, in TOML files and in the registry of kernels (``kernels/paths/contact.py``)."""
    name: str
    frame: str
    placement: Placement = field(default_factory=Placement)
    quadrant: Quadrant = Quadrant.ALL
    active: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "quadrant", Quadrant(self.quadrant))

    @property
    def size(self) -> tuple[float, float, float]:
        """Sizes in the order in which the kernel of the surface takes them (m); zero where it takes fewer."""
        raise UnsupportedError(f"a wrap object of type {type(self).__name__} has no sizes.")

    def stretched_sizes(self, along: Sequence[float], mean: float) -> dict[str, Any]:
        """Sizes of the surface of the same kind that is nearest to the stretched one.

        Parameters
        ----------
        along : 3 numbers
            Lengths of the surface's own unit vectors after the stretch.
        mean : float
            Mean of the three factors of the body.
        """
        raise UnsupportedError(f"a wrap object of type {type(self).__name__} has no sizes.")

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
    """A cylinder about its own z axis; radius and length in m.

    Paths touch its mantle; a contact both ends of which are beyond half the length from the origin does not
    count. Their way over it is straight on the unrolled mantle. OpenSim's WrapCylinder.

    Examples
    --------
    >>> bm.WrapCylinder(name="condyle", frame="femur", radius=0.025, length=0.1).size
    (0.025, 0.1, 0.0)
    """

    kind: ClassVar[str] = "cylinder"
    radius: Number
    length: Number = 1.0

    def __post_init__(self) -> None:
        WrapObject.__post_init__(self)
        self._set_lengths("radius", "length")

    @property
    def size(self) -> tuple[float, float, float]:
        """Radius and length (m)."""
        return float(self.radius), float(self.length), 0.0

    def stretched_sizes(self, along: Sequence[float], mean: float) -> dict[str, Any]:
        """Radius by the mean of both directions across, as in OpenSim; length by that along."""
        round_z = 0.5 * (along[0] + along[1])
        return {"radius": float(self.radius) * round_z, "length": float(self.length) * along[2]}


@dataclass(frozen=True, slots=True, kw_only=True)
class WrapSphere(WrapObject):
    """A sphere; radius in m.

    Its centre is its origin. The way over it is part of a great circle, in the plane through the centre and both
    ends. OpenSim's WrapSphere.

    Examples
    --------
    >>> bm.WrapSphere(name="head", frame="humerus", radius=0.025).radius  # m
    0.025
    """

    kind: ClassVar[str] = "sphere"
    radius: Number

    def __post_init__(self) -> None:
        WrapObject.__post_init__(self)
        self._set_lengths("radius")

    @property
    def size(self) -> tuple[float, float, float]:
        """Radius (m)."""
        return float(self.radius), 0.0, 0.0

    def stretched_sizes(self, along: Sequence[float], mean: float) -> dict[str, Any]:
        """Radius by the mean factor of the body, as in OpenSim."""
        return {"radius": float(self.radius) * mean}


@dataclass(frozen=True, slots=True, kw_only=True)
class WrapEllipsoid(WrapObject):
    """An ellipsoid; semi-axes along its own x, y, z in m.

    The way over it is the shortest line on the surface, a geodesic, found by integration. OpenSim's WrapEllipsoid
    follows a section with a plane in its place.

    Examples
    --------
    >>> bm.WrapEllipsoid(name="head", frame="humerus", radii=(0.025, 0.02, 0.03)).radii  # m
    (0.025, 0.02, 0.03)
    """

    kind: ClassVar[str] = "ellipsoid"
    radii: Vector

    def __post_init__(self) -> None:
        WrapObject.__post_init__(self)
        object.__setattr__(self, "radii", vector(self.radii, f"the radii of wrap object {self.name!r}"))
        for radius in self.radii:
            _positive(radius, "radii", self.name)

    @property
    def size(self) -> tuple[float, float, float]:
        """Semi-axes (m)."""
        x, y, z = self.radii
        return float(x), float(y), float(z)

    def stretched_sizes(self, along: Sequence[float], mean: float) -> dict[str, Any]:
        """Each semi-axis by its own direction."""
        return {"radii": tuple(radius * factor for radius, factor in zip(self.size, along, strict=True))}


@dataclass(frozen=True, slots=True, kw_only=True)
class WrapTorus(WrapObject):
    """A ring about its own z axis that paths run through.

    They bear on the inside of its tube, where it is nearest to them. OpenSim's WrapTorus.

    Parameters
    ----------
    inner_radius : number
        Radius of the tube (m).
    outer_radius : number
        Radius of the circle along the middle of the tube (m).

    Examples
    --------
    >>> bm.WrapTorus(name="ring", frame="tibia", inner_radius=0.01, outer_radius=0.03).kind
    'torus'
    """

    kind: ClassVar[str] = "torus"
    inner_radius: Number
    outer_radius: Number

    def __post_init__(self) -> None:
        WrapObject.__post_init__(self)
        self._set_lengths("inner_radius", "outer_radius")

    @property
    def size(self) -> tuple[float, float, float]:
        """Radius of the tube and of the ring (m)."""
        return float(self.inner_radius), float(self.outer_radius), 0.0

    def stretched_sizes(self, along: Sequence[float], mean: float) -> dict[str, Any]:
        """Both radii by the mean of the directions across, as in OpenSim."""
        round_z = 0.5 * (along[0] + along[1])
        radii = {"inner_radius": self.inner_radius, "outer_radius": self.outer_radius}
        return {name: float(radius) * round_z for name, radius in radii.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class WrapCone(WrapObject):
    """A cone about its own z axis, apex at its origin, that widens towards +z; OpenSim has none.

    The way over it is straight on the unrolled mantle, as over a cylinder: for limbs that taper.

    Parameters
    ----------
    radius : number
        At the base (m).
    height : number
        Of the base above the apex (m). Paths do not touch the cone beyond its base.

    Examples
    --------
    >>> bm.WrapCone(name="calf", frame="tibia", radius=0.05, height=0.3).size
    (0.05, 0.3, 0.16666666666666669)
    """

    kind: ClassVar[str] = "cone"
    radius: Number
    height: Number

    def __post_init__(self) -> None:
        WrapObject.__post_init__(self)
        self._set_lengths("radius", "height")
        if self.quadrant in (Quadrant.PLUS_Z, Quadrant.MINUS_Z):
            raise InvalidValueError(
                f"wrap object {self.name!r} is a cone about z, and has no half {self.quadrant.value!r}.",
                remedy="use all, +x, -x, +y or -y",
            )

    @property
    def size(self) -> tuple[float, float, float]:
        """Radius, height (m), and radius over height."""
        return float(self.radius), float(self.height), float(self.radius) / float(self.height)

    def stretched_sizes(self, along: Sequence[float], mean: float) -> dict[str, Any]:
        """Radius by the mean of both directions across, height by that along."""
        round_z = 0.5 * (along[0] + along[1])
        return {"radius": float(self.radius) * round_z, "height": float(self.height) * along[2]}


WRAP_CLASSES: tuple[type[WrapObject], ...] = (WrapCylinder, WrapSphere, WrapEllipsoid, WrapTorus, WrapCone)
"""Every class of wrap object: what readers and writers of TOML files know."""
