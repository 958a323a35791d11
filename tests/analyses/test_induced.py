"""Induced accelerations add up, springs and contacts included."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import borelli as bo
from borelli.mechanics.motion.body_motion import point_motions
from borelli.model import (
    Attitude,
    Body,
    CoordinateCoupler,
    CoordinateSpring,
    FreeJoint,
    Linear,
    Model,
    OtherComponent,
    PathPoint,
    PathSpring,
    PinJoint,
    Placement,
)
from borelli.model import Path as MusclePath
from tests.random_trees import random_loads, random_model, random_motion

# Sums of some dozen terms after solving with a mass matrix of moderate condition.
CLOSE = {"rtol": 1e-9, "atol": 1e-9}
# Every body has mass, so that every source has its acceleration.
KINDS = ("pin", "slider", "universal", "ball_angles", "free_angles")


def double_pendulum(forces=()):
    bodies = [Body(name, 1.0, (0, -0.5, 0), (0.1, 0.01, 0.1)) for name in ("upper", "lower")]
    joints = [
        PinJoint(name="hip", parent="ground", child="upper"),
        PinJoint(name="knee", parent="upper", child="lower", parent_placement=Placement((0, -1, 0))),
    ]
    return Model(bodies=bodies, joints=joints, forces=forces, gravity=(0, -9.81, 0))


def springs():
    points = (PathPoint("a", "ground", (0.3, 0, 0)), PathPoint("b", "lower", (0, -0.5, 0)))
    return (
        PathSpring(name="band", path=MusclePath(points=points), resting_length=0.8, stiffness=300.0),
        CoordinateSpring(name="torsion", coordinate="knee", stiffness=40.0, rest=0.2, viscosity=1.0),
    )


def in_order(model, motion):
    return np.array(motion.udot)[:, [motion.speeds.index(name) for name in model.speed_names]]


@pytest.mark.parametrize("seed", range(3))
def test_accelerations_and_reactions_add_up_to_those_of_the_motion(seed):
    model = random_model(seed, 5, kinds=KINDS)
    motion, loads = random_motion(model, seed), random_loads(model, seed)
    found = bo.induced(model, motion, loads)
    np.testing.assert_allclose(found["acceleration"].sum("source"), in_order(model, motion), **CLOSE)
    reaction = bo.joint_reactions(model, motion, loads)
    for kind in ("force", "moment"):
        np.testing.assert_allclose(found[f"reaction_{kind}"].sum("source"), reaction[kind], **CLOSE)
    assert float(found["closure"]) < 1e-10


def falling(model):
    """The motion that gravity and the model's own springs cause, from a posture and speeds."""
    return bo.Motion(
        np.arange(2.0),
        ("hip", "knee"),
        [[0.4, -0.7], [0.1, 0.9]],
        [[1.0, -2.0], [0.5, 3.0]],
        np.zeros((2, 2)),
    )


def test_a_double_pendulum_with_springs_closes_and_each_spring_has_its_share():
    model = double_pendulum(springs())
    motion = falling(model)
    found = bo.induced(model, motion)
    np.testing.assert_allclose(found["acceleration"].sum("source"), np.zeros((2, 2)), atol=1e-10)
    band = np.abs(found["acceleration"].sel(source="passive:band").values).max()
    assert band > 1.0
    alone = bo.induced(double_pendulum(), motion)
    np.testing.assert_allclose(
        found["acceleration"].sel(source="weight:lower"), alone["acceleration"].sel(source="weight:lower")
    )


def test_leaving_a_spring_out_of_the_sum_misses_the_total():
    """What a list of sources without the springs would claim: the negative control."""
    model = double_pendulum(springs())
    found = bo.induced(model, falling(model))["acceleration"]
    without = found.sum("source") - found.sel(source="passive:band")
    assert np.abs(without).max() > 1.0


def test_a_spring_causes_what_forward_dynamics_says():
    model = double_pendulum((springs()[1],))
    motion = falling(model)
    found = bo.induced(model, motion)["acceleration"].sel(source="passive:torsion").values
    torque = -40.0 * (np.array([-0.7, 0.9]) - 0.2) - np.array([-2.0, 3.0])
    mass = bo.mass_matrix(model, motion).values
    expected = np.linalg.solve(mass, np.stack([np.zeros(2), torque], axis=1)[..., None])[..., 0]
    np.testing.assert_allclose(found, expected, rtol=1e-10)


