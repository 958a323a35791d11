"""Three lessons for teachers: each a few steps, a step a situation or two and a text with the numbers of the moment.

In a text, ``{A.knee.compression}`` is a number of a joint in situation A or B, ``{A.biceps}`` the tension of a muscle,
``{A.box.lever@lower_back}`` how far from a joint a load passes, ``{A.effort}`` the sum of squared activations.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Setting:
    """A posture (absolute angles, degrees), loads that differ from the body's own, and muscles that do not pull."""

    angle_deg: tuple[float, ...]
    loads: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    off: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a lesson: a body, what to look at, one situation or two, and what to say."""

    body: str
    joint: str
    quantity: str
    text: str
    a: Setting
    b: Setting | None = None


@dataclass(frozen=True, slots=True)
class Lesson:
    """A question and its steps."""

    title: str
    steps: tuple[Step, ...]


_FAR = Setting((84.0, 110.0, 86.0, 72.0, -32.0, -6.0))
_CLOSE = Setting((84.0, 97.0, 90.0, 88.0, -100.0, -14.0))
_LEVEL = Setting((86.0, 96.0, 88.0))
_STAIR = Setting((62.0, 130.0, 60.0))
_UPRIGHT_STAIR = Setting((62.0, 130.0, 84.0))
_FORWARD = Setting((-40.0, 10.0), {"dumbbell": {"mass": 4.0}})
_BOW = Setting((98.0, 101.0, 48.0), {"bar": {"mass": 0.0}})

LESSONS = (
    Lesson(
        "Why lift with the box close?",
        (
            Step(
                "lift",
                "lower_back",
                "compression",
                "The box is light beside the body, yet the lower back is pressed together with "
                "{A.lower_back.compression}. The box passes {A.box.lever@lower_back} from the lower back; the "
                "muscles of the back pull {A.erector_spinae.lever@lower_back} behind it. They must pull many "
                "times as hard as the box does: {A.erector_spinae}.",
                _FAR,
            ),
            Step(
                "lift",
                "lower_back",
                "compression",
                "The same box, the same body. Held close it passes {B.box.lever@lower_back} from the joint in "
                "place of {A.box.lever@lower_back}, and the lower back bears {B.lower_back.compression} in place "
                "of {A.lower_back.compression}. Look below at what differs: hardly anything of it is the box "
                "itself.",
                _FAR,
                _CLOSE,
            ),
            Step(
                "lift",
                "lower_back",
                "torque",
                "Your turn. In B, make the box heavier until both hold {A.lower_back.torque}. How heavy may it "
                "be when it is close? Then bend the trunk of B forward without moving the box away: what takes "
                "the place of the box?",
                _FAR,
                _CLOSE,
            ),
        ),
    ),
    Lesson(
        "Why does the knee ache on stairs?",
        (
            Step(
                "stairs",
                "knee",
                "resultant",
                "On one leg with an almost straight knee, the knee bears {A.knee.resultant}. The weight of the body "
                "passes close to the knee, and muscles have little to do.",
                _LEVEL,
            ),
            Step(
                "stairs",
                "knee",
                "resultant",
                "Stepping up, the knee is bent and lies in front of the weight it carries. The quadriceps must "
                "hold {B.knee.torque}, and press the joint together with it: {B.knee.resultant} in place of "
                "{A.knee.resultant}. The vasti pull with {B.vasti}, over the kneecap: it is pressed onto the "
                "thigh as well.",
                _LEVEL,
                _STAIR,
            ),
            Step(
                "stairs",
                "knee",
                "resultant",
                "In A the trunk is upright, in B it leans forward: the weight moves over the knee, and the knee "
                "bears {B.knee.resultant} in place of {A.knee.resultant}. Choose the hip to see who pays: "
                "{A.hip.torque} in A, {B.hip.torque} in B. That is why one leans forward when a knee hurts.",
                _UPRIGHT_STAIR,
                _STAIR,
            ),
        ),
    ),
    Lesson(
        "Where do two-joint muscles help?",
        (
            Step(
                "curl",
                "elbow",
                "torque",
                "The arm holds a dumbbell out in front. Both shoulder ({A.shoulder.torque}) and elbow "
                "({A.elbow.torque}) need to be bent. The biceps spans both: one pull, {A.biceps}, helps at two "
                "joints.",
                _FORWARD,
            ),
            Step(
                "curl",
                "elbow",
                "resultant",
                "In B the biceps does not pull. Other muscles can do its work, but the sum of squared "
                "activations rises from {A.effort} to {B.effort}: where both joints need to turn the way it "
                "turns them, a two-joint muscle is the cheaper one.",
                _FORWARD,
                Setting(_FORWARD.angle_deg, _FORWARD.loads, ("biceps",)),
            ),
            Step(
                "squat",
                "hip",
                "torque",
                "Bowing with straight knees, hips must extend and knees must be kept from overstretching: the "
                "hamstrings do both. Without them (B) the sum rises from {A.effort} to {B.effort}. Now bend the "
                "knees of both into a squat: the knees must extend, the hamstrings hinder, and the difference "
                "shrinks.",
                _BOW,
                Setting(_BOW.angle_deg, _BOW.loads, ("hamstrings",)),
            ),
        ),
    ),
)


def lesson_data(lesson: Lesson) -> dict[str, Any]:
    """A lesson as plain data for the page, angles in radians."""
    return {
        "title": lesson.title,
        "steps": [
            {
                "body": step.body,
                "joint": step.joint,
                "quantity": step.quantity,
                "text": step.text,
                "a": _setting(step.a),
                "b": None if step.b is None else _setting(step.b),
            }
            for step in lesson.steps
        ],
    }


def _setting(setting: Setting) -> dict[str, Any]:
    return {
        "angle": [math.radians(angle) for angle in setting.angle_deg],
        "loads": {name: dict(values) for name, values in setting.loads.items()},
        "off": list(setting.off),
    }
