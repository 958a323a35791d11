"""Poses of bodies and places of markers."""

from __future__ import annotations

import numpy as np
import pytest

import borelli as bo
from borelli.errors import InvalidValueError
from borelli.model.body import Body
from borelli.model.frame import Frame
from borelli.model.joints.joint import PinJoint, WeldJoint
from borelli.model.marker import Marker
from borelli.model.model import Model
from borelli.model.placement import Placement


def door():
    """A door on a hinge along z, with a handle welded to it and a frame welded to the ground."""
    bodies = (
        Body("frame", 5.0, (0, 1, 0), (1, 1, 1)),
        Body("door", 10.0, (0.4, 0, 1.0), (1, 1, 1)),
        Body("handle", 0.2, (0, 0, 0), (0.01, 0.01, 0.01)),
    )
    joints = (
        WeldJoint(name="wall", parent="ground", child="frame", parent_placement=Placement((1, 0, 0))),
        PinJoint(name="hinge", parent="frame", child="door"),
        WeldJoint(name="screw", parent="door", child="handle", parent_placement=Placement((0.8, 0, 1))),
    )
    lock = Frame("lock", "handle", Placement.from_angles((0, 0.05, 0), (0, 0, np.pi / 2)))
    markers = (Marker("tip", "lock", (0.1, 0, 0)), Marker("floor", "ground", (3, 2, 1)))
    return Model(bodies=bodies, joints=joints, frames=(lock,), markers=markers)


def opened(angle):
    return bo.Motion.at_rest(["hinge"], [[0.0], [angle]])


def test_bodies_are_where_the_hinge_puts_them():
    found = bo.body_poses(door(), opened(np.pi / 2))
    np.testing.assert_allclose(found["origin"].sel(body="handle"), [(1.8, 0, 1), (1, 0.8, 1)], atol=1e-15)
    np.testing.assert_allclose(found["com"].sel(body="door"), [(1.4, 0, 1), (1, 0.4, 1)], atol=1e-15)
    # Columns are body axes: after a quarter turn the handle's x axis is ground's y axis.
    np.testing.assert_allclose(found["rotation"].sel(body="handle", body_axis="x")[1], (0, 1, 0), atol=1e-15)


def test_a_body_welded_to_the_ground_stays():
    found = bo.body_poses(door(), opened(1.0)).sel(body="frame")
    np.testing.assert_array_equal(found["origin"], [(1, 0, 0)] * 2)
    np.testing.assert_array_equal(found["com"], [(1, 1, 0)] * 2)
    np.testing.assert_array_equal(found["rotation"], [np.eye(3)] * 2)


def test_markers_sit_on_bodies_frames_and_the_ground():
    found = bo.marker_positions(door(), opened(np.pi / 2))
    assert found.dims == ("time", "marker", "axis")
    assert found.attrs == {"units": "m", "expressed_in": "ground"}
    # The lock's x axis is the handle's y axis; its origin is 5 cm along it.
    np.testing.assert_allclose(found.sel(marker="tip"), [(1.8, 0.15, 1), (0.85, 0.8, 1)], atol=1e-15)
    np.testing.assert_array_equal(found.sel(marker="floor"), [(3, 2, 1)] * 2)


def test_only_coordinates_matter():
    fast = bo.Motion([0.0, 1.0], ["hinge"], [[0.0], [1.0]], [[5.0], [5.0]], [[7.0], [7.0]])
    assert bo.body_poses(door(), fast).equals(bo.body_poses(door(), opened(1.0)))


def test_a_model_without_markers_has_none():
    model = Model(bodies=(Body("b", 1.0),), joints=(PinJoint(name="j", parent="ground", child="b"),))
    assert bo.marker_positions(model, bo.Motion.at_rest(["j"], [0.0])).shape == (1, 0, 3)


def test_a_column_of_another_model_is_named():
    with pytest.raises(bo.BorelliError, match="'hing' is not a coordinate"):
        bo.body_poses(door(), bo.Motion.at_rest(["hing"], [0.0]))


def test_the_mass_centre_at_rest_is_the_mean_of_the_bodies_by_mass():
    # 5 kg at (1, 1, 0), 10 kg at (1.4, 0, 1), 0.2 kg at (1.8, 0, 1).
    expected = (5.0 * np.array([1, 1, 0]) + 10.0 * np.array([1.4, 0, 1]) + 0.2 * np.array([1.8, 0, 1])) / 15.2
    np.testing.assert_allclose(bo.mass_centre(door()), expected, rtol=0.0, atol=1e-14)


def test_a_model_without_mass_has_no_mass_centre():
    joint = WeldJoint(name="wall", parent="ground", child="a")
    with pytest.raises(InvalidValueError, match="has no mass"):
        bo.mass_centre(Model(name="nothing", bodies=(Body("a"),), joints=(joint,)))
