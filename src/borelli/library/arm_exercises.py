"""Exercises of the arms: biceps curl with a dumbbell, a band or a cable, and the bench press with a narrow grip."""

from __future__ import annotations

import math
from typing import Literal

from borelli.errors import UnknownNameError
from borelli.library.anthropometry import DEFAULT_HEIGHT_M, DEFAULT_MASS_KG, Person, Sex
from borelli.library.arm import curl, two_link_arm
from borelli.library.drawing import Drawing, muscle
from borelli.library.exercise import Exercise
from borelli.library.trajectories import posture_sequence
from borelli.planar.chain import Base, Chain, Link, Muscle
from borelli.planar.equipment import Band, Cable, Equipment, Weight

CurlResistance = Literal["dumbbell", "band", "cable"]
_CURL_RESISTANCES = ("dumbbell", "band", "cable")
SHOULDER_HEIGHT = 0.818
"""Of body height (Drillis & Contini 1966, in Winter 2009, figure 4.1)."""

# Upper arm and forearm lying on the back (degrees): bar on the chest, arms straight.
_CHEST_DEG, _STRAIGHT_DEG = (-20.0, 92.0), (88.0, 90.0)


def biceps_curl(
    *,
    resistance: CurlResistance = "dumbbell",
    load_n: float = 80.0,
    mass_kg: float = DEFAULT_MASS_KG,
    height_m: float = DEFAULT_HEIGHT_M,
    sex: Sex = "male",
    duration_s: float = 1.0,
    rest_s: float = 0.1,
    rate_hz: float = 100.0,
) -> Exercise:
    """Elbow flexion standing, one arm: :func:`~borelli.library.two_link_arm` and :func:`~borelli.library.curl`.

    Parameters
    ----------
    resistance : "dumbbell", "band" or "cable"
        A weight in the hand; a band that one stands on; a cable from a low pulley in front, with its stack.
    load_n : float
        Weight of the dumbbell or of the stack, or pull of the band at the end of the movement (N).

    Examples
    --------
    >>> exercise = bo.library.biceps_curl(resistance="dumbbell", load_n=50.0)
    >>> answer = bo.planar.analyze(exercise.chain, exercise.motion, exercise.contacts, equipment=exercise.equipment)
    >>> answer["torque"].attrs["units"]
    'N m'
    """
    chain = two_link_arm(mass_kg=mass_kg, height_m=height_m, sex=sex)
    motion = curl(duration_s=duration_s, rest_s=rest_s, rate_hz=rate_hz)
    person = Person(mass_kg, height_m, sex)
    grip = (person.segment("forearm").length + person.segment("hand").com, 0.0)
    item: Equipment
    if resistance == "dumbbell":
        item = Weight("dumbbell", "forearm_hand", grip, load_n / abs(chain.gravity[1]))
    elif resistance == "band":
        foot = (0.05 * person.size, -SHOULDER_HEIGHT * height_m)
        upper, fore = motion.angle[-1]
        hand = chain.links[0].length * complex(math.cos(upper), math.sin(upper))
        hand += grip[0] * complex(math.cos(fore), math.sin(fore))
        longest = abs(hand - complex(*foot))
        # Just slack at the start, where the arm hangs.
        rest = abs(complex(*foot)) - chain.links[0].length - grip[0]
        stiffness = load_n / (longest - rest)
        item = Band("band", "forearm_hand", grip, foot, stiffness=stiffness, rest_length=rest)
    elif resistance == "cable":
        pulley = (0.6 * person.size, -0.95 * SHOULDER_HEIGHT * height_m)
        item = Cable("cable", "forearm_hand", grip, pulley, stack_mass=load_n / abs(chain.gravity[1]))
    else:
        raise UnknownNameError.among(resistance, "kind of resistance", _CURL_RESISTANCES, where="resistance")
    return Exercise(chain, motion, (), (item,))


def bench_press(
    *,
    bar_kg: float = 50.0,
    mass_kg: float = DEFAULT_MASS_KG,
    height_m: float = DEFAULT_HEIGHT_M,
    sex: Sex = "male",
    duration_s: float = 1.2,
    rest_s: float = 0.2,
    rate_hz: float = 100.0,
) -> Exercise:
    """Press a bar from the chest and let it down again, lying on the back; elbows near the body (narrow grip).

    The shoulders are the first joint, on a trunk that lies along the x axis with the head behind; y points up. Both
    arms move as one, and loads are those of left and right together. The bar lies in the hands, above the wrists.

    Examples
    --------
    >>> press = bo.library.bench_press(bar_kg=40.0)
    >>> press.chain.name, len(press.contacts) + len(press.equipment)
    ('bench_press', 2)
    """
    person = Person(mass_kg, height_m, sex)
    upper, forearm, hand = (person.segment(name) for name in ("upper_arm", "forearm", "hand"))
    # The fist around the bar is carried at the end of the forearm.
    links = (
        Link("upper_arm", upper.length, 2 * upper.mass, 2 * upper.inertia, (upper.com, 0.0), "shoulder"),
        Link("forearm", forearm.length, 2 * forearm.mass, 2 * forearm.inertia, (forearm.com, 0.0), "elbow"),
    )
    base = Base((0.0, 0.0), 0.0, (0.0, 0.0), floor=-0.6 * person.size)
    draw = Drawing(links, base, person.size)
    chain = Chain(links, base, muscles=_pressing_muscles(draw), name="bench_press")
    postures = [[math.radians(x) for x in each] for each in (_STRAIGHT_DEG, _CHEST_DEG, _STRAIGHT_DEG)]
    motion = posture_sequence(postures, duration_s, rest_s, rate_hz)
    wrist, grip = (forearm.length, 0.0), (forearm.length + hand.com, 0.0)
    return Exercise(
        chain,
        motion,
        (),
        (Weight("bar", "forearm", grip, bar_kg), Weight("hands", "forearm", wrist, 2 * hand.mass)),
    )


def _pressing_muscles(draw: Drawing) -> tuple[Muscle, ...]:
    """Muscles of shoulder and elbow, as of a standing arm turned onto its back: forward is up, down is ahead."""
    olecranon = draw.after(2, -20, -20)
    return (
        muscle("pectoralis_major", draw.on_base(40, 70), draw.after(1, 75, 15)),
        muscle("deltoid_anterior", draw.on_base(-20, 35), draw.after(1, 120, 12)),
        muscle("biceps", draw.on_base(-30, 20), draw.after(1, 45, 24), draw.after(2, 45, 8)),
        muscle("brachialis", draw.before(1, 110, 12), draw.after(2, 28, 8)),
        muscle("triceps_long", draw.on_base(20, -30), draw.before(1, 140, -22), olecranon),
        muscle("triceps_lateral", draw.before(1, 150, -20), olecranon),
    )
