"""Exercises of the legs: squat with a bar, leg press, a step up a stair, and the stance leg of gait on its toes.

x points forward, y up. In :func:`barbell_squat` and :func:`leg_press` both legs move as one, and loads are those of
left and right together; :func:`step_up` and :func:`gait_push_off` have one leg.
"""

from __future__ import annotations

import math

import numpy as np

from borelli.errors import InvalidValueError
from borelli.library.anthropometry import DEFAULT_HEIGHT_M, DEFAULT_MASS_KG, Lump, Person, Sex
from borelli.library.drawing import Drawing, muscle
from borelli.library.exercise import Exercise
from borelli.library.leg import ANKLE_HEIGHT, HEEL_BEHIND_ANKLE, feet, leg_muscles, leg_squat, trunk_link
from borelli.library.trajectories import minimum_jerk, posture_sequence
from borelli.planar.chain import Base, Chain, Link, Muscle
from borelli.planar.equipment import Weight
from borelli.planar.loads import Contact
from borelli.planar.motion import Motion

TOES_OF_FOOT = 0.28
"""Of the foot's length, from the tip of the toes to the metatarsophalangeal joint: a modelling choice."""

# Absolute angles of shank, thigh and trunk (degrees).
_STAND_DEG, _DEEP_DEG = (85.0, 93.0, 87.0), (62.0, 155.0, 45.0)
# The leg on the upper stair as the other one leaves the lower.
_STAIR_DEG = (66.0, 134.0, 62.0)
# Foot (from the toes' joint to the ankle), shank, thigh, trunk (degrees): mid-stance, heel off, toe off.
# A flat foot turns by how far it rises.
_GAIT_DEG = ((0.0, 84.0, 92.0, 88.0), (-15.0, 70.0, 100.0, 88.0), (-40.0, 55.0, 95.0, 88.0))


def barbell_squat(
    *,
    bar_kg: float = 60.0,
    mass_kg: float = DEFAULT_MASS_KG,
    height_m: float = DEFAULT_HEIGHT_M,
    sex: Sex = "male",
    duration_s: float = 1.5,
    rest_s: float = 0.2,
    rate_hz: float = 100.0,
) -> Exercise:
    """Squat down and up with a bar on the shoulders: :func:`~borelli.library.leg_squat` that carries a weight.

    Examples
    --------
    >>> bo.library.barbell_squat(bar_kg=80.0).chain.n_links
    3
    """
    chain = leg_squat(mass_kg=mass_kg, height_m=height_m, sex=sex)
    postures = [[math.radians(angle) for angle in each] for each in (_STAND_DEG, _DEEP_DEG, _STAND_DEG)]
    motion = posture_sequence(postures, duration_s, rest_s, rate_hz)
    # On the upper back, below the line of the shoulders and behind it.
    shoulders = (
        chain.links[2].length - 0.04 * height_m / DEFAULT_HEIGHT_M,
        0.06 * height_m / DEFAULT_HEIGHT_M,
    )
    return Exercise(chain, motion, (), (Weight("bar", "trunk", shoulders, bar_kg),))


def leg_press(
    *,
    sled_kg: float = 120.0,
    slope_deg: float = 45.0,
    knee_deg: tuple[float, float] = (100.0, 10.0),
    mass_kg: float = DEFAULT_MASS_KG,
    height_m: float = DEFAULT_HEIGHT_M,
    sex: Sex = "male",
    duration_s: float = 1.5,
    rest_s: float = 0.2,
    rate_hz: float = 100.0,
) -> Exercise:
    """Press a sled up its rails and let it down again, lying on the seat.

    The trunk is the base and the hip the first joint. The feet move along the rails, which rise forward by `slope_deg`
    and would meet the hip. The sled pushes them down along the rails with its weight there and the inertia of its
    motion; rails without friction bear the rest.

    Parameters
    ----------
    sled_kg : float
        Sled and plates (kg).
    slope_deg : float
        Of the rails, above the horizontal (degrees).
    knee_deg : (float, float)
        Flexion of the knee where the sled is lowest, and highest (degrees).

    Examples
    --------
    >>> bo.library.leg_press(sled_kg=100.0, slope_deg=30.0).chain.n_links
    2
    """
    person = Person(mass_kg, height_m, sex)
    thigh, shank = person.segment("thigh"), person.segment("shank_to_ankle")
    low, high = (math.radians(180.0 - angle) for angle in knee_deg)
    if not 0.0 < low < high < math.pi:
        raise InvalidValueError(
            f"The knee cannot go from {knee_deg[0]:g}° to {knee_deg[1]:g}° of flexion.",
            where="knee_deg",
            remedy="give the larger flexion first, both between 0 and 180 degrees",
        )
    reach = [
        math.sqrt(thigh.length**2 + shank.length**2 - 2.0 * thigh.length * shank.length * math.cos(angle))
        for angle in (low, high)
    ]
    time = np.arange(math.ceil((2.0 * duration_s + 3.0 * rest_s) * rate_hz - 1e-9) + 1) / rate_hz
    up = minimum_jerk(reach[0], reach[1], duration_s, time - rest_s)
    down = minimum_jerk(reach[1], reach[0], duration_s, time - 2.0 * rest_s - duration_s)
    distance, speed, acceleration = (
        a + b - c for a, b, c in zip(up, down, (reach[1], 0.0, 0.0), strict=True)
    )
    slope = math.radians(slope_deg)
    motion = _along_a_rail(time, (distance, speed, acceleration), (thigh.length, shank.length), slope)
    links = (
        Link("thigh", thigh.length, 2 * thigh.mass, 2 * thigh.inertia, (thigh.com, 0.0), joint="hip"),
        _shank_with_foot(person, 2.0),
    )
    base = Base((0.0, 0.0), 0.0, (0.0, 0.0), floor=-0.2 * person.size)
    draw = Drawing(links, base, person.size)
    chain = Chain(links, base, muscles=_pressing_muscles(draw), name="leg_press")
    push = sled_kg * (abs(chain.gravity[1]) * math.sin(slope) + acceleration)
    force = -push[:, None] * np.array([math.cos(slope), math.sin(slope)])
    return Exercise(chain, motion, (Contact("sled", "shank", (shank.length, 0.0), force),))


