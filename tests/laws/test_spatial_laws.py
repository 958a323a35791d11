"""Laws of mechanics that hold for every tree, on random trees of all kinds of joints."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import borelli as bo
from borelli.model.joints.joint import FreeJoint
from borelli.model.model import Model
from borelli.model.placement import Placement
from tests.random_trees import (
    ALL,
    ELEMENTARY,
    random_body,
    random_joint,
    random_loads,
    random_model,
    random_motion,
)

trees = given(seed=st.integers(0, 10_000), n_bodies=st.integers(1, 12))
few = settings(max_examples=20, deadline=None)


def assert_close(found, expected, tolerance=1e-9):
    """Two orders of summation in double precision, relative to the largest number involved."""
    size = 1 + max(np.abs(expected).max(initial=0), np.abs(found).max(initial=0))
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance * size)


def force(model, motion, loads=()):
    return bo.inverse_dynamics(model, motion, loads)["generalized_force"].values


def moved(model, motion, h):
    """The motion a time h later, to second order in h: q along its rates, u along udot."""
    from borelli.compiled.compile import compile_model
    from borelli.kernels.tree.blocks import columns
    from borelli.kernels.tree.mechanism import coordinate_rates

    mechanism = compile_model(model).mechanism
    # Midpoint rule: rates at the middle make q good to h^3.
    half = motion.u + 0.5 * h * motion.udot
    first = np.column_stack(coordinate_rates(mechanism, columns(motion.q), columns(motion.u)))
    middle = motion.q + 0.5 * h * first
    rates = np.column_stack(coordinate_rates(mechanism, columns(middle), columns(half)))
    q, u = motion.q + h * rates, motion.u + h * motion.udot
    return bo.Motion(motion.time, motion.coordinates, q, u, motion.udot, speeds=motion.speeds)


@trees
@few
def test_forward_dynamics_undoes_inverse_dynamics(seed, n_bodies):
    model = random_model(seed, n_bodies)
    motion, loads = random_motion(model, seed), random_loads(model, seed)
    found = bo.forward_dynamics(model, motion, force(model, motion, loads), loads)["acceleration"].values
    # Random long chains have mass matrices with condition numbers up to 1e6.
    assert_close(found, motion.udot, 1e-7)


@trees
@few
def test_inverse_dynamics_is_mass_times_acceleration_plus_the_rest(seed, n_bodies):
    model = random_model(seed, n_bodies)
    motion = random_motion(model, seed)
    still = bo.Motion(
        motion.time, motion.coordinates, motion.q, motion.u, 0 * motion.udot, speeds=motion.speeds
    )
    mass = bo.mass_matrix(model, motion).values
    expected = np.einsum("tij,tj->ti", mass, motion.udot) + force(model, still)
    assert_close(force(model, motion), expected)
    assert_close(mass, np.swapaxes(mass, 1, 2), 0.0)
    if model.speed_names:
        assert np.linalg.eigvalsh(mass).min() > 0


@trees
@few
def test_recursion_equals_the_lagrangian_form(seed, n_bodies):
    model = random_model(seed, n_bodies, ELEMENTARY)
    motion, loads = random_motion(model, seed), random_loads(model, seed)
    found = bo.lagrangian(model, motion, loads)
    assert_close(found["generalized_force"].values, force(model, motion, loads))
    assert_close(found["H"].values, bo.mass_matrix(model, motion).values)
    by_velocity = np.einsum("tij,tj->ti", found["C"].values, motion.u)
    by_pairs = np.einsum("tijk,tj,tk->ti", found["h"].values, motion.u, motion.u)
    assert_close(by_velocity, by_pairs)


@trees
@few
def test_power_of_all_forces_is_the_growth_of_energy(seed, n_bodies):
    model = random_model(seed, n_bodies)
    motion = random_motion(model, seed)
    h = 1e-4
    after, before = (bo.energy(model, moved(model, motion, step)) for step in (h, -h))
    growth = sum(
        (after[name] - before[name]).values / (2 * h) for name in ("kinetic_energy", "potential_energy")
    )
    power = np.einsum("ti,ti->t", force(model, motion), motion.u)
    # A central difference of step h: errors of order h^2 times third derivatives.
    assert_close(power, growth, 1e-5)


@trees
@few
def test_free_fall_has_no_forces_and_no_joint_wrenches(seed, n_bodies):
    rng = np.random.default_rng(seed)
    tree = random_model(seed, n_bodies)
    root = random_body("root", rng)
    carried = [replace(j, parent="root") if j.parent == "ground" else j for j in tree.joints]
    free = FreeJoint(name="fall", parent="ground", child="root", parent_placement=Placement())
    model = Model(bodies=(root, *tree.bodies), joints=(free, *carried), gravity=tree.gravity)
    motion = random_motion(model, seed, scale=0.0)
    udot = np.zeros_like(motion.udot)
    udot[:, 3:6] = model.gravity
    falling = bo.Motion(motion.time, motion.coordinates, motion.q, motion.u, udot, speeds=motion.speeds)
    reactions = bo.joint_reactions(model, falling)
    weight = 10 * sum(body.mass for body in model.bodies)
    assert np.abs(force(model, falling)).max() < 1e-12 * weight
    assert np.abs(reactions["force"]).max() < 1e-12 * weight
    assert np.abs(reactions["moment"]).max() < 1e-12 * weight
    # Negative control: at rest the joints do carry the weight.
    assert np.abs(bo.joint_reactions(model, motion)["force"]).max() > 0.1


@trees
@few
def test_force_of_the_ground_is_the_growth_of_momentum(seed, n_bodies):
    model = random_model(seed, n_bodies)
    motion = random_motion(model, seed)
    h = 1e-4
    after, before = (bo.energy(model, moved(model, motion, step)) for step in (h, -h))
    growth = (after["momentum"] - before["momentum"]).values / (2 * h)
    spin = (after["angular_momentum"] - before["angular_momentum"]).values / (2 * h)
    found = bo.joint_reactions(model, motion)
    roots = [joint.name for joint in model.joints if joint.parent == "ground"]
    own = found.sel(joint=roots)
    support = own["force"].values.sum(axis=1)
    moment = (own["moment"].values + np.cross(own["point"].values, own["force"].values)).sum(axis=1)
    poses = bo.body_poses(model, motion)
    masses = np.array([body.mass for body in model.bodies])
    weight = masses.sum() * np.array(model.gravity)
    weights = np.cross(np.einsum("b,tbx->tx", masses, poses["com"].values), model.gravity)
    assert_close(support + weight, growth, 1e-5)
    assert_close(moment + weights, spin, 1e-5)


@trees
@few
def test_turning_the_world_turns_reactions_and_leaves_generalized_forces(seed, n_bodies):
    model = random_model(seed, n_bodies)
    motion, loads = random_motion(model, seed), random_loads(model, seed)
    world = Placement((0.3, -0.2, 0.5), Rotation.random(random_state=seed).as_matrix())
    turn = np.array(world.rotation)
    joints = [
        replace(joint, parent_placement=world.then(joint.parent_placement))
        if joint.parent == "ground"
        else joint
        for joint in model.joints
    ]
    turned = replace(model, joints=joints, gravity=tuple(turn @ model.gravity))
    turned_loads = [
        bo.Load(
            load.name,
            load.body,
            load.force @ turn.T,
            load.point @ turn.T + world.translation,
            load.moment @ turn.T,
        )
        for load in loads
    ]
    assert_close(force(turned, motion, turned_loads), force(model, motion, loads))
    here, there = bo.joint_reactions(model, motion, loads), bo.joint_reactions(turned, motion, turned_loads)
    for name in ("force", "moment"):
        assert_close(there[name].values, here[name].values @ turn.T)


@trees
@few
def test_moving_body_frames_changes_nothing_else(seed, n_bodies):
    """Where a body's own frame sits is a matter of description."""
    model = random_model(seed, n_bodies)
    motion = random_motion(model, seed)
    rng = np.random.default_rng(seed)
    bodies, shifts = [], {}
    for body in model.bodies:
        shift = Placement(rng.normal(size=3), Rotation.random(random_state=rng).as_matrix())
        back, turn = shift.inverse(), np.array(shift.rotation)
        inertia = turn.T @ body.inertia_matrix @ turn
        bodies.append(replace(body, com=back.of_point(body.com), inertia=inertia))
        shifts[body.name] = back
    joints = []
    for joint in model.joints:
        changed = {"child_placement": shifts[joint.child].then(joint.child_placement)}
        if joint.parent != "ground":
            changed["parent_placement"] = shifts[joint.parent].then(joint.parent_placement)
        joints.append(replace(joint, **changed))
    other = replace(model, bodies=bodies, joints=joints)
    assert_close(force(other, motion), force(model, motion))
    for name in ("force", "moment", "point"):
        here, there = (bo.joint_reactions(m, motion)[name].values for m in (model, other))
        assert_close(there, here)


