"""Masses, mass centres, radii of gyration and lengths of body segments, from published tables.

Everything is a fraction: of body mass, of the segment's own length, or of body height. The numbers are
those of de Leva P. (1996) "Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters", J. Biomech.
29:1223–1230, table 4: 100 men (73.0 kg, 1.741 m) and 15 women (61.9 kg, 1.735 m), all young adults, measured
by gamma-ray scanning. The table states some segments twice, between other end points; both statements are
kept where both are useful, and tests hold them against each other.

Radii of gyration are those about the transverse (medio-lateral) axis: the one that a sagittal-plane
movement turns about.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from borelli.errors import InvalidValueError, UnknownNameError
from borelli.planar import checks
from borelli.records import dataclass

Sex = Literal["male", "female"]

CITATION = (
    "de Leva P. Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters. "
    "J. Biomech. 1996, 29, 1223–1230."
)

# The mean of the men whom the table was measured on (de Leva 1996).
DEFAULT_MASS_KG = 73.0
DEFAULT_HEIGHT_M = 1.741


class Row(NamedTuple):
    """One row of the table, for one sex."""

    length_mm: float  # between the end points, in the sample
    mass: float  # of body mass
    com: float  # of the length, from the first end point
    gyration: float  # of the length, about the transverse axis through the mass centre


HEIGHT_MM: dict[Sex, float] = {"male": 1741.0, "female": 1735.0}
"""Mean body height of the sample: lengths scale with height over this."""

# Columns: length (mm), mass (%), mass centre (%), transverse radius of gyration (%). The comment names the
# end points; the mass centre is measured from the first of them.
_PERCENT: dict[str, dict[Sex, tuple[float, float, float, float]]] = {
    # vertex of the head to the middle of the gonions
    "head": {"male": (203.3, 6.94, 59.76, 37.6), "female": (200.2, 6.68, 58.94, 35.9)},
    # vertex to cervicale (seventh cervical spinous process)
    "head_to_cervicale": {"male": (242.9, 6.94, 50.02, 31.5), "female": (243.7, 6.68, 48.41, 29.5)},
    # suprasternale to mid-hip
    "trunk": {"male": (531.9, 43.46, 44.86, 34.7), "female": (529.3, 42.57, 41.51, 33.9)},
    # cervicale to mid-hip
    "trunk_from_cervicale": {"male": (603.3, 43.46, 51.38, 30.6), "female": (614.8, 42.57, 49.64, 29.2)},
    # mid-shoulder to mid-hip
    "trunk_from_shoulder": {"male": (515.5, 43.46, 43.10, 35.8), "female": (497.9, 42.57, 37.82, 36.1)},
    # cervicale to xiphion
    "upper_trunk_from_cervicale": {
        "male": (242.1, 15.96, 50.66, 32.0),
        "female": (228.0, 15.45, 50.50, 31.4),
    },
    # suprasternale to xiphion
    "upper_trunk": {"male": (170.7, 15.96, 29.99, 45.4), "female": (142.5, 15.45, 20.77, 50.2)},
    # xiphion to omphalion (navel)
    "middle_trunk": {"male": (215.5, 16.33, 45.02, 38.3), "female": (205.3, 14.65, 45.12, 35.4)},
    # omphalion to mid-hip
    "lower_trunk": {"male": (145.7, 11.17, 61.15, 55.1), "female": (181.5, 12.47, 49.20, 40.2)},
    # shoulder to elbow, joint centres
    "upper_arm": {"male": (281.7, 2.71, 57.72, 26.9), "female": (275.1, 2.55, 57.54, 26.0)},
    # elbow to wrist, joint centres
    "forearm": {"male": (268.9, 1.62, 45.74, 26.5), "female": (264.3, 1.38, 45.59, 25.7)},
    # wrist joint centre to the third knuckle
    "hand": {"male": (86.2, 0.61, 79.00, 51.3), "female": (78.0, 0.56, 74.74, 45.4)},
    # wrist joint centre to the tip of the third finger
    "hand_to_fingertip": {"male": (187.9, 0.61, 36.24, 23.5), "female": (170.1, 0.56, 34.27, 20.8)},
    # hip to knee, joint centres
    "thigh": {"male": (422.2, 14.16, 40.95, 32.9), "female": (368.5, 14.78, 36.12, 36.4)},
    # knee joint centre to lateral malleolus
    "shank": {"male": (434.0, 4.33, 44.59, 24.9), "female": (432.3, 4.81, 44.16, 26.7)},
    # knee to ankle, joint centres
    "shank_to_ankle": {"male": (440.3, 4.33, 43.95, 24.6), "female": (438.6, 4.81, 43.52, 26.3)},
    # heel to the tip of the longest toe
    "foot": {"male": (258.1, 1.37, 44.15, 24.5), "female": (228.3, 1.29, 40.14, 27.9)},
}

SEGMENTS: tuple[str, ...] = tuple(_PERCENT)

WHOLE_BODY: dict[str, int] = {
    "head": 1,
    "trunk": 1,
    "upper_arm": 2,
    "forearm": 2,
    "hand": 2,
    "thigh": 2,
    "shank": 2,
    "foot": 2,
}
"""How many of which segments make a whole body."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment of one person, in SI units.

    Parameters
    ----------
    length : float
        Between its end points (m).
    mass : float
        kg.
    com : float
        Distance of the mass centre from the first end point (m).
    inertia : float
        About the transverse axis through the mass centre (kg m²).
    """

    length: float
    mass: float
    com: float
    inertia: float

    @property
    def com_from_end(self) -> float:
        """Distance of the mass centre from the second end point (m)."""
        return self.length - self.com


@dataclass(frozen=True, slots=True)
class Lump:
    """Mass, mass centre along a line, and moment of inertia about the mass centre, of parts moving as one."""

    mass: float
    com: float
    inertia: float

    def __add__(self, other: Lump) -> Lump:
        return self._combined(other, 1.0)

    def __sub__(self, other: Lump) -> Lump:
        return self._combined(other, -1.0)

    def _combined(self, other: Lump, sign: float) -> Lump:
        """Parallel-axis theorem (Huygens-Steiner), for a part added or taken out."""
        mass = self.mass + sign * other.mass
        com = (self.mass * self.com + sign * other.mass * other.com) / mass
        inertia = (
            self.inertia
            + self.mass * (self.com - com) ** 2
            + sign * (other.inertia + other.mass * (other.com - com) ** 2)
        )
        return Lump(mass, com, inertia)


@dataclass(frozen=True, slots=True)
class Person:
    """Body mass (kg), height (m) and sex: what the tables scale with.

    Examples
    --------
    >>> tall = bo.library.Person(mass_kg=80.0, height_m=1.9)
    >>> tall.sex
    'male'
    """

    mass_kg: float = DEFAULT_MASS_KG
    height_m: float = DEFAULT_HEIGHT_M
    sex: Sex = "male"

    def __post_init__(self) -> None:
        _in_range(self.mass_kg, "The body mass", "mass_kg", "kg", 1.0, 500.0)
        _in_range(self.height_m, "The body height", "height_m", "m", 0.4, 2.8)
        if self.sex not in HEIGHT_MM:
            raise UnknownNameError.among(
                str(self.sex), "sex in the table of segments", HEIGHT_MM, where="sex"
            )

    @property
    def size(self) -> float:
        """Body height over that of the men of the table, the body that muscle paths are drawn for."""
        return self.height_m / (1e-3 * HEIGHT_MM["male"])

    def segment(self, name: str) -> Segment:
        """Return one segment of this person."""
        row = table_row(name, self.sex)
        length = row.length_mm / HEIGHT_MM[self.sex] * self.height_m
        mass = row.mass * self.mass_kg
        return Segment(length, mass, row.com * length, mass * (row.gyration * length) ** 2)


def table_row(name: str, sex: Sex = "male") -> Row:
    """Return a row of the table as fractions (the length in millimetres)."""
    if name not in _PERCENT:
        raise UnknownNameError.among(name, "segment", _PERCENT, of="the table of segments")
    if sex not in HEIGHT_MM:
        raise UnknownNameError.among(str(sex), "sex in the table of segments", HEIGHT_MM, where="sex")
    length, mass, com, gyration = _PERCENT[name][sex]
    return Row(length, mass / 100.0, com / 100.0, gyration / 100.0)


def _in_range(value: float, what: str, where: str, unit: str, least: float, most: float) -> None:
    number = checks.scalar(value, what, where)
    if not least <= number <= most:
        raise InvalidValueError(
            f"{what} is {number:g} {unit}; it must be from {least:g} to {most:g} {unit}.",
            where=where,
            remedy=f"give it in {unit}",
        )