@pytest.mark.parametrize(("kind", "held"), [("point", 0), ("rolling", 1), ("weld", 3)])
def test_a_contact_keeps_its_point_from_accelerating_under_every_source(kind, held):
    model = random_model(11, 4, kinds=("free_angles", "ball_angles"))
    motion = random_motion(model, 11)
    body = model.body_names[-1]
    point = bo.body_poses(model, motion)["origin"].sel(body=body).values + 0.1
    load = bo.Load("foot", body, np.array([0.0, 100.0, 0.0]), point)
    found = bo.induced(model, motion, [load], contact=kind)
    assert float(found["closure"]) < 1e-9
    udot = found["acceleration"].values
    unit = dataclasses.replace(motion, u=np.zeros_like(motion.u), udot=np.zeros_like(motion.udot))
    for source in ("weight:" + body, "provided:" + model.speed_names[0]):
        index = list(found["source"].values).index(source)
        caused = _point_acceleration(model, unit, body, point, udot[..., index])
        np.testing.assert_allclose(caused[:, :3], 0.0, atol=1e-7)
        if held == 3:
            np.testing.assert_allclose(caused[:, 3:], 0.0, atol=1e-7)


def _point_acceleration(model, motion, body, point, udot):
    """J udot of a point and of the body's turning, from the work of unit loads: an independent way."""
    out = []
    for axis in range(6):
        unit = np.eye(6)[axis]
        load = bo.Load("unit", body, unit[:3], point, unit[3:])
        still = dataclasses.replace(motion, udot=np.zeros_like(motion.udot))
        work = (
            bo.inverse_dynamics(model, still)["generalized_force"]
            - bo.inverse_dynamics(model, still, [load])["generalized_force"]
        )
        out.append((work.values * udot).sum(axis=1))
    return np.stack(out, axis=1)


def test_loads_below_the_threshold_stay_loads():
    model = random_model(11, 3, kinds=("free_angles",))
    motion = random_motion(model, 11)
    body = model.body_names[-1]
    load = bo.Load("foot", body, np.array([0.0, 5.0, 0.0]), np.zeros(3))
    found = bo.induced(model, motion, [load], contact="weld")
    assert not found["contact_force"].values.any()
    assert found["acceleration"].sel(source="load:foot").values.any()


def test_unknown_contacts_are_refused():
    model = double_pendulum()
    with pytest.raises(bo.BorelliError, match="'glue' is not a kind of contact"):
        bo.induced(model, falling(model), contact="glue")


def test_forces_that_are_not_evaluated_are_named():
    sole = OtherComponent(name="sole", kind="HuntCrossleyForce", role="force")
    model = dataclasses.replace(double_pendulum(), others=(sole,))
    with pytest.warns(bo.BorelliWarning, match="not evaluated and count as provided: sole"):
        bo.induced(model, falling(model))


def standing(rng, constraints=()):
    """A trunk that floats, a leg and a foot, in a random posture; and the load at a point of the foot."""
    bodies = [
        Body("trunk", 20.0, (0, 0.2, 0), (1.0, 0.5, 1.1)),
        Body("leg", 5.0, (0, -0.2, 0.01), (0.1, 0.02, 0.1)),
        Body("foot", 2.0, (0.05, -0.02, 0), (0.02, 0.03, 0.02)),
    ]
    joints = [
        FreeJoint(name="free", parent="ground", child="trunk", attitude=Attitude.ANGLES),
        PinJoint(name="hip", parent="trunk", child="leg"),
        PinJoint(name="ankle", parent="leg", child="foot", parent_placement=Placement((0, -0.5, 0))),
    ]
    model = Model(
        name="standing", bodies=bodies, joints=joints, constraints=constraints, gravity=(0, -9.81, 0)
    )
    q, u = rng.uniform(-0.4, 0.4, (3, 8)), rng.normal(0, 1, (3, 8))
    return model, q, u


@pytest.mark.parametrize("kind", ["point", "rolling", "weld"])
def test_a_motion_that_obeys_its_contact_has_the_load_as_the_sum_of_contact_forces(kind):
    rng = np.random.default_rng(4)
    model, q, u = standing(rng)
    names, time = model.coordinate_names, np.arange(3.0)
    free = bo.Motion(time, names, q, u, rng.normal(0, 3, (3, 8)), model.speed_names)
    poses = bo.body_poses(model, free).sel(body="foot")
    point = poses["origin"].values + np.einsum("nab,b->na", poses["rotation"].values, [0.1, -0.05, 0.02])
    moment = {"point": 0.0, "rolling": np.array([0, 4.0, 0]), "weld": rng.normal(size=3)}[kind]
    load = bo.Load(
        "ground", "foot", rng.normal(0, 30, 3) + np.array([0, 250, 0]), point, np.zeros(3) + moment
    )
    # First find accelerations that obey the contact, then ask where they come from.
    obeying = bo.induced(model, free, [load], contact=kind)["acceleration"].sum("source").values
    motion = bo.Motion(time, names, q, u, obeying, model.speed_names)
    found = bo.induced(model, motion, [load], contact=kind)
    np.testing.assert_allclose(found["acceleration"].sum("source"), obeying, atol=1e-8)
    np.testing.assert_allclose(found["contact_force"].sum("source")[:, 0], load.at(time).force, atol=1e-7)
    np.testing.assert_allclose(found["contact_moment"].sum("source")[:, 0], load.at(time).moment, atol=1e-7)
    reaction = bo.joint_reactions(model, motion, [load])
    np.testing.assert_allclose(found["reaction_force"].sum("source"), reaction["force"], atol=1e-7)


