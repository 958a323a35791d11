"""Planar chains as spatial models and back: the same numbers from two engines that share no mechanics."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import borelli as bo
from borelli import errors, library, planar
from borelli.model.body import Body
from borelli.model.joints.joint import PinJoint, SliderJoint
from borelli.model.placement import Placement

# Two engines add up some thousand newtons in other orders.
CLOSE = {"rtol": 1e-9, "atol": 1e-9}
CHAIN = dataclasses.replace(library.leg_squat(), name="squat")
MOTION = library.squat_to_stand(rate_hz=20.0)
BAR = planar.Contact("bar", "trunk", (0.5, 0.06), (0.0, -400.0))
TURNING = planar.Contact("turning", "thigh", (0.2, 0.0), (10.0, 30.0), axes="link")
ON_FOOT = planar.Contact("shoe", "base", (0.1, 0.0), (3.0, -9.0))
TWIST = planar.Couple("twist", "shank", 4.0)


def test_torques_reactions_and_support_of_the_model_are_those_of_the_chain():
    loads = {"contacts": (BAR, TURNING, ON_FOOT), "couples": (TWIST,)}
    tensions = {"vasti": np.linspace(500.0, 900.0, MOTION.n_times), "soleus": 300.0}
    answer = planar.analyze(CHAIN, MOTION, **loads, tensions=tensions)
    model, motion = planar.to_model(CHAIN), planar.to_motion(CHAIN, MOTION)
    pushed = planar.to_loads(CHAIN, MOTION, **loads)
    torque = bo.inverse_dynamics(model, motion, pushed)["generalized_force"]
    np.testing.assert_allclose(torque, answer["torque"], **CLOSE)
    spread = {name: np.broadcast_to(value, MOTION.n_times) for name, value in tensions.items()}
    every = {name: spread.get(name, np.zeros(MOTION.n_times)) for name in CHAIN.muscle_names}
    reactions = bo.joint_reactions(model, motion, pushed, tensions=every)
    own = reactions["force"].sel(joint=list(CHAIN.joint_names), axis=["x", "y"])
    np.testing.assert_allclose(own, answer["reaction"], **CLOSE)
    support = bo.joint_reactions(model, motion, pushed)["force"].sel(joint="ground-base", axis=["x", "y"])
    np.testing.assert_allclose(support, answer["support_force"], **CLOSE)
    arms = bo.moment_arms(model, motion).transpose("time", "coordinate", "path")
    np.testing.assert_allclose(arms.sel(path=list(CHAIN.muscle_names)), answer["moment_arm"], **CLOSE)


def test_muscles_share_the_load_of_a_chain():
    model = planar.to_model(CHAIN, strengths={name: 6000.0 for name in CHAIN.muscle_names})
    motion = planar.to_motion(CHAIN, MOTION)
    shared = bo.muscle_forces(model, motion, strength="isometric", reserves=1.0)
    tensions = {str(name): shared["force"].sel(muscle=name).values for name in shared["muscle"].values}
    left = planar.analyze(CHAIN, MOTION, tensions=tensions)["residual_torque"]
    np.testing.assert_allclose(left, shared["reserve"].sel(coordinate=list(CHAIN.joint_names)), atol=1e-6)


def test_there_and_back_again():
    again = planar.from_model(planar.to_model(CHAIN))
    assert dataclasses.replace(again, base=dataclasses.replace(again.base, floor=CHAIN.base.floor)) == CHAIN
    motion = planar.from_motion(CHAIN, planar.to_motion(CHAIN, MOTION))
    for name in ("time", "angle", "velocity", "acceleration"):
        np.testing.assert_allclose(getattr(motion, name), getattr(MOTION, name), atol=1e-14)


def test_a_chain_given_to_the_spatial_engine_is_shown_the_way():
    for ask in (bo.muscle_forces, bo.inverse_dynamics, bo.moment_arms):
        with pytest.raises(errors.InvalidValueError, match="planar chain was given") as told:
            ask(CHAIN, MOTION)
        assert "planar.to_model" in told.value.remedy
    with pytest.raises(errors.InvalidValueError, match="planar motion was given"):
        bo.inverse_dynamics(planar.to_model(CHAIN), MOTION)


def test_fibres_are_not_made_up():
    with pytest.raises(errors.BorelliError, match=r"vasti|soleus"):
        bo.muscle_forces(planar.to_model(CHAIN), planar.to_motion(CHAIN, MOTION))


def changed(**parts):
    return dataclasses.replace(planar.to_model(CHAIN), **parts)


def test_models_that_are_no_chain_are_refused_by_name():
    model = planar.to_model(CHAIN)
    slider = SliderJoint(name="knee", parent="shank", child="thigh", parent_placement=Placement((0.4, 0, 0)))
    joints = [slider if joint.name == "knee" else joint for joint in model.joints]
    with pytest.raises(errors.UnsupportedError, match="slider joint; a planar chain has pins"):
        planar.from_model(changed(joints=joints, muscles=()))
    arm = PinJoint(name="shoulder", parent="thigh", child="arm")
    with pytest.raises(errors.UnsupportedError, match="the model branches"):
        planar.from_model(changed(bodies=[*model.bodies, Body("arm", 1.0)], joints=[*model.joints, arm]))
    aside = PinJoint(name="knee", parent="shank", child="thigh", parent_placement=Placement((0.4, 0.1, 0)))
    joints = [aside if joint.name == "knee" else joint for joint in model.joints]
    with pytest.raises(errors.UnsupportedError, match="not on the x axis of 'shank'"):
        planar.from_model(changed(joints=joints))
    with pytest.raises(errors.UnsupportedError, match="Where the last body 'trunk' ends"):
        planar.from_model(changed(markers=()))
    assert planar.from_model(changed(markers=()), end_length=0.5).links[-1].length == 0.5
    with pytest.raises(errors.UnsupportedError, match="off the x–y plane"):
        planar.from_model(changed(gravity=(0.0, 0.0, -9.81)))


def test_what_does_not_carry_over_is_refused():
    moving = planar.Motion(MOTION.time, MOTION.angle, MOTION.velocity, MOTION.acceleration, (0.0, 1.0))
    with pytest.raises(errors.UnsupportedError, match="welded to the ground"):
        planar.to_motion(CHAIN, moving)
    with pytest.raises(errors.UnknownNameError, match="'vastus' is not a muscle"):
        planar.to_model(CHAIN, strengths={"vastus": 1.0})