def step_up(
    *,
    bag_kg: float = 0.0,
    mass_kg: float = DEFAULT_MASS_KG,
    height_m: float = DEFAULT_HEIGHT_M,
    sex: Sex = "male",
    duration_s: float = 0.8,
    rest_s: float = 0.1,
    rate_hz: float = 100.0,
) -> Exercise:
    """Step up a stair on one leg: from the bent knee, when the other foot has left the lower stair, to upright.

    The foot on the stair is the base. The trunk carries head, arms and the other leg, hanging from the hip as a mass,
    and a bag of `bag_kg` on the shoulders.

    Examples
    --------
    >>> bo.library.step_up(bag_kg=5.0).chain.n_links
    3
    """
    person = Person(mass_kg, height_m, sex)
    links = (
        _leg_link(person, "shank_to_ankle", "shank", "ankle"),
        _leg_link(person, "thigh", "thigh", "knee"),
        _trunk_and_other_leg(person),
    )
    base = feet(person, 1.0)
    muscles = leg_muscles(Drawing(links, base, person.size))
    postures = [[math.radians(angle) for angle in each] for each in (_STAIR_DEG, _STAND_DEG)]
    motion = posture_sequence(postures, duration_s, rest_s, rate_hz)
    bag = Weight("bag", "trunk", (links[2].length, 0.0), bag_kg)
    return Exercise(Chain(links, base, muscles=muscles, name="step_up"), motion, (), (bag,))


def gait_push_off(
    *,
    mass_kg: float = DEFAULT_MASS_KG,
    height_m: float = DEFAULT_HEIGHT_M,
    sex: Sex = "male",
    duration_s: float = 0.2,
    rate_hz: float = 200.0,
) -> Exercise:
    """The stance leg from mid-stance over heel off to toe off, on its toes as the base.

    The first joint is the metatarsophalangeal one, which the foot turns about while the toes stay on the ground. The
    trunk carries head, arms and the other leg, hanging from the hip as a mass.

    Examples
    --------
    >>> push = bo.library.gait_push_off()
    >>> push.chain.n_links, push.motion.time[-1]  # s
    (4, np.float64(0.4))
    """
    person = Person(mass_kg, height_m, sex)
    foot = person.segment("foot")
    ankle_height, toes = ANKLE_HEIGHT * person.height_m, TOES_OF_FOOT * foot.length
    ball = foot.length * (1.0 - HEEL_BEHIND_ANKLE) - toes  # from below the ankle forward to the toes' joint
    links = (
        _hindfoot(foot.mass, foot.inertia, foot.com - HEEL_BEHIND_ANKLE * foot.length, ball, ankle_height),
        _leg_link(person, "shank_to_ankle", "shank", "ankle"),
        _leg_link(person, "thigh", "thigh", "knee"),
        _trunk_and_other_leg(person),
    )
    base = Base((0.0, 0.0), 0.0, (0.0, 0.0))
    draw = Drawing(links, base, person.size)
    flat = math.atan2(ankle_height, -ball)
    postures = [[math.radians(angle) for angle in each] for each in _GAIT_DEG]
    postures = [[flat + heel_rise, *others] for heel_rise, *others in postures]
    motion = posture_sequence(postures, duration_s, 0.0, rate_hz)
    return Exercise(Chain(links, base, muscles=_gait_muscles(draw), name="gait_leg"), motion)