def test_a_foot_that_need_not_pull_or_slip_rolls_as_if_it_could_not():
    rng = np.random.default_rng(4)
    model, q, u = standing(rng)
    # At rest the foot does not tip over, which is where the two ways to resist twist differ.
    motion = bo.Motion(np.arange(3.0), model.coordinate_names, q, 0 * u, 0 * u, model.speed_names)
    load = bo.Load("ground", "foot", np.array([0, 300.0, 0]), np.zeros(3))
    plain = bo.induced(model, motion, [load], contact="rolling")
    sticky = bo.induced(model, motion, [load], contact=bo.RollingOnSurface(1e9, 1e9))
    np.testing.assert_allclose(sticky["contact_force"], plain["contact_force"], atol=1e-9)
    slick = bo.induced(model, motion, [load], contact=bo.RollingOnSurface(friction=0.0))
    pressing = slick["contact_force"].sum("source").values[:, 0]
    assert np.all(pressing[:, 1] > 0.0)
    assert not pressing[:, [0, 2]].any()
    assert float(slick["closure"]) < 1e-10
    assert slick.attrs["contact"] == "rolling on a surface, friction 0, radius 0.01 m"


def test_a_foot_holds_as_far_as_pressure_and_friction_allow():
    surface = bo.RollingOnSurface(friction=0.5, radius=0.1)
    # x, y, z in N, and the moment about y on the foot in N m
    forces = np.array([[3, 10, 4, 0.4], [3, 10, 4.1, 0], [3, -10, 4, 0], [3, 10, 4, -0.4], [3, 10, 4, -0.6]])
    held = [[1, 1, 1, 1], [0, 1, 0, 0], [0, 0, 0, 0], [1, 1, 1, 1], [1, 1, 1, 0]]
    np.testing.assert_array_equal(surface.holds(forces), np.array(held, dtype=bool))
    with pytest.raises(
        bo.BorelliError, match="the radius of a rolling contact is -1, and must not be negative"
    ):
        bo.RollingOnSurface(radius=-1)


def test_each_load_can_have_its_own_kind_of_contact():
    model, q, u = standing(np.random.default_rng(4))
    motion = bo.Motion(np.arange(3.0), model.coordinate_names, q, u, 0 * u, model.speed_names)
    loads = [bo.Load(name, "foot", np.array([0, 200.0, 0]), np.zeros(3)) for name in ("left", "right")]
    found = bo.induced(model, motion, loads, contact={"right": "point"})
    assert list(found["contact"].values) == ["right"]
    assert "load:left" in found["source"].values
    with pytest.raises(bo.BorelliError, match="'up' is not a load"):
        bo.induced(model, motion, loads, contact={"up": "point"})


def test_bodies_accelerate_as_their_coordinates_do():
    rng = np.random.default_rng(8)
    model, q, u = standing(rng)
    motion = bo.Motion(
        np.arange(3.0), model.coordinate_names, q, u, rng.normal(size=u.shape), model.speed_names
    )
    found = bo.induced(model, motion, bodies=["foot", "trunk"])
    moving = point_motions(model, motion, {body.name: (body.name, body.com) for body in model.bodies})
    for name in ("foot", "trunk"):
        own = found.sel(body=name)
        np.testing.assert_allclose(
            own["body_acceleration"].sum("source"), moving[name].acceleration, atol=1e-9
        )
        turning = own["body_angular_acceleration"].sum("source")
        np.testing.assert_allclose(turning, moving[name].angular_acceleration, atol=1e-9)
    # Nothing but gravity and what is provided moves the mass centre of a body in flight.
    centre = found["com_acceleration"].sel(source=["weight:trunk", "weight:leg", "weight:foot"]).sum("source")
    np.testing.assert_allclose(centre, np.tile([0, -9.81, 0], (3, 1)), atol=1e-9)


def test_couplers_hold_under_every_source():
    coupler = CoordinateCoupler(
        name="gear", independent=("hip",), dependent="ankle", function=Linear(0.5, 0.1)
    )
    rng = np.random.default_rng(9)
    model, q, u = standing(rng, (coupler,))
    motion = bo.Motion(
        np.arange(3.0), model.coordinate_names, q, u, rng.normal(size=u.shape), model.speed_names
    )
    found = bo.induced(model, motion)
    assert float(found["closure"]) < 1e-10
    udot = found["acceleration"]
    np.testing.assert_allclose(udot.sel(coordinate="ankle"), 0.5 * udot.sel(coordinate="hip"), atol=1e-9)
