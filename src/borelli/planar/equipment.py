"""Exercise equipment: a weight that is carried; a band, a spring or a cable from a link to a point of the world.

The last three pull along the straight line between two points. With L its length,

    band      T = k (L - L_0) + c dL/dt while it is stretched, never less than nothing: slack is zero
    spring    T = k (L - L_0) + c dL/dt, also pushing where it is shorter than L_0
    cable     T = (m / r) (g + d²L/dt² / r), never less than nothing: a stack m behind r-fold tackle, that must be
              lifted and accelerated; without its inertia, as of a pneumatic machine, T = m g / r
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np

from borelli import units
from borelli.errors import InvalidValueError
from borelli.planar import checks
from borelli.planar.chain import Chain, Vector
from borelli.planar.checks import Array
from borelli.planar.loads import Contact
from borelli.planar.motion import Motion
from borelli.planar.pose import Pose, vectors_of
from borelli.records import dataclass

# Closer than this (m) the direction of the line is decided by round-off.
_SHORTEST_LINE = 1e-9


class Line(NamedTuple):
    """The line from the link to the anchor over instants, each (n_times,)."""

    length: Array
    rate: Array
    """dL/dt, m/s."""
    bend: Array
    """d²L/dt², m/s², at the accelerations of the motion."""
    towards: Array
    """Unit vector from the link to the anchor; complex."""


class Resistance(NamedTuple):
    """What equipment does to the links at given angles and velocities, for a motion that is still to be found."""

    force: Array
    """Generalized forces on the links without angular accelerations, (n_links, n_times), N m."""
    mass: Array | None = None
    """What it adds to the mass matrix, (n_links, n_links, n_times), kg m²; None for nothing."""
    pull: Array | None = None
    """Tension without angular accelerations (n_times,), N, of a line that goes slack where it would push."""
    slope: Array | None = None
    """dL/dθ of that line, (n_links, n_times), m; it is taut where pull + mass-of-the-line slope·θ̈ is positive."""
    carried: float = 0.0
    """Mass-of-the-line, kg."""


@dataclass(frozen=True, slots=True)
class Equipment(ABC):
    """What loads a point of a link.

    Parameters
    ----------
    name : str
        Its share is labelled ``load:<name>``.
    link : int or str
        Link that it is fastened to.
    point : (x, y)
        Where, in the link's frame (m).

    Examples
    --------
    >>> isinstance(planar.Weight("dumbbell", link=3, point=(0.08, 0.0), mass=5.0), planar.Equipment)
    True
    """

    name: str
    link: int | str
    point: Vector

    def __post_init__(self) -> None:
        checks.name(self.name, "piece of equipment")
        object.__setattr__(self, "point", checks.pair(self.point, "The point", self._where))

    @property
    def _where(self) -> str:
        return f"equipment {self.name!r}"

    def _checked(self, name: str, what: str, *, above_zero: bool = False) -> None:
        lowest = {"above": 0.0} if above_zero else {"least": 0.0}
        object.__setattr__(self, name, checks.scalar(getattr(self, name), what, self._where, **lowest))

    @abstractmethod
    def force(self, pose: Pose, first_instant: int = 0) -> Array:
        """Force on the link (N), (n_times,) complex, in the world."""

    @abstractmethod
    def resistance(self, pose: Pose) -> Resistance:
        """What it does to the links of a pose whose accelerations are zero."""

    def contact(self, chain: Chain, motion: Motion) -> Contact:
        """Force on the link over a motion, as a contact."""
        motion.check_fits(chain.n_links, chain.name, trial_step=True)
        return Contact(self.name, self.link, self.point, vectors_of(self.force(Pose(chain, motion))))

    def _paths(self, pose: Pose) -> Array:
        """Velocity of the point per angular velocity of every link, (n_links, n_times) complex."""
        number = self._link_number(pose.chain)
        paths = np.zeros(pose.turn.shape, dtype=complex)
        paths[: number - 1] = 1j * pose.step[: number - 1]
        paths[number - 1] = 1j * complex(*self.point) * pose.turn[number - 1]
        return paths

    def _acceleration(self, pose: Pose) -> Array:
        number = self._link_number(pose.chain)
        rate = pose.velocity[number - 1]
        bent = (1j * pose.acceleration[number - 1] - rate**2) * complex(*self.point)
        return pose.joint_acceleration[number - 1] + bent * pose.turn[number - 1]

    def _link_number(self, chain: Chain) -> int:
        number = chain.link_number(self.link, self._where)
        if number == 0:
            raise InvalidValueError(
                "Equipment on the base loads no joint.", where=self._where, remedy="fasten it to a link"
            )
        return number


@dataclass(frozen=True, slots=True)
class Weight(Equipment):
    """A weight that is carried, such as a dumbbell or a bar: `mass` (kg), heavy and inert, of no size.

    Examples
    --------
    >>> answer = planar.analyze(
    ...     chain, motion, equipment=(planar.Weight("dumbbell", link=3, point=(0.08, 0.0), mass=2.0),)
    ... )
    >>> bool(abs(answer["torque"]).max() > abs(planar.analyze(chain, motion)["torque"]).max())
    True
    """

    mass: float = 0.0

    def __post_init__(self) -> None:
        Equipment.__post_init__(self)
        self._checked("mass", "The mass")

    def force(self, pose: Pose, first_instant: int = 0) -> Array:
        """M (g - a) of the point that carries it."""
        return self.mass * (pose.gravity - self._acceleration(pose))

    def resistance(self, pose: Pose) -> Resistance:
        """As a load, and as a mass that moves along."""
        paths = self._paths(pose)
        moved = self.mass * (np.conj(paths[:, None]) * paths[None]).real
        return Resistance((np.conj(paths) * self.force(pose)).real, moved)


@dataclass(frozen=True, slots=True)
class LineEquipment(Equipment):
    """What pulls a point of a link straight to `anchor`, a point of the world (m): a hook, or a cable's pulley."""

    anchor: Vector = (0.0, 0.0)

    def __post_init__(self) -> None:
        Equipment.__post_init__(self)
        object.__setattr__(self, "anchor", checks.pair(self.anchor, "The anchor", self._where))

    @property
    def carried_mass(self) -> float:
        """Mass that resists the line's acceleration (kg): tension per d²L/dt²."""
        return 0.0

    @abstractmethod
    def pull(self, line: Line, gravity: float) -> Array:
        """Tension (N) that the law of the equipment gives, before it is known whether the line can push."""

    @property
    def pushes(self) -> bool:
        """Whether it pushes where the law says so; otherwise it is slack."""
        return False

    def tension(self, line: Line, gravity: float) -> Array:
        """Tension (N), (n_times,); zero where the line is slack."""
        pull = self.pull(line, gravity)
        return pull if self.pushes else np.maximum(pull, 0.0)

    def force(self, pose: Pose, first_instant: int = 0) -> Array:
        """Tension towards the anchor."""
        line = self.line(pose, first_instant)
        return self.tension(line, abs(pose.gravity)) * line.towards

    def resistance(self, pose: Pose) -> Resistance:
        """Tension as a load; a stack also as a mass that moves along while the cable is taut."""
        line = self.line(pose)
        slope = -(np.conj(line.towards) * self._paths(pose)).real
        if not self.carried_mass:
            return Resistance(-self.tension(line, abs(pose.gravity)) * slope)
        pull = self.pull(line, abs(pose.gravity))
        moved = self.carried_mass * slope[:, None] * slope[None]
        return Resistance(-pull * slope, moved, pull, slope, self.carried_mass)

    def line(self, pose: Pose, first_instant: int = 0) -> Line:
        """Work out the line over the instants of a pose; where the base moves, the anchor moves with it."""
        number = self._link_number(pose.chain)
        away = pose.point(number, complex(*self.point)) - complex(*self.anchor)
        length = np.abs(away)
        if np.any(length < _SHORTEST_LINE):
            raise InvalidValueError(
                "The point on the link and the anchor coincide: the pull has no direction.",
                where=f"{self._where}, instant {first_instant + int(np.argmin(length))}",
                remedy="move one of the points, or drop the instant",
            )
        out = away / length
        velocity = pose.point_velocity(number, complex(*self.point))
        acceleration = self._acceleration(pose) - pose.base_acceleration
        speed = (np.conj(out) * velocity).real
        bend = (np.conj(out) * acceleration).real + (np.abs(velocity) ** 2 - speed**2) / length
        return Line(length, speed, bend, -out)


