"""Forces other than muscles: ligaments, springs, limits, bushings, actuators, and what is kept as data."""

from __future__ import annotations

import math
from dataclasses import field
from typing import ClassVar

from borelli.model.functions.function import Function
from borelli.model.paths.path import Path
from borelli.model.placement import Placement
from borelli.model.values import ZERO, Number, Vector, number, vector
from borelli.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Force:
    """What all forces have: a name that is unique among forces and muscles, and whether they act.

    Examples
    --------
    >>> issubclass(bm.PathSpring, bm.Force), bm.Force(name="push").applies_force
    (True, True)
    """

    kind: ClassVar[str] = ""
    name: str
    applies_force: bool = True

    def _set_numbers(self, *names: str) -> None:
        for name in names:
            value = number(getattr(self, name), f"{name} of force {self.name!r}")
            object.__setattr__(self, name, value)

    def _set_vectors(self, *names: str) -> None:
        for name in names:
            value = vector(getattr(self, name), f"{name} of force {self.name!r}")
            object.__setattr__(self, name, value)


@dataclass(frozen=True, slots=True, kw_only=True)
class PathForce(Force):
    """Base of the forces along a path.

    Examples
    --------
    >>> issubclass(bm.Ligament, bm.PathForce), issubclass(bm.PathSpring, bm.PathForce)
    (True, True)
    """

    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Ligament(PathForce):
    """Tension ``pcsa_force * curve(length / resting_length)``; N and m.

    The curve has no unit, nor has its argument; a ligament shorter than its resting length (m) is slack whatever
    the curve says, and ``pcsa_force`` (N) is the tension where the curve is one. Without a curve it is OpenSim's
    default. OpenSim's Ligament.

    Examples
    --------
    >>> bm.Ligament(name="mcl", path=path, resting_length=0.06, pcsa_force=300.0).pcsa_force  # N
    300.0
    """

    kind: ClassVar[str] = "ligament"
    resting_length: Number
    pcsa_force: Number
    force_length_curve: Function | None = None

    def __post_init__(self) -> None:
        self._set_numbers("resting_length", "pcsa_force")


@dataclass(frozen=True, slots=True, kw_only=True)
class Blankevoort1991Ligament(PathForce):
    """Ligament of [Blankevoort & Huiskes 1991]: quadratic toe, then linear; N per strain, m.

    Strain is the stretch over the slack length (m). Up to the transition strain the tension rises with its
    square, then along a line of ``linear_stiffness`` (N per unit of strain); ``damping_coefficient`` is in N s
    (newtons per unit of strain in a second), and lengthening alone is damped. OpenSim's Blankevoort1991Ligament.

    Examples
    --------
    >>> ligament = bm.Blankevoort1991Ligament(name="mcl", path=path, slack_length=0.06, linear_stiffness=2000.0)
    >>> ligament.transition_strain  # where the toe of the curve ends
    0.06
    """

    kind: ClassVar[str] = "Blankevoort1991 ligament"
    slack_length: Number
    linear_stiffness: Number = 1.0
    # OpenSim's defaults.
    transition_strain: Number = 0.06
    damping_coefficient: Number = 0.003

    def __post_init__(self) -> None:
        self._set_numbers("slack_length", "linear_stiffness", "transition_strain", "damping_coefficient")


@dataclass(frozen=True, slots=True, kw_only=True)
class PathSpring(PathForce):
    """Tension ``stiffness * stretch * (1 + dissipation * speed)``, never negative; N/m, m, s/m.

    The stretch is how much longer the path is than its resting length (m), the speed how fast it lengthens (m/s);
    a slack path pulls nothing. OpenSim's PathSpring.

    Examples
    --------
    >>> band = bm.PathSpring(name="band", path=path, resting_length=0.5, stiffness=200.0)
    >>> band.stiffness * (0.75 - band.resting_length)  # N at a length of 0.75 m
    50.0
    """

    kind: ClassVar[str] = "path spring"
    resting_length: Number
    stiffness: Number
    dissipation: Number = 0.0

    def __post_init__(self) -> None:
        self._set_numbers("resting_length", "stiffness", "dissipation")


@dataclass(frozen=True, slots=True, kw_only=True)
class PathActuator(PathForce):
    """Tension ``optimal_force * control`` along a path (N).

    ``optimal_force`` is the tension at a control of one; it does not depend on length or speed. Static
    optimization may use it as it does muscles. OpenSim's PathActuator.

    Examples
    --------
    >>> cable = bm.PathActuator(name="cable", path=path, optimal_force=50.0, min_control=0.0, max_control=1.0)
    >>> cable.optimal_force * cable.max_control  # the most it pulls with, N
    50.0
    """

    kind: ClassVar[str] = "path actuator"
    optimal_force: Number = 1.0
    min_control: float = -math.inf
    max_control: float = math.inf

    def __post_init__(self) -> None:
        self._set_numbers("optimal_force", "min_control", "max_control")


