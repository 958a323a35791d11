"""Inverse and forward dynamics as a user calls them: labels, missing frames, threads, wrong input."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest

import borelli as bo
from borelli.model.body import Body
from borelli.model.joints.joint import BallJoint, PinJoint, SliderJoint
from borelli.model.model import Model
from borelli.model.placement import Placement
from tests.random_trees import random_loads, random_model, random_motion


def arm():
    bodies = (
        Body("upper", 2.0, (0.15, 0, 0), (0.01, 0.02, 0.02)),
        Body("fore", 1.2, (0.12, 0, 0), (0.01, 0.01, 0.01)),
    )
    joints = (
        PinJoint(name="shoulder", parent="ground", child="upper"),
        SliderJoint(name="elbow", parent="upper", child="fore", parent_placement=Placement((0.3, 0, 0))),
    )
    return Model(name="arm", bodies=bodies, joints=joints, gravity=(0, -9.81, 0))


def long_motion(model, n_times):
    rng = np.random.default_rng(0)
    n_q, n_u = len(model.coordinate_names), len(model.speed_names)
    rows = [rng.normal(size=(n_times, n)) for n in (n_q, n_u, n_u)]
    return bo.Motion(0.01 * np.arange(n_times), model.coordinate_names, *rows, speeds=model.speed_names)


def test_forces_are_labelled_with_names_and_units():
    found = bo.inverse_dynamics(arm(), random_motion(arm(), 1))
    assert list(found["coordinate"].values) == ["shoulder", "elbow"]
    assert list(found["unit"].values) == ["N m", "N"]
    assert found["generalized_force"].dims == ("time", "coordinate")
    assert found["generalized_force"].attrs["units"] == "N m for rotations, N for translations"
    assert found.attrs["model"] == "arm"


def test_speeds_of_a_ball_go_with_moments():
    ball = BallJoint(name="hip", parent="ground", child="leg")
    model = Model(bodies=(Body("leg", 1.0, (0, -0.2, 0), (0.1, 0.1, 0.1)),), joints=(ball,))
    found = bo.inverse_dynamics(model, random_motion(model, 1))
    assert list(found["coordinate"].values) == ["hip_wx", "hip_wy", "hip_wz"]
    assert list(found["unit"].values) == ["N m"] * 3


def test_columns_in_any_order_give_the_same_forces():
    model = random_model(3, 6, ("pin", "slider"))
    motion = random_motion(model, 3)
    names = motion.coordinates
    swap = list(range(len(names)))[::-1]
    other = bo.Motion(
        motion.time, [names[k] for k in swap], motion.q[:, swap], motion.u[:, swap], motion.udot[:, swap]
    )
    for analysis in (bo.inverse_dynamics, bo.joint_reactions, bo.body_poses, bo.energy):
        assert analysis(model, other).equals(analysis(model, motion))


def test_instants_with_nan_are_nan_in_the_result_and_counted_in_one_warning():
    model = random_model(4, 5)
    motion, loads = random_motion(model, 4, 6), random_loads(model, 4, 6)
    q, u = motion.q.copy(), motion.u.copy()
    q[1, 0], u[4, -1] = np.nan, np.nan
    broken = bo.Motion(motion.time, motion.coordinates, q, u, motion.udot, speeds=motion.speeds)
    whole = bo.inverse_dynamics(model, motion, loads)["generalized_force"].values
    with pytest.warns(bo.BorelliWarning, match=r"2 of 6 instants contain NaN \(the first at 1 s\)"):
        found = bo.inverse_dynamics(model, broken, loads)["generalized_force"].values
    assert np.isnan(found[[1, 4]]).all()
    np.testing.assert_array_equal(found[[0, 2, 3, 5]], whole[[0, 2, 3, 5]])


@pytest.mark.parametrize(
    "analysis", ["body_poses", "mass_matrix", "joint_reactions", "energy", "sensitivities"]
)
def test_every_analysis_leaves_nan_instants_to_themselves(analysis):
    model = random_model(5, 4)
    motion = random_motion(model, 5, 4)
    q = motion.q.copy()
    q[2] = np.nan
    broken = bo.Motion(motion.time, motion.coordinates, q, motion.u, motion.udot, speeds=motion.speeds)
    with pytest.warns(bo.BorelliWarning, match="1 of 4 instants"):
        found = getattr(bo, analysis)(model, broken)
    whole = getattr(bo, analysis)(model, motion)
    for name in [None] if analysis == "mass_matrix" else list(found.data_vars):
        a, b = (x.values if name is None else x[name].values for x in (found, whole))
        assert np.isnan(a[2]).all()
        np.testing.assert_array_equal(np.delete(a, 2, axis=0), np.delete(b, 2, axis=0))


def test_a_load_with_nan_makes_its_instants_nan():
    model = arm()
    motion = random_motion(model, 1, 3)
    force = np.ones((3, 3))
    force[1] = np.nan
    with pytest.warns(bo.BorelliWarning, match="1 of 3 instants"):
        found = bo.inverse_dynamics(model, motion, [bo.Load("hand", "fore", force, np.zeros(3))])
    assert np.isnan(found["generalized_force"].values).any(axis=1).tolist() == [False, True, False]


def test_all_instants_nan_is_no_crash():
    model = arm()
    nan = np.full((2, 2), np.nan)
    motion = bo.Motion([0.0, 1.0], model.coordinate_names, nan, nan, nan)
    with pytest.warns(bo.BorelliWarning, match="2 of 2 instants"):
        assert np.isnan(bo.inverse_dynamics(model, motion)["generalized_force"].values).all()


@pytest.mark.parametrize("analysis", ["inverse_dynamics", "body_poses", "joint_reactions", "energy"])
def test_two_threads_give_the_same_bits_as_one(analysis):
    model = random_model(6, 3, ("pin", "ball", "custom"))
    motion = long_motion(model, 5000)
    one, two = (getattr(bo, analysis)(model, motion, threads=n) for n in (1, 2))
    assert two.identical(one)


def test_two_threads_give_the_same_matrix_and_accelerations():
    model = random_model(6, 3, ("pin", "slider"))
    motion = long_motion(model, 5000)
    assert bo.mass_matrix(model, motion, threads=2).identical(bo.mass_matrix(model, motion))
    force = np.zeros(motion.u.shape)
    one, two = (bo.forward_dynamics(model, motion, force, threads=n) for n in (1, 2))
    assert two.identical(one)


def test_joints_as_opensim_moves_them_give_the_same_bits_in_pieces_and_threads():
    model = random_model(6, 2, ("custom",))
    joints = [replace(joint, axis_rates="simbody") for joint in model.joints]
    model = replace(model, joints=joints)
    # More frames than are taken at once where loads are made on the way.
    motion = long_motion(model, 20_000)
    whole = bo.inverse_dynamics(model, motion)
    assert bo.inverse_dynamics(model, motion, threads=2).identical(whole)
    last = bo.inverse_dynamics(model, motion.instants(slice(19_000, 20_000)))["generalized_force"].values
    np.testing.assert_allclose(whole["generalized_force"].values[19_000:], last, rtol=1e-12, atol=1e-12)


def test_no_threads_at_all_is_refused():
    with pytest.raises(bo.BorelliError, match="threads must be at least 1, but is 0"):
        bo.inverse_dynamics(arm(), random_motion(arm(), 1), threads=0)


def test_a_load_on_an_unknown_body_names_the_nearest():
    load = bo.Load("hand", "forearm", np.ones(3), np.zeros(3))
    with pytest.raises(bo.BorelliError) as caught:
        bo.inverse_dynamics(arm(), random_motion(arm(), 1), [load])
    assert "'forearm' is not a body of model 'arm'" in str(caught.value)
    assert "load 'hand'" in str(caught.value)
    assert "fore" in caught.value.closest


def test_a_load_on_the_ground_changes_nothing():
    model, motion = arm(), random_motion(arm(), 1)
    load = bo.Load("floor", "ground", np.ones(3), np.zeros(3))
    assert bo.inverse_dynamics(model, motion, [load]).equals(bo.inverse_dynamics(model, motion))


def test_a_missing_coordinate_is_named():
    motion = bo.Motion([0.0], ["shoulder"], [[0.1]], [[0.0]], [[0.0]])
    with pytest.raises(bo.BorelliError, match=r"lacks 1 of the 2 coordinates.*'elbow'"):
        bo.inverse_dynamics(arm(), motion)


def test_forces_of_the_wrong_shape_are_refused():
    model, motion = arm(), random_motion(arm(), 1)
    with pytest.raises(bo.BorelliError, match=r"needs the shape \(3, 2\).*but has \(3, 5\)"):
        bo.forward_dynamics(model, motion, np.zeros((3, 5)))


def test_a_joint_that_carries_no_mass_has_no_determined_acceleration():
    bodies = (Body("arm", 1.0, (0.2, 0, 0), (0.1, 0.1, 0.1)), Body("ghost"))
    joints = (
        PinJoint(name="shoulder", parent="ground", child="arm"),
        PinJoint(name="wrist", parent="arm", child="ghost"),
    )
    model = Model(name="arm", bodies=bodies, joints=joints)
    motion = random_motion(model, 1)
    with pytest.raises(bo.BorelliError, match="joint 'wrist' carries no mass"):
        bo.forward_dynamics(model, motion, np.zeros((3, 2)))
    # Inverse dynamics needs no mass: nothing resists, so nothing is needed.
    assert not bo.inverse_dynamics(model, motion)["generalized_force"].values[:, 1].any()


def test_a_mass_on_its_own_axis_has_no_determined_acceleration():
    joint = PinJoint(name="spin", parent="ground", child="point")
    model = Model(bodies=(Body("point", 2.0),), joints=(joint,))
    with pytest.raises(bo.BorelliError) as caught:
        bo.forward_dynamics(model, random_motion(model, 1), np.ones((3, 1)))
    assert "the acceleration of joint 'spin' ('spin') is not determined" in str(caught.value)
    assert "0 s (instant 0)" in str(caught.value)


def test_forward_dynamics_matches_labelled_forces_by_name():
    model, motion = arm(), random_motion(arm(), 1)
    force = bo.inverse_dynamics(model, motion)["generalized_force"]
    swapped = force.isel(coordinate=[1, 0])
    found = bo.forward_dynamics(model, motion, swapped)["acceleration"].values
    np.testing.assert_allclose(found, motion.udot, rtol=1e-12, atol=1e-12)


def test_speeds_and_accelerations_come_from_splines_if_not_given():
    model = arm()
    time = np.linspace(0, 1, 201)
    q = np.column_stack([np.sin(3 * time), 0.1 * np.cos(2 * time)])
    rates = np.column_stack([3 * np.cos(3 * time), -0.2 * np.sin(2 * time)])
    accelerations = np.column_stack([-9 * np.sin(3 * time), -0.4 * np.cos(2 * time)])
    exact = bo.inverse_dynamics(model, bo.Motion(time, model.coordinate_names, q, rates, accelerations))
    found = bo.inverse_dynamics(model, bo.Motion(time, model.coordinate_names, q))
    inner = slice(20, -20)
    # A quintic spline of step 5 ms: its second derivative is good to h^4.
    np.testing.assert_allclose(
        found["generalized_force"].values[inner], exact["generalized_force"].values[inner], atol=1e-5
    )


def test_no_warning_without_nan():
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        bo.inverse_dynamics(arm(), random_motion(arm(), 1))
    assert not said