@given(seed=st.integers(0, 10_000), kind=st.sampled_from(ALL))
@settings(max_examples=20, deadline=None)
def test_a_joint_replaced_by_its_reaction_leaves_the_motion_as_it_was(seed, kind):
    """Cut a joint: both halves, loaded with the reaction and its opposite, need the same forces."""
    rng = np.random.default_rng(seed)
    upper, lower = random_body("upper", rng), random_body("lower", rng)
    shoulder = random_joint("gimbal", "shoulder", "ground", "upper", rng)
    elbow = random_joint(kind, "elbow", "upper", "lower", rng)
    whole = Model(bodies=(upper, lower), joints=(shoulder, elbow), gravity=(0.3, -9.8, 0.7))
    motion = random_motion(whole, seed)
    reaction = bo.joint_reactions(whole, motion, on="parent").sel(joint="elbow")
    stump = Model(bodies=(upper,), joints=(shoulder,), gravity=whole.gravity)
    own = bo.Motion(motion.time, stump.coordinate_names, motion.q[:, :3], motion.u[:, :3], motion.udot[:, :3])
    load = bo.Load(
        "elbow", "upper", reaction["force"].values, reaction["point"].values, reaction["moment"].values
    )
    assert_close(force(stump, own, [load]), force(whole, motion)[:, :3])


