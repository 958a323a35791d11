"""A body that floats and does not fall is carried by something; without loads the result says so."""

from __future__ import annotations

import numpy as np
import pytest

import borelli as bo
from borelli.errors import BorelliWarning
from borelli.model import Body, Model, PinJoint, PlanarJoint
from borelli.results.labelled.plain_result import PlainResult
from borelli.trial.residuals import forgotten_loads

TIME = np.arange(101) / 100
WALKER = Model(
    name="walker",
    bodies=[Body("trunk", 40.0, (0, 0.2, 0), (1, 1, 1)), Body("leg", 10.0, (0, -0.4, 0), (0.5, 0.5, 0.5))],
    joints=[
        PlanarJoint(name="root", parent="ground", child="trunk"),
        PinJoint(name="hip", parent="trunk", child="leg"),
    ],
)


def motion() -> bo.Motion:
    swing = 0.3 * np.sin(2 * np.pi * TIME)
    still = np.zeros_like(TIME)
    return bo.Motion(TIME, WALKER.coordinate_names, np.stack([still, TIME, 0 * TIME + 0.9, swing], axis=1))


def test_a_walker_without_ground_is_told_in_the_terminal_and_in_the_result():
    with pytest.warns(
        BorelliWarning, match=r"LOADS ARE MISSING: on average the root joint 'root' carries 100%"
    ):
        result = bo.analyze(WALKER, motion())
    assert "LOADS ARE MISSING" in result.attrs["forgotten_loads"]


def test_a_walker_on_the_ground_and_a_pendulum_are_not():
    up = bo.Load("ground", "leg", force=(0.0, 50 * 9.80665, 0.0), point=(0.5, 0.0, 0.0))
    result = bo.analyze(WALKER, motion(), [up])
    assert "forgotten_loads" not in result.attrs
    pendulum = Model(
        name="p",
        bodies=[Body("bob", 2.0, (0, -0.4, 0), (0.1, 0.1, 0.1))],
        joints=[PinJoint(name="swing", parent="ground", child="bob")],
    )
    moved = bo.Motion(TIME, ("swing",), 0.1 * TIME[:, None])
    found = bo.inverse_dynamics(pendulum, moved)
    assert (
        forgotten_loads(
            PlainResult.of(found.rename(generalized_force="total_generalized_force")), pendulum, moved
        )
        is None
    )
