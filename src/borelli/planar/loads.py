"""Outside forces on a chain: contact forces at body points, and pure couples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from borelli.errors import InvalidValueError, ShapeError, UnknownNameError
from borelli.planar import checks
from borelli.planar.chain import Chain
from borelli.planar.checks import Array
from borelli.planar.motion import Motion
from borelli.records import dataclass


@dataclass(frozen=True, slots=True)
class Contact:
    """An outside force on a link.

    Parameters
    ----------
    name : str
        Its name; its share is labelled ``load:<name>``.
    link : int or str
        Number or name of the link it acts on; 0 or ``base`` for the base.
    point : (2,) or (n_times, 2)
        Where it acts, in the link's frame (m); on the base, in the world.
    force : (2,) or (n_times, 2)
        N, in the axes named by `axes`.
    axes : "world" or "link"
        Whether the force is given in the world's axes or turns with its link.

    Examples
    --------
    >>> push = planar.Contact("push", link=3, point=(0.08, 0.0), force=(10.0, 0.0))
    >>> push.axes  # of the force; "link" turns with the link
    'world'
    """

    name: str
    link: int | str
    point: ArrayLike
    force: ArrayLike
    axes: Literal["world", "link"] = "world"

    def __post_init__(self) -> None:
        checks.name(self.name, "contact")
        if self.axes not in ("world", "link"):
            raise InvalidValueError(
                f"The axes of a force are {self.axes!r}.",
                where=f"contact {self.name!r}",
                closest=("world", "link"),
                remedy="choose one of these",
            )

    @classmethod
    def from_polar(
        cls,
        name: str,
        link: int | str,
        distance: ArrayLike,
        angle: ArrayLike,
        magnitude: ArrayLike,
        direction: ArrayLike,
    ) -> Contact:
        """Make a contact from Biscarini's parameters, each one number or one per instant, (n_times,).

        `distance` is l_R and `angle` epsilon_R, placing the point in the link's frame; `magnitude` is R (N), and
        `direction` gamma_R, the angle of the force from the link's x axis.
        """
        where = f"contact {name!r}"
        length = checks.finite(distance, "The distance of the point", where)
        if np.any(length < 0.0):
            raise InvalidValueError(
                f"The distance of the point is {np.min(length):g}; it must be at least 0.", where=where
            )
        place = checks.finite(angle, "The angle of the point", where)
        towards = checks.finite(direction, "The direction", where)
        size = checks.finite(magnitude, "The magnitude", where)
        point, force = (
            _polar(part, turn, what, where)
            for part, turn, what in (
                (length, place, "distance and angle"),
                (size, towards, "magnitude and direction"),
            )
        )
        return cls(name, link, point, force, axes="link")


def _polar(size: Array, angle: Array, what: str, where: str) -> Array:
    """Vectors (2,) or (n_times, 2) of these sizes and directions."""
    if size.ndim > 1 or angle.ndim > 1 or (size.ndim and angle.ndim and len(size) != len(angle)):
        raise ShapeError(
            f"Shapes {size.shape} and {angle.shape} of {what} do not go together.",
            where=where,
            remedy="give each as one number, or one for each instant",
        )
    return np.stack([size * np.cos(angle), size * np.sin(angle)], axis=-1)


@dataclass(frozen=True, slots=True)
class Couple:
    """A pure moment on a link: `moment` (N m), one number or (n_times,); counter-clockwise is positive.

    Examples
    --------
    >>> planar.Couple("wrench", link=3, moment=2.0).moment  # N m, counter-clockwise
    2.0
    """

    name: str
    link: int | str
    moment: ArrayLike

    def __post_init__(self) -> None:
        checks.name(self.name, "couple")


def spring_contact(
    name: str,
    chain: Chain,
    motion: Motion,
    link: int | str,
    point: ArrayLike,
    stiffness: float,
    rest: float,
    axis: ArrayLike = (1.0, 0.0),
) -> Contact:
    """Force of a guided linear spring on a link, such as the one on the hand of Cesari et al. (2001).

    The spring acts along a fixed direction: ``force = -stiffness (axis · p - rest) axis`` with p the
    position of the point in the world.

    Parameters
    ----------
    point : (2,)
        Where it is fastened, in the link's frame (m).
    stiffness : float
        N/m.
    rest : float
        Coordinate of the point along the axis at which the spring is slack (m).
    axis : (2,)
        Direction in the world; normalised here.

    Examples
    --------
    >>> spring = planar.spring_contact("spring", chain, motion, link=3, point=(0.08, 0.0), stiffness=60.0, rest=0.3)
    >>> np.shape(spring.force) == (motion.time.size, 2)  # N at each instant
    True
    """
    # Loaded here, because it brings xarray, which describing a chain does without.
    from borelli.planar.pose import Pose, complex_of

    where = f"spring {name!r}"
    number = chain.link_number(link, where)
    direction = complex(*checks.pair(axis, "The axis", where))
    if abs(direction) == 0.0:
        raise InvalidValueError(
            "The axis of the spring has no length.", where=where, remedy="give a direction"
        )
    direction /= abs(direction)
    rate = checks.scalar(stiffness, "The stiffness", where, least=0.0)
    slack = checks.scalar(rest, "The rest position", where)
    motion.check_fits(chain.n_links, chain.name)
    place = Pose(chain, motion).point(number, complex_of(np.asarray(checks.pair(point, "The point", where))))
    elongation = (np.conj(direction) * place).real - slack
    force = -rate * elongation * direction
    pushed = checks.plausible(np.stack([force.real, force.imag], axis=-1), "The force", where)
    return Contact(name, link, point, pushed)


@dataclass(frozen=True, slots=True)
class ContactRow:
    """A contact, checked against its chain and spread over the instants; vectors are complex numbers."""

    name: str
    link: int
    point: Array
    force: Array
    turns: bool


@dataclass(frozen=True, slots=True)
class CoupleRow:
    """A couple, checked against its chain and spread over the instants."""

    name: str
    link: int
    moment: Array


@dataclass(frozen=True, slots=True)
class LoadTable:
    """All outside forces and muscle tensions of one analysis, as arrays over the instants."""

    contacts: tuple[ContactRow, ...]
    couples: tuple[CoupleRow, ...]
    tension: Array  # (n_muscles, n_times)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the loads: contacts, then couples."""
        return (*(row.name for row in self.contacts), *(row.name for row in self.couples))

    def instants(self, which: slice) -> LoadTable:
        """Return the same loads for a slice of the instants."""
        return LoadTable(
            tuple(ContactRow(c.name, c.link, c.point[which], c.force[which], c.turns) for c in self.contacts),
            tuple(CoupleRow(c.name, c.link, c.moment[which]) for c in self.couples),
            self.tension[:, which],
        )


