"""Contact: surfaces of bodies, what they are made of, and the forces between them; defaults are OpenSim's."""

from __future__ import annotations

from dataclasses import field
from itertools import combinations
from typing import ClassVar

from borelli.errors import InvalidValueError
from borelli.model.forces.force import Force
from borelli.model.placement import Placement
from borelli.model.values import ZERO, Number, Vector, is_concrete, number
from borelli.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactSurface:
    """What all contact surfaces have: a name of their own, the body or frame that carries them, their place in it.

    Examples
    --------
    >>> heel = bm.ContactSphere(name="heel", frame="foot_r", radius=0.03)
    >>> isinstance(heel, bm.ContactSurface), heel.placement.is_identity
    (True, True)
    """

    kind: ClassVar[str] = ""
    name: str
    frame: str
    placement: Placement = field(default_factory=Placement)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactSphere(ContactSurface):
    """A ball about its origin; radius in m. OpenSim's ContactSphere.

    Examples
    --------
    >>> heel = bm.ContactSphere(name="heel", frame="foot_r", radius=0.03)
    >>> heel.radius  # m
    0.03
    """

    kind: ClassVar[str] = "sphere"
    radius: Number

    def __post_init__(self) -> None:
        value = _not_negative(self.radius, f"the radius of contact sphere {self.name!r}")
        object.__setattr__(self, "radius", value)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactHalfSpace(ContactSurface):
    """Everything at x > 0 of its own axes: the free side is that of -x. OpenSim's ContactHalfSpace.

    Examples
    --------
    >>> floor = bm.ContactHalfSpace(
    ...     name="floor",
    ...     frame="ground",
    ...     placement=bm.Placement.from_angles((0.0, 0.0, 0.0), (0.0, 0.0, -np.pi / 2)),
    ... )
    >>> [
    ...     round(number, 12) + 0.0 for number in floor.placement.of_point((1.0, 0.0, 0.0))
    ... ]  # into the floor: x of its own axes
    [0.0, -1.0, 0.0]
    """

    kind: ClassVar[str] = "half space"


def _not_negative(value: Number, what: str) -> Number:
    value = number(value, what)
    if is_concrete(value) and not 0.0 <= value < float("inf"):
        raise InvalidValueError(f"{what} is {value:g}.", remedy="give a finite number that is not negative")
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactMaterial:
    """What surfaces are made of. OpenSim's ContactParameters of a HuntCrossleyForce.

    Parameters
    ----------
    surfaces : tuple of str
        Contact surfaces of this material.
    stiffness : float
        Of one material alone (N/m²).
    dissipation : float
        [Hunt & Crossley 1975], s/m.
    static_friction, dynamic_friction : float
        Coefficients.
    viscous_friction : float
        s/m.

    Examples
    --------
    >>> rubber = bm.ContactMaterial(surfaces=("heel", "floor"), stiffness=1e6, dissipation=2.0, static_friction=0.8)
    >>> rubber.dynamic_friction
    0.0
    """

    surfaces: tuple[str, ...]
    stiffness: Number = 0.0
    dissipation: Number = 0.0
    static_friction: Number = 0.0
    dynamic_friction: Number = 0.0
    viscous_friction: Number = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "surfaces", tuple(self.surfaces))
        for name in (
            "stiffness",
            "dissipation",
            "static_friction",
            "dynamic_friction",
            "viscous_friction",
        ):
            value = _not_negative(getattr(self, name), f"{name} of the material of {self.surfaces}")
            object.__setattr__(self, name, value)


@dataclass(frozen=True, slots=True, kw_only=True)
class HuntCrossleyForce(Force):
    """Contact of all pairs of some surfaces, a ball with a ball or with a half space [Hunt & Crossley 1975].

    The push is Hertz's for the depth of the overlap, times one plus 1.5 of dissipation times approaching speed,
    and never pulls; friction grows with the slip up to ``transition_velocity`` and falls to its dynamic value
    beyond. OpenSim's HuntCrossleyForce.

    Parameters
    ----------
    materials : tuple of ContactMaterial
        The surfaces that may touch each other, and what they are made of.
    transition_velocity : float
        Slip at which friction is largest (m/s).

    Examples
    --------
    >>> rubber = bm.ContactMaterial(surfaces=("heel", "floor"), stiffness=1e6, dissipation=2.0)
    >>> contact = bm.HuntCrossleyForce(name="contact", materials=(rubber,))
    >>> contact.transition_velocity  # m/s
    0.01
    """

    kind: ClassVar[str] = "Hunt-Crossley contact"
    materials: tuple[ContactMaterial, ...]
    transition_velocity: Number = 0.01

    def __post_init__(self) -> None:
        object.__setattr__(self, "materials", tuple(self.materials))
        _set_transition(self)

    @property
    def surfaces(self) -> tuple[str, ...]:
        """Names of all surfaces, in the order of the materials."""
        return tuple(name for material in self.materials for name in material.surfaces)

    @property
    def pairs(self) -> tuple[tuple[tuple[str, ContactMaterial], tuple[str, ContactMaterial]], ...]:
        """Every pair of surfaces with their materials."""
        every = [(name, material) for material in self.materials for name in material.surfaces]
        return tuple(combinations(every, 2))


