"""Places and mass matrices whose numbers are none are refused."""

from __future__ import annotations

import numpy as np
import pytest

import borelli as bo
from borelli.errors import UnsolvableError
from borelli.model import (
    AxisFunction,
    Body,
    Coordinate,
    CustomJoint,
    Linear,
    Model,
    MotionType,
    PinJoint,
)


def test_a_body_a_thousand_kilometres_from_its_joint_is_no_body() -> None:
    joint = PinJoint(name="swing", parent="ground", child="bob")
    near, far = (Body("bob", 2.5, (0.0, size, 0.0), (0.1, 0.1, 0.1)) for size in (0.5, 1e6))
    motion = bo.Motion([0.0, 0.1], ("swing",), np.zeros((2, 1)))
    bo.mass_matrix(Model(bodies=[near], joints=[joint]), motion)
    with pytest.raises(UnsolvableError, match=r"mass matrix: 'swing' would be 2\.5e\+12 at 0 s"):
        bo.mass_matrix(Model(bodies=[far], joints=[joint]), motion)


@pytest.mark.parametrize("far", [1e300, float("inf"), -1e13])
def test_a_body_that_is_nowhere_is_named(far: float) -> None:
    along = AxisFunction((1.0, 0.0, 0.0), Linear((1.0,), far), ("slide",))
    still = tuple(AxisFunction(axis) for axis in np.eye(3))
    joint = CustomJoint(
        name="guide",
        parent="ground",
        child="bob",
        coordinates=(Coordinate("slide", MotionType.TRANSLATIONAL),),
        rotations=still,
        translations=(along, *still[1:]),
    )
    model = Model(bodies=[Body("bob", 1.0, (0, 0, 0), (0.1, 0.1, 0.1))], joints=[joint])
    motion = bo.Motion([0.0, 0.1], ("slide",), np.zeros((2, 1)))
    with pytest.raises(UnsolvableError, match=r"body 'bob' would be .* m away at 0 s"):
        bo.body_poses(model, motion)


@pytest.mark.filterwarnings("ignore:1 of 2")
def test_an_instant_that_is_not_known_is_none_of_these() -> None:
    model = Model(
        bodies=[Body("bob", 1.0, (0, -0.5, 0), (0.1, 0.1, 0.1))],
        joints=[PinJoint(name="swing", parent="ground", child="bob")],
    )
    poses = bo.body_poses(model, bo.Motion([0.0, 0.1], ("swing",), np.array([[0.2], [np.nan]])))
    assert np.isnan(poses["com"].values).all(axis=(1, 2)).tolist() == [False, True]