def _along_a_rail(
    time: np.ndarray,
    rail: tuple[np.ndarray, np.ndarray, np.ndarray],
    lengths: tuple[float, float],
    slope: float,
) -> Motion:
    """Angles of two links whose end moves along a line through their base, and both rates, in closed form.

    With d the distance, the law of cosines gives the angle a of the first link above the line, and b of the second
    below it; differentiating  l1 sin a = l2 sin b  and  l1 cos a + l2 cos b = d  twice gives the rates.
    """
    d, rate, bend = rail
    one, two = lengths
    a = np.arccos((one**2 + d**2 - two**2) / (2.0 * one * d))
    b = np.arccos((two**2 + d**2 - one**2) / (2.0 * two * d))
    # [one cos a, -two cos b; -one sin a, -two sin b] (a', b') = (0, d')
    matrix = np.array([[one * np.cos(a), -two * np.cos(b)], [-one * np.sin(a), -two * np.sin(b)]])
    matrix = matrix.transpose(2, 0, 1)
    nothing = np.zeros_like(d)
    first = np.linalg.solve(matrix, np.stack([nothing, rate], axis=-1)[..., None])[..., 0]
    ad, bd = first.T
    right = [
        one * np.sin(a) * ad**2 - two * np.sin(b) * bd**2,
        bend + one * np.cos(a) * ad**2 + two * np.cos(b) * bd**2,
    ]
    second = np.linalg.solve(matrix, np.stack(right, axis=-1)[..., None])[..., 0]
    sign = np.array([1.0, -1.0])
    angle = slope + sign * np.stack([a, b], axis=-1)
    return Motion(time, angle, sign * first, sign * second)


def _shank_with_foot(person: Person, sides: float) -> Link:
    shank, foot = person.segment("shank_to_ankle"), person.segment("foot")
    below = shank.length + 0.5 * ANKLE_HEIGHT * person.height_m
    lump = Lump(shank.mass, shank.com, shank.inertia) + Lump(foot.mass, below, foot.inertia)
    return Link("shank", shank.length, sides * lump.mass, sides * lump.inertia, (lump.com, 0.0), joint="knee")


def _leg_link(person: Person, row: str, name: str, joint: str) -> Link:
    part = person.segment(row)
    return Link(name, part.length, part.mass, part.inertia, (part.com_from_end, 0.0), joint=joint)


def _hindfoot(mass: float, inertia: float, com: float, ball: float, ankle: float) -> Link:
    """Foot as a link from the toes' joint up and back to the ankle; its mass centre lies below that line."""
    line = complex(-ball, ankle)
    place = (complex(com - ball, 0.5 * ankle)) / (line / abs(line))
    return Link("foot", abs(line), mass, inertia, (place.real, place.imag), joint="toes")


def _trunk_and_other_leg(person: Person) -> Link:
    other = sum(person.segment(name).mass for name in ("thigh", "shank", "foot"))
    return trunk_link(person, Lump(other, 0.0, 0.0))


def _pressing_muscles(draw: Drawing) -> tuple[Muscle, ...]:
    """Thigh is link 1, shank link 2; lying on the back the front of the leg is up, so that y points to the front."""
    tuberosity, patella = draw.after(2, 65, 35), draw.before(1, -21.3, 46.7)
    return (
        muscle("vasti", tuberosity, patella, draw.before(1, 180, 45)),
        muscle("rectus_femoris", tuberosity, patella, draw.on_base(-30, 60)),
        muscle("hamstrings", draw.after(2, 45, -32), draw.on_base(20, -65)),
        muscle("gluteus_maximus", draw.after(1, 90, -45), draw.on_base(-80, -60)),
    )


def _gait_muscles(draw: Drawing) -> tuple[Muscle, ...]:
    """Foot, shank, thigh and trunk are links 1 to 4; upright, y points backwards."""
    heel = draw.before(1, -35, 45)
    tuberosity, patella = draw.before(2, 65, -35), draw.after(3, -21.3, -46.7)
    return (
        muscle("flexor_hallucis", draw.on_base(20, -12), draw.after(1, 20, 22), draw.before(2, 150, 20)),
        muscle("soleus", heel, draw.before(2, 100, 25)),
        muscle("gastrocnemius", heel, draw.before(2, 120, 35), draw.after(3, 25, 25)),
        muscle("vasti", tuberosity, patella, draw.after(3, 180, -45)),
        muscle("rectus_femoris", tuberosity, patella, draw.after(4, 45, -40)),
        muscle("hamstrings", draw.before(2, 45, 32), draw.after(4, -60, 48)),
        muscle("gluteus_maximus", draw.before(3, 90, 45), draw.after(4, -55, 55), draw.after(4, 80, 80)),
    )
