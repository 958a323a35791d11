"""Three lessons for teachers: each a few steps, a step a situation or two and a text with the numbers of the moment.

In a text, ``{A.knee.compression}`` is a number of a joint in situation A or B, ``{A.biceps}`` the tension of a muscle,
``{A.box.arm@lower_back}`` how far from a joint a load passes, ``{A.effort}`` the sum of squared activations.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from typing import Any

from borelli.records import dataclass


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
                "The box is light compared with the body, yet the lower back is pressed together by "
                "{A.lower_back.compression}. The moment arm of the box about the lower back is "
                "{A.box.arm@lower_back}; that of the back muscles is only {A.erector_spinae.arm@lower_back}. "
                "The muscles must therefore pull many times as hard as the box: {A.erector_spinae}.",
                _FAR,
            ),
            Step(
                "lift",
                "lower_back",
                "compression",
                "The box and the body are the same. Held close, the box has a moment arm of "
                "{B.box.arm@lower_back} instead of {A.box.arm@lower_back}, and the lower back bears "
                "{B.lower_back.compression} instead of {A.lower_back.compression}. Look at the differences "
                "below: hardly anything comes directly from the box.",
                _FAR,
                _CLOSE,
            ),
            Step(
                "lift",
                "lower_back",
                "torque",
                "Your turn. In B, make the box heavier until the torque at the lower back is "
                "{A.lower_back.torque}, as in A. How heavy may the box be when it is close? Then bend the trunk "
                "of B forward without moving the box away: which weight now loads the back instead of the box?",
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
                "has a short moment arm about the knee, and the muscles have little to do.",
                _LEVEL,
            ),
            Step(
                "stairs",
                "knee",
                "resultant",
                "When you step up, the knee is bent and is in front of the weight that it carries. The quadriceps "
                "must deliver {B.knee.torque} and thereby presses the joint together: {B.knee.resultant} instead "
                "of {A.knee.resultant}. The vasti pull with {B.vasti} over the kneecap, which is therefore "
                "pressed onto the thigh.",
                _LEVEL,
                _STAIR,
            ),
            Step(
                "stairs",
                "knee",
                "resultant",
                "In A the trunk is upright, in B it leans forward. The weight moves over the knee, and the knee "
                "bears {B.knee.resultant} instead of {A.knee.resultant}. The hip takes over: its torque is "
                "{A.hip.torque} in A and {B.hip.torque} in B (choose the hip to see it). This is why people lean "
                "forward when a knee hurts.",
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
                "({A.elbow.torque}) need a flexion torque. The biceps spans both: one pull, {A.biceps}, helps at "
                "two joints.",
                _FORWARD,
            ),
            Step(
                "curl",
                "elbow",
                "resultant",
                "In B the biceps does not pull. Other muscles can do its work, but the sum of squared "
                "activations rises from {A.effort} to {B.effort}. If both joints need torque in the direction in "
                "which a two-joint muscle turns them, using that muscle costs less.",
                _FORWARD,
                Setting(_FORWARD.angle_deg, _FORWARD.loads, ("biceps",)),
            ),
            Step(
                "squat",
                "hip",
                "torque",
                "In a bow with straight knees, the hips need an extension torque and the knees a flexion torque, so "
                "that they do not overextend. The hamstrings deliver both. Without them (B) the sum of squared "
                "activations rises from {A.effort} to {B.effort}. Now bend the knees of A and B into a squat: the "
                "knees need an extension torque, the hamstrings work against it, and the difference shrinks.",
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
