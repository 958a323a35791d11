"""A planar chain: links joined by pins, standing on a base, driven by muscles.

Links are numbered 1..n from the base outwards; link 0 is the base, at rest unless the motion says
otherwise. Joint k joins link k-1 (proximal) to link k (distal). A link's frame has its origin at its
proximal joint and its x axis towards the distal one (Biscarini 2021).
"""

from __future__ import annotations

import math
from dataclasses import field
from itertools import pairwise

import numpy as np

from borelli.errors import InvalidValueError, MissingInputError, UnknownNameError
from borelli.planar import checks
from borelli.records import dataclass

Vector = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Link:
    """One rigid link.

    Parameters
    ----------
    name : str
        Its name; the base is called ``base``.
    length : float
        From its proximal joint to its distal one (m); for the last link, to any point of interest.
    mass : float
        kg.
    inertia : float
        Moment of inertia about the mass centre (kg m²).
    com : (x, y)
        Mass centre in the link's frame (m).
    joint : str, optional
        Name of the link's proximal joint; by default the two links it joins, such as ``base-shank``.

    Examples
    --------
    >>> rod = planar.Link("rod", length=1.0, mass=2.0, inertia=0.01, com=(0.5, 0.0))  # m, kg, kg m²
    >>> rod.com  # in the axes of the link, from its proximal joint
    (0.5, 0.0)
    """

    name: str
    length: float
    mass: float
    inertia: float
    com: Vector
    joint: str = ""

    def __post_init__(self) -> None:
        checks.name(self.name, "link")
        where = f"link {self.name!r}"
        object.__setattr__(self, "length", checks.scalar(self.length, "The length", where, above=0.0))
        object.__setattr__(self, "mass", checks.scalar(self.mass, "The mass", where, least=0.0))
        object.__setattr__(
            self, "inertia", checks.scalar(self.inertia, "The moment of inertia", where, least=0.0)
        )
        object.__setattr__(self, "com", checks.pair(self.com, "The mass centre", where))

    @classmethod
    def from_polar(
        cls,
        name: str,
        length: float,
        mass: float,
        inertia: float,
        com_distance: float,
        com_angle: float = 0.0,
        joint: str = "",
    ) -> Link:
        """Make a link from Biscarini's parameters: l_C, the distance J C, and epsilon_C, its angle from the x axis."""
        distance = checks.scalar(com_distance, "The distance of the mass centre", f"link {name!r}", least=0.0)
        angle = checks.scalar(com_angle, "The angle of the mass centre", f"link {name!r}")
        return cls(
            name, length, mass, inertia, (distance * math.cos(angle), distance * math.sin(angle)), joint
        )


@dataclass(frozen=True, slots=True)
class Base:
    """What the chain stands on: link 0.

    Parameters
    ----------
    position : (x, y)
        The first joint, in the world (m).
    mass : float
        kg; matters for the proximal data set and for whole-system balances alone.
    com : (x, y)
        Its mass centre in the world (m).
    floor : float
        Height of the floor above the world's origin (m), against gravity: where the centre of pressure lies.

    Examples
    --------
    >>> planar.Base(position=(0.0, 0.9), mass=30.0).floor  # height of the ground, m
    0.0
    """

    position: Vector = (0.0, 0.0)
    mass: float = 0.0
    com: Vector = (0.0, 0.0)
    floor: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "position", checks.pair(self.position, "The position", "the base"))
        object.__setattr__(self, "mass", checks.scalar(self.mass, "The mass", "the base", least=0.0))
        object.__setattr__(self, "com", checks.pair(self.com, "The mass centre", "the base"))
        object.__setattr__(self, "floor", checks.scalar(self.floor, "The height of the floor", "the base"))