def tabulate(
    chain: Chain,
    n_times: int,
    contacts: tuple[Contact, ...] = (),
    couples: tuple[Couple, ...] = (),
    tensions: Mapping[str, ArrayLike] | None = None,
) -> LoadTable:
    """Check loads and tensions against a chain and spread them over the instants."""
    # Loaded here for the same reason.
    from borelli.planar.pose import complex_of

    names = (*(contact.name for contact in contacts), *(couple.name for couple in couples))
    checks.unique(names, "load", "contacts and couples")
    contact_rows = []
    for contact in contacts:
        where = f"contact {contact.name!r}"
        point = checks.series(contact.point, (2,), n_times, "The point", where)
        force = checks.series(contact.force, (2,), n_times, "The force", where)
        number = chain.link_number(contact.link, where)
        turns = contact.axes == "link" and number > 0
        contact_rows.append(ContactRow(contact.name, number, complex_of(point), complex_of(force), turns))
    couple_rows = []
    for couple in couples:
        where = f"couple {couple.name!r}"
        moment = checks.series(couple.moment, (), n_times, "The moment", where)
        couple_rows.append(CoupleRow(couple.name, chain.link_number(couple.link, where), moment))
    return LoadTable(tuple(contact_rows), tuple(couple_rows), _tension_rows(chain, n_times, tensions or {}))


def _tension_rows(chain: Chain, n_times: int, tensions: Mapping[str, ArrayLike]) -> Array:
    rows = np.zeros((len(chain.muscles), n_times))
    for name, value in tensions.items():
        if name not in chain.muscle_names:
            raise UnknownNameError.among(
                name, "muscle", chain.muscle_names, of=f"chain {chain.name!r}", where="tensions"
            )
        row = checks.series(value, (), n_times, "The tension", f"muscle {name!r}")
        if np.any(row < 0):
            instant = int(np.argmax(row < 0))
            raise InvalidValueError(
                f"The tension is {row[instant]:g} N at instant {instant}; a muscle cannot push.",
                where=f"muscle {name!r}",
                remedy="give tensions of zero or more",
            )
        rows[chain.muscle_names.index(name)] = row
    return rows
