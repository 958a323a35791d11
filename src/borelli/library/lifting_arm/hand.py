"""A hand with five digits as a tree of sixteen segments, after Du's (2021, 4.2) proposal.

The palm is the segment ``hand``, from the wrist to the third knuckle. Its x axis points along the hand, z out of its
back and y, in a right hand, to the side of the thumb; bending towards the palm turns about +y. Every digit is a chain
of three segments on it.

Bone lengths are the means of 66 radiographs (Buryanov & Kotiuk 2010, Int. J. Morphol. 28:755–758), with the soft tissue
beyond the last bone, and are scaled so that the middle finger ends where de Leva (1996) has the fingertip. Segments of
digits are cylinders of the density of the hand, 1160 kg/m³ (Dempster 1955); what remains is the palm, so that the flat
hand as a whole has de Leva's mass, mass centre and moments of inertia. Diameters, and where the digits stand on the
palm, are a modelling choice.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from borelli import attitude
from borelli.library.anthropometry import Person
from borelli.library.lifting_arm.grips import FLAT, grip
from borelli.library.lifting_arm.parameters import Arm
from borelli.library.lifting_arm.segments import BASE, Segment, SegmentTree
from borelli.library.lifting_arm.values import Array
from borelli.model.values import ZERO, Vector, vector
from borelli.records import dataclass

_DENSITY = 1160.0  # kg/m³
_PALM_THICKNESS = 0.32  # of its length


@dataclass(frozen=True, slots=True)
class _Digit:
    """Segments of a digit (name, joint, length mm, diameter mm) and where it stands on the palm.

    `along` is the place of its first joint as a fraction of the palm's length, `side_mm` towards the thumb, `rise_mm`
    towards the back of the hand.
    """

    parts: tuple[tuple[str, str, float, float], ...]
    along: float
    side_mm: float
    rise_mm: float = 0.0


def _finger(
    lengths_mm: tuple[float, float, float], diameters_mm: tuple[float, float, float]
) -> tuple[tuple[str, str, float, float], ...]:
    names = ("proximal", "middle", "distal")
    joints = ("metacarpophalangeal", "proximal_interphalangeal", "distal_interphalangeal")
    return tuple(zip(names, joints, lengths_mm, diameters_mm, strict=True))


_DIGITS: dict[str, _Digit] = {
    "thumb": _Digit(
        (
            ("metacarpal", "carpometacarpal", 46.2, 24.0),
            ("proximal", "metacarpophalangeal", 31.6, 21.0),
            ("distal", "interphalangeal", 21.7 + 5.7, 19.0),
        ),
        0.22,
        24.0,
        -8.0,
    ),
    "index": _Digit(_finger((39.8, 22.4, 15.8 + 3.8), (18.0, 16.0, 14.0)), 1.0, 24.0),
    "middle": _Digit(_finger((44.6, 26.3, 17.4 + 4.0), (18.0, 16.0, 14.0)), 1.0, 2.0),
    "ring": _Digit(_finger((41.4, 25.7, 17.3 + 4.0), (18.0, 16.0, 14.0)), 0.94, -18.0),
    "little": _Digit(_finger((32.7, 18.1, 16.0 + 3.7), (15.0, 14.0, 12.0)), 0.85, -37.0),
}
DIGITS: tuple[str, ...] = tuple(_DIGITS)


def hand_with_digits(
    person: Person | None = None, parent: str = BASE, at: float = 0.0
) -> tuple[Segment, ...]:
    """Palm and fifteen segments of digits of a right hand.

    Parameters
    ----------
    person : Person, optional
        The average man of the table by default.
    parent : str
        Segment that carries the hand.
    at : float
        Place of the wrist along the parent's x axis (m).

    Returns
    -------
    tuple of Segment
        The palm, called ``hand``, first; then ``thumb_metacarpal``, …, ``little_distal``.

    Examples
    --------
    >>> [part.name for part in la.hand_with_digits()][:2]
    ['hand', 'thumb_metacarpal']
    """
    who = person or Person()
    row, fingertip = who.segment("hand"), who.segment("hand_to_fingertip").length
    middle = sum(length for _, _, length, _ in _DIGITS["middle"].parts)
    scale = (fingertip - row.length) / middle  # m per mm of the radiographs
    # As shares of the hand's mass: a light hand has light fingers.
    heaviness = row.mass / Person().segment("hand").mass
    digits: list[Segment] = []
    for digit, told in _DIGITS.items():
        carrier = "hand"
        place = (told.along * row.length, told.side_mm * scale, told.rise_mm * scale)
        for name, joint, length_mm, diameter_mm in told.parts:
            length, radius = scale * length_mm, 0.5 * scale * diameter_mm
            mass = heaviness * _DENSITY * math.pi * (0.5e-3 * diameter_mm) ** 2 * 1e-3 * length_mm
            across = mass * (length**2 / 12.0 + radius**2 / 4.0)
            digits.append(
                Segment(
                    name=f"{digit}_{name}",
                    length=length,
                    mass=mass,
                    com=(0.5 * length, 0.0, 0.0),
                    inertia=(0.5 * mass * radius**2, across, across),
                    parent=carrier,
                    at=place,
                    joint=f"{digit}_{joint}",
                    flexion=(0.0, 1.0, 0.0),
                )
            )
            carrier, place = digits[-1].name, digits[-1].point(1.0)
    whole = Arm.of_person(who).segments[2]
    palm = replace(whole, length=row.length, mass=row.mass - sum(part.mass for part in digits))
    com, inertia = _what_remains(palm, digits, whole)
    return (replace(palm, com=com, inertia=inertia, parent=parent, at=(at, 0.0, 0.0)), *digits)


def arm_with_digits(person: Person | None = None) -> SegmentTree:
    """Upper arm, forearm and a hand with five digits: eighteen segments.

    Examples
    --------
    >>> len(la.arm_with_digits().names)
    18
    """
    arm = Arm.of_person(person)
    hand = hand_with_digits(person, arm.forearm.name, arm.forearm.length)
    return SegmentTree((arm.upper_arm, arm.forearm, *hand))


def contact_point(segment: Segment) -> Vector:
    """Return where a held object touches a segment of the hand: halfway, on the palm's side, in its frame (m).

    Examples
    --------
    >>> np.round(la.contact_point(la.hand_with_digits()[0]), 3)
    array([ 0.043,  0.   , -0.014])
    """
    halfway = 0.5 * segment.length
    if segment.name == "hand":
        return (halfway, 0.0, -0.5 * _PALM_THICKNESS * segment.length)
    # Of a cylinder, Ixx = m r²/2.
    radius = math.sqrt(2.0 * segment.inertia[0] / segment.mass)
    return (halfway, 0.0, -radius)


def _what_remains(palm: Segment, digits: list[Segment], whole: Segment) -> tuple[Vector, Vector]:
    """Mass centre and moments of inertia of the palm that complete the flat hand to the whole one."""
    tree = SegmentTree((replace(palm, parent=BASE, at=ZERO), *digits))
    pose = tree.placed(_world_attitudes(tree))
    middle = np.array(whole.com)
    centres = [pose.point(part.name, part.com)[0] - middle for part in digits]
    offset = -sum(part.mass * centre for part, centre in zip(digits, centres, strict=True)) / palm.mass
    inertia = np.array(whole.inertia) - _about(offset, palm.mass)
    for number, (part, centre) in enumerate(zip(digits, centres, strict=True), start=1):
        turned = attitude.inertia_in_world(np.diag(part.inertia), pose.rotation[0, number])
        inertia = inertia - np.diag(turned) - _about(centre, part.mass)
    return vector(middle + offset, "the palm's mass centre"), vector(inertia, "the palm's inertia")


def _about(offset: Array, mass: float) -> Array:
    """Parallel-axis part of the three moments of inertia (Huygens-Steiner)."""
    return mass * (offset @ offset - offset**2)


def _world_attitudes(tree: SegmentTree) -> dict[str, Array]:
    relative = grip(FLAT)
    world = {"hand": np.array([1.0, 0.0, 0.0, 0.0])}
    for segment in tree.segments[1:]:
        world[segment.name] = attitude.multiply(world[segment.parent], relative[segment.name])
    return world
