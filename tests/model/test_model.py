"""A model is a checked tree whose parts are found by name."""

from __future__ import annotations

import dataclasses
import pickle

import pytest

from borelli import model as bm
from borelli.errors import UnknownNameError


def pendulum(**changes: object) -> bm.Model:
    parts: dict = {
        "name": "pendulum",
        "bodies": [bm.Body("rod", 2.0, (0, -0.5, 0), (0.1, 0.01, 0.1))],
        "joints": [bm.PinJoint(name="hinge", parent="ground", child="rod")],
        "markers": [bm.Marker("tip", "rod", (0, -1, 0))],
    }
    return bm.Model(**(parts | changes))


def test_parts_are_found_by_name_and_by_number() -> None:
    model = pendulum()
    assert model.bodies["rod"] is model.bodies[0]
    assert model.bodies[:1] == (model.bodies[0],)
    assert model.coordinates["hinge"].motion is bm.MotionType.ROTATIONAL
    assert model.coordinate_names == model.speed_names == ("hinge",)
    assert model.marker_names == ("tip",)


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"'rad' is not a body of model 'pendulum'.\n  Closest: 'rod'"):
        pendulum().bodies["rad"]


def test_models_compare_pickle_and_replace() -> None:
    model = pendulum()
    assert pickle.loads(pickle.dumps(model)) == model
    assert pickle.loads(pickle.dumps(model)).bodies["rod"].mass == 2.0
    moon = dataclasses.replace(model, gravity=(0, -1.62, 0))
    assert moon != model
    assert moon.bodies == model.bodies


def test_a_quaternion_joint_has_one_coordinate_more_than_speeds() -> None:
    model = pendulum(joints=[bm.FreeJoint(name="root", parent="ground", child="rod")])
    assert model.coordinate_names == tuple(f"root_{s}" for s in ("qs", "qx", "qy", "qz", "tx", "ty", "tz"))
    assert model.speed_names == tuple(f"root_{s}" for s in ("wx", "wy", "wz", "tx", "ty", "tz"))
    assert model.default_values()["root_qs"] == 1.0


def test_frames_nest_to_any_depth() -> None:
    quarter = bm.Placement.from_angles((1, 0, 0), (0, 0, 1.5707963267948966))
    frames = [bm.Frame("a", "rod", quarter), bm.Frame("b", "a", quarter), bm.Frame("c", "b", quarter)]
    body, placement = pendulum(frames=frames).place("c")
    assert body == "rod"
    # Three unit steps, each turned a quarter to the left of the one before: (1, 0) + (0, 1) + (-1, 0).
    assert placement.translation == pytest.approx((0, 1, 0), abs=1e-15)


def test_joints_come_in_the_order_of_the_tree_whatever_the_order_of_the_list() -> None:
    bodies = [bm.Body(name, 1.0) for name in "abc"]
    joints = [
        bm.PinJoint(name="third", parent="b", child="c"),
        bm.PinJoint(name="second", parent="a", child="b"),
        bm.PinJoint(name="first", parent="ground", child="a"),
    ]
    model = bm.Model(bodies=bodies, joints=joints)
    assert [joint.name for joint in model.joints_from_ground()] == ["first", "second", "third"]


def test_place_names_the_frame_that_is_missing() -> None:
    with pytest.raises(UnknownNameError, match="'rodd' is not a body or frame of model 'pendulum'"):
        pendulum().place("rodd")


def test_a_model_introduces_itself_in_one_line() -> None:
    assert repr(pendulum()) == "<Model 'pendulum': 1 body, 1 joint, 1 marker, 1 coordinates>"