@given(seed=st.integers(0, 10_000))
@few
def test_a_pin_replaced_by_a_free_joint_and_its_reaction_needs_no_further_force(seed):
    rng = np.random.default_rng(seed)
    upper, lower = random_body("upper", rng), random_body("lower", rng)
    shoulder = random_joint("gimbal", "shoulder", "ground", "upper", rng)
    pin = random_joint("pin", "elbow", "upper", "lower", rng)
    placements = {"parent_placement": pin.parent_placement, "child_placement": pin.child_placement}
    free = FreeJoint(name="elbow", parent="upper", child="lower", **placements)
    pinned = Model(bodies=(upper, lower), joints=(shoulder, pin), gravity=(0.3, -9.8, 0.7))
    freed = replace(pinned, joints=(shoulder, free))
    motion = random_motion(pinned, seed)
    reaction = bo.joint_reactions(pinned, motion).sel(joint="elbow")
    own, point, moment = (reaction[name].values for name in ("force", "point", "moment"))
    loads = [bo.Load("on", "lower", own, point, moment), bo.Load("back", "upper", -own, point, -moment)]

    angle, zero = motion.q[:, 3], np.zeros(motion.n_times)
    quaternion = np.column_stack([np.cos(angle / 2), zero, zero, np.sin(angle / 2)])
    still = np.zeros((motion.n_times, 3))
    q = np.hstack([motion.q[:, :3], quaternion, still])
    u, udot = (
        np.column_stack([x[:, :3], zero, zero, x[:, 3], zero, zero, zero]) for x in (motion.u, motion.udot)
    )
    same = bo.Motion(motion.time, freed.coordinate_names, q, u, udot, speeds=freed.speed_names)
    found = force(freed, same, loads)
    assert_close(found[:, 3:], np.zeros((motion.n_times, 6)), 1e-9 * (1 + np.abs(own).max()))
    assert_close(found[:, :3], force(pinned, motion)[:, :3])
