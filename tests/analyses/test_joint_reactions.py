"""Joint reactions: on whom, about which point, in which axes."""

from __future__ import annotations

import numpy as np
import pytest

import borelli as bo
from borelli.model.body import Body
from borelli.model.frame import Frame
from borelli.model.joints.joint import PinJoint, WeldJoint
from borelli.model.model import Model
from borelli.model.placement import Placement
from tests.random_trees import random_loads, random_model, random_motion

G = 9.81


def hanging(angle=0.0):
    """A beam pinned at its end, with a brick welded to its tip."""
    beam = Body("beam", 3.0, (0.5, 0, 0), (0.01, 0.25, 0.25))
    brick = Body("brick", 2.0, (0.1, 0, 0), (0.01, 0.01, 0.01))
    pin = PinJoint(name="pin", parent="ground", child="beam", parent_placement=Placement((0, 2, 0)))
    weld = WeldJoint(name="weld", parent="beam", child="brick", parent_placement=Placement((1, 0, 0)))
    plate = Frame("plate", "beam", Placement.from_angles((0.2, 0, 0), (0, 0, np.pi / 2)))
    model = Model(bodies=(beam, brick), joints=(pin, weld), frames=(plate,), gravity=(0, -G, 0))
    return model, bo.Motion.at_rest(["pin"], [angle])


def test_a_weld_carries_what_hangs_on_it():
    model, motion = hanging()
    found = bo.joint_reactions(model, motion).sel(joint="weld").isel(time=0)
    np.testing.assert_allclose(found["force"], (0, 2 * G, 0), atol=1e-12)
    np.testing.assert_allclose(found["moment"], (0, 0, 2 * G * 0.1), atol=1e-12)
    np.testing.assert_allclose(found["point"], (1, 2, 0), atol=1e-12)


def test_the_pin_carries_everything():
    model, motion = hanging()
    found = bo.joint_reactions(model, motion).sel(joint="pin").isel(time=0)
    np.testing.assert_allclose(found["force"], (0, 5 * G, 0), atol=1e-12)
    np.testing.assert_allclose(found["moment"], (0, 0, 3 * G * 0.5 + 2 * G * 1.1), atol=1e-12)


def test_the_parent_feels_the_opposite_about_its_own_frame():
    model = random_model(7, 6)
    motion, loads = random_motion(model, 7), random_loads(model, 7)
    child = bo.joint_reactions(model, motion, loads)
    parent = bo.joint_reactions(model, motion, loads, on="parent")
    np.testing.assert_array_equal(parent["force"], -child["force"])
    lever = child["point"].values - parent["point"].values
    expected = -child["moment"].values - np.cross(lever, child["force"].values)
    np.testing.assert_allclose(parent["moment"].values, expected, rtol=1e-9, atol=1e-9)


def test_axes_of_a_named_frame_turn_the_vectors():
    model, motion = hanging(0.3)
    ground = bo.joint_reactions(model, motion)
    plate = bo.joint_reactions(model, motion, express_in="plate")
    c, s = np.cos(0.3 + np.pi / 2), np.sin(0.3 + np.pi / 2)
    rotation = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    for name in ("force", "moment"):
        np.testing.assert_allclose(plate[name].values, ground[name].values @ rotation, atol=1e-12)
    # The pin, seen from the plate: 0.2 m back along the beam.
    np.testing.assert_allclose(plate["point"].sel(joint="pin").values[0], (0, 0.2, 0), atol=1e-12)


@pytest.mark.parametrize("express_in", ["parent", "child", "ground", "b2"])
def test_size_does_not_depend_on_axes(express_in):
    model = random_model(8, 5)
    motion = random_motion(model, 8)
    ground = bo.joint_reactions(model, motion)
    other = bo.joint_reactions(model, motion, express_in=express_in)
    for name in ("force", "moment"):
        sizes = [np.linalg.norm(x[name].values, axis=2) for x in (ground, other)]
        np.testing.assert_allclose(sizes[1], sizes[0], rtol=1e-12)


def test_a_pin_transmits_its_generalized_force_about_its_own_z():
    model = random_model(9, 6, ("pin",))
    motion = random_motion(model, 9)
    for side in ("parent", "child"):
        found = bo.joint_reactions(model, motion, express_in=side)["moment"].values[:, :, 2]
        tau = bo.inverse_dynamics(model, motion)["generalized_force"].values
        np.testing.assert_allclose(found, tau, rtol=1e-10, atol=1e-10)


def test_the_result_says_on_whom_where_and_in_which_axes():
    model, motion = hanging()
    found = bo.joint_reactions(model, motion, express_in="child", on="parent")
    assert found["force"].attrs == {
        "units": "N",
        "expressed_in": "child joint frame",
        "on": "parent, by child",
        "about": "origin of the joint's parent frame",
    }
    assert found["point"].attrs["units"] == "m"
    assert found.attrs["express_in"] == "child"


def test_only_the_joints_asked_for_are_given():
    model, motion = hanging()
    assert list(bo.joint_reactions(model, motion, joints=["weld"])["joint"].values) == ["weld"]


def test_a_load_on_a_welded_body_passes_through_the_weld():
    model, motion = hanging()
    load = bo.Load("wind", "brick", (0.0, 0.0, 7.0), (1.0, 2.0, 0.0))
    with_load = bo.joint_reactions(model, motion, [load]).sel(joint="weld")["force"].values[0]
    np.testing.assert_allclose(with_load, (0, 2 * G, -7), atol=1e-12)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"on": "both"}, "'both' is not a side of a joint"),
        ({"express_in": "plat"}, "'plat' is not a body or frame"),
        ({"joints": ["hinge"]}, "'hinge' is not a joint"),
    ],
)
def test_unknown_names_are_refused(arguments, text):
    model, motion = hanging()
    with pytest.raises(bo.BorelliError) as caught:
        bo.joint_reactions(model, motion, **arguments)
    assert text in str(caught.value)
