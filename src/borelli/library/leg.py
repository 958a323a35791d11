"""Both legs under the trunk, for squatting and standing up: feet as base, shanks, thighs, and trunk with head and arms.

x points forward, y up, and the floor is y = 0. The ankles are the first joint, above the floor at x = 0. Standing
upright every link is at 90°; the knee's angle (thigh relative to shank) is positive in flexion, the hip's (trunk
relative to thigh) negative in flexion. In an upright link's frame x points up and y backwards.

Two legs move as one: foot, shank and thigh have the mass and the moment of inertia of both sides, and a muscle
stands for the pair, left and right. Torques, tensions and reactions are therefore those of both sides together;
in a symmetric movement each leg bears half.

Moment arms follow measurements on bodies: Achilles tendon near 0.05 m (Maganaris, Baltzopoulos & Sargeant 1998,
J. Physiol. 510:977–985), tibialis anterior 0.03 to 0.05 m (Maganaris 2000, J. Biomech. 33:1381–1391); knee extensors
0.04 to 0.05 m near extension and less in flexion, hamstrings and gastrocnemius at the knee 0.02 to 0.05 m (Buford et
al. 1997, IEEE Trans. Rehabil. Eng. 5:367–379); hamstrings and gluteus maximus at the hip 0.06 to 0.08 m (Németh &
Ohlsén 1985, J. Biomech. 18:129–140).
"""

from __future__ import annotations

import math

from borelli.library.anthropometry import DEFAULT_HEIGHT_M, DEFAULT_MASS_KG, Lump, Person, Sex
from borelli.library.drawing import Drawing, muscle
from borelli.library.trajectories import posture_sequence
from borelli.library.upper_body import arms_along_trunk, head
from borelli.planar.chain import Base, Chain, Link, Muscle
from borelli.planar.motion import Motion

ANKLE_HEIGHT = 0.039
"""Of body height (Drillis & Contini 1966, in Winter 2009, figure 4.1)."""

HEEL_BEHIND_ANKLE = 0.25
"""Of the foot's length: a modelling choice that the tables do not state."""

# Absolute angles of shank, thigh and trunk (degrees), chosen so that the mass centre stays above the feet.
_SQUAT_DEG = (62.0, 155.0, 45.0)
_STAND_DEG = (85.0, 93.0, 87.0)


def leg_squat(
    *, mass_kg: float = DEFAULT_MASS_KG, height_m: float = DEFAULT_HEIGHT_M, sex: Sex = "male"
) -> Chain:
    """Feet as base, shanks, thighs, trunk with head and arms, and seven pairs of muscles; both sides lumped.

    Mass, height and sex are those of the whole body, as in :class:`~borelli.library.Person`.

    Examples
    --------
    >>> [link.name for link in bo.library.leg_squat().links]
    ['shank', 'thigh', 'trunk']
    """
    person = Person(mass_kg, height_m, sex)
    base = feet(person, 2.0)
    links = (
        both_legs("shank_to_ankle", "shank", "ankle", person),
        both_legs("thigh", "thigh", "knee", person),
        trunk_link(person),
    )
    draw = Drawing(links, base, person.size)
    return Chain(links, base, muscles=leg_muscles(draw), name="leg_squat")


def foot_span(*, height_m: float = DEFAULT_HEIGHT_M, sex: Sex = "male") -> tuple[float, float]:
    """Positions of heel and toe tip on the floor (m), between which the centre of pressure must stay.

    Examples
    --------
    >>> heel, toe = bo.library.foot_span(height_m=1.8)
    >>> heel < 0.0 < toe  # m from the ankle
    True
    """
    length = Person(height_m=height_m, sex=sex).segment("foot").length
    heel = -HEEL_BEHIND_ANKLE * length
    return heel, heel + length


def squat_to_stand(*, duration_s: float = 1.2, rest_s: float = 0.2, rate_hz: float = 100.0) -> Motion:
    """Minimum-jerk rise of :func:`leg_squat` from a squat (knees bent by a right angle) to upright.

    It rests before and after; times and rate are as in :func:`~borelli.library.posture_sequence`.

    Examples
    --------
    >>> bo.library.squat_to_stand(duration_s=1.0).angle.shape[1]
    3
    """
    postures = [[math.radians(angle) for angle in posture] for posture in (_SQUAT_DEG, _STAND_DEG)]
    return posture_sequence(postures, duration_s, rest_s, rate_hz)


def feet(person: Person, sides: float) -> Base:
    """One foot or both as the base, flat on the floor with the ankle above the origin."""
    foot = person.segment("foot")
    ankle = ANKLE_HEIGHT * person.height_m
    com = (foot.com - HEEL_BEHIND_ANKLE * foot.length, 0.5 * ankle)
    return Base((0.0, ankle), sides * foot.mass, com)


def both_legs(row: str, name: str, joint: str, person: Person) -> Link:
    """A pair of leg segments as one link; the table measures from the upper end, the chain from the lower one."""
    part = person.segment(row)
    return Link(name, part.length, 2.0 * part.mass, 2.0 * part.inertia, (part.com_from_end, 0.0), joint)


def trunk_link(person: Person, *more: Lump) -> Link:
    """Trunk with head and hanging arms, and what else the hip carries."""
    trunk = person.segment("trunk_from_shoulder")
    lump = Lump(trunk.mass, trunk.com_from_end, trunk.inertia)
    parts = (
        head(person, person.segment("trunk_from_cervicale").length),
        arms_along_trunk(person, trunk.length),
    )
    for part in (*parts, *more):
        lump = lump + part
    return Link("trunk", trunk.length, lump.mass, lump.inertia, (lump.com, 0.0), joint="hip")


def leg_muscles(draw: Drawing) -> tuple[Muscle, ...]:
    """Muscles of ankle, knee and hip; links 1 to 3 are shank, thigh and what the hip carries."""
    heel = draw.on_base(-52, -15)
    tuberosity = draw.before(1, 70, -42)
    patella = draw.after(2, -21, -45)
    return (
        muscle("soleus", heel, draw.before(1, 100, 25)),
        muscle("tibialis_anterior", draw.on_base(55, -30), draw.after(1, 25, -38), draw.before(1, 110, -30)),
        muscle("gastrocnemius", heel, draw.before(1, 120, 35), draw.after(2, 25, 25)),
        muscle("vasti", tuberosity, patella, draw.after(2, 180, -30)),
        muscle("rectus_femoris", tuberosity, patella, draw.after(3, 45, -40)),
        muscle("hamstrings", draw.before(1, 45, 32), draw.after(3, -60, 48)),
        muscle("gluteus_maximus", draw.before(2, 90, 45), draw.after(3, -55, 55), draw.after(3, 80, 80)),
    )
