"""The sentences of the page: they name moment arms, and warnings say what to do."""

from __future__ import annotations

import json

import pytest

from borelli.playground.body_data import body_data
from borelli.playground.lessons import LESSONS, lesson_data
from borelli.playground.ready import ready_bodies
from borelli.playground.scripts import COMPUTING, equations_script, script
from tests.planar.javascript import run_javascript

HEAVY = {"bar": {"mass": 150.0}}
QUANTITIES = ("compression", "shear", "resultant", "torque")


@pytest.fixture(scope="module")
def said():
    """Sentences of the lift and the squat, and texts of all lessons: one run of Node for all."""
    bodies = ready_bodies()
    source = "\n".join(
        [
            equations_script(body.chain.n_links for body in bodies),
            *map(script, (*COMPUTING, "words.js")),
            f"const BODIES = {json.dumps({body.key: body_data(body) for body in bodies})};",
            "const answer = (key, each) => answerOf(BODIES[key], { heavier: 1, larger: 1, off: [], ...each });",
        ]
    )
    far, close = (
        lesson_data(LESSONS[0])["steps"][1][which] | {"axes": "proximal", "muscles": "shared"}
        for which in "ab"
    )
    cases = {
        "far": far,
        "close": close,
        "forward": {"angle": [1.2, 1.6, 0.4], "loads": {}, "muscles": "shared"},
        "backward": {"angle": [1.5, 2.6, 1.9], "loads": {}, "muscles": "shared"},
        "weak": {"angle": [1.1, 2.5, 0.9], "loads": HEAVY, "off": ["vasti", "rectus_femoris"]},
        "lessons": [lesson_data(lesson) for lesson in LESSONS],
        "quantities": QUANTITIES,
    }
    expression = """({
      why: cases.quantities.map((each) => why(answer("lift", cases.far), 3, each, "N")),
      differs: cases.quantities.map((each) =>
        differenceReason(answer("lift", cases.far), answer("lift", cases.close), 3, each, "N")),
      forward: cautions(answer("squat", cases.forward)),
      backward: cautions(answer("squat", cases.backward)),
      weak: cautions(answer("squat", cases.weak)),
      lessons: cases.lessons.flatMap(({ steps }) => steps.map((step) => filled(
        step.text,
        [step.a, step.b].map((each) => each && answer(step.body, { ...each, muscles: "shared", axes: "proximal" })),
        "N",
      ))),
    })"""
    return run_javascript(source, expression, cases)


def test_reasons_speak_of_moment_arms(said):
    why = dict(zip(QUANTITIES, said["why"], strict=True))
    differs = dict(zip(QUANTITIES, said["differs"], strict=True))
    assert "with a moment arm of" in why["torque"]
    assert "comes from muscles" in why["compression"] and "times as long" in why["compression"]
    assert "because its moment arm is" in differs["torque"] and "shorter" in differs["torque"]
    assert "needs" in differs["compression"] and "instead of" in differs["compression"]


def test_warnings_say_what_it_means_and_what_to_do(said):
    (falls,) = [note for note in said["forward"] if "fall" in note]
    assert "fall forward: the centre of pressure is" in falls and "Shift weight backward." in falls
    (falls,) = [note for note in said["backward"] if "fall" in note]
    assert "fall backward: the centre of pressure is" in falls and "Shift weight forward." in falls
    (weak,) = [note for note in said["weak"] if "cannot hold the knee" in note]
    assert "leave out the muscle pull" in weak and "switch muscles on" in weak


def test_texts_of_lessons_have_all_their_numbers(said):
    assert len(said["lessons"]) == sum(len(lesson.steps) for lesson in LESSONS)
    for text in said["lessons"]:
        assert "{" not in text and "…" not in text and "undefined" not in text and "NaN" not in text
