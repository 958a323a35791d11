"""Lifting a box: the whole body in the sagittal plane, from the feet over the lower back to the hands.

x points forward, y up, and the floor is y = 0. Feet are the base; shanks, thighs, pelvis, trunk with head, upper arms
and forearms with hands follow, so that every joint between floor and box is one of the chain. Standing upright, shanks
to trunk are at 90° and hanging arms at -90°. In an upright link's frame x points up and y backwards, in a hanging one's
x points down and y forward.

The lower back is one joint at the height of the navel, near L3/L4, as in :func:`~borelli.library.spine`. The erector
spinae pull near 0.055 m behind it (Jorgensen et al. 2001, Clin. Biomech. 16:182–193), rectus abdominis near 0.09 m in
front (Jorgensen et al. 2005, Clin. Biomech. 20:242–246). Left and right move as one: masses, muscles and loads are
those of both sides together.
"""

from __future__ import annotations

import math

from borelli.library.anthropometry import DEFAULT_HEIGHT_M, DEFAULT_MASS_KG, Lump, Person, Sex
from borelli.library.drawing import Drawing, muscle
from borelli.library.exercise import Exercise
from borelli.library.leg import both_legs, feet, leg_muscles
from borelli.library.trajectories import posture_sequence
from borelli.library.upper_body import head
from borelli.planar.chain import Chain, Link, Muscle
from borelli.planar.equipment import Weight

# Shank, thigh, pelvis, trunk, upper arm, forearm (degrees): box low before the shins, then held against the body.
_LOW_DEG = (66.0, 148.0, 52.0, 40.0, -88.0, -72.0)
_HELD_DEG = (86.0, 93.0, 90.0, 88.0, -105.0, -12.0)


def box_lift(
    *,
    box_kg: float = 15.0,
    mass_kg: float = DEFAULT_MASS_KG,
    height_m: float = DEFAULT_HEIGHT_M,
    sex: Sex = "male",
    duration_s: float = 1.5,
    rest_s: float = 0.2,
    rate_hz: float = 100.0,
) -> Exercise:
    """Lift a box from before the shins to the belly, in both hands.

    Mass, height and sex are those of the whole body, as in :class:`~borelli.library.Person`. The box is a weight
    where the hands' mass centres are.

    Examples
    --------
    >>> light, heavy = bo.library.box_lift(box_kg=5.0), bo.library.box_lift(box_kg=20.0)
    >>> loads = [
    ...     bo.planar.support(each.chain, each.motion, each.contacts)["support_force"] for each in (light, heavy)
    ... ]
    >>> loads[0].dims  # N, at the feet
    ('time', 'axis')
    """
    person = Person(mass_kg, height_m, sex)
    base = feet(person, 2.0)
    links = (
        both_legs("shank_to_ankle", "shank", "ankle", person),
        both_legs("thigh", "thigh", "knee", person),
        *_pelvis_and_trunk(person),
        *_arms(person),
    )
    draw = Drawing(links, base, person.size)
    chain = Chain(links, base, muscles=(*leg_muscles(draw), *_upper_muscles(draw)), name="box_lift")
    postures = [[math.radians(angle) for angle in each] for each in (_LOW_DEG, _HELD_DEG)]
    grip = (person.segment("forearm").length + person.segment("hand").com, 0.0)
    box = Weight("box", "forearm_hand", grip, box_kg)
    return Exercise(chain, posture_sequence(postures, duration_s, rest_s, rate_hz), (), (box,))


def _pelvis_and_trunk(person: Person) -> tuple[Link, Link]:
    """Lower trunk from hip to navel; middle and upper trunk with head from there to the shoulders."""
    lower, middle = person.segment("lower_trunk"), person.segment("middle_trunk")
    upper = person.segment("upper_trunk_from_cervicale")
    lump = Lump(middle.mass, middle.com_from_end, middle.inertia)
    lump = lump + Lump(upper.mass, middle.length + upper.com_from_end, upper.inertia)
    lump = lump + head(person, middle.length + upper.length)
    shoulders = person.segment("trunk_from_shoulder").length - lower.length
    return (
        Link("pelvis", lower.length, lower.mass, lower.inertia, (lower.com_from_end, 0.0), joint="hip"),
        Link("trunk", shoulders, lump.mass, lump.inertia, (lump.com, 0.0), joint="lower_back"),
    )


def _arms(person: Person) -> tuple[Link, Link]:
    upper, forearm, hand = (person.segment(name) for name in ("upper_arm", "forearm", "hand"))
    lump = Lump(forearm.mass, forearm.com, forearm.inertia)
    lump = lump + Lump(hand.mass, forearm.length + hand.com, hand.inertia)
    reach = forearm.length + person.segment("hand_to_fingertip").length
    return (
        Link(
            "upper_arm", upper.length, 2 * upper.mass, 2 * upper.inertia, (upper.com, 0.0), joint="shoulder"
        ),
        Link("forearm_hand", reach, 2 * lump.mass, 2 * lump.inertia, (lump.com, 0.0), joint="elbow"),
    )


def _upper_muscles(draw: Drawing) -> tuple[Muscle, ...]:
    """Lower back, and shoulder and elbow as of :func:`~borelli.library.two_link_arm`, on a trunk that moves."""
    olecranon = draw.after(6, -20, -20)
    return (
        muscle("erector_spinae", draw.before(3, 60, 55), draw.after(4, 150, 55)),
        muscle("rectus_abdominis", draw.before(3, 120, -85), draw.after(4, 200, -100)),
        muscle("deltoid_anterior", draw.before(4, -20, -35), draw.after(5, 120, 12)),
        muscle("deltoid_posterior", draw.before(4, 5, 45), draw.after(5, 120, -12)),
        muscle("biceps", draw.before(4, -30, -20), draw.after(5, 45, 24), draw.after(6, 45, 8)),
        muscle("brachialis", draw.before(5, 110, 12), draw.after(6, 28, 8)),
        muscle("triceps_long", draw.before(4, 20, 30), draw.before(5, 140, -22), olecranon),
        muscle("triceps_lateral", draw.before(5, 150, -20), olecranon),
    )
