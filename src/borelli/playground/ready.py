"""The ready bodies: squat, lift, stairs, reach, leg extension, biceps curl.

Each is a chain of :mod:`borelli.library` for a person of given mass and height. Everything in it is proportional to
mass (masses), to height (lengths, paths, places), or to mass and height squared (moments of inertia): the page scales
it in the browser, and a test holds that against this module.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, TypedDict

from borelli.library.anthropometry import DEFAULT_HEIGHT_M, DEFAULT_MASS_KG, Person
from borelli.library.arm import reaching_arm, two_link_arm
from borelli.library.arm_exercises import SHOULDER_HEIGHT, biceps_curl
from borelli.library.exercise import Exercise
from borelli.library.knee_exercises import leg_extension
from borelli.library.leg import foot_span
from borelli.library.leg_exercises import barbell_squat, step_up
from borelli.library.lifting import box_lift
from borelli.library.strengths import muscle_strengths
from borelli.planar.chain import Chain, Vector
from borelli.planar.equipment import Band, Cable, Equipment, Weight
from borelli.playground import shapes
from borelli.playground.body import Body, Slider

_ANKLE, _KNEE, _HIP = (45.0, 115.0), (0.0, 145.0), (-135.0, 15.0)
_SHOULDER, _ELBOW = (-150.0, 95.0), (0.0, 145.0)


def ready_bodies(mass_kg: float = DEFAULT_MASS_KG, height_m: float = DEFAULT_HEIGHT_M) -> tuple[Body, ...]:
    """Every ready body, of one person (a man of the table of segments)."""
    person = Person(mass_kg, height_m)
    return (_lift(person), _squat(person), _stairs(person), _reach(person), _extension(person), _curl(person))


class _Size(TypedDict):
    mass_kg: float
    height_m: float


def _size(person: Person) -> _Size:
    return {"mass_kg": person.mass_kg, "height_m": person.height_m}


def _standing(person: Person, exercise: Exercise, legs: int, **shown: Any) -> Body:
    """A body on its feet: compression and shear are first shown along the link below a joint, such as the shank's."""
    return Body(
        chain=exercise.chain,
        equipment=exercise.equipment,
        strengths=muscle_strengths(exercise.chain.muscle_names, legs),
        shapes=(*shapes.foot(person), *shapes.limbs(exercise.chain, person)),
        foot=foot_span(height_m=person.height_m),
        axes="proximal",
        sides="both sides together" if legs == 2 else "one leg",
        **_size(person),
        **shown,
    )


def _lift(person: Person) -> Body:
    return _standing(
        person,
        box_lift(**_size(person)),
        2,
        key="lift",
        title="Lift a box",
        about="The whole body from the feet to the hands, with the lower back as a joint of its own.",
        start_deg=(72.0, 128.0, 66.0, 56.0, -62.0, -30.0),
        end_deg=(86.0, 93.0, 90.0, 88.0, -105.0, -12.0),
        ranges_deg=(_ANKLE, _KNEE, _HIP, (-50.0, 20.0), (-230.0, 5.0), _ELBOW),
        joint="lower_back",
        sliders=(Slider("Box", "box", "mass", "kg", 0.0, 40.0, 0.5),),
    )


def _squat(person: Person) -> Body:
    return _standing(
        person,
        barbell_squat(**_size(person)),
        2,
        key="squat",
        title="Squat",
        about="Feet, shanks, thighs and trunk, with a bar on the shoulders.",
        start_deg=(66.0, 142.0, 55.0),
        end_deg=(85.0, 93.0, 87.0),
        ranges_deg=(_ANKLE, _KNEE, _HIP),
        joint="knee",
        sliders=(Slider("Bar", "bar", "mass", "kg", 0.0, 150.0, 2.5),),
    )


def _stairs(person: Person) -> Body:
    return _standing(
        person,
        step_up(**_size(person)),
        1,
        key="stairs",
        title="Climb a stair",
        about="One leg lifts the body; the other leg is a mass that hangs from the hip.",
        start_deg=(66.0, 134.0, 62.0),
        end_deg=(85.0, 93.0, 87.0),
        ranges_deg=(_ANKLE, _KNEE, _HIP),
        joint="knee",
        sliders=(Slider("Bag on the shoulders", "bag", "mass", "kg", 0.0, 40.0, 0.5),),
    )