@dataclass(frozen=True, slots=True, kw_only=True)
class CoordinateLimitForce(Force):
    """A soft stop at both ends of a coordinate's range.

    Within the transition beyond a limit the stiffness rises smoothly from zero to its full value. OpenSim's
    CoordinateLimitForce, whose numbers for rotations are in degrees and per degree.

    Values are in the coordinate's SI unit (rad or m): limits and transition width, stiffness in N m/rad or
    N/m, damping in N m s/rad or N s/m.

    Examples
    --------
    >>> stop = bm.CoordinateLimitForce(
    ...     name="stop",
    ...     coordinate="knee_angle",
    ...     upper_limit=2.1,
    ...     upper_stiffness=50.0,
    ...     lower_limit=0.0,
    ...     lower_stiffness=50.0,
    ... )
    >>> stop.transition  # rad, in which the stiffness rises
    0.1
    """

    kind: ClassVar[str] = "coordinate limit force"
    coordinate: str
    upper_limit: Number
    upper_stiffness: Number
    lower_limit: Number
    lower_stiffness: Number
    damping: Number = 0.0
    # OpenSim's default.
    transition: Number = 0.1

    def __post_init__(self) -> None:
        self._set_numbers(
            "upper_limit", "upper_stiffness", "lower_limit", "lower_stiffness", "damping", "transition"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CoordinateSpring(Force):
    """Generalized force ``-stiffness (q - rest) - viscosity u``.

    Units follow the coordinate: N m/rad, rad and N m s/rad for an angle, N/m, m and N s/m for a distance.
    OpenSim's SpringGeneralizedForce.

    Examples
    --------
    >>> spring = bm.CoordinateSpring(name="spring", coordinate="hip_flexion", stiffness=5.0, rest=0.2)
    >>> spring.stiffness * (spring.rest - 0.5)  # N m at 0.5 rad
    -1.5
    """

    kind: ClassVar[str] = "coordinate spring"
    coordinate: str
    stiffness: Number
    rest: Number = 0.0
    viscosity: Number = 0.0

    def __post_init__(self) -> None:
        self._set_numbers("stiffness", "rest", "viscosity")


@dataclass(frozen=True, slots=True, kw_only=True)
class PointToPointSpring(Force):
    """A spring between two points; N/m and m, points in their bodies or frames.

    It pulls where the points are farther apart than ``rest_length`` (m), and pushes where they are nearer:
    ``stiffness`` (N/m) times the difference, along the line between them, and the opposite on the other body.
    OpenSim's PointToPointSpring.

    Examples
    --------
    >>> spring = bm.PointToPointSpring(
    ...     name="spring", first="ground", second="hand", stiffness=60.0, rest_length=0.3
    ... )
    >>> spring.stiffness * (0.5 - spring.rest_length)  # N at a distance of 0.5 m
    12.0
    """

    kind: ClassVar[str] = "point-to-point spring"
    first: str
    second: str
    first_location: Vector = ZERO
    second_location: Vector = ZERO
    stiffness: Number = 1.0
    rest_length: Number = 0.0

    def __post_init__(self) -> None:
        self._set_numbers("stiffness", "rest_length")
        self._set_vectors("first_location", "second_location")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bushing(Force):
    """Base of what resists the deviation of two frames; dampers in N m s/rad and N s/m.

    Examples
    --------
    >>> issubclass(bm.BushingForce, bm.Bushing)
    True
    """

    first: str
    second: str
    first_placement: Placement = field(default_factory=Placement)
    second_placement: Placement = field(default_factory=Placement)
    rotational_damping: Vector = ZERO
    translational_damping: Vector = ZERO

    def __post_init__(self) -> None:
        self._set_vectors("rotational_damping", "translational_damping")


@dataclass(frozen=True, slots=True, kw_only=True)
class BushingForce(Bushing):
    """Springs and dampers between two frames, about and along three axes; N m/rad, N/m and their rates.

    The deviation of the second frame from the first is three body-fixed XYZ angles (rad) and the place of its
    origin there (m); each is resisted in proportion, and its rate by the damping. OpenSim's BushingForce, once
    LinearBushing.

    Examples
    --------
    >>> disc = bm.BushingForce(
    ...     name="L5_S1", first="sacrum", second="L5", rotational_stiffness=(100.0, 100.0, 100.0)
    ... )
    >>> disc.translational_stiffness  # N/m
    (0.0, 0.0, 0.0)
    """

    kind: ClassVar[str] = "bushing"
    rotational_stiffness: Vector = ZERO
    translational_stiffness: Vector = ZERO

    def __post_init__(self) -> None:
        Bushing.__post_init__(self)
        self._set_vectors("rotational_stiffness", "translational_stiffness")


@dataclass(frozen=True, slots=True, kw_only=True)
class Actuator(Force):
    """Base of what drives with ``optimal_force * control``.

    ``optimal_force`` is in N, or N m for a torque; control has no unit, and its bounds are those of static
    optimization.
    """

    optimal_force: Number = 1.0
    min_control: float = -math.inf
    max_control: float = math.inf

    def __post_init__(self) -> None:
        self._set_numbers("optimal_force", "min_control", "max_control")


@dataclass(frozen=True, slots=True, kw_only=True)
class CoordinateActuator(Actuator):
    """Generalized force ``optimal_force * control`` on a coordinate.

    ``optimal_force`` is in N m for an angle, N for a distance. Reserves and residuals of static optimization are
    such. OpenSim's CoordinateActuator.

    Examples
    --------
    >>> reserve = bm.CoordinateActuator(name="reserve", coordinate="knee_angle", optimal_force=10.0)
    >>> reserve.max_control
    inf
    """

    kind: ClassVar[str] = "coordinate actuator"
    coordinate: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivationCoordinateActuator(CoordinateActuator):
    """A coordinate actuator whose control passes a first-order activation; time constant in s.

    The rate of activation is the difference of control and activation over the time constant. OpenSim's
    ActivationCoordinateActuator.

    Examples
    --------
    >>> motor = bm.ActivationCoordinateActuator(name="motor", coordinate="knee_angle", optimal_force=100.0)
    >>> motor.activation_time_constant  # s
    0.01
    """

    kind: ClassVar[str] = "activation coordinate actuator"
    # OpenSim's defaults.
    activation_time_constant: Number = 0.01
    default_activation: Number = 0.5

    def __post_init__(self) -> None:
        Actuator.__post_init__(self)
        self._set_numbers("activation_time_constant", "default_activation")


@dataclass(frozen=True, slots=True, kw_only=True)
class TorqueActuator(Actuator):
    """Torque ``optimal_force * control`` about an axis on ``first``, and its opposite on ``second`` (N m).

    The axis, of any length, is in ground or else in the axes of ``first``; its length does not count. OpenSim's
    TorqueActuator.

    Examples
    --------
    >>> torque = bm.TorqueActuator(
    ...     name="torque", first="thigh", second="pelvis", axis=(0.0, 0.0, 1.0), optimal_force=100.0
    ... )
    >>> torque.axis_in_ground
    True
    """

    kind: ClassVar[str] = "torque actuator"
    first: str
    second: str
    axis: Vector = (0.0, 0.0, 1.0)
    axis_in_ground: bool = True

    def __post_init__(self) -> None:
        Actuator.__post_init__(self)
        self._set_vectors("axis")


@dataclass(frozen=True, slots=True, kw_only=True)
class PointActuator(Actuator):
    """Force ``optimal_force * control`` along a direction at a point of a body (N).

    The point (m) is in the body or in ground, and so is the direction, whose length does not count. Nothing takes
    up the opposite force: it comes from outside. OpenSim's PointActuator.

    Examples
    --------
    >>> push = bm.PointActuator(
    ...     name="push", body="hand", direction=(0.0, 1.0, 0.0), direction_in_ground=True, optimal_force=20.0
    ... )
    >>> push.point_in_ground
    False
    """

    kind: ClassVar[str] = "point actuator"
    body: str
    point: Vector = ZERO
    point_in_ground: bool = False
    direction: Vector = (1.0, 0.0, 0.0)
    direction_in_ground: bool = False

    def __post_init__(self) -> None:
        Actuator.__post_init__(self)
        self._set_vectors("point", "direction")


@dataclass(frozen=True, slots=True, kw_only=True)
class PointToPointActuator(Actuator):
    """Force ``optimal_force * control`` between two points (N); positive pushes them apart.

    OpenSim's PointToPointActuator.

    The points are in their bodies or frames, or at rest in ground where ``points_in_ground`` holds.

    Examples
    --------
    >>> pull = bm.PointToPointActuator(name="pull", first="ground", second="hand", optimal_force=30.0)
    >>> pull.points_in_ground
    False
    """

    kind: ClassVar[str] = "point-to-point actuator"
    first: str
    second: str
    first_location: Vector = ZERO
    second_location: Vector = ZERO
    points_in_ground: bool = False

    def __post_init__(self) -> None:
        Actuator.__post_init__(self)
        self._set_vectors("first_location", "second_location")


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherComponent:
    """Something a file contains that is kept as data: contact, controllers, probes, unknown forces.

    Parameters
    ----------
    name, kind : str
        Its name, and its class in the file it came from.
    path : Path or None
        Its path, if it pulls along one.
    xml : str
        The element as text, so that it can be written back.
    role : str
        What it is in the model: ``"force"``, ``"constraint"``, ``"contact geometry"``, ``"controller"``,
        ``"probe"`` or ``"component"``. An analysis whose answer it would change refuses it by its role.
    active : bool
        False if it is switched off in the file.
    version : int
        Version of the document that the text comes from.

    Examples
    --------
    >>> probe = bm.OtherComponent(name="metabolics", kind="Umberger2010MuscleMetabolicsProbe", role="probe")
    >>> probe.path is None
    True
    """

    name: str
    kind: str
    path: Path | None = None
    xml: str = ""
    role: str = ""
    active: bool = True
    version: int = 0