@dataclass(frozen=True, slots=True)
class Spring(LineEquipment):
    """A spring that pulls and pushes: `stiffness` (N/m), `rest_length` (m), `damping` (N s/m).

    Examples
    --------
    >>> spring = planar.Spring(
    ...     "spring", link=3, point=(0.08, 0.0), anchor=(0.8, 0.0), stiffness=60.0, rest_length=0.1
    ... )
    >>> spring.stiffness  # N/m; a spring pulls and pushes
    60.0
    """

    stiffness: float = 0.0
    rest_length: float = 0.0
    damping: float = 0.0

    def __post_init__(self) -> None:
        LineEquipment.__post_init__(self)
        self._checked("stiffness", "The stiffness")
        self._checked("rest_length", "The rest length")
        self._checked("damping", "The damping")

    def pull(self, line: Line, gravity: float) -> Array:
        """Hooke's law with damping."""
        return self.stiffness * (line.length - self.rest_length) + self.damping * line.rate

    @property
    def pushes(self) -> bool:
        """A spring pushes."""
        return True


@dataclass(frozen=True, slots=True)
class Band(Spring):
    """An elastic band: a spring that is slack where it is shorter than its rest length, and cannot push.

    Examples
    --------
    >>> band = planar.Band("band", link=3, point=(0.08, 0.0), anchor=(0.0, -0.5), stiffness=100.0, rest_length=0.4)
    >>> band.stiffness  # N/m; a band pulls, it does not push
    100.0
    """

    def pull(self, line: Line, gravity: float) -> Array:
        """Hooke's law with damping, of a stretched band."""
        return np.where(line.length > self.rest_length, Spring.pull(self, line, gravity), 0.0)

    @property
    def pushes(self) -> bool:
        """A band does not."""
        return False