@dataclass(frozen=True, slots=True, kw_only=True)
class SmoothSphereHalfSpaceForce(Force):
    """Contact of a ball with a half space that has derivatives everywhere [Serrancolí et al. 2019].

    The law is that of a :class:`HuntCrossleyForce` with its corners rounded off, so that optimizers can
    differentiate it: it pushes a little before the surfaces touch. OpenSim's SmoothSphereHalfSpaceForce.

    Parameters
    ----------
    sphere, half_space : str
        The two surfaces.
    stiffness : float
        Of one material; both have the same (N/m²).
    dissipation : float
        s/m.
    static_friction, dynamic_friction, viscous_friction : float
        Coefficients; the last in s/m.
    transition_velocity : float
        Slip at which friction is largest (m/s).
    constant_contact_force : float
        Rounds off depth and slip where they vanish (m² and m²/s²; OpenSim's name).
    hertz_smoothing, hunt_crossley_smoothing : float
        How sharply the force sets in with depth (1/m) and with speed (s/m).

    Examples
    --------
    >>> contact = bm.SmoothSphereHalfSpaceForce(
    ...     name="heel_contact", sphere="heel", half_space="floor", stiffness=3e6
    ... )
    >>> contact.constant_contact_force  # m², beside the square of the depth
    1e-05
    """

    kind: ClassVar[str] = "smooth contact"
    sphere: str
    half_space: str
    stiffness: Number = 1.0
    dissipation: Number = 0.0
    static_friction: Number = 0.0
    dynamic_friction: Number = 0.0
    viscous_friction: Number = 0.0
    transition_velocity: Number = 0.01
    constant_contact_force: Number = 1e-5
    hertz_smoothing: Number = 300.0
    hunt_crossley_smoothing: Number = 50.0

    def __post_init__(self) -> None:
        _set_transition(self)
        for name in SMOOTH_CONSTANTS:
            value = _not_negative(getattr(self, name), f"{name} of {self.kind} {self.name!r}")
            object.__setattr__(self, name, value)

    @property
    def surfaces(self) -> tuple[str, ...]:
        """Names of the two surfaces."""
        return (self.sphere, self.half_space)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeyerFregly2016Force(Force):
    """A spring under a point of a body that the level floor of ground pushes up, with friction [Meyer et al. 2016].

    OpenSim's MeyerFregly2016Force.

    Up is y. The spring is stiff below its resting length and pulls ever so little above it, so that it has
    derivatives everywhere.

    Parameters
    ----------
    body : str
        Body or frame.
    location : 3 numbers
        The point in it (m).
    stiffness : float
        N/m.
    dissipation : float
        s/m.
    resting_length : float
        Height at which the floor begins (m).
    dynamic_friction : float
        Coefficient.
    viscous_friction : float
        s/m.
    latch_velocity : float
        Slip at which dynamic friction is nearly whole (m/s).

    Examples
    --------
    >>> spring = bm.MeyerFregly2016Force(
    ...     name="heel_spring", body="foot_r", location=(0.0, -0.05, 0.0), stiffness=20_000.0
    ... )
    >>> spring.stiffness  # N/m
    20000.0
    """

    kind: ClassVar[str] = "Meyer-Fregly contact"
    body: str
    location: Vector = ZERO
    stiffness: Number = 1e4
    dissipation: Number = 0.01
    resting_length: Number = 0.0
    dynamic_friction: Number = 0.0
    viscous_friction: Number = 5.0
    latch_velocity: Number = 0.05

    def __post_init__(self) -> None:
        self._set_vectors("location")
        self._set_numbers("resting_length")
        for name in FLOOR_CONSTANTS:
            value = _not_negative(getattr(self, name), f"{name} of {self.kind} {self.name!r}")
            object.__setattr__(self, name, value)
        if is_concrete(self.latch_velocity) and self.latch_velocity == 0.0:
            raise InvalidValueError(f"the latch velocity of {self.kind} {self.name!r} must be positive.")


FLOOR_CONSTANTS = ("stiffness", "dissipation", "dynamic_friction", "viscous_friction", "latch_velocity")
SMOOTH_CONSTANTS = (
    "stiffness",
    "dissipation",
    "static_friction",
    "dynamic_friction",
    "viscous_friction",
    "constant_contact_force",
    "hertz_smoothing",
    "hunt_crossley_smoothing",
)


def _set_transition(force: HuntCrossleyForce | SmoothSphereHalfSpaceForce) -> None:
    value = number(force.transition_velocity, f"transition_velocity of {force.kind} {force.name!r}")
    if is_concrete(value) and not value > 0.0:
        raise InvalidValueError(f"the transition velocity of {force.kind} {force.name!r} must be positive.")
    object.__setattr__(force, "transition_velocity", value)