def _reach(person: Person) -> Body:
    chain = reaching_arm(**_size(person))
    hand = (person.segment("hand").com, 0.0)
    behind = (-0.45 * person.size, 0.05 * person.size)
    band = Band("band", "hand", hand, behind, stiffness=0.0, rest_length=0.5 * person.size)
    return Body(
        "reach",
        "Reach",
        "Upper arm, forearm and hand, with a weight in the hand and an elastic band from behind.",
        chain,
        start_deg=(-80.0, 5.0, 10.0),
        end_deg=(-20.0, 5.0, 0.0),
        ranges_deg=(_SHOULDER, _ELBOW, (-70.0, 70.0)),
        joint="shoulder",
        equipment=(Weight("weight", "hand", hand, 1.0), band),
        sliders=(
            Slider("Weight in the hand", "weight", "mass", "kg", 0.0, 15.0, 0.25),
            Slider("Band: stiffness", "band", "stiffness", "N/m", 0.0, 400.0, 5.0),
            Slider("Band: direction", "band", "direction", "°", -180.0, 180.0, 1.0),
        ),
        strengths=muscle_strengths(chain.muscle_names),
        shapes=(*shapes.standing_trunk(person), *shapes.limbs(chain, person)),
        sides="one arm",
        **_size(person),
    )


def _extension(person: Person) -> Body:
    exercise = leg_extension(load_n=100.0, **_size(person))
    pad = exercise.contacts[0]
    chain = exercise.chain
    place = (0.9 * chain.links[0].length, 0.0)
    behind = (-0.45 * person.size, -0.45 * person.size)
    rest = 0.5 * abs(complex(place[0], 0.0) - complex(*behind))
    tools: tuple[Equipment, ...] = (
        Weight("cuff", "shank", place, 0.0),
        Cable("cable", "shank", place, behind, stack_mass=0.0),
        Band("band", "shank", place, behind, stiffness=0.0, rest_length=rest),
    )
    return Body(
        "extension",
        "Leg extension",
        "The thigh rests; shank and foot push against a machine's pad, a cuff, a cable or a band.",
        chain,
        start_deg=(-80.0,),
        end_deg=(-5.0,),
        ranges_deg=((-120.0, 5.0),),
        joint="knee",
        equipment=tools,
        contacts=(replace(pad, point=place),),
        sliders=(
            Slider("Pad: force", "pad", "force", "N", 0.0, 400.0, 5.0),
            Slider("Cuff", "cuff", "mass", "kg", 0.0, 20.0, 0.5),
            Slider("Cable: stack", "cable", "stack_mass", "kg", 0.0, 40.0, 0.5),
            Slider("Cable: direction", "cable", "direction", "°", -180.0, 180.0, 1.0),
            Slider("Band: stiffness", "band", "stiffness", "N/m", 0.0, 1000.0, 10.0),
        ),
        strengths=muscle_strengths(chain.muscle_names),
        shapes=(*shapes.sitting_thigh(person), *shapes.limbs(chain, person)),
        sides="one leg",
        **_size(person),
    )


def _curl(person: Person) -> Body:
    exercise = biceps_curl(resistance="dumbbell", **_size(person))
    chain = two_link_arm(**_size(person))
    grip = exercise.equipment[0].point
    foot = (0.05 * person.size, -SHOULDER_HEIGHT * person.height_m)
    pulley = (0.6 * person.size, -0.95 * SHOULDER_HEIGHT * person.height_m)
    rest = _hanging_distance(chain, grip, foot)
    return Body(
        "curl",
        "Biceps curl",
        "Upper arm and forearm with a dumbbell, a band under the foot, or a cable.",
        chain,
        start_deg=(-88.0, -20.0),
        end_deg=(-85.0, 35.0),
        ranges_deg=(_SHOULDER, _ELBOW),
        joint="elbow",
        equipment=(
            Weight("dumbbell", "forearm_hand", grip, 8.0),
            Band("band", "forearm_hand", grip, foot, stiffness=0.0, rest_length=rest),
            Cable("cable", "forearm_hand", grip, pulley, stack_mass=0.0),
        ),
        sliders=(
            Slider("Dumbbell", "dumbbell", "mass", "kg", 0.0, 30.0, 0.5),
            Slider("Band: stiffness", "band", "stiffness", "N/m", 0.0, 400.0, 5.0),
            Slider("Cable: stack", "cable", "stack_mass", "kg", 0.0, 30.0, 0.5),
            Slider("Cable: direction", "cable", "direction", "°", -180.0, 180.0, 1.0),
        ),
        strengths=muscle_strengths(chain.muscle_names),
        shapes=(*shapes.standing_trunk(person), *shapes.limbs(chain, person)),
        sides="one arm",
        **_size(person),
    )


def _hanging_distance(chain: Chain, grip: Vector, foot: Vector) -> float:
    """Rest length of a band that is just slack while the arm hangs."""
    return math.hypot(*foot) - chain.links[0].length - grip[0]
