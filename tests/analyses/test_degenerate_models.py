"""Models with nothing to sum over, and motions of which nothing is known: an answer or our error, never a traceback."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import pytest

import borelli as bo
from borelli.errors import UnsolvableError
from borelli.model import Body, CoordinateCoupler, Model, PinJoint, WeldJoint
from borelli.model.functions.function import Linear

TIME = np.linspace(0.0, 0.7, 8)


def body(name: str, mass: float = 1.0) -> Body:
    return Body(name, mass, com=(0.0, -0.3, 0.0), inertia=(0.1 * mass,) * 3)


NOTHING = Model(name="nothing", bodies=[], joints=[])
FIXED = Model(name="fixed", bodies=[body("a")], joints=[WeldJoint(name="j", parent="ground", child="a")])
MASSLESS = Model(
    name="massless", bodies=[body("a", 0.0)], joints=[PinJoint(name="q", parent="ground", child="a")]
)
COUPLED = Model(
    name="coupled",
    bodies=[body("a"), body("c")],
    joints=[PinJoint(name="q", parent="ground", child="a"), PinJoint(name="r", parent="a", child="c")],
    constraints=[CoordinateCoupler(name="k", independent=("q",), dependent="r", function=Linear(1.0, 0.0))],
)
MODELS = [NOTHING, FIXED, MASSLESS, COUPLED]
QUESTIONS: dict[str, Callable[[Model, bo.Motion], object]] = {
    "induced": bo.induced,
    "induced with contact": lambda model, motion: bo.induced(model, motion, contact="weld"),
    "contributions": bo.contributions,
    "reactions": bo.joint_reactions,
    "muscle forces": lambda model, motion: bo.muscle_forces(model, motion, reserves=1e4),
    "moment arms": bo.moment_arms,
    "assemble": bo.assemble,
    "scene": bo.scene,
}


def motion(model: Model, known: bool) -> bo.Motion:
    q = np.tile(np.sin(TIME)[:, None], len(model.coordinate_names))
    return bo.Motion(TIME, model.coordinate_names, q if known else q * np.nan)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_is_answered_or_refused(model: Model, known: bool, question: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bo.BorelliWarning)
        try:
            QUESTIONS[question](model, motion(model, known))
        except bo.BorelliError as error:
            assert error.what


def test_nothing_has_a_mass_centre_that_does_not_move() -> None:
    found = bo.induced(NOTHING, motion(NOTHING, True))
    assert (found["com_acceleration"] == 0.0).all()


def test_what_has_no_mass_has_no_induced_acceleration() -> None:
    with pytest.raises(UnsolvableError, match="the mass matrix is singular") as caught:
        bo.induced(MASSLESS, motion(MASSLESS, True))
    assert "model 'massless'" in str(caught.value) and "give every body" in str(caught.value)
