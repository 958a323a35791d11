"""What each letter means, its unit, and how it is set in LaTeX (as Biscarini 2021 does)."""

from __future__ import annotations

from typing import NamedTuple

from borelli.planar.symbolic.terms import Space


class Meaning(NamedTuple):
    """Unit, meaning and LaTeX of one letter; ``#`` stands for the number of the link or joint."""

    unit: str
    meaning: str
    latex: str


MEANINGS: dict[str, Meaning] = {
    "theta": Meaning("rad", "angle of link i from the world's x axis, counter-clockwise", r"\theta_{#}"),
    "thetad": Meaning("rad/s", "its angular velocity", r"\dot{\theta}_{#}"),
    "thetadd": Meaning("rad/s^2", "its angular acceleration", r"\ddot{\theta}_{#}"),
    "alpha": Meaning("rad", "angle of link i from link i-1, counter-clockwise", r"\alpha_{#}"),
    "alphad": Meaning("rad/s", "its rate", r"\dot{\alpha}_{#}"),
    "alphadd": Meaning("rad/s^2", "its second rate", r"\ddot{\alpha}_{#}"),
    "m": Meaning("kg", "mass of link i", r"m_{#}"),
    "M": Meaning("kg", "mass of link i and all beyond it", r"M_{#}"),
    "I": Meaning("kg m^2", "moment of inertia of link i about its mass centre", r"I_{C_{#}}"),
    "IJ": Meaning("kg m^2", "moment of inertia of link i about joint i", r"I_{J_{#}}"),
    "l": Meaning("m", "length of link i, from joint i to joint i+1", r"l_{#}"),
    "lC": Meaning("m", "distance of the mass centre of link i from joint i", r"l_{C_{#}}"),
    "eps": Meaning("rad", "angle of the mass centre of link i from the link's axis", r"\varepsilon_{C_{#}}"),
    "g": Meaning("m/s^2", "gravitational acceleration, along -y", "g"),
    "R": Meaning("N", "contact force on link i", r"R_{#}"),
    "lR": Meaning("m", "distance of its point of application from joint i", r"l_{R_{#}}"),
    "eR": Meaning("rad", "angle of that point from the link's axis", r"\varepsilon_{R_{#}}"),
    "gR": Meaning("rad", "angle of the contact force from the link's axis", r"\gamma_{R_{#}}"),
    "N": Meaning("N m", "couple on link i", r"N_{#}"),
    "Fx": Meaning("N", "resultant of the muscles spanning joint i on its distal side, x", r"F^{M}_{x,#}"),
    "Fy": Meaning("N", "resultant of the muscles spanning joint i on its distal side, y", r"F^{M}_{y,#}"),
}

_MOTION: dict[Space, tuple[str, ...]] = {
    "segment": ("theta", "thetad", "thetadd"),
    "joint": ("alpha", "alphad", "alphadd"),
}
SEGMENT_PARAMETERS = ("m", "I", "l", "lC", "eps")
CONTACT_PARAMETERS = ("R", "lR", "eR", "gR")


def motion_letters(space: Space) -> tuple[str, str, str]:
    """Return the letters of angle, velocity and acceleration in a space."""
    angle, velocity, acceleration = _MOTION[space]
    return angle, velocity, acceleration


def numbered_letters(space: Space, couples: bool = False) -> tuple[str, ...]:
    """Return every letter that the equations of a space carry a number on, in reading order."""
    more = ("N",) if couples else ()
    return (*_MOTION[space], *SEGMENT_PARAMETERS, *CONTACT_PARAMETERS, *more, "Fx", "Fy")