@dataclass(frozen=True, slots=True)
class Cable(LineEquipment):
    """A cable over a pulley at `anchor` to a weight stack.

    Parameters
    ----------
    stack_mass : float
        kg.
    ratio : float
        Tackle between cable and stack: with 2 the cable pulls with half the stack's weight, and the stack rises
        half as far.
    inertia : bool
        Whether the stack resists being accelerated; not so in a pneumatic machine.

    Examples
    --------
    >>> planar.Cable("stack", link=3, point=(0.08, 0.0), anchor=(0.0, 1.0), stack_mass=10.0, ratio=2.0).inertia
    True
    """

    stack_mass: float = 0.0
    ratio: float = 1.0
    inertia: bool = True

    def __post_init__(self) -> None:
        LineEquipment.__post_init__(self)
        self._checked("stack_mass", "The mass of the stack")
        self._checked("ratio", "The ratio of the tackle", above_zero=True)

    @property
    def carried_mass(self) -> float:
        """Mass of the stack as the cable feels it."""
        return self.stack_mass / self.ratio**2 if self.inertia else 0.0

    def pull(self, line: Line, gravity: float) -> Array:
        """Weight of the stack, and what its acceleration takes."""
        return self.stack_mass * gravity / self.ratio + self.carried_mass * line.bend


def equipment_variables(
    chain: Chain, motion: Motion, equipment: tuple[Equipment, ...]
) -> tuple[list[str], dict[str, tuple[tuple[str, ...], Array, dict[str, str]]]]:
    """Names of lines, and their lengths (m) and tensions (N) over a motion as variables (time, equipment)."""
    pose, gravity = Pose(chain, motion), abs(complex(*chain.gravity))
    lines = [item for item in equipment if isinstance(item, LineEquipment)]
    if not lines:
        return [], {}
    found = [item.line(pose) for item in lines]
    tensions = [item.tension(line, gravity) for item, line in zip(lines, found, strict=True)]
    dims = ("time", "equipment")
    return [item.name for item in lines], {
        "equipment_length": (dims, np.stack([x.length for x in found], axis=-1), {"units": units.METRE}),
        "equipment_tension": (dims, np.stack(tensions, axis=-1), {"units": units.NEWTON}),
    }
