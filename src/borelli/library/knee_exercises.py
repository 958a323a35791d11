"""Knee exercises with the thigh at rest: leg extension sitting, leg curl lying face down.

One leg. The knee is the first joint, at the world's origin, on a thigh that lies on the bench along the x axis, the
hip behind it; shank and foot are one link. Sitting, the front of the thigh is up: a hanging shank is at -90°, a
straight knee at 0°, and in the shank's frame x points down the shank and y to its front. Lying face down everything is
turned over: a straight knee is at 0°, a bent one at 90°, and y points to the back of the shank.

The patellar tendon pulls the tibia forward near extension (by about 15° from its axis) and backward beyond some 60° of
flexion, its moment arm falling from 0.05 to 0.03 m; hamstrings pull it backward the more the knee is bent (Herzog &
Read 1993, J. Anat. 182:213–230). A shear of the joint on the shank **to its back** is what the anterior cruciate
ligament restrains, to its front what the posterior one does.
"""

from __future__ import annotations

import math
from typing import Literal

from borelli.errors import UnknownNameError
from borelli.library.anthropometry import DEFAULT_HEIGHT_M, DEFAULT_MASS_KG, Lump, Person, Sex
from borelli.library.drawing import Drawing, muscle
from borelli.library.exercise import Exercise
from borelli.library.leg import ANKLE_HEIGHT, HEEL_BEHIND_ANKLE
from borelli.library.trajectories import posture_sequence
from borelli.planar.chain import Base, Chain, Link, Muscle
from borelli.planar.equipment import Band, Cable, Equipment, Weight
from borelli.planar.loads import Contact

KneeResistance = Literal["pad", "weight", "cable", "band"]
_KNEE_RESISTANCES = ("pad", "weight", "cable", "band")


def leg_extension(
    *,
    resistance: KneeResistance = "pad",
    load_n: float = 150.0,
    pad_fraction: float = 0.9,
    mass_kg: float = DEFAULT_MASS_KG,
    height_m: float = DEFAULT_HEIGHT_M,
    sex: Sex = "male",
    duration_s: float = 1.5,
    rest_s: float = 0.2,
    rate_hz: float = 100.0,
) -> Exercise:
    """Knee extension sitting on a bench, from a right angle to straight and back.

    Parameters
    ----------
    resistance : "pad", "weight", "cable" or "band"
        What is worked against: a machine's pad that pushes straight across the shank; a weight cuff; a cable from
        behind and below, with its stack; or an elastic band to the bench's back leg.
    load_n : float
        Size of the pad's push, weight of the cuff or of the stack, pull of the band at the straight knee (N).
    pad_fraction : float
        Where it takes hold, from knee (0) to ankle (1).

    Examples
    --------
    >>> bo.library.leg_extension(load_n=100.0, pad_fraction=0.8).chain.n_links
    1
    """
    chain, size = _seated_shank("leg_extension", 1.0, mass_kg, height_m, sex)
    postures = [[math.radians(angle)] for angle in (-90.0, 0.0, -90.0)]
    motion = posture_sequence(postures, duration_s, rest_s, rate_hz)
    behind = (-0.45 * size, -0.45 * size)
    loads = _resistance(chain, resistance, load_n, pad_fraction, behind, straight=0.0, side=-1.0)
    return Exercise(chain, motion, *loads)


