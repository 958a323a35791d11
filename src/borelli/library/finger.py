"""The middle finger with the hand: four links, and the long tendons that cross them all.

Forearm at rest along the world's x axis with the palm up; the wrist is the first joint, at the origin. Links:
hand (with the other digits), proximal, middle and distal phalanx. Flexion is positive, and in every link's
frame y points to the palm.

The finger reaches from the third knuckle to the tip of the third finger (de Leva 1996), divided in the
proportions of the middle finger's bones in 66 radiographs (Buryanov & Kotiuk 2010, Int. J. Morphol.
28:755–758). The phalanges are cylinders of the density of the hand, 1160 kg/m³ (Dempster 1955; Winter 2009,
table 4.1), and their mass is taken out of the hand's.

Flexor moment arms are those of the middle finger in Ketchum et al. (1978, J. Hand Surg. 3:571–578): profundus
11.6, 10.7 and 7.0 mm, superficialis 14.0 and 8.7 mm, from the knuckle outwards. Pulleys on both sides of a joint
hold the tendon at three quarters of that height; the chord between them rises as the joint bends (bowstringing),
so that the moment arm passes the published value at 28° and exceeds it by a third at a right angle. Arms of the
extensor, and of all three at the wrist, are a modelling choice of the usual order.
"""

from __future__ import annotations

import math

from borelli.library.anthropometry import DEFAULT_HEIGHT_M, DEFAULT_MASS_KG, Lump, Person, Segment, Sex
from borelli.library.drawing import Drawing, PathPoint, muscle
from borelli.library.trajectories import posture_sequence
from borelli.planar.chain import Base, Chain, Link, Muscle
from borelli.planar.motion import Motion

# Buryanov & Kotiuk (2010), middle finger (mm); the last with the soft tissue beyond the bone.
_BONE_MM = {"proximal": 44.6, "middle": 26.3, "distal": 17.4 + 4.0}
_DIAMETER_MM = {"proximal": 18.0, "middle": 16.0, "distal": 14.0}
_DENSITY = 1160.0  # kg/m³, Dempster's hand
_JOINTS = {"proximal": "knuckle", "middle": "proximal_interphalangeal", "distal": "distal_interphalangeal"}


def finger(
    *, mass_kg: float = DEFAULT_MASS_KG, height_m: float = DEFAULT_HEIGHT_M, sex: Sex = "male"
) -> Chain:
    """Hand and middle finger: four links driven by the two long flexors and the extensor.

    Mass, height and sex are those of the whole body, as in :class:`~borelli.library.Person`.

    Examples
    --------
    >>> [link.name for link in bo.library.finger().links]
    ['hand', 'proximal_phalanx', 'middle_phalanx', 'distal_phalanx']
    """
    person = Person(mass_kg, height_m, sex)
    hand, phalanges = person.segment("hand"), _phalanges(person)
    rest = Lump(hand.mass, hand.com, hand.inertia)
    knuckle = hand.length
    for part in phalanges.values():
        rest = rest - Lump(part.mass, knuckle + part.com, part.inertia)
        knuckle += part.length
    links = (
        Link("hand", hand.length, rest.mass, rest.inertia, (rest.com, 0.0), joint="wrist"),
        *(
            Link(
                f"{name}_phalanx", part.length, part.mass, part.inertia, (part.com, 0.0), joint=_JOINTS[name]
            )
            for name, part in phalanges.items()
        ),
    )
    draw = Drawing(links, Base(), person.size)
    return Chain(links, muscles=_tendons(draw), name="finger")


def finger_flexion(*, duration_s: float = 0.6, rest_s: float = 0.1, rate_hz: float = 200.0) -> Motion:
    """Minimum-jerk closing of :func:`finger`: 60° at the knuckle, 80° and 45° at the interphalangeal joints.

    It rests before and after; times and rate are as in :func:`~borelli.library.posture_sequence`.

    Examples
    --------
    >>> bo.library.finger_flexion().angle.shape[1]
    4
    """
    start = [math.radians(angle) for angle in (0.0, 5.0, 5.0, 5.0)]
    end = [math.radians(angle) for angle in (0.0, 60.0, 80.0, 45.0)]
    return posture_sequence([start, end], duration_s, rest_s, rate_hz, joint_angles=True)


def _phalanges(person: Person) -> dict[str, Segment]:
    length = person.segment("hand_to_fingertip").length - person.segment("hand").length
    # As shares of the hand's mass: a light hand has light fingers.
    reference = Person().segment("hand").mass
    parts = {}
    for name, bone in _BONE_MM.items():
        own = length * bone / sum(_BONE_MM.values())
        radius = 0.5e-3 * _DIAMETER_MM[name] * person.size
        cylinder = _DENSITY * math.pi * (0.5e-3 * _DIAMETER_MM[name]) ** 2 * 1e-3 * bone
        mass = cylinder / reference * person.segment("hand").mass
        parts[name] = Segment(own, mass, 0.5 * own, mass * (own**2 / 12.0 + radius**2 / 4.0))
    return parts


def _tendons(draw: Drawing) -> tuple[Muscle, ...]:
    origin = (0, (-0.2 * draw.size, 0.0))
    return (
        muscle("flexor_digitorum_profundus", origin, *_flexor_pulleys(draw, (12.0, 11.6, 10.7, 7.0))),
        muscle("flexor_digitorum_superficialis", origin, *_flexor_pulleys(draw, (14.0, 14.0, 8.7))),
        muscle("extensor_digitorum", origin, *_pulleys(draw, (-13.0, -8.5, -5.0, -3.0), spread=0.3)),
    )


def _flexor_pulleys(draw: Drawing, arms_mm: tuple[float, ...]) -> list[PathPoint]:
    # Pulleys of height h and distance 1.5 h from the joint give the arm h (cos a/2 + 1.5 sin a/2) at an angle a,
    # and would meet only at 112°.
    return _pulleys(draw, tuple(0.75 * arm for arm in arms_mm), spread=1.5)


def _pulleys(draw: Drawing, heights_mm: tuple[float, ...], spread: float) -> list[PathPoint]:
    """Hold a tendon at a height above each joint, on both sides of it; `spread` is their distance over the height."""
    points: list[PathPoint] = []
    for joint, height in enumerate(heights_mm):
        away = spread * abs(height)
        points.append(draw.on_base(-away, height) if joint == 0 else draw.before(joint, away, height))
        points.append(draw.after(joint + 1, away, height))
    return points
