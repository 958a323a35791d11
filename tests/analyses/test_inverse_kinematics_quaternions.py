"""Joints on unit quaternions follow markers as those on angles do, and through attitudes where angles cannot."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import xarray as xr

import borelli as bo
from borelli import attitude
from borelli import model as bm
from borelli.errors import UnsolvableError, UnsupportedError

TIME = np.linspace(0.0, 1.0, 21)
RNG = np.random.default_rng(4)
PLACES = {name: RNG.normal(0.0, 0.1, (4, 3)) for name in ("trunk", "arm")}


def body(kind: bm.Attitude) -> bm.Model:
    """A trunk that floats, an arm on a ball joint in turned frames, and a hinge between them and a hand."""
    bodies = [bm.Body(name, 1.0, (0.0, 0.0, 0.0), (0.1, 0.1, 0.1)) for name in ("trunk", "arm", "hand")]
    turned = bm.Placement((0.1, 0.3, 0.0), attitude.matrix_from_angles([0.3, -0.4, 0.2]))
    joints = [
        bm.FreeJoint(name="root", parent="ground", child="trunk", attitude=kind),
        bm.BallJoint(
            name="shoulder",
            parent="trunk",
            child="arm",
            parent_placement=turned,
            child_placement=bm.Placement((0.0, 0.1, 0.0), attitude.matrix_from_angles([-0.5, 0.1, 0.7])),
            attitude=kind,
        ),
        bm.PinJoint(name="wrist", parent="arm", child="hand", parent_placement=bm.Placement((0, -0.3, 0))),
    ]
    markers = [
        bm.Marker(f"{name}{k}", name, place) for name, own in PLACES.items() for k, place in enumerate(own)
    ]
    markers += [bm.Marker("finger", "hand", (0.1, 0.0, 0.02)), bm.Marker("thumb", "hand", (0.0, 0.05, 0.0))]
    return bm.Model(name="floating", bodies=bodies, joints=joints, markers=markers)


MODEL = body(bm.Attitude.QUATERNION)


def motion() -> bo.Motion:
    """The trunk tips over by 150° about its second axis, the arm turns about an oblique one, more than once."""
    trunk = attitude.from_axis_angle([0.0, 1.0, 0.0], 2.6 * TIME)
    arm = attitude.from_axis_angle([0.3, 0.8, -0.5], 1.0 + 7.0 * TIME)
    shift = np.column_stack([1.2 * TIME, 1.0 + 0.1 * np.sin(3 * TIME), 0.0 * TIME])
    return bo.Motion(
        TIME, MODEL.coordinate_names, np.hstack([trunk, shift, arm, 0.4 * np.sin(5 * TIME)[:, None]])
    )


def test_exact_markers_give_the_attitudes_back_through_right_angles() -> None:
    result = bo.inverse_kinematics(MODEL, bo.marker_positions(MODEL, motion()))
    assert (result["status"] == 0).all()
    assert float(result["kkt_residual"].max()) < 1e-10
    assert float(result["marker_error"].max()) < 1e-9
    assert tuple(result["coordinate"].values) == MODEL.coordinate_names
    found, wanted = (bo.body_poses(MODEL, each) for each in (result.borelli.motion(), motion()))
    for part in ("rotation", "origin"):
        np.testing.assert_allclose(found[part], wanted[part], atol=1e-9)
    for first, last in ((0, 4), (7, 11)):
        four = result["q"].values[:, first:last]
        np.testing.assert_allclose(np.linalg.norm(four, axis=1), 1.0, atol=1e-14)
        # Signs do not jump from instant to instant.
        assert ((four[1:] * four[:-1]).sum(axis=1) > 0.5).all()


def test_noisy_markers_give_the_postures_of_the_same_body_on_angles() -> None:
    markers = bo.marker_positions(MODEL, motion())[:6]
    markers = markers + 0.003 * RNG.normal(size=markers.shape)
    angles = body(bm.Attitude.ANGLES)
    ours, other = bo.inverse_kinematics(MODEL, markers), bo.inverse_kinematics(angles, markers)
    np.testing.assert_allclose(ours["objective"], other["objective"], rtol=1e-10)
    np.testing.assert_allclose(ours["marker_modelled"], other["marker_modelled"], atol=1e-9)


def test_the_covariance_is_that_of_many_noisy_recordings() -> None:
    exact = bo.marker_positions(MODEL, motion())[3:4]
    sigma, n = 0.001, 300
    noisy = exact.values + sigma * np.random.default_rng(7).normal(size=(n, *exact.shape[1:]))
    many = xr.DataArray(
        noisy, {"time": np.arange(n), "marker": exact["marker"], "axis": exact["axis"]}, exact.dims
    )
    spread = bo.inverse_kinematics(MODEL, many)["q"].values.std(axis=0)
    result = bo.inverse_kinematics(MODEL, exact, covariance=sigma)
    # 300 samples tell a standard deviation to 4 %; parts of a quaternion that hardly change have next to none.
    np.testing.assert_allclose(result["q_std"].values[0], spread, rtol=0.2, atol=2e-6)
    assert result["q_covariance"].dims == ("time", "coordinate", "coordinate_")


def test_markers_are_placed_on_such_a_body() -> None:
    there = bo.marker_positions(MODEL, motion())[:1]
    placed = bo.place_markers(MODEL, there, set_default_pose=True)
    moved = [
        np.subtract(a.location, b.location) for a, b in zip(placed.model.markers, MODEL.markers, strict=True)
    ]
    assert np.abs(moved).max() < 1e-9
    assert placed.pose.q.shape == (1, len(MODEL.coordinates))


def test_instants_without_markers_are_nan() -> None:
    there = bo.marker_positions(MODEL, motion())[:4].copy()
    there[1] = np.nan
    with pytest.warns(bo.BorelliWarning, match="no marker is seen"):
        result = bo.inverse_kinematics(MODEL, there)
    assert np.isnan(result["q"].values[1]).all()
    assert np.isfinite(result["q"].values[[0, 2, 3]]).all()
    with pytest.raises(UnsolvableError, match="No instant of the 1 has an answer: no marker is seen"):
        bo.inverse_kinematics(MODEL, there[1:2])


def test_single_parts_of_a_quaternion_cannot_be_held() -> None:
    there = bo.marker_positions(MODEL, motion())[:1]
    with pytest.raises(UnsupportedError, match=r"a task or prior is on 'root_qx'(.*\n)*.*Attitude.ANGLES"):
        bo.inverse_kinematics(MODEL, there, tasks={"root_qx": (1.0, 0.0)})
    joint = MODEL.joints[1]
    part = replace(joint.coordinates[1], locked=True)
    locked = replace(joint, coordinates=(joint.coordinates[0], part, *joint.coordinates[2:]))
    with pytest.raises(UnsupportedError, match="cannot hold 'shoulder_qx', which is one of four parts"):
        bo.inverse_kinematics(replace(MODEL, joints=(MODEL.joints[0], locked, MODEL.joints[2])), there)
    coupler = bm.CoordinateCoupler(
        name="tie", dependent="wrist", independent="shoulder_qz", function=bm.Linear()
    )
    with pytest.raises(UnsupportedError, match="constraint 'tie' is on 'shoulder_qz'"):
        bo.inverse_kinematics(replace(MODEL, constraints=(coupler,)), there)