def leg_curl(
    *,
    resistance: KneeResistance = "pad",
    load_n: float = 80.0,
    pad_fraction: float = 0.9,
    mass_kg: float = DEFAULT_MASS_KG,
    height_m: float = DEFAULT_HEIGHT_M,
    sex: Sex = "male",
    duration_s: float = 1.5,
    rest_s: float = 0.2,
    rate_hz: float = 100.0,
) -> Exercise:
    """Knee flexion lying face down, from straight to 100 degrees and back; parameters as of :func:`leg_extension`.

    Cable and band come from ahead of the feet; `load_n` of the band is its pull at the bent knee.

    Examples
    --------
    >>> bo.library.leg_curl(load_n=60.0).chain.n_links
    1
    """
    chain, size = _seated_shank("leg_curl", -1.0, mass_kg, height_m, sex)
    postures = [[math.radians(angle)] for angle in (0.0, 100.0, 0.0)]
    motion = posture_sequence(postures, duration_s, rest_s, rate_hz)
    ahead = (1.0 * size, -0.1 * size)
    loads = _resistance(
        chain, resistance, load_n, pad_fraction, ahead, straight=math.radians(100.0), side=-1.0
    )
    return Exercise(chain, motion, *loads)


def _seated_shank(name: str, front: float, mass_kg: float, height_m: float, sex: Sex) -> tuple[Chain, float]:
    """Shank with foot on a resting thigh; `front` is the sign of y towards the front of the leg."""
    person = Person(mass_kg, height_m, sex)
    shank, foot, thigh = (person.segment(part) for part in ("shank_to_ankle", "foot", "thigh"))
    # The foot at a right angle: its own axis runs across the shank, half the ankle's height below the ankle.
    below = shank.length + 0.5 * ANKLE_HEIGHT * person.height_m
    ahead = front * (foot.com - HEEL_BEHIND_ANKLE * foot.length)
    lump = Lump(shank.mass, shank.com, shank.inertia) + Lump(foot.mass, below, foot.inertia)
    across = foot.mass * ahead / lump.mass
    # Huygens-Steiner once more, for the foot's place in front of the line from knee to ankle.
    inertia = lump.inertia + foot.mass * ahead**2 - lump.mass * across**2
    link = Link("shank", shank.length, lump.mass, inertia, (lump.com, across), joint="knee")
    base = Base((0.0, 0.0), thigh.mass, (-thigh.com_from_end, 0.0), floor=-0.45 * person.size)
    draw = Drawing((link,), base, person.size)
    return Chain((link,), base, muscles=_knee_muscles(draw, front, thigh.length), name=name), person.size


def _knee_muscles(draw: Drawing, front: float, thigh: float) -> tuple[Muscle, ...]:
    hip = -1e3 * thigh / draw.size
    tuberosity, patella = draw.after(1, 65, 35 * front), draw.on_base(21.3, 46.7 * front)
    return (
        muscle("quadriceps", tuberosity, patella, draw.on_base(0.45 * hip, 45 * front)),
        muscle("hamstrings", draw.after(1, 45, -32 * front), draw.on_base(hip, -50 * front)),
        muscle("gastrocnemius", draw.before(1, 60, -30 * front), draw.on_base(-25, -25 * front)),
    )


def _resistance(
    chain: Chain,
    resistance: str,
    load_n: float,
    fraction: float,
    anchor: tuple[float, float],
    *,
    straight: float,
    side: float,
) -> tuple[tuple[Contact, ...], tuple[Equipment, ...]]:
    """Contacts and equipment; the pad pushes towards `side` of the shank's y axis."""
    place = (fraction * chain.links[0].length, 0.0)
    if resistance == "pad":
        return (Contact("pad", "shank", place, (0.0, side * load_n), axes="link"),), ()
    g = abs(complex(*chain.gravity))
    if resistance == "weight":
        return (), (Weight("cuff", "shank", place, load_n / g),)
    if resistance == "cable":
        return (), (Cable("cable", "shank", place, anchor, stack_mass=load_n / g),)
    if resistance == "band":
        end = place[0] * complex(math.cos(straight), math.sin(straight))
        longest = abs(end - complex(*anchor))
        rest = 0.5 * longest
        stiffness = load_n / (longest - rest)
        return (), (Band("band", "shank", place, anchor, stiffness=stiffness, rest_length=rest),)
    raise UnknownNameError.among(resistance, "kind of resistance", _KNEE_RESISTANCES, where="resistance")
