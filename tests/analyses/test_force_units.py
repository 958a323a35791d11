"""Units of generalized forces, also of coordinates that OpenSim calls coupled."""

from __future__ import annotations

import pytest

from borelli.model import AxisFunction, Body, Coordinate, CustomJoint, Linear, Model, Multiplier, Polynomial
from borelli.model.force_units import force_units

STILL = (AxisFunction((1, 0, 0)), AxisFunction((0, 1, 0)), AxisFunction((0, 0, 1)))


def units(rotation=None, translation=None):
    """Units of a custom joint whose one coupled coordinate drives the first rotation, the first translation or both."""
    rotations, translations = list(STILL), list(STILL)
    if rotation is not None:
        rotations[0] = AxisFunction((1, 0, 0), rotation, ("q",))
    if translation is not None:
        translations[0] = AxisFunction((1, 0, 0), translation, ("q",))
    joint = CustomJoint(
        name="joint",
        parent="ground",
        child="body",
        coordinates=(Coordinate("q", motion="coupled"),),
        rotations=tuple(rotations),
        translations=tuple(translations),
    )
    body = Body("body", mass=1.0, inertia=(1.0, 1.0, 1.0, 0.0, 0.0, 0.0))
    return force_units(Model(name="model", bodies=(body,), joints=(joint,)))


@pytest.mark.parametrize(
    "function", [Linear(), Multiplier(Linear(), 1.1), Multiplier(Multiplier(Linear(), 1.1), 0.9)]
)
def test_a_multiplied_length_is_a_length_and_a_multiplied_angle_an_angle(function):
    assert units(translation=function) == ["N"]
    assert units(rotation=function) == ["N m"]


def test_what_turns_and_shifts_or_bends_has_no_unit_of_its_own():
    assert units(rotation=Linear(), translation=Linear()) == ["J"]
    assert units(translation=Polynomial((0.0, 0.0, 1.0))) == ["J"]
