"""What looks wrong in a model."""

from __future__ import annotations

import warnings

import pytest

from borelli.errors import BorelliWarning
from borelli.model import Body, Coordinate, Model, PinJoint
from borelli.model.plausibility.oddities import oddities


def one_body(body: Body, coordinate: Coordinate | None = None) -> Model:
    joint = PinJoint(name="j", parent="ground", child=body.name, coordinates=(coordinate or Coordinate("q"),))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BorelliWarning)
        return Model(bodies=[body], joints=[joint])


def test_a_sound_model_has_none() -> None:
    assert oddities(one_body(Body("b", 1.0, inertia=(1, 1, 1)))) == ()


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (Body("b"), "Body 'b' has no mass and carries nothing"),
        (Body("b", 1.0, inertia=(1, 1, 3)), "moments 1, 1, 3 break the triangle inequality"),
        (Body("b", 0.0, inertia=(1, 1, 1)), "Body 'b' has inertia but no mass"),
    ],
)
def test_odd_bodies_are_named(body: Body, sentence: str) -> None:
    assert any(sentence in found for found in oddities(one_body(body)))


def test_a_rest_outside_the_range_is_named() -> None:
    model = one_body(Body("b", 1.0, inertia=(1, 1, 1)), Coordinate("q", default_value=5.0, range=(0.0, 1.0)))
    assert oddities(model) == ("Coordinate 'q' rests at 5, outside its range from 0 to 1.",)
