"""The trunk above the navel cut into equally long pieces, with head and arms: masses and bends of the spine's links.

Mass along the column varies linearly inside the middle and the upper trunk so that mass, mass centre and moment of
inertia of each are exactly those of de Leva (1996), however many links the column is cut into.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from borelli.errors import InvalidValueError
from borelli.library.anthropometry import Lump, Person, table_row
from borelli.library.trajectories import posture_sequence
from borelli.library.upper_body import hanging_arms, head
from borelli.planar.chain import Link
from borelli.planar.motion import Motion
from borelli.records import dataclass

_MOST_LINKS = 200


@dataclass(frozen=True, slots=True)
class _Column:
    """A stretch of trunk, bottom to top, whose mass for each unit of length varies linearly."""

    bottom: float
    length: float
    mass: float
    com: float  # fraction of the length, from the bottom
    depth_variance: float  # mean square distance from the column's own line, front to back (m²)

    @classmethod
    def of(cls, person: Person, name: str, bottom: float, gyration: float | None = None) -> _Column:
        """A segment of a person; `gyration`, of its length, in place of that about the transverse axis."""
        row, part = table_row(name, person.sex), person.segment(name)
        com = 1.0 - row.com
        along = 1.0 / 12.0 - (com - 0.5) ** 2  # variance of the linear density below, over length²
        radius = row.gyration if gyration is None else gyration
        return cls(bottom, part.length, part.mass, com, (radius**2 - along) * part.length**2)

    def between(self, low: float, high: float) -> Lump | None:
        """Lump what lies between two heights (m); None where nothing does."""
        a = min(max((low - self.bottom) / self.length, 0.0), 1.0)
        b = min(max((high - self.bottom) / self.length, 0.0), 1.0)
        if b - a <= 0.0:
            return None
        # Density 1 + slope (x - 1/2) on 0..1 has mean 1 and its mass centre at 1/2 + slope / 12.
        slope = 12.0 * (self.com - 0.5)
        share, first, second = (
            (1.0 - 0.5 * slope) * (b**k - a**k) / k + slope * (b ** (k + 1) - a ** (k + 1)) / (k + 1)
            for k in (1, 2, 3)
        )
        centre = first / share
        variance = (second / share - centre**2) * self.length**2 + self.depth_variance
        mass = self.mass * share
        return Lump(mass, self.bottom + centre * self.length, mass * variance)


def column_lumps(
    person: Person, n_links: int, gyrations: tuple[float, float] | None = None
) -> tuple[list[tuple[float, float, Lump]], float]:
    """Cut the trunk above the navel into equally long pieces, with arms and head.

    Parameters
    ----------
    gyrations : (float, float), optional
        Radii of gyration of middle and upper trunk, of their lengths, about another axis than the transverse one.

    Returns
    -------
    list of (low, high, Lump)
        Heights of each piece's ends (m) and what it holds.
    float
        Height of the lowest ribs (m).
    """
    first, second = gyrations or (None, None)
    middle = _Column.of(person, "middle_trunk", 0.0, first)
    upper = _Column.of(person, "upper_trunk_from_cervicale", middle.length, second)
    top = upper.bottom + upper.length
    shoulder = person.segment("trunk_from_shoulder").length - person.segment("lower_trunk").length
    pieces = []
    cuts = np.linspace(0.0, top, n_links + 1)
    for number, (low, high) in enumerate(pairwise(cuts), start=1):
        parts = [part for column in (middle, upper) if (part := column.between(low, high)) is not None]
        if low <= shoulder < high:
            parts.append(hanging_arms(person, shoulder))
        if number == n_links:
            parts.append(head(person, top))
        pieces.append((float(low), float(high), sum(parts[1:], parts[0])))
    return pieces, middle.length


def column_links(pieces: list[tuple[float, float, Lump]], aside: float) -> tuple[Link, ...]:
    """Links of the pieces of a column, their mass centres `aside` (m) of its line."""
    return tuple(
        Link(
            f"trunk_{number}", high - low, lump.mass, lump.inertia, (lump.com - low, aside), f"spine_{number}"
        )
        for number, (low, high, lump) in enumerate(pieces, start=1)
    )


def lowest_ribs(links: tuple[Link, ...], height: float) -> tuple[int, float]:
    """Number of the link at the height of the lowest ribs (m), and how far along it they are, from 0 to 1."""
    links_below = height / links[0].length
    number = min(int(links_below * (1.0 - 1e-12)), len(links) - 1) + 1
    return number, links_below - (number - 1)


def column_bend(n_links: int, tilt_deg: float, duration_s: float, rest_s: float, rate_hz: float) -> Motion:
    """Minimum-jerk bend of a column that tilts its last link, and back up, shared equally by its joints."""
    check_number(n_links)
    upright = np.full(n_links, math.pi / 2)
    tilt = math.radians(tilt_deg) * np.arange(1, n_links + 1) / n_links
    return posture_sequence([upright, upright - tilt, upright], duration_s, rest_s, rate_hz)


def check_number(n_links: object) -> None:
    """Refuse what is no number of links."""
    if isinstance(n_links, bool) or not isinstance(n_links, int) or not 1 <= n_links <= _MOST_LINKS:
        raise InvalidValueError(
            f"{n_links!r} is not a number of links.",
            where="n_links",
            remedy=f"give a whole number from 1 to {_MOST_LINKS}",
        )