@dataclass(frozen=True, slots=True)
class Muscle:
    """A muscle: a polyline of points fixed to links, pulled by one tension.

    Parameters
    ----------
    name : str
        Its name.
    path : sequence of (link number, (x, y))
        At least two points; a point is given in its link's frame, on the base (link 0) in the world.
        Points between the first and the last are via points.

    Examples
    --------
    >>> biceps = planar.Muscle("biceps", path=((0, (0.0, 0.0)), (2, (0.04, 0.0))))
    >>> [link for link, _ in biceps.path]  # from the base to the second link
    [0, 2]
    """

    name: str
    path: tuple[tuple[int, Vector], ...]

    def __post_init__(self) -> None:
        checks.name(self.name, "muscle")
        where = f"muscle {self.name!r}"
        points = []
        for number, step in enumerate(self.path):
            try:
                link, point = step
            except (TypeError, ValueError) as error:
                raise InvalidValueError(
                    f"Path point {number} is {step!r}.", where=where, remedy="give (link number, (x, y))"
                ) from error
            if isinstance(link, bool) or not isinstance(link, int | np.integer):
                raise InvalidValueError(
                    f"Path point {number} is on link {link!r}.",
                    where=where,
                    remedy="give the link's number, base = 0",
                )
            points.append((int(link), checks.pair(point, f"Path point {number}", where)))
        if len(points) < 2:
            raise InvalidValueError(
                f"The path has {len(points)} point(s).",
                where=where,
                remedy="give at least an origin and an insertion",
            )
        object.__setattr__(self, "path", tuple(points))

    @property
    def spans(self) -> tuple[int, ...]:
        """Numbers of the joints that the muscle spans."""
        links = [link for link, _ in self.path]
        pieces = pairwise(links)
        return tuple(sorted({joint for a, b in pieces for joint in range(min(a, b) + 1, max(a, b) + 1)}))


@dataclass(frozen=True, slots=True)
class Chain:
    """A planar chain of links on a base.

    Parameters
    ----------
    links : sequence of Link
        From the base outwards.
    base : Base
        What the chain stands on.
    gravity : (x, y)
        Gravitational acceleration (m/s²), pointing down.
    muscles : sequence of Muscle
        In any order.
    name : str
        For messages and tables.

    Examples
    --------
    >>> pendulum = planar.Chain(links=(planar.Link("rod", length=1.0, mass=2.0, inertia=0.01, com=(0.5, 0.0)),))
    >>> pendulum.n_links, pendulum.gravity
    (1, (0.0, -9.81))
    """

    links: tuple[Link, ...]
    base: Base = field(default_factory=Base)
    gravity: Vector = (0.0, -9.81)
    muscles: tuple[Muscle, ...] = ()
    name: str = "chain"

    def __post_init__(self) -> None:
        object.__setattr__(self, "links", tuple(self.links))
        object.__setattr__(self, "muscles", tuple(self.muscles))
        object.__setattr__(self, "gravity", checks.pair(self.gravity, "Gravity", self._where))
        if not self.links:
            raise MissingInputError(
                "A chain needs at least one link.", where=self._where, remedy="give links=(…)"
            )
        checks.unique(("base", *self.link_names), "link", self._where)
        checks.unique(self.joint_names, "joint", self._where)
        checks.unique(self.muscle_names, "muscle", self._where)
        for muscle in self.muscles:
            for link, _ in muscle.path:
                if not 0 <= link <= self.n_links:
                    raise UnknownNameError(
                        f"Muscle {muscle.name!r} is attached to link {link}, which does not exist.",
                        where=self._where,
                        remedy=f"links are numbered 0 (base) to {self.n_links} ({self.links[-1].name!r})",
                    )

    @property
    def _where(self) -> str:
        return f"chain {self.name!r}"

    @property
    def n_links(self) -> int:
        """Number of links, the base not counted."""
        return len(self.links)

    @property
    def link_names(self) -> tuple[str, ...]:
        """Names of links 1..n."""
        return tuple(link.name for link in self.links)

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of joints 1..n."""
        proximal = ("base", *self.link_names)
        return tuple(link.joint or f"{proximal[k]}-{link.name}" for k, link in enumerate(self.links))

    @property
    def muscle_names(self) -> tuple[str, ...]:
        """Names of the muscles."""
        return tuple(muscle.name for muscle in self.muscles)

    def link_number(self, link: int | str, where: str) -> int:
        """Return the number of a link given by number or name (``base`` is 0)."""
        return self._number(link, "link", ("base", *self.link_names), 0, where)

    def joint_number(self, joint: int | str, where: str) -> int:
        """Return the number (1..n) of a joint given by number or name."""
        return self._number(joint, "joint", self.joint_names, 1, where)

    def _number(self, given: int | str, kind: str, names: tuple[str, ...], first: int, where: str) -> int:
        """Return the number of a part given by number or name; ``names`` are counted from ``first`` to n."""
        if isinstance(given, str):
            if given not in names:
                raise UnknownNameError.among(given, kind, names, of=self._where, where=where)
            return names.index(given) + first
        is_number = isinstance(given, int | np.integer) and not isinstance(given, bool)
        if not is_number or not first <= given <= self.n_links:
            raise UnknownNameError(
                f"{given!r} is not a {kind} of {self._where}.",
                where=where,
                closest=[name for name in names if name != "base"][:3],
                remedy=f"give a name, or a number from {first}{' (base)' if first == 0 else ''} to {self.n_links}",
            )
        return int(given)
