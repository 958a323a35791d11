"""Random trees: Pinocchio and MuJoCo give the same numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import borelli as bo
from tests.random_trees import NATIVE, random_loads, random_model, random_motion

pin = pytest.importorskip("pinocchio")
from tests.pinocchio_trees import PinocchioTree  # noqa: E402

# Two orders of summation in double precision over at most 40 freedoms.
CLOSE = 1e-9
SEEDS = st.integers(0, 10_000)
trees = given(seed=SEEDS, n_bodies=st.integers(1, 16))
few = settings(max_examples=25, deadline=None)


def assert_close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=CLOSE, atol=CLOSE * (1 + np.abs(expected).max()))


def each_frame(motion, tree):
    for frame in range(motion.n_times):
        q, u, udot = motion.q[frame], motion.u[frame], motion.udot[frame]
        yield frame, q[tree.q_order], u[tree.v_order], udot[tree.v_order]


@trees
@few
def test_generalized_forces_equal_pinocchios(seed, n_bodies):
    model = random_model(seed, n_bodies, NATIVE)
    motion, loads = random_motion(model, seed), random_loads(model, seed)
    found = bo.inverse_dynamics(model, motion, loads)["generalized_force"].values
    tree = PinocchioTree(model)
    for frame, q, u, udot in each_frame(motion, tree):
        forces = tree.loads(loads, q, frame)
        if tree.pin.nv:
            assert_close(found[frame], tree.spread(pin.rnea(tree.pin, tree.data, q, u, udot, forces)))


@trees
@few
def test_mass_matrix_equals_pinocchios(seed, n_bodies):
    model = random_model(seed, n_bodies, NATIVE)
    motion = random_motion(model, seed)
    found = bo.mass_matrix(model, motion).values
    tree = PinocchioTree(model)
    for frame, q, _, _ in each_frame(motion, tree):
        upper = np.triu(pin.crba(tree.pin, tree.data, q))
        if tree.pin.nv:
            assert_close(found[frame], tree.spread_square(upper + np.triu(upper, 1).T))


@trees
@few
def test_accelerations_equal_pinocchios(seed, n_bodies):
    model = random_model(seed, n_bodies, NATIVE)
    motion, loads = random_motion(model, seed), random_loads(model, seed)
    force = np.random.default_rng(seed).normal(0, 10, motion.u.shape)
    found = bo.forward_dynamics(model, motion, force, loads)["acceleration"].values
    tree = PinocchioTree(model)
    for frame, q, u, _ in each_frame(motion, tree):
        if tree.pin.nv:
            forces = tree.loads(loads, q, frame)
            expected = tree.spread(pin.aba(tree.pin, tree.data, q, u, force[frame][tree.v_order], forces))
            # The mass matrix of a long random chain has condition numbers up to 1e5.
            np.testing.assert_allclose(found[frame], expected, rtol=1e-8, atol=1e-9 * np.abs(expected).max())


@trees
@few
def test_joint_wrenches_equal_pinocchios(seed, n_bodies):
    model = random_model(seed, n_bodies, [kind for kind in NATIVE if kind != "weld"])
    motion, loads = random_motion(model, seed), random_loads(model, seed)
    found = bo.joint_reactions(model, motion, loads)
    tree = PinocchioTree(model)
    for frame, q, u, udot in each_frame(motion, tree):
        pin.rnea(tree.pin, tree.data, q, u, udot, tree.loads(loads, q, frame))
        for number, joint in enumerate(model.joints):
            index = tree.last[joint.name]
            # Pinocchio's frame of the last elementary joint is our child frame; its data are in that frame.
            rotation, wrench = tree.data.oMi[index].rotation, tree.data.f[index]
            assert_close(found["force"].values[frame, number], rotation @ wrench.linear)
            assert_close(found["moment"].values[frame, number], rotation @ wrench.angular)


@given(seed=SEEDS, n_bodies=st.integers(1, 8))
@settings(max_examples=15, deadline=None)
def test_derivatives_of_inverse_dynamics_equal_pinocchios(seed, n_bodies):
    model = random_model(seed, n_bodies, NATIVE)
    motion = random_motion(model, seed)
    tree = PinocchioTree(model)
    if not tree.pin.nv:
        return
    # Without loads: Pinocchio's external forces follow their bodies, ours are held in ground.
    found = bo.sensitivities(model, motion)
    for frame, q, u, udot in each_frame(motion, tree):
        by_q, by_v, by_a = pin.computeRNEADerivatives(tree.pin, tree.data, q, u, udot)
        by_a = np.triu(by_a) + np.triu(by_a, 1).T
        for name, expected in (("by_displacement", by_q), ("by_u", by_v), ("by_udot", by_a)):
            assert_close(found[name].values[frame], tree.spread_square(expected))


MUJOCO = ("pin", "slider", "universal", "gimbal", "planar", "weld")


@given(seed=SEEDS, n_bodies=st.integers(1, 12))
@settings(max_examples=15, deadline=None)
def test_forces_mass_matrix_and_accelerations_equal_mujocos(seed, n_bodies):
    mujoco = pytest.importorskip("mujoco")
    from tests.mujoco_trees import mujoco_model

    model = random_model(seed, n_bodies, MUJOCO)
    if not model.speed_names:
        return
    motion = random_motion(model, seed)
    force = bo.inverse_dynamics(model, motion)["generalized_force"].values
    mass = bo.mass_matrix(model, motion).values
    other, order = mujoco_model(model)
    data = mujoco.MjData(other)
    for frame in range(motion.n_times):
        data.qpos[:], data.qvel[:], data.qacc[:] = (
            x[frame][order] for x in (motion.q, motion.u, motion.udot)
        )
        mujoco.mj_inverse(other, data)
        full = np.zeros((other.nv, other.nv))
        for column in range(other.nv):
            mujoco.mj_mulM(other, data, full[column], np.eye(other.nv)[column])
        assert_close(force[frame][order], data.qfrc_inverse.copy())
        assert_close(mass[frame][np.ix_(order, order)], full)
        data.qfrc_applied[:] = force[frame][order]
        mujoco.mj_forward(other, data)
        accelerations = motion.udot[frame][order]
        np.testing.assert_allclose(
            data.qacc, accelerations, rtol=1e-7, atol=1e-8 * np.abs(accelerations).max()
        )


@given(seed=SEEDS, n_bodies=st.integers(1, 12))
@settings(max_examples=15, deadline=None)
def test_joint_wrenches_equal_mujocos(seed, n_bodies):
    mujoco = pytest.importorskip("mujoco")
    from tests.mujoco_trees import mujoco_model

    model = random_model(seed, n_bodies, MUJOCO)
    motion = random_motion(model, seed)
    found = bo.joint_reactions(model, motion)
    other, order = mujoco_model(model)
    data = mujoco.MjData(other)
    for frame in range(motion.n_times):
        data.qpos[:], data.qvel[:], data.qacc[:] = (
            x[frame][order] for x in (motion.q, motion.u, motion.udot)
        )
        mujoco.mj_inverse(other, data)
        mujoco.mj_rnePostConstraint(other, data)
        for number, joint in enumerate(model.joints):
            body = other.body(joint.child).id
            moment, force = data.cfrc_int[body, :3], data.cfrc_int[body, 3:]
            # MuJoCo's moments are about the mass centre of the whole tree.
            lever = data.subtree_com[other.body_rootid[body]] - found["point"].values[frame, number]
            assert_close(found["force"].values[frame, number], force)
            assert_close(found["moment"].values[frame, number], moment + np.cross(lever, force))


def test_a_wrong_mass_is_noticed():
    """Negative control: the comparison above does tell models apart."""
    model = random_model(3, 6, ("pin",))
    motion = random_motion(model, 3)
    tree = PinocchioTree(random_model(4, 6, ("pin",)))
    found = bo.inverse_dynamics(model, motion)["generalized_force"].values[0]
    expected = tree.spread(pin.rnea(tree.pin, tree.data, motion.q[0], motion.u[0], motion.udot[0]))
    assert np.abs(found - expected).max() > 1e-3
